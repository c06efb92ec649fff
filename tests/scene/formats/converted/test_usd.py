"""USD stages by usd-core: prims, instances, colours, materials, up axis and unit."""

from __future__ import annotations

import io
import zipfile

import numpy as np
import pytest
from PIL import Image

from octoscope.scene import ReadError
from tests.scene.formats.converted.in_world import world_bounds

pytest.importorskip("pxr", reason="needs octoscope[usd]")

_POINTS = "[(0,0,0),(1,0,0),(1,1,0),(0,1,0),(0,0,1),(1,0,1),(1,1,1),(0,1,1)]"
_SIDES = "[0,3,2,1,4,5,6,7,0,1,5,4,2,3,7,6,1,2,6,5,0,4,7,3]"
SHAPE = f"""point3f[] points = {_POINTS}
int[] faceVertexCounts = [4,4,4,4,4,4]
int[] faceVertexIndices = {_SIDES}
uniform token subdivisionScheme = "none"
"""
UNIT = ([0.0, 0.0, 0.0], [1.0, 1.0, 1.0])


def moved(x: float, y: float, z: float) -> str:
    return f'double3 xformOp:translate = ({x},{y},{z})\nuniform token[] xformOpOrder = ["xformOp:translate"]\n'


def cube(name: str = "cube", more: str = "") -> str:
    return f'def Mesh "{name}" {{\n{SHAPE}{more}}}\n'


def usda(prims: str, stage: str = 'upAxis = "Y"\nmetersPerUnit = 1') -> str:
    lines = prims.replace("{", "{\n").replace("}", "\n}")  # each statement needs a line of its own
    return f"#usda 1.0\n(\n{stage}\n)\n{lines}"


def material_of(content, number: int = 0):
    """The material of an object's first triangle."""
    mesh = content.objects[number][1]
    return content.materials[mesh.material_ids[mesh.triangles[0, 0]]]


@pytest.mark.parametrize(
    ("stage", "up_axis", "expected"),
    [
        ('upAxis = "Y"\nmetersPerUnit = 2', "y", ([2.0, 4.0, 6.0], [4.0, 6.0, 8.0])),
        ('upAxis = "Z"\nmetersPerUnit = 2', "z", ([2.0, 4.0, 6.0], [4.0, 6.0, 8.0])),
        ('upAxis = "Z"\nmetersPerUnit = 2', "y", ([2.0, 6.0, -6.0], [4.0, 8.0, -4.0])),
        ("", "y", ([0.01, 0.02, 0.03], [0.02, 0.03, 0.04])),  # centimetres, unless a stage says otherwise
    ],
)
def test_up_axis_and_unit_of_the_stage_count(convert, stage, up_axis, expected):
    content = convert("a.usda", usda(cube(more=moved(1, 2, 3)), stage))
    assert content.problems == []
    assert world_bounds(content, up_axis=up_axis) == {"cube": expected}


def test_prims_are_a_tree_without_what_is_not_shown(convert):
    hidden = 'def Xform "hidden" { token visibility = "invisible"\n' + cube() + "}\n"
    guide = 'def Xform "guide" { uniform token purpose = "guide"\n' + cube() + "}\n"
    away = 'def Xform "away" ( active = false ) {\n' + cube() + "}\n"
    turned = 'double xformOp:rotateZ = 90\nuniform token[] xformOpOrder = ["xformOp:rotateZ"]\n'
    tree = f'def Xform "town" {{\n{moved(10, 0, 0)}def Scope "houses" {{\n{cube("turned", turned)}}}\n'
    lone = '!resetXformStack!", "xformOp:translate'
    lone = cube("lone", moved(0, 5, 0).replace('xformOp:translate"]', lone + '"]'))
    content = convert("a.usda", usda(tree + lone + hidden + guide + away + 'def Scope "empty" {}\n}\n'))
    assert world_bounds(content) == {
        "town/houses/turned": ([9.0, 0.0, 0.0], [10.0, 1.0, 1.0]),
        "lone": ([0.0, 5.0, 0.0], [1.0, 6.0, 1.0]),
    }
    assert content.node_names.tolist() == ["town", "houses", "turned", "lone"]


def test_instances_share_their_meshes(convert):
    kind = f'class Xform "kind" {{\n{cube("part", moved(0, 0, 1))}}}\n'
    prims = "".join(
        f'def Xform "copy{number}" ( instanceable = true\ninherits = </kind> ) {{\n{moved(2 * number, 0, 0)}}}\n'
        for number in range(3)
    )
    content = convert("a.usda", usda(kind + prims))
    assert world_bounds(content) == {
        f"copy{number}/part": ([2.0 * number, 0.0, 1.0], [2.0 * number + 1.0, 1.0, 2.0]) for number in range(3)
    }
    assert len(content.meshes.names) == 1


def test_a_point_instancer_places_its_prototypes(convert):
    prims = f"""def PointInstancer "trees" {{
{moved(0, 0, 7)}
rel prototypes = [</trees/kinds/small>, </trees/kinds/large>]
int[] protoIndices = [0, 1, 1, 0]
point3f[] positions = [(0,0,0), (5,0,0), (0,5,0), (9,9,9)]
quath[] orientations = [(1,0,0,0), (1,0,0,0), (0.70710678,0,0,0.70710678), (1,0,0,0)]
float3[] scales = [(1,1,1), (1,1,1), (1,1,1), (1,1,1)]
int64[] ids = [10, 11, 12, 13]
int64[] invisibleIds = [13]
def Scope "kinds" {{
{cube("small", moved(0, 1, 0))}{
        cube(
            "large",
            "double3 xformOp:scale = (2,2,2)" + chr(10) + 'uniform token[] xformOpOrder = ["xformOp:scale"]' + chr(10),
        )
    }}}
}}
"""
    content = convert("a.usda", usda(prims))
    places = [(content.node_names[row], *content.objects[row - 1][1].positions.max(axis=0)) for row in (1, 2, 3)]
    assert [name for name, *_ in places] == ["small", "large", "large"]
    assert len(content.meshes.names) == 2
    lower, upper = _bounds_of_rows(content)
    assert lower.round(3).tolist() == [[0.0, 1.0, 7.0], [5.0, 0.0, 7.0], [-2.0, 5.0, 7.0]]
    assert upper.round(3).tolist() == [[1.0, 2.0, 8.0], [7.0, 2.0, 9.0], [0.0, 7.0, 9.0]]


def _bounds_of_rows(content) -> tuple[np.ndarray, np.ndarray]:
    from octoscope.scene import Scene
    from octoscope.scene.bake import baked

    scene = Scene()
    scene.add_content(content, None)
    scene.update_world()
    corners = [baked(scene, np.array([row])).positions for row in np.flatnonzero(scene.mesh_ids >= 0)]
    return np.array([each.min(axis=0) for each in corners]), np.array([each.max(axis=0) for each in corners])


def test_colours_of_a_prim_and_of_faces(convert):
    whole = cube("whole", "color3f[] primvars:displayColor = [(1, 0, 0)]\n")
    colors = ", ".join(["(0, 1, 0)"] * 3 + ["(0, 0, 1)"] * 3)
    faces = f'color3f[] primvars:displayColor = [{colors}] ( interpolation = "uniform" )\n'
    content = convert("a.usda", usda(whole + cube("faces", faces)))
    (_, red), (_, mixed) = content.objects
    assert np.unique(red.colors, axis=0).tolist() == [[255, 0, 0, 255]]
    of_corners = mixed.colors[mixed.triangles].reshape(-1, 4)
    assert np.unique(of_corners, axis=0).tolist() == [[0, 0, 255, 255], [0, 255, 0, 255]]
    is_green = (mixed.colors[mixed.triangles[:, 0]] == (0, 255, 0, 255)).all(axis=1)
    assert mixed.positions[mixed.triangles[is_green][:, 0]].shape == (6, 3)  # three sides of two triangles
    assert material_of(content).base_color == (1.0, 1.0, 1.0)


def test_faces_that_look_from_the_left_hand_are_turned_round(convert):
    content = convert("a.usda", usda(cube() + cube("left", 'uniform token orientation = "leftHanded"\n')))
    volumes = []
    for _, mesh in content.objects:
        a, b, c = (mesh.positions[mesh.triangles[:, k]] for k in range(3))
        volumes.append(np.einsum("ij,ij->i", a, np.cross(b, c)).sum() / 6.0)
    assert volumes == pytest.approx([1.0, -1.0])


LOOKS = """def Scope "looks" {
def Material "paint" {
token outputs:surface.connect = </looks/paint/shader.outputs:surface>
def Shader "shader" {
uniform token info:id = "UsdPreviewSurface"
color3f inputs:diffuseColor = (1, 0, 0)
float inputs:opacity = 0.5
float inputs:metallic = 1
float inputs:roughness = 0.25
color3f inputs:emissiveColor = (0, 1, 0)
token outputs:surface
}}
def Material "brick" {
token outputs:surface.connect = </looks/brick/shader.outputs:surface>
def Shader "shader" {
uniform token info:id = "UsdPreviewSurface"
color3f inputs:diffuseColor.connect = </looks/brick/image.outputs:rgb>
token outputs:surface
}
def Shader "image" {
uniform token info:id = "UsdUVTexture"
asset inputs:file = @brick.png@
float3 outputs:rgb
}}}
"""
_BOUND = "rel material:binding = </looks/{}>\n"
_UVS = f'texCoord2f[] primvars:st = [{"(0,0)," * 4 + "(0,1)," * 4}] ( interpolation = "vertex" )\n'


def bound(name: str, more: str = "") -> str:
    return cube(name, _BOUND.format(name) + more).replace("{", '( prepend apiSchemas = ["MaterialBindingAPI"] ) {', 1)


def picture() -> bytes:
    file = io.BytesIO()
    Image.fromarray(np.array([[[255, 0, 0]], [[0, 0, 255]]], dtype=np.uint8)).save(file, "png")
    return file.getvalue()


def test_a_preview_surface(convert):
    content = convert("a.usda", usda(LOOKS + bound("paint")))
    material = material_of(content)
    assert content.problems == [] and material.name == "paint"
    assert material.base_color == (1.0, 0.0, 0.0) and material.emission == (0.0, 1.0, 0.0)
    assert (material.opacity, material.metallic, material.roughness) == pytest.approx((0.5, 1.0, 0.25))


@pytest.mark.parametrize("ending", [".usda", ".usdz"])
def test_an_image_beside_the_stage_or_within_it(convert, tmp_path, ending):
    text = usda(LOOKS + bound("brick", _UVS)).encode()
    if ending == ".usda":
        (tmp_path / "brick.png").write_bytes(picture())
        content = convert("a.usda", text)
        assert tmp_path / "brick.png" in content.dependencies
    else:
        content = convert("a.usdz", usdz({"a.usda": text, "brick.png": picture()}))
    assert content.problems == []
    texture = material_of(content).base_color_texture
    assert texture.pixels[..., :3].reshape(-1, 3).tolist() == [[255, 0, 0], [0, 0, 255]]
    mesh = content.objects[0][1]
    is_high = mesh.positions[:, 2] == 1.0
    assert set(mesh.uvs[is_high, 1]) == {1.0} and set(mesh.uvs[~is_high, 1]) == {0.0}  # 1: the image's top


def test_images_of_roughness_and_metallic_become_one(convert, tmp_path):
    """From other channels of images in another folder, as projects keep them; the smaller image is scaled up."""
    (tmp_path / "maps").mkdir()
    (tmp_path / "stage").mkdir()
    Image.fromarray(np.array([[[9, 200, 9]], [[9, 100, 9]]], dtype=np.uint8)).save(tmp_path / "maps" / "rough.png")
    Image.fromarray(np.array([[[50, 9, 9]]], dtype=np.uint8)).save(tmp_path / "maps" / "metal.png")
    maps = "".join(
        f"""def Shader "{name}" {{
uniform token info:id = "UsdUVTexture"
asset inputs:file = @../maps/{name}.png@
float outputs:{channel}
}}
"""
        for name, channel in (("rough", "g"), ("metal", "r"))
    )
    inputs = """float inputs:roughness.connect = </looks/paint/rough.outputs:g>
float inputs:metallic.connect = </looks/paint/metal.outputs:r>
"""
    looks = LOOKS.replace("float inputs:metallic = 1\nfloat inputs:roughness = 0.25\n", inputs)
    looks = looks.replace("token outputs:surface\n}}", "token outputs:surface\n}\n" + maps + "}", 1)
    content = convert("stage/a.usda", usda(looks + bound("paint")))
    material = material_of(content)
    assert content.problems == [] and (material.roughness, material.metallic) == (1.0, 1.0)
    assert material.surface_texture.pixels[..., 1:3].reshape(-1, 2).tolist() == [[200, 50], [100, 50]]
    assert {tmp_path / "maps" / f"{name}.png" for name in ("rough", "metal")} <= {
        path.resolve() for path in content.dependencies
    }


@pytest.mark.parametrize(
    ("scale", "rotation", "moved"), [((2, 3), 0, (0.5, 0.25)), ((1, 1), 90, (0, 0)), ((2, 3), 30, (1, 2))]
)
def test_an_image_lies_where_the_stage_moves_it(convert, tmp_path, scale, rotation, moved):
    (tmp_path / "brick.png").write_bytes(picture())
    mover = f"""def Shader "mover" {{
uniform token info:id = "UsdTransform2d"
float2 inputs:scale = {scale}
float inputs:rotation = {rotation}
float2 inputs:translation = {moved}
float2 outputs:result
}}
"""
    image = "asset inputs:file = @brick.png@\n"
    looks = LOOKS.replace(image, image + "float2 inputs:st.connect = </looks/brick/mover.outputs:result>\n")
    looks = looks.replace('def Shader "image"', mover + 'def Shader "image"')
    material = material_of(convert("a.usda", usda(looks + bound("brick", _UVS))))
    angle = np.radians(rotation)
    turn = np.array([(np.cos(angle), -np.sin(angle)), (np.sin(angle), np.cos(angle))])
    for uv in ((0.0, 0.0), (1.0, 0.0), (0.3, 0.8)):
        expected = turn @ (np.array(scale) * uv) + moved
        own = material.uv_rotation
        back = np.array([(np.cos(own), -np.sin(own)), (np.sin(own), np.cos(own))])
        np.testing.assert_allclose(back @ (np.array(material.uv_scale) * uv) + material.uv_offset, expected, atol=1e-6)


@pytest.mark.parametrize(
    ("words", "wrap"),
    [
        (("clamp", "mirror"), ("clamp", "mirror")),
        (("repeat", "clamp"), ("repeat", "clamp")),
        (("black", "repeat"), ("clamp", "repeat")),
        (("useMetadata", "none of them"), ("repeat", "repeat")),
    ],
)
def test_how_an_image_goes_on_beyond_its_borders(convert, tmp_path, words, wrap):
    (tmp_path / "brick.png").write_bytes(picture())
    image = "asset inputs:file = @brick.png@\n"
    stated = f'token inputs:wrapS = "{words[0]}"\ntoken inputs:wrapT = "{words[1]}"\n'
    content = convert("a.usda", usda(LOOKS.replace(image, image + stated) + bound("brick", _UVS)))
    assert material_of(content).base_color_texture.wrap == wrap
    said = ["a texture that is black beyond its borders"] * ("black" in words)
    assert [problem.what for problem in content.problems] == said


def looked_up_by(**primvars: str) -> str:
    """A material whose maps, by the names of its inputs, are looked up by primvars."""
    inputs = "".join(f"color3f inputs:{name}.connect = </looks/brick/{name}.outputs:rgb>\n" for name in primvars)
    shaders = "".join(
        f"""def Shader "{name}" {{
uniform token info:id = "UsdUVTexture"
asset inputs:file = @brick.png@
float2 inputs:st.connect = </looks/brick/mover_{name}.outputs:result>
float3 outputs:rgb
}}
def Shader "mover_{name}" {{
uniform token info:id = "UsdTransform2d"
float2 inputs:in.connect = </looks/brick/reader_{name}.outputs:result>
float2 outputs:result
}}
def Shader "reader_{name}" {{
uniform token info:id = "UsdPrimvarReader_float2"
string inputs:varname = "{primvar}"
float2 outputs:result
}}
"""
        for name, primvar in primvars.items()
    )
    connected = "color3f inputs:diffuseColor.connect = </looks/brick/image.outputs:rgb>\n"
    return LOOKS.replace(connected, inputs).replace('def Shader "image"', shaders + 'def Shader "image"')


_SETS = "".join(
    f'{kind}[] primvars:{name} = [({value},{value})] ( interpolation = "constant" )\n'
    for kind, name, value in (
        ("texCoord2f", "st", 0.25),
        ("texCoord2f", "st1", 0.5),
        ("float2", "glow", 0.75),
    )
)


@pytest.mark.parametrize(
    ("primvars", "expected"),
    [
        ({"diffuseColor": "st"}, (0.25, None, False)),
        ({"diffuseColor": "glow"}, (0.75, None, False)),
        ({"diffuseColor": "nowhere"}, (0.25, None, False)),
        ({"diffuseColor": "st1", "emissiveColor": "glow"}, (0.5, 0.75, True)),
        ({"diffuseColor": "glow", "emissiveColor": "glow"}, (0.75, None, False)),
    ],
)
def test_each_map_has_the_texture_coordinates_that_it_names(convert, tmp_path, primvars, expected):
    (tmp_path / "brick.png").write_bytes(picture())
    content = convert("a.usda", usda(looked_up_by(**primvars) + bound("brick", _SETS)))
    assert content.problems == []
    mesh = content.objects[0][1]
    second = None if mesh.second_uvs is None else mesh.second_uvs[0, 0]
    assert (mesh.uvs[0, 0], second, material_of(content).emission_on_second_uvs) == expected


def test_a_third_set_of_texture_coordinates_is_said(convert, tmp_path):
    (tmp_path / "brick.png").write_bytes(picture())
    looks = looked_up_by(diffuseColor="st", emissiveColor="st1", normal="glow")
    content = convert("a.usda", usda(looks + bound("brick", _SETS)))
    said = ["a texture with a third set of texture coordinates in its material"]
    assert [problem.what for problem in content.problems] == said


def test_values_of_another_kind_are_none(convert):
    wrong = cube("wrong").replace("point3f[]", "string[]").replace("(", '"').replace(")", '"')
    content = convert("a.usda", usda(cube() + wrong + cube("bare", "float[] normals = [1, 2, 3]\n")))
    assert sorted(world_bounds(content)) == ["bare", "cube"]


def usdz(files: dict[str, bytes]) -> bytes:
    """Pack files uncompressed, each beginning at a multiple of 64 bytes."""
    output = io.BytesIO()
    with zipfile.ZipFile(output, "w") as archive:
        for name, data in files.items():
            info = zipfile.ZipInfo(name)
            begin = output.tell() + 30 + len(name)
            info.extra = bytes.fromhex("8619") + (-(begin + 4) % 64).to_bytes(2, "little") + bytes(-(begin + 4) % 64)
            archive.writestr(info, data)
    return output.getvalue()


def test_groups_of_faces_have_materials_of_their_own(convert):
    subset = f"""def GeomSubset "top" ( prepend apiSchemas = ["MaterialBindingAPI"] ) {{
uniform token elementType = "face"
uniform token familyName = "materialBind"
int[] indices = [1]
{_BOUND.format("paint")}}}
"""
    content = convert("a.usda", usda(LOOKS + bound("brick", subset)))
    mesh = content.objects[0][1]
    names = np.array([content.materials[number].name for number in mesh.material_ids])[mesh.triangles[:, 0]]
    is_top = (mesh.positions[mesh.triangles][:, :, 2] == 1.0).all(axis=1)
    assert set(names[is_top]) == {"paint"} and set(names[~is_top]) == {"brick"} and is_top.sum() == 2


@pytest.mark.parametrize(
    ("shape", "lower", "upper", "volume"),
    [
        ('def Cube "a" { double size = 2 }', (-1, -1, -1), (1, 1, 1), 8.0),
        ('def Sphere "a" { double radius = 2 }', (-2, -2, -2), (2, 2, 2), 4.0 / 3.0 * np.pi * 8.0),
        (
            'def Cylinder "a" { double height = 4\ndouble radius = 1\nuniform token axis = "X" }',
            (-2, -1, -1),
            (2, 1, 1),
            4.0 * np.pi,
        ),
        (
            'def Cone "a" { double height = 3\ndouble radius = 1\nuniform token axis = "Y" }',
            (-1, -1.5, -1),
            (1, 1.5, 1),
            np.pi,
        ),
        (
            'def Capsule "a" { double height = 2\ndouble radius = 1 }',
            (-1, -1, -2),
            (1, 1, 2),
            2.0 * np.pi + 4.0 / 3.0 * np.pi,
        ),
        (
            'def Plane "a" { double width = 4\ndouble length = 2\nuniform token axis = "Y" }',
            (-1, 0, -2),
            (1, 0, 2),
            0.0,
        ),
    ],
)
def test_simple_shapes_are_closed_and_face_outward(convert, shape, lower, upper, volume):
    content = convert("a.usda", usda(shape))
    mesh = content.objects[0][1]
    assert np.allclose(mesh.positions.min(axis=0), lower) and np.allclose(mesh.positions.max(axis=0), upper)
    a, b, c = (mesh.positions[mesh.triangles[:, k]].astype(np.float64) for k in range(3))
    assert np.einsum("ij,ij->i", a, np.cross(b, c)).sum() / 6.0 == pytest.approx(volume, rel=0.03)


def test_a_stage_made_of_others_depends_on_them(convert, tmp_path):
    (tmp_path / "part.usda").write_text(usda(cube("part"), 'defaultPrim = "part"'))
    content = convert(
        "a.usda", usda('def "a" ( references = @part.usda@ ) {}\ndef "b" ( references = @gone.usda@ ) {}')
    )
    assert world_bounds(content) == {"a": UNIT}
    assert tmp_path / "part.usda" in content.dependencies
    assert "'gone.usda' cannot be opened: opened without it" in str(content.problems[0])


def test_what_moves_is_shown_as_it_begins(convert):
    moving = moved(1, 0, 0).replace("translate = (1,0,0)", "translate.timeSamples = { 5: (3,0,0), 9: (4,0,0) }")
    assert world_bounds(convert("a.usda", usda(cube(more=moving)))) == {"cube": ([3.0, 0.0, 0.0], [4.0, 1.0, 1.0])}


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.usda", "#usda hello"),
        ("a.usda", usda(cube())[:300]),
        ("a.usda", usda("")),
        ("a.usda", usda(cube().replace("[4,4,4,4,4,4]", "[4,4,4,4,4,9]"))),
        ("a.usda", usda('def "a" ( references = </a> ) {}')),
        ("a.usdc", b"PXR-USDC" + bytes(200)),
        ("a.usd", b"PXR-USDC\0\x08" + b"\xff" * 200),
        ("a.usdz", b"PK\3\4" + bytes(100)),
        ("a.usdz", usdz({"a.usda": b"hello"})),
    ],
)
def test_a_broken_file_is_one_line(convert, name, text):
    with pytest.raises(ReadError, match=rf"{name}: (broken USD|nothing to show in it).*; export it again$"):
        convert(name, text)


def test_a_statement_that_is_not_understood_is_named_with_its_line(convert):
    with pytest.raises(
        ReadError, match=r"broken USD \(a\.usda:7:1: Expected \} at 'nonsense' in </a>\); export it again$"
    ):
        convert("a.usda", usda('def "a" {nonsense}'))


def test_a_face_with_a_corner_that_is_not_there_is_left_out(convert):
    content = convert("a.usda", usda(cube().replace("[0,3,2,1,", "[0,3,2,99,")))
    assert len(content.objects[0][1].triangles) == 10
    assert "a face with a corner that is not in the file: left out" in str(content.problems[0])

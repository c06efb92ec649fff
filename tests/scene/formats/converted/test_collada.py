"""COLLADA files by pycollada: hierarchy, instances, materials, up axis and unit."""

from __future__ import annotations

import numpy as np
import pytest
from PIL import Image

from octoscope.scene import ReadError
from tests.scene.formats.converted.in_world import world_bounds

_CORNERS = "0 0 0 1 0 0 1 1 0 0 1 0 0 0 1 1 0 1 1 1 1 0 1 1"
_SIDES = "0 3 2 1 4 5 6 7 0 1 5 4 2 3 7 6 1 2 6 5 0 4 7 3"
GEOMETRY = f"""<geometry id="cube" name="box"><mesh>
<source id="p"><float_array id="pa" count="24">{_CORNERS}</float_array><technique_common>
<accessor source="#pa" count="8" stride="3"><param name="X" type="float"/><param name="Y" type="float"/>
<param name="Z" type="float"/></accessor></technique_common></source>
<vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
<polylist material="paint" count="6"><input semantic="VERTEX" source="#v" offset="0"/>
<vcount>4 4 4 4 4 4</vcount><p>{_SIDES}</p></polylist></mesh></geometry>"""
SHOWN = '<instance_geometry url="#cube"/>'
CUBE = f'<node id="cube" name="cube">{SHOWN}</node>'


def collada(nodes: str, *, asset: str = "", libraries: str = "", geometry: str = GEOMETRY) -> str:
    return f"""<?xml version="1.0" encoding="utf-8"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1"><asset>{asset}</asset>{libraries}
<library_geometries>{geometry}</library_geometries>
<library_visual_scenes><visual_scene id="s">{nodes}</visual_scene></library_visual_scenes>
<scene><instance_visual_scene url="#s"/></scene></COLLADA>"""


def painted(effect: str, more: str = "") -> tuple[str, str]:
    """A node that shows the cube in a material, and the libraries with that."""
    libraries = f"""{more}<library_effects><effect id="e"><profile_COMMON>{effect}</profile_COMMON></effect>
</library_effects><library_materials><material id="m" name="red paint"><instance_effect url="#e"/></material>
</library_materials>"""
    bound = '<instance_material symbol="paint" target="#m"/>'
    bound = f"<bind_material><technique_common>{bound}</technique_common></bind_material>"
    return f'<node id="a"><instance_geometry url="#cube">{bound}</instance_geometry></node>', libraries


@pytest.fixture(autouse=True)
def _needs_pycollada():
    pytest.importorskip("collada", reason="needs octoscope[collada]")


@pytest.mark.parametrize(
    ("axis", "up_axis", "expected"),
    [
        ("Y_UP", "y", ([2.0, 4.0, 6.0], [4.0, 6.0, 8.0])),
        ("Z_UP", "z", ([2.0, 4.0, 6.0], [4.0, 6.0, 8.0])),
        ("Z_UP", "y", ([2.0, 6.0, -6.0], [4.0, 8.0, -4.0])),
        ("X_UP", "y", ([-6.0, 2.0, 6.0], [-4.0, 4.0, 8.0])),
    ],
)
def test_up_axis_and_unit_of_the_file_count(convert, axis, up_axis, expected):
    node = f'<node id="a" name="a"><translate>1 2 3</translate>{SHOWN}</node>'
    content = convert("a.dae", collada(node, asset=f'<unit meter="2"/><up_axis>{axis}</up_axis>'))
    assert content.problems == [] and content.length_unit == "m"
    assert world_bounds(content, up_axis=up_axis) == {"a": expected}


def test_nodes_are_a_tree_and_share_the_meshes_that_they_instantiate(convert):
    parts = f'<library_nodes><node id="part" name="part"><translate>0 1 0</translate>{SHOWN}</node></library_nodes>'
    tree = f"""<node id="car" name="car"><translate>10 0 0</translate><rotate>0 0 1 90</rotate>
<node id="wheel" name="wheel"><scale>2 1 1</scale>{SHOWN}</node>
<node id="again" name="again"><instance_node url="#part"/></node></node>"""
    content = convert("a.dae", collada(tree, libraries=parts))
    assert world_bounds(content) == {
        "car/wheel": ([9.0, 0.0, 0.0], [10.0, 2.0, 1.0]),
        "car/again/part": ([8.0, 0.0, 0.0], [9.0, 1.0, 1.0]),
    }
    assert len(content.meshes.names) == 1
    (mesh,) = {id(mesh): mesh for _, mesh in content.objects[:1]}.values()
    assert len(mesh.triangles) == 12


def test_concave_polygons_are_cut_along_their_notch(convert):
    arrow = GEOMETRY.replace(_CORNERS, "0 0 0 2 1 0 0 2 0 1 1 0 0 0 9 0 0 9 0 0 9 0 0 9")
    arrow = arrow.replace("4 4 4 4 4 4", "4").replace(_SIDES, "0 1 2 3")
    mesh = convert("a.dae", collada(CUBE, geometry=arrow)).objects[0][1]
    corners = mesh.positions[mesh.triangles]
    areas = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])[:, 2] / 2.0
    assert areas.sum() == pytest.approx(1.0) and (areas > 0.0).all()  # 2 where a fan covers the notch


def test_a_colour_and_its_opacity(convert):
    look = "<diffuse><color>1 0.5 0 1</color></diffuse><transparent><color>1 1 1 0.25</color></transparent>"
    node, libraries = painted(f'<technique sid="t"><lambert>{look}</lambert></technique>')
    content = convert("a.dae", collada(node, libraries=libraries))
    material = content.materials[content.objects[0][1].material_ids[0]]
    assert material.name == "red paint" and material.base_color == pytest.approx((1.0, 0.5, 0.0), abs=1e-6)
    assert material.opacity == pytest.approx(0.25) and material.double_sided


def test_an_image_is_found_and_the_right_way_up(convert, tmp_path):
    Image.fromarray(np.array([[[255, 0, 0]], [[0, 0, 255]]], dtype=np.uint8)).save(tmp_path / "Bricks.png")
    images = '<library_images><image id="i"><init_from>textures\\bricks.png</init_from></image></library_images>'
    sampler = """<newparam sid="f"><surface type="2D"><init_from>i</init_from></surface></newparam>
<newparam sid="s"><sampler2D><source>f</source></sampler2D></newparam>"""
    look = '<diffuse><texture texture="s" texcoord="u"/></diffuse>'
    node, libraries = painted(f'{sampler}<technique sid="t"><phong>{look}</phong></technique>', images)
    uvs = """<source id="u"><float_array id="ua" count="4">0 0 0 1</float_array><technique_common>
<accessor source="#ua" count="2" stride="2"><param name="S" type="float"/><param name="T" type="float"/></accessor>
</technique_common></source><vertices"""
    geometry = GEOMETRY.replace("<vertices", uvs)
    geometry = geometry.replace(
        'offset="0"/>', 'offset="0"/><input semantic="TEXCOORD" source="#u" offset="1" set="0"/>'
    )
    corners = " ".join(f"{corner} {int(int(corner) >= 4)}" for corner in _SIDES.split())
    content = convert("a.dae", collada(node, libraries=libraries, geometry=geometry.replace(_SIDES, corners)))
    assert content.problems == []
    mesh = content.objects[0][1]
    is_high = mesh.positions[:, 2] == 1.0
    assert set(mesh.uvs[is_high, 1]) == {1.0} and set(mesh.uvs[~is_high, 1]) == {0.0}  # 1: the image's top, as in OBJ
    texture = content.materials[mesh.material_ids[0]].base_color_texture
    assert texture.pixels[..., :3].reshape(-1, 3).tolist() == [[255, 0, 0], [0, 0, 255]]
    assert tmp_path / "Bricks.png" in content.dependencies


def test_a_missing_image_is_reported(convert):
    images = '<library_images><image id="i"><init_from>none.png</init_from></image></library_images>'
    look = '<diffuse><texture texture="i" texcoord="u"/></diffuse>'
    node, libraries = painted(f'<technique sid="t"><lambert>{look}</lambert></technique>', images)
    content = convert("a.dae", collada(node, libraries=libraries))
    assert [str(problem).partition(": ")[2] for problem in content.problems] == [
        "texture 'none.png' is not found: shown without it"
    ]
    assert {path.name for path in content.dependencies} == {"none.png"}  # it is read when it appears


@pytest.mark.parametrize(
    "text",
    [
        "COLLADA",
        "<COLLADA/>",
        collada(""),
        collada(CUBE)[:900],
        collada(CUBE).replace(_SIDES, _SIDES.replace("7", "1000000")),
        collada(CUBE).replace("4 4 4 4 4 4", "4 4 -4 4 4 4"),
        collada(CUBE).replace('url="#cube"', 'url="#ball"'),
        '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]>'
        + collada(CUBE).partition("?>")[2].replace(_SIDES, "&x;"),
    ],
)
def test_a_broken_file_is_one_line(convert, text):
    with pytest.raises(ReadError, match=r"a\.dae: (broken COLLADA|nothing to show in it).*; export it again$"):
        convert("a.dae", text)


@pytest.mark.parametrize(
    ("geometry", "reason"),
    [
        (GEOMETRY.replace(_CORNERS, _CORNERS.replace("1", "1,5")), "Corrupted float array"),
        (GEOMETRY.replace("polylist", "patches"), "Unknown geometry tag"),
        (GEOMETRY.replace('id="cube"', 'id="ball"'), "Geometry #cube not found"),
    ],
)
def test_a_file_of_which_nothing_is_left_hands_on_what_the_library_said(convert, geometry, reason):
    with pytest.raises(ReadError, match=rf"a\.dae: nothing to show in it \(.*{reason}.*\); export it again$"):
        convert("a.dae", collada(CUBE, geometry=geometry))


def test_a_face_with_a_corner_that_is_not_there_is_left_out(convert):
    content = convert("a.dae", collada(CUBE).replace("0 3 2 1 ", "0 3 2 -1 "))
    assert len(content.objects[0][1].triangles) == 10
    assert "a face with a corner that is not in the file: left out" in str(content.problems[0])


def _uv_source(name: str, values: str) -> str:
    return f"""<source id="{name}"><float_array id="{name}a" count="4">{values}</float_array><technique_common>
<accessor source="#{name}a" count="2" stride="2"><param name="S" type="float"/><param name="T" type="float"/></accessor>
</technique_common></source>"""


def mapped(wrap: str = "", bound: str = "", sets: str = "01") -> dict[str, str]:
    """A cube with two sets of texture coordinates, the first all 0.25, the second all 0.75, in a material with maps."""
    images = "".join(
        f'<library_images><image id="{i}"><init_from>{i}.png</init_from></image></library_images>' for i in "ij"
    )
    samplers = "".join(
        f"""<newparam sid="f{i}"><surface type="2D"><init_from>{i}</init_from></surface></newparam>
<newparam sid="s{i}"><sampler2D><source>f{i}</source>{wrap if i == "i" else ""}</sampler2D></newparam>"""
        for i in "ij"
    )
    look = """<emission><texture texture="sj" texcoord="glow"/></emission>
<diffuse><texture texture="si" texcoord="color"/></diffuse>"""
    node, libraries = painted(f'{samplers}<technique sid="t"><phong>{look}</phong></technique>', images)
    sources = _uv_source("u0", "0.25 0.25 0.25 0.25") + _uv_source("u1", "0.75 0.75 0.75 0.75")
    inputs = "".join(
        f'<input semantic="TEXCOORD" source="#u{number}" offset="1" set="{name}"/>' for number, name in enumerate(sets)
    )
    geometry = GEOMETRY.replace("<vertices", sources + "<vertices").replace('offset="0"/>', 'offset="0"/>' + inputs)
    geometry = geometry.replace(_SIDES, " ".join(f"{corner} 0" for corner in _SIDES.split()))
    node = node.replace('target="#m"/>', f'target="#m">{bound}</instance_material>')
    return {"nodes": node, "libraries": libraries, "geometry": geometry}


@pytest.fixture
def pictures(tmp_path):
    for name in "ij":
        Image.new("RGB", (2, 2), (255, 0, 0)).save(tmp_path / f"{name}.png")


@pytest.mark.parametrize(
    ("words", "wrap"),
    [
        (("CLAMP", "MIRROR"), ("clamp", "mirror")),
        (("WRAP", "CLAMP"), ("repeat", "clamp")),
        (("BORDER", "NONE"), ("clamp", "clamp")),
        (("", "UNKNOWN"), ("repeat", "repeat")),
    ],
)
def test_how_an_image_goes_on_beyond_its_borders(convert, pictures, words, wrap):
    stated = f"<wrap_s>{words[0]}</wrap_s><wrap_t>{words[1]}</wrap_t>"
    content = convert("a.dae", collada(**mapped(stated)))
    (material,) = content.materials
    assert material.base_color_texture.wrap == wrap and material.emission_texture.wrap == ("repeat", "repeat")
    said = ["a texture of another colour beyond its borders"] * ("BORDER" in words)
    assert [problem.what for problem in content.problems] == said


@pytest.mark.parametrize("sets", ["01", "47"])
def test_each_map_has_the_set_of_texture_coordinates_that_is_bound_to_it(convert, pictures, sets):
    def uvs(**inputs: str):
        bound = "".join(
            f'<bind_vertex_input semantic="{symbol}" input_semantic="TEXCOORD" input_set="{number}"/>'
            for symbol, number in inputs.items()
        )
        content = convert("a.dae", collada(**mapped(bound=bound, sets=sets)))
        assert content.problems == []
        mesh = content.objects[0][1]
        material = content.materials[mesh.material_ids[0]]
        second = None if mesh.second_uvs is None else float(mesh.second_uvs[0, 0])
        return float(mesh.uvs[0, 0]), second, material.emission_on_second_uvs

    first, second = sets
    assert uvs() == (0.25, None, False)
    assert uvs(color=first, glow=second) == (0.25, 0.75, True)
    assert uvs(color=second, glow=first) == (0.75, 0.25, True)
    assert uvs(color=second, glow=second) == (0.75, 0.25, False)

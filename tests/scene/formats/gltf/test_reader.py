"""glTF files: meshes of every mode and kind of number, trees, names, transforms, materials, and files beside them."""

from __future__ import annotations

import base64
import gc
import io
import json

import numpy as np
import pytest
from PIL import Image

from octoscope.scene import ReadError, load, read_gltf
from tests.oracles import random_affine, random_quaternion
from tests.scene.dressed import scene_of
from tests.scene.formats.gltf.files import CORNERS, TWO_TRIANGLES, Gltf, square


@pytest.fixture
def path(tmp_path):
    return tmp_path / "file.glb"


def one_mesh(gltf: Gltf, path, **fields):
    """The one mesh of a file in which nothing is wrong."""
    content = read_gltf(gltf.glb(path, **fields))
    assert content.problems == []
    assert len(content.meshes) == 1
    return content.meshes.mesh(0)


def shape(gltf: Gltf, *primitives: dict) -> Gltf:
    gltf.node(mesh=gltf.mesh(*primitives))
    return gltf


# Meshes.


def test_a_square_is_read(path):
    content = read_gltf(square().glb(path))
    (name, mesh), *others = content.objects
    assert (name, others, content.name, content.vertex_count) == ("square", [], "file.glb", 4)
    assert content.meshes.names.tolist() == ["square mesh"]
    np.testing.assert_array_equal(mesh.positions, CORNERS)
    np.testing.assert_array_equal(mesh.triangles.ravel(), TWO_TRIANGLES)
    assert content.problems == []


@pytest.mark.parametrize(
    ("mode", "kind", "expected"),
    [
        (0, "points", [0, 1, 2, 3, 4]),
        (1, "lines", [(0, 1), (2, 3)]),
        (2, "lines", [(0, 1), (1, 2), (2, 3), (3, 4), (4, 0)]),
        (3, "lines", [(0, 1), (1, 2), (2, 3), (3, 4)]),
        (4, "triangles", [(0, 1, 2)]),
        (5, "triangles", [(0, 1, 2), (2, 1, 3), (2, 3, 4)]),
        (6, "triangles", [(0, 1, 2), (0, 2, 3), (0, 3, 4)]),
    ],
)
@pytest.mark.parametrize("indexed", [None, "u1", "u2", "u4"])
def test_every_mode_makes_its_elements(path, mode, kind, expected, indexed):
    gltf = Gltf()
    positions = np.arange(15, dtype="f4").reshape(5, 3)
    indices = None if indexed is None else np.array([4, 2, 0, 1, 3], dtype=indexed)
    mesh = one_mesh(shape(gltf, gltf.primitive(positions, indices, mode=mode)), path)
    order = np.arange(5) if indices is None else indices
    found = mesh.positions[getattr(mesh, kind)]
    np.testing.assert_array_equal(found, positions[order[np.array(expected)]])
    assert len(mesh.triangles) + len(mesh.lines) + len(mesh.points) == len(expected)


def test_vertices_keep_the_files_order_however_they_are_used(path):
    gltf = Gltf()
    mesh = one_mesh(shape(gltf, gltf.primitive(CORNERS, np.array([3, 1, 0, 3, 2, 1], dtype="u1"))), path)
    np.testing.assert_array_equal(mesh.positions, CORNERS)
    assert mesh.triangles.tolist() == [[3, 1, 0], [3, 2, 1]]


def test_a_closed_line_of_one_vertex_is_none(path):
    gltf = Gltf()
    shape(gltf, gltf.primitive(CORNERS[:1], None, mode=2), gltf.primitive(CORNERS, None, mode=0))
    mesh = one_mesh(gltf, path)
    assert (len(mesh.lines), len(mesh.points)) == (0, 4)


def test_primitives_of_one_mesh_are_one_mesh_of_several_materials(path):
    gltf = Gltf()
    first = gltf.primitive(material=1)
    shared = {
        "attributes": first["attributes"],
        "indices": gltf.accessor(np.array([1, 2, 3], dtype="u1")),
        "material": 0,
    }
    shape(gltf, first, shared, gltf.primitive(CORNERS + 5.0))
    mesh = one_mesh(gltf, path, materials=[{"name": "a"}, {"name": "b"}])
    np.testing.assert_array_equal(
        mesh.positions[mesh.triangles].reshape(-1, 3),
        np.concatenate([CORNERS[TWO_TRIANGLES], CORNERS[1:], CORNERS[TWO_TRIANGLES] + 5.0]),
    )
    assert mesh.material_ids[mesh.triangles[:, 0]].tolist() == [1, 1, 0, 2, 2]
    assert mesh.material_ids.tolist() == [1] * 4 + [0] * 3 + [2] * 4
    assert mesh.source_vertices.tolist() == [0, 1, 2, 3, 1, 2, 3, 4, 5, 6, 7]


@pytest.mark.parametrize(
    ("kind", "scale"), [("i1", 127.0), ("u1", 255.0), ("i2", 32767.0), ("u2", 65535.0), ("f4", 1.0)]
)
def test_whole_numbers_stand_for_fractions_where_they_say_so(path, kind, scale):
    gltf = Gltf()
    values = np.array([(0.0, 1.0), (1.0, 0.0), (0.25, 0.5), (-1.0, 0.0)][: 3 if kind.startswith("u") else 4])
    stored = np.round(values * scale).astype(kind) if scale > 1.0 else values.astype(kind)
    uv = gltf.accessor(stored, normalized=scale > 1.0)
    mesh = one_mesh(shape(gltf, gltf.primitive(CORNERS[: len(values)], np.array([0, 1, 2], "u1"), TEXCOORD_0=uv)), path)
    np.testing.assert_allclose(
        mesh.uvs[:3], np.stack([values[:, 0], 1.0 - values[:, 1]], axis=1)[:3], atol=0.5 / scale + 1e-7
    )


def test_quantized_positions_are_numbers_as_they_stand(path):
    gltf = Gltf()
    positions = np.array([(-32768, 0, 5), (32767, 1, 2), (3, 4, -1)], dtype="i2")
    mesh = one_mesh(shape(gltf, gltf.primitive(positions, None)), path, extensionsRequired=["KHR_mesh_quantization"])
    np.testing.assert_array_equal(mesh.positions, positions)


def test_strided_and_offset_accessors_find_their_items(path):
    gltf = Gltf()
    rows = np.random.default_rng(1).normal(size=(4, 8)).astype("<f4")
    gltf.data = bytes(12) + rows.tobytes()
    gltf.json["bufferViews"] = [{"buffer": 0, "byteOffset": 12, "byteLength": rows.nbytes, "byteStride": 32}]
    common = {"bufferView": 0, "componentType": 5126, "count": 4}
    gltf.json["accessors"] = [
        common | {"type": "VEC3"},
        common | {"type": "VEC3", "byteOffset": 12},
        common | {"type": "VEC2", "byteOffset": 24},
    ]
    attributes = {"POSITION": 0, "NORMAL": 1, "TEXCOORD_0": 2}
    indices = gltf.accessor(TWO_TRIANGLES)
    mesh = one_mesh(shape(gltf, {"attributes": attributes, "indices": indices}), path)
    np.testing.assert_array_equal(mesh.positions, rows[:, :3])
    np.testing.assert_allclose(mesh.normals, rows[:, 3:6] / np.linalg.norm(rows[:, 3:6], axis=1)[:, None], rtol=1e-6)
    np.testing.assert_allclose(mesh.uvs, np.stack([rows[:, 6], 1.0 - rows[:, 7]], axis=1), rtol=1e-6)


@pytest.mark.parametrize("width", [3, 4])
def test_vertex_colours_are_linear_and_become_srgb(path, width):
    gltf = Gltf()
    linear = np.array([(0.0, 0.21404114, 1.0, 0.5)] * 4, dtype="f4")[:, :width]
    mesh = one_mesh(shape(gltf, gltf.primitive(COLOR_0=gltf.accessor(linear))), path)
    assert mesh.colors.tolist() == [[0, 128, 255, 128 if width == 4 else 255]] * 4


def test_vertices_that_nothing_uses_are_left_out_of_the_mesh_and_its_bounds(path):
    gltf = Gltf()
    positions = np.concatenate([CORNERS, [(100, 100, 100)]]).astype("f4")
    scene = scene_of(read_gltf(shape(gltf, gltf.primitive(positions)).glb(path)))
    np.testing.assert_array_equal(scene.bounds()[1], (1, 1, 0))


# Trees, names, transforms.


def test_names_are_the_files_own_duplicates_too(path):
    gltf = square()
    names = ["a", "a", "world", "line\nbreak", "", "\ud800", 5, None]
    for name in names:
        gltf.node(**({} if name is None else {"name": name}), mesh=0)
    content = read_gltf(gltf.glb(path))
    assert content.node_names.tolist() == [
        "square",
        "a",
        "a",
        "world",
        "line\nbreak",
        "",
        "?",
        "square mesh",
        "square mesh",
    ]
    assert set(content.node_meshes.tolist()) == {0}


def test_the_tree_is_in_the_files_order_parents_first(path):
    gltf = Gltf()
    mesh = gltf.mesh(gltf.primitive())
    for name, children in (("c", []), ("root", [3, 2]), ("b", []), ("a", [0]), ("other", [])):
        gltf.node(name=name, mesh=mesh, children=children)
    content = read_gltf(gltf.glb(path, scenes=[{"nodes": [4, 1]}], scene=0))
    assert content.node_names.tolist() == ["other", "root", "a", "c", "b"]
    assert content.node_parents.tolist() == [-1, -1, 1, 2, 1]


def test_a_chain_of_ten_thousand_nodes_is_read(path):
    gltf = square()
    gltf.json["nodes"] = [{"name": str(i), "children": [i + 1]} for i in range(10_000)] + [{"mesh": 0}]
    content = read_gltf(gltf.glb(path))
    assert content.node_parents.tolist() == list(range(-1, 10_000))


def test_matrices_and_transforms_are_applied(path):
    rng = np.random.default_rng(2)
    gltf = Gltf()
    mesh = gltf.mesh(gltf.primitive())
    matrices = [random_affine(rng) for _ in range(20)]
    for number, matrix in enumerate(matrices):
        gltf.node(name=f"matrix {number}", mesh=mesh, matrix=matrix.T.ravel().tolist(), children=[20] * (number == 0))
    gltf.node(
        name="below",
        mesh=mesh,
        translation=[1, 2, 3],
        rotation=(3.0 * random_quaternion(rng)).tolist(),
        scale=[2, -1, 0],
    )
    content = read_gltf(gltf.glb(path))
    scene = scene_of(content)
    for number, matrix in enumerate(matrices):
        outer, inner = scene[f"matrix {number}"], scene[f"matrix {number} (shear)"]
        assert (outer.mesh_id, inner.mesh_id, inner.parent.id) == (-1, 0, outer.id)
        np.testing.assert_allclose(inner.world_from_local, matrix, atol=1e-13 * np.abs(matrix).max())
    below = scene["below"]
    assert below.parent.name == "matrix 0 (shear)"
    np.testing.assert_array_equal(below.translation, (1, 2, 3))
    np.testing.assert_array_equal(below.scale, (2, -1, 0))
    assert [problem.kind for problem in content.problems] == ["shear"] and content.problems[0].count == 20


def test_a_matrix_that_only_turns_and_scales_stays_one_node(path):
    gltf = square()
    gltf.json["nodes"][0]["matrix"] = [0, 2, 0, 0, -3, 0, 0, 0, 0, 0, 4, 0, 5, 6, 7, 1]
    content = read_gltf(gltf.glb(path))
    assert len(content.node_names) == 1 and content.problems == []
    np.testing.assert_allclose(content.scales[0], (2, 3, 4))
    np.testing.assert_array_equal(content.translations[0], (5, 6, 7))


def test_the_same_geometry_in_other_materials_is_one_mesh(path):
    gltf = Gltf()
    primitive = gltf.primitive(material=0)
    for material in (0, 1, 1, 0):
        gltf.node(mesh=gltf.mesh(primitive | {"material": material}))
    content = read_gltf(gltf.glb(path, materials=[{"name": "a"}, {"name": "b"}]))
    assert len(content.meshes) == 1 and content.node_meshes.tolist() == [0] * 4
    assert content.node_materials.tolist() == [-1, 1, 1, -1]
    assert scene_of(content).material_overrides.tolist() == [-1, -1, 2, 2, -1]


def test_only_the_shown_scene_is_opened_and_the_rest_is_said(path):
    gltf = square()
    gltf.node(name="elsewhere", mesh=0)
    content = read_gltf(gltf.glb(path, scenes=[{"nodes": [1]}, {"nodes": [0]}], scene=1))
    assert content.node_names.tolist() == ["square"]
    assert {problem.kind for problem in content.problems} == {"scene", "node-tree"}


def test_what_no_scene_here_holds_is_said(path):
    gltf = square()
    gltf.json["meshes"][0]["primitives"][0]["targets"] = [{}]
    content = read_gltf(
        gltf.glb(path, animations=[{}], skins=[{}, {}], cameras=[{}], extensionsUsed=["KHR_lights_punctual"])
    )
    assert {problem.kind: problem.count for problem in content.problems} == {
        "animations": 1,
        "skins": 2,
        "cameras": 1,
        "targets": 1,
        "extension": 1,
    }


# Materials and files beside.


def png(color: tuple[int, ...], size: tuple[int, int] = (2, 1)) -> bytes:
    out = io.BytesIO()
    Image.new("RGBA", size, color).save(out, format="PNG")
    return out.getvalue()


def pictured(gltf: Gltf, image: dict, **material: object) -> dict:
    """The fields of a document with one material that shows an image."""
    gltf.json["meshes"][0]["primitives"][0]["material"] = 0
    surface = {"baseColorTexture": {"index": 0}} | material.pop("pbrMetallicRoughness", {})
    return {
        "materials": [{"name": "m", "pbrMetallicRoughness": surface} | material],
        "textures": [{"source": 0}],
        "images": [image],
    }


def test_images_may_be_beside_within_or_in_the_text(path, tmp_path):
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "an image.png").write_bytes(png((1, 2, 3, 255)))
    gltf = square()
    gltf.data += png((1, 2, 3, 255))
    view = {
        "buffer": 0,
        "byteOffset": len(gltf.data) - len(png((1, 2, 3, 255))),
        "byteLength": len(png((1, 2, 3, 255))),
    }
    gltf.json["bufferViews"].append(view)
    in_text = "data:image/png;base64," + base64.b64encode(png((1, 2, 3, 255))).decode()
    for image in ({"uri": "deep/an%20image.png"}, {"bufferView": 2}, {"uri": in_text}):
        content = read_gltf(gltf.glb(path, **pictured(gltf, image)))
        assert content.problems == []
        assert content.materials[0].base_color_texture.pixels.tolist() == [[[1, 2, 3, 255]] * 2]


@pytest.mark.parametrize(
    ("mode", "cutoff", "texel", "opacity"),
    [
        ({}, 0.5, 255, 1.0),
        ({"alphaMode": "OPAQUE"}, 0.5, 255, 1.0),
        ({"alphaMode": "BLEND"}, 0.5, 100, 0.8),
        ({"alphaMode": "MASK"}, 0.5, 0, 1.0),
        ({"alphaMode": "MASK"}, 0.3, 255, 1.0),
    ],
)
def test_alpha_modes(path, mode, cutoff, texel, opacity):
    gltf = square()
    in_text = {"uri": "data:image/png;base64," + base64.b64encode(png((9, 9, 9, 100))).decode()}
    factor = {"baseColorFactor": [1, 1, 1, 0.8]}
    fields = pictured(gltf, in_text, alphaCutoff=cutoff, pbrMetallicRoughness=factor, **mode)
    material = read_gltf(gltf.glb(path, **fields)).materials[0]
    assert material.base_color_texture.pixels[0, 0, 3] == texel
    assert material.opacity == opacity


def test_materials_are_read(path):
    gltf = square()
    gltf.json["meshes"][0]["primitives"][0]["material"] = 1
    surface = {"baseColorFactor": [0.21404114, 0, 1, 0.5], "metallicFactor": 0.25, "roughnessFactor": 0.5}
    older = {"diffuseFactor": [1, 0, 0, 1], "glossinessFactor": 0.75}
    content = read_gltf(
        gltf.glb(
            path,
            materials=[
                {"name": "plain"},
                {
                    "name": "all",
                    "pbrMetallicRoughness": surface,
                    "emissiveFactor": [0, 0.21404114, 0],
                    "alphaMode": "BLEND",
                },
                {"extensions": {"KHR_materials_pbrSpecularGlossiness": older}},
            ],
        )
    )
    plain, whole, old = content.materials
    assert (plain.name, plain.base_color, plain.metallic, plain.roughness) == ("plain", (1, 1, 1), 1.0, 1.0)
    assert whole.base_color == pytest.approx((0.5, 0, 1)) and whole.emission == pytest.approx((0, 0.5, 0))
    assert (whole.opacity, whole.metallic, whole.roughness) == (0.5, 0.25, 0.5)
    assert (old.name, old.base_color, old.metallic, old.roughness) == ("material 2", (1, 0, 0), 0.0, 0.25)
    assert content.problems == []


def test_a_material_chooses_its_texture_coordinates(path):
    gltf = Gltf()
    uvs = [gltf.accessor(np.full((4, 2), value, dtype="f4")) for value in (0.25, 0.5)]
    shape(gltf, gltf.primitive(TEXCOORD_0=uvs[0], TEXCOORD_1=uvs[1], material=0))
    gltf.node(mesh=gltf.mesh(gltf.primitive(TEXCOORD_0=uvs[0], TEXCOORD_1=uvs[1], material=1)))
    surface = {"baseColorTexture": {"index": 0, "texCoord": 1}}
    content = read_gltf(gltf.glb(path, materials=[{"pbrMetallicRoughness": surface}, {}]))
    meshes = [content.meshes.mesh(number) for number in range(2)]
    assert [mesh.uvs[0].tolist() for mesh in meshes] == [[0.5, 0.5], [0.25, 0.75]]
    assert [mesh.second_uvs[0].tolist() for mesh in meshes] == [[0.25, 0.75], [0.5, 0.5]]


def test_a_text_file_with_its_bytes_beside_it(tmp_path):
    gltf = square()
    document = gltf.document() | {"buffers": [{"byteLength": len(gltf.data), "uri": "the%20bytes.bin"}]}
    (tmp_path / "the bytes.bin").write_bytes(gltf.data)
    (tmp_path / "a.gltf").write_text(json.dumps(document))
    assert load(tmp_path / "a.gltf").element_count("triangle") == 2
    document["buffers"][0]["uri"] = "data:application/octet-stream;base64," + base64.b64encode(gltf.data).decode()
    (tmp_path / "a.gltf").write_bytes(b"\xef\xbb\xbf" + json.dumps(document).encode())
    assert load(tmp_path / "a.gltf").element_count("triangle") == 2


@pytest.mark.parametrize("was_enabled", [True, False])
def test_the_garbage_collector_is_as_before_also_after_a_broken_file(tmp_path, was_enabled):
    files = square().glb(tmp_path / "sound.glb"), tmp_path / "broken.glb"
    files[1].write_bytes(b"glTF")
    (gc.enable if was_enabled else gc.disable)()
    try:
        read_gltf(files[0])
        assert gc.isenabled() == was_enabled
        with pytest.raises(ReadError):
            read_gltf(files[1])
        assert gc.isenabled() == was_enabled
    finally:
        gc.enable()

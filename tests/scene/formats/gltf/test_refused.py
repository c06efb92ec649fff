"""glTF files that are broken or mean harm: one line, or what is sound of them and a problem for the rest. No more."""

from __future__ import annotations

import json
import os
import struct
from contextlib import suppress
from copy import deepcopy
from functools import reduce
from operator import getitem

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from octoscope.scene import FileContent, ReadError, read_gltf
from tests.scene.dressed import scene_of
from tests.scene.formats.gltf.files import CORNERS, Gltf, glb_bytes, places, square


@pytest.fixture
def path(tmp_path):
    return tmp_path / "file.glb"


def refusal(path) -> str:
    """The one line with which a file is refused."""
    with pytest.raises(ReadError) as refused:
        read_gltf(path)
    line = str(refused.value)
    assert line.startswith(f"{path}: ") and len(line.splitlines()) == 1 and len(line) < 400
    return line


def problems_of(content: FileContent) -> str:
    assert all(len(line.splitlines()) == 1 for line in content.warnings)
    return "\n".join(content.warnings)


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"", "empty"),
        (b"hello", "not a glTF file: it is neither JSON nor a GLB; open another file"),
        (b'{"asset": ', "broken glTF: its JSON cannot be read"),
        (b"\xff\xfe\x00", "neither JSON nor a GLB"),
        (b"[" * 200_000, "too deep"),
        (b"{}", "no 'asset'"),
        (b'{"asset": []}', "no 'asset'"),
        (b'{"asset": {"version": "1.0"}, "nodes": 5}', "not as in glTF 1.0"),
        (b'{"asset": {"version": "0.8"}}', "glTF 0.8"),
        (b'{"asset": {"version": "2.0"}}', "nothing to show"),
        (b'{"asset": {"version": "2.0"}, "nodes": 5}', "'nodes' is not a list"),
        (b'{"asset": {"version": "2.0"}, "nodes": [5]}', "'nodes' is not a list"),
        (b'{"asset": {"version": "2.0"}, "nodes": [{"mesh": "x"}]}', "not a whole number"),
        (b'{"asset": {"version": "2.0"}, "nodes": [{"mesh": 1.5}]}', "not a whole number"),
        (b'{"asset": {"version": "2.0"}, "nodes": [{"mesh": 1e400}]}', "not a whole number"),
        (b'{"asset": {"version": "2.0"}, "nodes": [{"children": 1}]}', "children"),
        (b"glTF", "cut off"),
        (struct.pack("<4sII", b"glTF", 1, 12), "cut off"),
        (struct.pack("<4sII", b"glTF", 3, 12), "version 3"),
        (struct.pack("<4sII", b"glTF", 2, 12), "without JSON"),
        (struct.pack("<4sIII4s", b"glTF", 2, 20, 2**32 - 1, b"JSON"), "cut off"),
    ],
)
def test_what_is_no_gltf_is_refused_in_a_line(path, content, says):
    path.write_bytes(content)
    assert says in refusal(path)


@pytest.mark.parametrize("share", [0.1, 0.5, 0.9, 0.999])
def test_a_file_cut_off_is_refused(path, share):
    data = square().glb(path).read_bytes()
    path.write_bytes(data[: int(len(data) * share)])
    assert "cut off" in refusal(path)


def test_a_missing_or_short_buffer_is_refused(tmp_path):
    gltf = square()
    path = tmp_path / "a.gltf"
    (tmp_path / "short.bin").write_bytes(gltf.data[:-1])
    for uri, says in (
        ("nowhere.bin", "no such file"),
        ("short.bin", "cut off"),
        ("data:;base64,x", "cannot be decoded"),
    ):
        path.write_text(json.dumps(gltf.document() | {"buffers": [{"byteLength": len(gltf.data), "uri": uri}]}))
        with pytest.raises(ReadError, match=says) as refused:
            read_gltf(path)
        assert str(refused.value).startswith(f"{path}: ")


@pytest.mark.parametrize("attribute", ["NORMAL", "TEXCOORD_0", "COLOR_0"])
@pytest.mark.parametrize("number", [4, 255, 2**31, -2, -(2**31)])
def test_an_attribute_that_is_not_in_the_file_is_left_out(path, attribute, number):
    gltf = square()
    gltf.json["meshes"][0]["primitives"][0]["attributes"][attribute] = number
    content = read_gltf(gltf.glb(path))
    assert content.meshes.triangle_counts.tolist() == [2]
    assert [problem.done for problem in content.problems] == ["shown without them"]


@pytest.mark.parametrize(
    "uri",
    [
        "http://example.invalid/a.bin",
        "HTTPS://example.invalid/a.bin",
        "file:///etc/passwd",
        "//host/share/a.bin",
        "/etc/passwd",
        "../secret.bin",
        "deep/../../secret.bin",
        "%2e%2e/secret.bin",
        "link.bin",
        "/dev/zero",
        5,
    ],
)
def test_nothing_outside_the_folder_is_opened(tmp_path, uri):
    folder = tmp_path / "folder"
    (folder / "deep").mkdir(parents=True)
    (tmp_path / "secret.bin").write_bytes(square().data)
    (folder / "link.bin").symlink_to(tmp_path / "secret.bin")
    gltf = square()
    path = folder / "a.gltf"
    path.write_text(json.dumps(gltf.document() | {"buffers": [{"byteLength": len(gltf.data), "uri": uri}]}))
    assert "not fetched" in refusal(path) or "outside" in refusal(path)
    gltf.json["meshes"][0]["primitives"][0]["material"] = 0
    surface = {"pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}}
    content = read_gltf(
        gltf.glb(folder / "a.glb", materials=[surface], textures=[{"source": 0}], images=[{"uri": uri}])
    )
    assert content.materials[0].base_color_texture is None and len(content.problems) == 1
    assert "not fetched" in problems_of(content) or "outside" in problems_of(content)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs FIFOs")
def test_a_buffer_that_is_no_file_does_not_hang(tmp_path):
    os.mkfifo(tmp_path / "fifo.bin")
    path = tmp_path / "a.gltf"
    path.write_text(json.dumps(square().document() | {"buffers": [{"byteLength": 9, "uri": "fifo.bin"}]}))
    with pytest.raises(ReadError, match="not a regular file"):
        read_gltf(path)


@pytest.mark.parametrize(
    ("kind", "field", "value"),
    [
        ("accessors", "count", 2**31),
        ("accessors", "count", 2**52),
        ("accessors", "count", 5),
        ("accessors", "count", -1),
        ("accessors", "byteOffset", 1),
        ("accessors", "byteOffset", -4),
        ("accessors", "byteOffset", 2**52),
        ("accessors", "componentType", 5124),
        ("accessors", "type", "MAT4"),
        ("accessors", "bufferView", 7),
        ("accessors", "sparse", {"count": 1}),
        ("bufferViews", "byteLength", 2**40),
        ("bufferViews", "byteOffset", 2**40),
        ("bufferViews", "byteOffset", -1),
        ("bufferViews", "byteStride", 2**40),
        ("bufferViews", "byteStride", 1),
        ("bufferViews", "buffer", 3),
    ],
)
def test_what_points_outside_the_file_is_skipped_and_the_rest_opens(path, kind, field, value):
    gltf = square()
    gltf.node(name="sound", mesh=gltf.mesh(gltf.primitive()))
    gltf.json[kind][0][field] = value
    content = read_gltf(gltf.glb(path))
    assert [name for name, _ in content.objects] == ["sound"]
    assert (
        "outside the file, or cannot be decoded" in problems_of(content)
        and "without anything to show" not in content.warnings[0]
    )


def test_a_count_whose_product_would_not_fit_is_no_way_around(path):
    gltf = square()
    gltf.primitive(np.zeros((500, 3), dtype="f4"))
    gltf.json["bufferViews"][2]["byteStride"] = 4096
    gltf.json["accessors"][2]["count"] = 2**52 + 1  # times 4096 is 0 in 64 bits
    gltf.node(mesh=gltf.mesh({"attributes": {"POSITION": 2}, "mode": 0}))
    content = read_gltf(gltf.glb(path))
    assert len(content.meshes) == 1 and "outside the file" in problems_of(content)


def test_indices_that_are_not_there_and_places_that_are_none_are_left_out(path):
    gltf = Gltf()
    positions = np.concatenate([CORNERS, [(np.nan, 0, 0), (np.inf, 9, 9)]]).astype("f4")
    indices = np.array([0, 1, 2, 0, 1, 4, 0, 1, 5, 0, 1, 200], dtype="u1")
    gltf.node(mesh=gltf.mesh(gltf.primitive(positions, indices), gltf.primitive(positions, None, mode=0)))
    content = read_gltf(gltf.glb(path))
    scene = scene_of(content)
    mesh = content.meshes.mesh(0)
    assert mesh.triangles.tolist() == [[0, 1, 2]] and len(mesh.points) == 4
    np.testing.assert_array_equal(scene.bounds(), [(0, 0, 0), (1, 1, 0)])
    assert sorted(problem.count for problem in content.problems) == [1, 2, 2]


def test_transforms_that_are_no_numbers_are_none(path):
    gltf = Gltf()
    mesh = gltf.mesh(gltf.primitive())
    for fields in (
        {"translation": [float("nan"), 0, 0]},
        {"translation": [10**400, 0, 0]},
        {"translation": ["1", None, {}]},
        {"scale": [1, 2]},
        {"rotation": [0, 0, 0, 0]},
        {"rotation": "x"},
        {"matrix": [1e308] * 15 + [float("inf")]},
        {"matrix": [0] * 16},
    ):
        gltf.node(mesh=mesh, **fields)
    gltf.node(mesh=mesh, matrix=[1e308] * 12 + [0, 0, 0, 1], name="huge")
    content = read_gltf(gltf.glb(path))
    for number in range(7):
        assert content.translations[number].tolist() == [0, 0, 0]
        assert content.rotations[number].tolist() == [0, 0, 0, 1] and content.scales[number].tolist() == [1, 1, 1]
    assert np.isfinite(content.scales).all()
    assert {problem.kind for problem in content.problems} >= {"transform"}


def test_trees_that_run_in_circles_are_cut(path):
    gltf = Gltf()
    mesh = gltf.mesh(gltf.primitive())
    for name, children in (("a", [1, 1]), ("b", [2, 9, -1]), ("c", [0, 2]), ("d", [4]), ("e", [3]), ("f", [1])):
        gltf.node(name=name, mesh=mesh, children=children)
    content = read_gltf(gltf.glb(path, scenes=[{"nodes": [0, 5, 0, 77]}]))
    assert list(zip(content.node_names, content.node_parents.tolist(), strict=True)) == [
        ("a", -1),
        ("b", 0),
        ("c", 1),
        ("f", -1),
    ]
    assert {problem.kind for problem in content.problems} == {"node-tree"}
    assert "a topmost node of the scene below another" in {problem.what for problem in content.problems}
    scene_of(content)


def test_a_file_that_says_the_same_bytes_a_million_times_is_refused(path):
    gltf = Gltf()
    gltf.primitive(np.zeros((60_000, 3), "f4"), np.zeros(60_000, "u1"))
    common = gltf.json["accessors"][1]
    gltf.json["accessors"] += [common | {"byteOffset": i, "count": 59_000} for i in range(1000)]
    for number in range(1000):
        gltf.mesh(*({"attributes": {"POSITION": 0}, "indices": 2 + (number + i) % 1000} for i in range(20)))
        gltf.node(mesh=number)
    gltf.glb(path)
    assert "more than" in refusal(path)


def test_images_are_read_once_however_often_they_are_named(path):
    gltf = square()
    gltf.json["meshes"][0]["primitives"][0]["material"] = 0
    blank = glb_bytes({})  # no image
    gltf.data += blank
    gltf.json["bufferViews"].append({"buffer": 0, "byteOffset": len(gltf.data) - len(blank), "byteLength": len(blank)})
    count = 2000
    content = read_gltf(
        gltf.glb(
            path,
            materials=[{"pbrMetallicRoughness": {"baseColorTexture": {"index": i}}} for i in range(count)],
            textures=[{"source": i} for i in range(count)],
            images=[{"bufferView": 2}] * count,
        )
    )
    assert len(content.problems) == 1 and "cannot be read" in content.warnings[0]


def test_materials_of_the_wrong_kinds_have_their_defaults(path):
    gltf = square()
    odd = [
        {"pbrMetallicRoughness": 5, "name": 7, "extras": "x", "extensions": []},
        {"pbrMetallicRoughness": {"baseColorFactor": [1, "x", None], "baseColorTexture": {"index": -1}}},
        {"pbrMetallicRoughness": {"baseColorFactor": [9, -9, float("nan"), 1], "metallicFactor": 10**400}},
        {"emissiveFactor": [float("inf")] * 3, "alphaMode": 5, "extras": {"shininess": float("nan"), "specular": []}},
    ]
    for material in odd:
        gltf.node(mesh=gltf.mesh(gltf.json["meshes"][0]["primitives"][0] | {"material": odd.index(material)}))
    content = read_gltf(gltf.glb(path, materials=odd))
    assert [material.base_color for material in content.materials] == [(1, 1, 1)] * 5
    assert {problem.kind for problem in content.problems} <= {"material", "texture"}


def test_a_file_without_anything_to_show_says_why(path):
    gltf = Gltf()
    gltf.node(name="empty")
    gltf.glb(path, skins=[{"joints": [0]}])
    assert "nothing to show in it (a skin: left out; a file without a mesh: refused)" in refusal(path)
    gltf = square()
    gltf.json["nodes"] = [{"name": "empty"}]
    gltf.glb(path)
    assert "nothing to show in it (a scene without a node that has a mesh: refused)" in refusal(path)


def test_compressed_meshes_are_refused_by_name(path):
    gltf = square()
    gltf.glb(path, extensionsRequired=["KHR_draco_mesh_compression"])
    assert "compressed (KHR_draco_mesh_compression)" in refusal(path)


VALUES = st.sampled_from(
    [None, -1, 0, 1, 3, 255, 2**31, 2**53, 1e308, float("nan"), 10**400, "x", [], {}, [1], [{}], True, [1e300] * 16]
)
BASE = square()
BASE.node(name="below", children=[], matrix=[1, 0, 0, 0, 0.5, 1, 0, 0, 0, 0, 1, 0, 4, 5, 6, 1])
BASE.json["nodes"][0] |= {"children": [1], "translation": [1, 2, 3], "scale": [1, 2, 3]}
BASE.json["meshes"][0] |= {"extras": {"octoscope_center": [1, 2, 3]}}
BASE.json["materials"] = [{"pbrMetallicRoughness": {"baseColorFactor": [1, 1, 1, 1], "baseColorTexture": {"index": 0}}}]
BASE.json |= {"textures": [{"source": 0}], "images": [{"bufferView": 0}], "scenes": [{"nodes": [0]}]}


@given(st.lists(st.tuples(st.sampled_from(places(BASE.document())), VALUES), min_size=1, max_size=3))
def test_whatever_stands_where_it_should_not_is_told_in_a_line(tmp_path_factory, changes):
    document = json.loads(json.dumps(BASE.document()))
    for place, value in changes:
        with suppress(KeyError, IndexError, TypeError):  # an earlier change may have taken the place away
            reduce(getitem, place[:-1], document)[place[-1]] = deepcopy(value)  # a later change may go into it
    path = tmp_path_factory.getbasetemp() / "changed.glb"
    path.write_bytes(glb_bytes(document, BASE.data))
    try:
        scene_of(read_gltf(path)).bounds()
    except ReadError as error:
        assert len(str(error).splitlines()) == 1


def test_a_file_that_needs_a_later_reader_is_refused(path):
    for least, is_read in (("2.0", True), ("1.0", True), ("2.1", False), ("3.0", False), (2.1, False), ("soon", True)):
        path.write_bytes(glb_bytes(square().document(asset={"version": "2.0", "minVersion": least}), square().data))
        if is_read:
            assert read_gltf(path).problems == []
        else:
            assert f"it needs a reader of glTF {least}, and 2.0 is read; export it as glTF 2.0" in refusal(path)

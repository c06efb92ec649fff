"""Triangles that Draco has compressed come back as they were, but for its rounding."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("DracoPy", reason="octoscope[draco] is not installed")

from octoscope.scene import ReadError, Scene, load, write_glb
from octoscope.scene.formats.gltf.reader import read_gltf
from octoscope.scene.formats.tiles.content import write_content
from octoscope.scene.formats.tiles.materials import SharedMaterials
from octoscope.scene.formats.tiles.objects import Objects
from octoscope.scene.merging.merged_geometry import MergedGeometry
from octoscope.scene.tiling.pieces import load_geometry
from octoscope.scene.tiling.sources import SourceJob, read_source
from octoscope.scene.tiling.tiling import write_tiles
from tests.scene.builders import ball
from tests.scene.dressed import dressed_scene
from tests.scene.formats.gltf.compressed_files import FOLDER, assert_five_balls
from tests.scene.formats.gltf.files import document_of
from tests.scene.formats.tiles.reading import read_content
from tests.scene.tiling.checks import assert_same_elements, assert_sound, elements_of_leaves, elements_of_scene


def contents_of(made: Scene, folder: Path) -> list[tuple[MergedGeometry, dict]]:
    """Write a scene as one content, plain and compressed; return both as they are read, and their documents."""
    write_glb(made, folder / "scene.glb")
    (folder / "pieces").mkdir()
    source = read_source(SourceJob(folder / "scene.glb", 0, True, folder / "pieces", 2**20, 2**30, None))
    geometry = MergedGeometry.merged([load_geometry(each.piece.path) for each in source.pieces])
    materials, _ = SharedMaterials.write(source.materials, folder, [])
    found = []
    for name, compresses in (("plain.glb", False), ("compressed.glb", True)):
        write_content(folder / name, geometry, Objects(source.names, source.parents), materials, compresses=compresses)
        found.append((read_content(folder / name)[0], document_of(folder / name)))
    return found


def corners_of(geometry: MergedGeometry) -> np.ndarray:
    """Return all that is said of each triangle's corners in units of what Draco may change: (t, 3, k)."""
    size = np.ptp(geometry.positions, axis=0).max()
    uvs = max(np.ptp(geometry.uvs, axis=0).max(), 1e-30)
    columns = [
        geometry.positions / (size * 1e-6),
        geometry.normals / 4e-3,
        geometry.uvs / (uvs * 2e-5),
        geometry.colors.astype(float) * 2.0,
        geometry.material_ids[:, None] * 1e6,
        geometry.objects[:, None] * 1e6,
    ]
    return np.concatenate(columns, axis=1)[geometry.triangles]


@pytest.mark.parametrize("seed", range(3))
def test_everything_about_a_triangle_comes_back(seed, tmp_path):
    (plain, _), (read, document) = contents_of(dressed_scene(seed, count=24), tmp_path)
    assert document["extensionsRequired"] == ["KHR_draco_mesh_compression"]
    left = corners_of(read)
    for corners in corners_of(plain):
        if len(np.unique(corners[:, :3], axis=0)) < 3:  # no triangle: Draco leaves it out
            continue
        off = np.min([np.abs(left - np.roll(corners, turn, axis=0)).max(axis=(1, 2)) for turn in range(3)], axis=0)
        assert off.min() <= 1.0
        left = np.delete(left, off.argmin(), axis=0)
    assert len(left) == 0
    for kind in ("lines", "points"):  # are not compressed
        rows = [getattr(geometry, kind) for geometry in (plain, read)]
        places = [geometry.positions[own] for geometry, own in zip((plain, read), rows, strict=True)]
        np.testing.assert_array_equal(places[0], places[1])


def test_a_smooth_mesh_becomes_much_smaller(tmp_path):
    made = Scene()
    made.add_node("ball", mesh=made.meshes.add(ball(40, 60)))
    contents_of(made, tmp_path)
    plain, compressed = ((tmp_path / f"{name}.glb").stat().st_size for name in ("plain", "compressed"))
    assert compressed < plain / 4


def test_a_compressed_tileset_has_every_element(tmp_path):
    made = dressed_scene(1, count=24)
    write_glb(made, tmp_path / "scene.glb")
    write_tiles([tmp_path / "scene.glb"], tmp_path / "tiles", leaf_elements=20, compresses=True)
    tileset = assert_sound(tmp_path / "tiles", 20)
    found = elements_of_leaves(tmp_path / "tiles", tileset)
    assert_same_elements(found, elements_of_scene(load(tmp_path / "scene.glb")), rounding=3e-6)


def test_quantized_meshes_are_as_others():
    assert_five_balls(FOLDER / "draco_quantized.glb")


def test_what_cannot_be_decoded_is_told(tmp_path):
    made = dressed_scene(0, count=12)
    contents_of(made, tmp_path)
    path = tmp_path / "compressed.glb"
    data = bytearray(path.read_bytes())
    first = data.index(b"DRACO")
    data[first : first + 5] = b"draco"
    path.write_bytes(data)
    problems = read_gltf(path).problems
    assert any("Draco has compressed (Input mesh is not draco" in problem.what for problem in problems)


def test_without_the_library_the_file_is_refused_in_one_line(tmp_path, monkeypatch):
    contents_of(dressed_scene(0, count=12), tmp_path)
    monkeypatch.setitem(sys.modules, "DracoPy", None)
    with pytest.raises(ReadError, match=r"compressed \(KHR_draco.*pip install 'octoscope\[draco\]'"):
        read_gltf(tmp_path / "compressed.glb")


@pytest.mark.parametrize(
    "extension",
    [
        5,
        {},
        {"bufferView": 99},
        {"bufferView": 0, "attributes": {"POSITION": 99}},
        {"bufferView": -1, "attributes": []},
    ],
)
def test_an_odd_extension_is_skipped(tmp_path, extension):
    contents_of(dressed_scene(0, count=12), tmp_path)
    path = tmp_path / "compressed.glb"
    document = document_of(path)
    triangles = [one for one in document["meshes"][0]["primitives"] if one["mode"] == 4]
    triangles[0]["extensions"]["KHR_draco_mesh_compression"] = extension
    path.write_bytes(with_json(path.read_bytes(), document))
    assert any("compressed" in problem.what for problem in read_gltf(path).problems)


@pytest.mark.parametrize(
    ("attribute", "field", "value"),
    [("TEXCOORD_0", "type", "VEC3"), ("NORMAL", "type", "VEC2"), ("POSITION", "componentType", 5121)],
)
def test_items_of_another_kind_than_the_accessor_says_are_not_taken_for_it(tmp_path, attribute, field, value):
    contents_of(dressed_scene(0, count=12), tmp_path)
    path = tmp_path / "compressed.glb"
    document = document_of(path)
    of_draco = [
        one
        for mesh in document["meshes"]
        for one in mesh["primitives"]
        if "KHR_draco_mesh_compression" in one["extensions"] and attribute in one["attributes"]
    ]
    document["accessors"][of_draco[0]["attributes"][attribute]][field] = value
    path.write_bytes(with_json(path.read_bytes(), document))
    assert any("compressed" in problem.what for problem in read_gltf(path).problems)


def with_json(raw: bytes, document: dict) -> bytes:
    """Replace the JSON of a GLB."""
    length = int.from_bytes(raw[12:16], "little")
    text = json.dumps(document).encode()
    text += b" " * (-len(text) % 4)
    body = len(text).to_bytes(4, "little") + raw[16:20] + text + raw[20 + length :]
    return raw[:8] + (12 + len(body)).to_bytes(4, "little") + body

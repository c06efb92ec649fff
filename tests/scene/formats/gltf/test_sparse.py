"""Sparse accessors are filled in; those that make no sense are told in a line."""

from __future__ import annotations

import json

import numpy as np
import pytest

from octoscope.scene import ReadError, read_gltf
from tests.scene.formats.gltf.files import CORNERS, TWO_TRIANGLES, Gltf

MOVED = np.array([(1, 1, 5), (0, 1, 7)], dtype="<f4")


def sparse_square(*, base: bool = True, places: np.ndarray | None = None) -> Gltf:
    """A square whose last two corners are sparse, beside the others or beside zeros."""
    gltf = Gltf()
    places = np.array([2, 3], dtype="u1") if places is None else places
    indices, values = gltf.accessor(places), gltf.accessor(MOVED)
    position = gltf.accessor(CORNERS)
    item = gltf.json["accessors"][position]
    item["sparse"] = {
        "count": len(places),
        "indices": {"bufferView": indices, "componentType": gltf.json["accessors"][indices]["componentType"]},
        "values": {"bufferView": values},
    }
    if not base:
        del item["bufferView"]
    gltf.node(mesh=gltf.mesh({"attributes": {"POSITION": position}, "indices": gltf.accessor(TWO_TRIANGLES)}))
    return gltf


@pytest.mark.parametrize("kind", ["u1", "<u2", "<u4"])
@pytest.mark.parametrize("base", [True, False])
def test_a_sparse_accessor_is_filled_in(tmp_path, base, kind):
    content = read_gltf(sparse_square(base=base, places=np.array([2, 3], dtype=kind)).glb(tmp_path / "a.glb"))
    expected = CORNERS.copy() if base else np.zeros_like(CORNERS)
    expected[2:] = MOVED
    np.testing.assert_array_equal(content.meshes.mesh(0).positions, expected)
    assert content.problems == []


def test_sparse_indices_and_colours_are_read_like_all_others(tmp_path):
    gltf = Gltf()
    values, places = gltf.accessor(np.array([0, 2, 1], dtype="<u2")), gltf.accessor(np.arange(3, dtype="u1"))
    index = gltf.accessor(TWO_TRIANGLES[:3])
    gltf.json["accessors"][index]["sparse"] = {
        "count": 3,
        "indices": {"bufferView": places, "componentType": 5121},
        "values": {"bufferView": values},
    }
    gltf.node(mesh=gltf.mesh({"attributes": {"POSITION": gltf.accessor(CORNERS)}, "indices": index}))
    assert read_gltf(gltf.glb(tmp_path / "a.glb")).meshes.mesh(0).triangles.tolist() == [[0, 2, 1]]


@pytest.mark.parametrize(
    ("where", "value", "reason"),
    [
        (("count",), 5, "a count that makes no sense"),
        (("count",), 0, "a count that makes no sense"),
        (("count",), "x", "a count that makes no sense"),
        (("count",), 3, "outside the file"),
        (("indices",), {}, "a wrong field"),
        (("indices", "bufferView"), 99, "outside the file"),
        (("indices", "componentType"), 5126, "outside the file"),
        (("indices", "byteOffset"), -1, "outside the file"),
        (("values", "bufferView"), -1, "outside the file"),
        (("values", "byteOffset"), 2**40, "outside the file"),
    ],
)
def test_one_that_makes_no_sense_is_told_in_a_line(tmp_path, where, value, reason):
    gltf = sparse_square()
    gltf.node(mesh=gltf.mesh(gltf.primitive()))  # is shown
    item = next(item for item in gltf.json["accessors"] if "sparse" in item)
    holder = item["sparse"]
    for key in where[:-1]:
        holder = holder[key]
    holder[where[-1]] = value
    content = read_gltf(gltf.glb(tmp_path / "a.glb"))
    whats = [problem.what for problem in content.problems]
    assert len(content.meshes.vertex_counts) == 1
    assert [what for what in whats if "a sparse accessor" in what and reason in what], whats


@pytest.mark.parametrize("behind", [4, 255])
def test_a_place_behind_the_last_item_is_told(tmp_path, behind):
    path = sparse_square(places=np.array([2, behind], dtype="u1")).glb(tmp_path / "a.glb")
    with pytest.raises(ReadError, match=r"nothing to show in it \(.*an item behind its last one"):
        read_gltf(path)


def test_a_few_bytes_are_not_any_number_of_zeros(tmp_path):
    gltf = sparse_square(base=False)
    next(item for item in gltf.json["accessors"] if "sparse" in item)["count"] = 2**40
    with pytest.raises(ReadError, match="more items than a file of its size has"):
        read_gltf(gltf.glb(tmp_path / "a.glb"))


def test_a_sparse_accessor_that_no_mesh_shows_is_left_alone(tmp_path):
    gltf = sparse_square()
    broken = json.loads(json.dumps(gltf.json["accessors"][-2]))
    broken["sparse"]["count"] = -5
    gltf.json["accessors"].append(broken)
    assert read_gltf(gltf.glb(tmp_path / "a.glb")).problems == []

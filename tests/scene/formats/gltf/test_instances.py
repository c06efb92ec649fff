"""A mesh at many places by one node (EXT_mesh_gpu_instancing) becomes a node for each."""

from __future__ import annotations

import numpy as np
import pytest

from scene import ReadError, load
from scene.formats.gltf.reader import read_gltf
from tests.oracles import random_quaternion
from tests.scene.formats.gltf.files import square

NAME = "EXT_mesh_gpu_instancing"


@pytest.fixture
def path(tmp_path):
    return tmp_path / "instances.glb"


def with_instances(**attributes: int):
    gltf = square()
    gltf.json["nodes"][0] |= {
        "name": "tree",
        "translation": [1, 2, 3],
        "extensions": {NAME: {"attributes": attributes}},
    }
    return gltf


def test_each_place_is_a_node(path):
    rng = np.random.default_rng(0)
    gltf = with_instances()
    places, scales = rng.normal(size=(5, 3)).astype("<f4"), rng.uniform(1, 2, (5, 3)).astype("<f4")
    turns = np.array([random_quaternion(rng) for _ in range(5)], dtype="<f4")
    columns = {"TRANSLATION": places, "ROTATION": turns, "SCALE": scales}
    attributes = {name: gltf.accessor(column) for name, column in columns.items()}
    gltf.json["nodes"][0]["extensions"][NAME]["attributes"] = attributes
    gltf.json["nodes"][0]["children"] = [1]
    gltf.node(name="beside", translation=[7, 0, 0])
    scene = load(gltf.glb(path, extensionsUsed=[NAME], extensionsRequired=[NAME]))
    assert scene.report.warnings == []
    (top,) = [node for node in scene.ids.tolist() if scene.names[node] == "tree" and scene.mesh_ids[node] < 0]
    shown = scene.ids[scene.mesh_ids[scene.ids] >= 0]
    assert len(shown) == 5 and set(scene.parents[shown].tolist()) == {top} and len(scene.meshes) == 1
    assert scene.parents[scene["beside"].id] == top
    scene.update_world()
    for node, place, turn, scale in zip(shown.tolist(), places, turns, scales, strict=True):
        x, y, z, w = turn.astype(float) / np.linalg.norm(turn)
        rotation = np.array(
            [
                (1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)),
                (2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)),
                (2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)),
            ]
        )
        np.testing.assert_allclose(scene.world_from_local[node][:3, :3], rotation * scale, atol=1e-6)
        np.testing.assert_allclose(scene.world_from_local[node][:3, 3], np.add(place, (1, 2, 3)), atol=1e-6)


@pytest.mark.parametrize(
    "extension",
    [5, {}, {"attributes": []}, {"attributes": {"TRANSLATION": 99}}, {"attributes": {}}]
    + [{"attributes": {"TRANSLATION": number}} for number in (2**70, -1, True, 0.5, None, [0])],
)
def test_odd_instances_are_one_node(path, extension):
    gltf = with_instances()
    gltf.json["nodes"][0]["extensions"][NAME] = extension
    content = read_gltf(gltf.glb(path, extensionsUsed=[NAME]))
    assert content.node_meshes.tolist() == [0]
    assert [(problem.kind, problem.done) for problem in content.problems] == [("node", "shown at one")]


def test_columns_of_various_lengths_are_one_node(path):
    gltf = with_instances()
    gltf.json["nodes"][0]["extensions"][NAME]["attributes"] = {
        "TRANSLATION": gltf.accessor(np.zeros((3, 3), "<f4")),
        "SCALE": gltf.accessor(np.ones((2, 3), "<f4")),
    }
    assert read_gltf(gltf.glb(path, extensionsUsed=[NAME])).node_meshes.tolist() == [0]


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("bits", [0x7F800001, 0x7FC00000, 0x7F800000])  # two kinds of NaN, and infinity
def test_places_that_are_no_numbers_are_told(path, bits):
    gltf = with_instances()
    places = np.zeros((3, 3), "<u4")
    places[1, 2] = bits
    gltf.json["nodes"][0]["extensions"][NAME]["attributes"] = {"TRANSLATION": gltf.accessor(places.view("<f4"))}
    content = read_gltf(gltf.glb(path, extensionsUsed=[NAME]))
    assert content.node_meshes.tolist() == [0] and len(content.problems) == 1


def test_a_few_bytes_cannot_place_a_mesh_without_end(path):
    gltf = with_instances()
    attributes = {"TRANSLATION": gltf.accessor(np.zeros((10_000, 3), "<f4"))}
    gltf.json["nodes"] = [{"mesh": 0, "extensions": {NAME: {"attributes": attributes}}} for _ in range(10_000)]
    with pytest.raises(ReadError, match=r"more instances of its meshes than .* bytes can place"):
        read_gltf(gltf.glb(path, extensionsUsed=[NAME]))

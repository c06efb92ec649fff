"""A mesh at many places by one node (EXT_mesh_gpu_instancing) becomes a node for each."""

from __future__ import annotations

from copy import deepcopy

import numpy as np
import pytest

from octoscope.scene import ReadError, load
from octoscope.scene.formats.gltf.reader import read_gltf
from tests.oracles import random_quaternion
from tests.scene.formats.gltf.files import CORNERS, Gltf, square

NAME = "EXT_mesh_gpu_instancing"
FIELDS = {"TRANSLATION": "translation", "ROTATION": "rotation", "SCALE": "scale"}


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
def test_places_that_are_no_numbers_are_left_out_and_counted(path, bits):
    gltf = with_instances()
    places = np.arange(15, dtype="<f4").reshape(5, 3)
    scales = np.arange(20, 35, dtype="<f4").reshape(5, 3)
    places.view("<u4")[1, 2] = bits
    scales.view("<u4")[3] = bits
    attributes = {"TRANSLATION": gltf.accessor(places), "SCALE": gltf.accessor(scales)}
    gltf.json["nodes"][0]["extensions"][NAME]["attributes"] = attributes
    content = read_gltf(gltf.glb(path, extensionsUsed=[NAME]))
    shown = content.node_meshes == 0
    np.testing.assert_array_equal(content.translations[shown], places[[0, 2, 4]])
    np.testing.assert_array_equal(content.scales[shown], scales[[0, 2, 4]])
    (problem,) = content.problems
    assert (problem.what, problem.done, problem.count) == (
        f"one of many places with numbers that are not finite ({NAME})",
        "left out",
        2,
    )


@pytest.mark.filterwarnings("error")
def test_a_node_whose_every_place_is_no_number_is_shown_at_one(path):
    gltf = with_instances()
    attributes = {"TRANSLATION": gltf.accessor(np.full((3, 3), np.nan, "<f4"))}
    gltf.json["nodes"][0]["extensions"][NAME]["attributes"] = attributes
    content = read_gltf(gltf.glb(path, extensionsUsed=[NAME]))
    assert content.node_meshes.tolist() == [0] and [each.done for each in content.problems] == ["shown at one"]


def test_a_few_bytes_cannot_place_a_mesh_without_end(path):
    gltf = with_instances()
    attributes = {"TRANSLATION": gltf.accessor(np.zeros((10_000, 3), "<f4"))}
    gltf.json["nodes"] = [{"mesh": 0, "extensions": {NAME: {"attributes": attributes}}} for _ in range(10_000)]
    with pytest.raises(ReadError, match=r"more instances of its meshes than .* bytes can place"):
        read_gltf(gltf.glb(path, extensionsUsed=[NAME]))


def random_tree(rng: np.random.Generator) -> tuple[Gltf, Gltf]:
    """A file of nodes of all kinds, some with instances; and one that has a node for each of these."""
    gltf = Gltf()
    # Far from the origin: read relative to their centres, by which nodes and what is below them are moved.
    for center in rng.normal(size=(3, 3)) * rng.choice([1.0, 1e6], (3, 1)):
        fields = rng.choice([{}, {"name": "oak"}, {"name": ""}])
        gltf.mesh(gltf.primitive((CORNERS + center).astype("<f4")), **fields, extras={"octoscope_center": [*center]})
    gltf.json["cameras"] = [{"type": "perspective", "perspective": {"yfov": 1.0, "znear": 0.1}}]
    count = int(rng.integers(1, 12))
    for number in range(count):
        node = {"children": rng.permutation(np.arange(number + 1, count))[: rng.integers(4)].tolist()}
        some = {"name": str(rng.choice(["tree", "", "wood"])), "mesh": int(rng.integers(4)), "camera": 0}
        some |= {"translation": rng.normal(size=3).tolist(), "rotation": random_quaternion(rng).tolist()}
        some["matrix"] = np.append(rng.normal(size=(4, 3)), [[0], [0], [0], [1]], axis=1).ravel().tolist()
        gltf.node(**node, **{key: value for key, value in some.items() if rng.random() < 0.5})
    gltf.json["scenes"] = [{"nodes": rng.permutation(count)[: rng.integers(1, count + 1)].tolist()}]
    plain = deepcopy(gltf)
    for node, alone in zip(gltf.json["nodes"], list(plain.json["nodes"]), strict=True):
        places = int(rng.integers(1, 5))
        columns = {"TRANSLATION": rng.normal(size=(places, 3)), "SCALE": rng.normal(size=(places, 3))}
        columns["ROTATION"] = random_quaternion(rng, places) * rng.integers(0, 3, (places, 1))  # of any length
        columns = {name: column.astype("<f4") for name, column in columns.items() if rng.random() < 0.6}
        if not columns or rng.random() < 0.4:
            continue
        attributes = {name: gltf.accessor(column) for name, column in columns.items()}
        node["extensions"] = {NAME: {"attributes": attributes}}
        shown = {key: alone[key] for key in ("name", "mesh") if key in alone}
        alone.pop("mesh", None)
        for place in range(places):
            fields = {FIELDS[name]: column[place].tolist() for name, column in columns.items()}
            alone["children"].append(plain.node(**shown, **fields))
    return gltf, plain


@pytest.mark.parametrize("seed", range(30))
def test_instances_are_read_as_nodes_of_their_own_would_be(tmp_path, seed):
    gltf, plain = random_tree(np.random.default_rng(seed))
    files = gltf.glb(tmp_path / "a.glb"), plain.glb(tmp_path / "b.glb")
    try:
        expected = read_gltf(files[1])
    except ReadError as error:
        with pytest.raises(ReadError, match="nothing to show") as ours:
            read_gltf(files[0])
        assert str(ours.value).replace("a.glb", "b.glb") == str(error)
        return
    found = read_gltf(files[0])
    for column in ("names", "parents", "meshes", "materials"):
        np.testing.assert_array_equal(getattr(found, f"node_{column}"), getattr(expected, f"node_{column}"))
    for column in ("translations", "rotations", "scales"):
        np.testing.assert_array_equal(getattr(found, column), getattr(expected, column))
    assert found.bookmarks == expected.bookmarks
    # What is wrong with a node is told once, not for each of its places.
    told, told_of_plain = ([(each.kind, each.what) for each in content.problems] for content in (found, expected))
    assert told == told_of_plain

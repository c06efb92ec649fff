"""The cameras of glTF files become bookmarks."""

import math

import numpy as np
import pytest

from octoscope.scene import Bookmark, load, read_gltf, write_glb
from octoscope.scene.annotations.bookmarks import DEFAULT_FOV_Y_RAD
from tests.oracles import random_quaternion
from tests.scene.dressed import dressed_scene, scene_of
from tests.scene.formats.gltf.files import document_of, square

WIDE = {"type": "perspective", "perspective": {"yfov": 0.9, "znear": 0.1}, "name": "wide"}
PLAN = {"type": "orthographic", "orthographic": {"xmag": 2, "ymag": 3, "znear": 0, "zfar": 9}}


@pytest.fixture
def path(tmp_path):
    return tmp_path / "file.glb"


def rotated(quaternion: np.ndarray, vector: np.ndarray) -> np.ndarray:
    axis, w = quaternion[:3], quaternion[3]
    return vector + 2.0 * np.cross(axis, np.cross(axis, vector) + w * vector)


def test_a_camera_is_a_bookmark_where_its_node_stands_in_the_world(path):
    rng = np.random.default_rng(1)
    turns, places = random_quaternion(rng, 2), rng.normal(size=(2, 3))
    gltf = square()
    gltf.node(name="eye", camera=0, translation=places[1].tolist(), rotation=turns[1].tolist())
    gltf.node(name="rig", children=[1], translation=places[0].tolist(), rotation=turns[0].tolist(), scale=[2, 2, -2])
    content = read_gltf(gltf.glb(path, cameras=[WIDE]))
    assert content.problems == []
    ((name, bookmark),) = content.bookmarks.items()
    assert (name, bookmark.fov_y_rad, bookmark.orthographic, bookmark.distance) == ("eye", 0.9, False, None)
    scaled = np.array((2.0, 2.0, -2.0))
    assert bookmark.position == pytest.approx(places[0] + rotated(turns[0], scaled * places[1]))
    for axis in ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0)):  # what a mirror leaves of a camera: its own axes but for one
        expected = rotated(turns[0], scaled * rotated(turns[1], np.array(axis))) / 2.0
        assert abs(rotated(np.array(bookmark.rotation), np.array(axis)) @ expected) == pytest.approx(1.0)


def test_an_orthographic_cameras_height_becomes_a_distance(path):
    gltf = square()
    gltf.node(camera=0, translation=[0, 5, 0])
    (bookmark,) = read_gltf(gltf.glb(path, cameras=[PLAN])).bookmarks.values()
    assert bookmark.orthographic and bookmark.position == (0.0, 5.0, 0.0)
    assert bookmark.distance * math.tan(bookmark.fov_y_rad / 2.0) == pytest.approx(3.0)


def test_names_are_the_nodes_the_cameras_or_numbers(path):
    gltf = square()
    for number, name in enumerate(("eye", None, None, "eye")):
        gltf.node(camera=number % 2, **({} if name is None else {"name": name}))
    content = read_gltf(gltf.glb(path, cameras=[PLAN, WIDE]))
    assert list(content.bookmarks) == ["eye", "wide", "camera", "eye (2)"]


def test_several_files_keep_all_their_cameras_in_a_scene(path):
    gltf = square()
    gltf.node(name="eye", camera=0)
    gltf.glb(path, cameras=[WIDE])
    assert list(load([path, path]).bookmarks) == ["eye", "eye (2)"]


@pytest.mark.parametrize(
    "camera",
    [{}, {"type": "perspective"}, {"perspective": 3}, {"perspective": {"yfov": "x"}}, {"perspective": {"yfov": 0}},
     {"type": "orthographic", "orthographic": {"ymag": 0}}, {"type": "orthographic", "orthographic": []}],
)  # fmt: skip
def test_a_camera_whose_lens_makes_no_sense_gets_the_default_one(path, camera):
    gltf = square()
    gltf.node(name="eye", camera=0)
    bookmark = read_gltf(gltf.glb(path, cameras=[camera])).bookmarks["eye"]
    assert bookmark.fov_y_rad == DEFAULT_FOV_Y_RAD and bookmark.position == (0.0, 0.0, 0.0)


def test_cameras_that_stand_nowhere_are_said(path):
    gltf = square()
    gltf.node(name="far", camera=1, translation=[1e200, 0, 0])
    gltf.node(name="wrong", camera=7)
    gltf.node(name="not in the scene", camera=0)
    content = read_gltf(gltf.glb(path, cameras=[WIDE, WIDE], scenes=[{"nodes": [0, 1, 2]}]))
    assert content.bookmarks == {}
    counts = {problem.what: problem.count for problem in content.problems if problem.kind == "cameras"}
    assert counts == {"a camera that is not in the file": 1, "a camera that no node places": 2}


def test_thousands_of_cameras_in_a_deep_tree_end(path):
    gltf = square()
    for number in range(4000):
        gltf.node(camera=0, children=[number + 2] if number < 3999 else [])
    content = read_gltf(gltf.glb(path, cameras=[WIDE]))
    assert 10 < len(content.bookmarks) < 4000


def test_a_file_without_cameras_has_no_bookmarks(path):
    assert read_gltf(square().glb(path)).bookmarks == {}


# Written.


def test_bookmarks_are_written_as_cameras_and_come_back_however_often(path):
    scene = dressed_scene(3)
    count = int(scene.alive.sum())
    rng = np.random.default_rng(5)
    turns = random_quaternion(rng, 4)
    scene.bookmarks = {
        'gate "é"': Bookmark((1.0, -2.5, 1e6), tuple(turns[0].tolist()), 12.5, 0.7),
        "plan": Bookmark((0.0, 5.0, 0.0), tuple(turns[1].tolist()), 3.0, 0.9, orthographic=True),
        "nobody said": Bookmark((0.1, 0.2, 0.3), tuple((3.0 * turns[2]).tolist())),
        "": Bookmark((0.0, 0.0, 0.0), tuple(turns[3].tolist()), 1e-9),
    }
    for _ in range(3):
        scene.update_world()
        write_glb(scene, path)
        content = read_gltf(path)
        assert content.problems == []
        read = content.bookmarks
        assert list(read) == list(scene.bookmarks) and len(content.node_names) == count
        for name, bookmark in scene.bookmarks.items():
            found = read[name]
            assert (found.distance, found.fov_y_rad, found.orthographic) == (
                bookmark.distance,
                bookmark.fov_y_rad,
                bookmark.orthographic,
            )
            assert found.position == pytest.approx(bookmark.position, rel=1e-15, abs=0.0)
            cosine = np.dot(found.rotation, bookmark.rotation) / np.linalg.norm(bookmark.rotation)
            assert abs(cosine) == pytest.approx(1.0, abs=1e-12)
        scene = scene_of(content)
        scene.bookmarks = read


def test_what_other_programs_read_of_a_camera_is_whole(path):
    scene = dressed_scene(1)
    scene.bookmarks = {
        "eye": Bookmark((1.0, 2.0, 3.0), (0.0, 2.0, 0.0, 0.0), 10.0, 0.5),
        "plan": Bookmark((0.0, 5.0, 0.0), distance=2.0, fov_y_rad=math.pi / 2.0, orthographic=True),
    }
    scene.update_world()
    write_glb(scene, path)
    document = document_of(path)
    perspective, plan = document["cameras"]
    assert perspective["perspective"]["yfov"] == 0.5 and 0.0 < perspective["perspective"]["znear"] < 1.0
    assert plan["orthographic"]["ymag"] == pytest.approx(2.0) and plan["type"] == "orthographic"
    assert 0.0 <= plan["orthographic"]["znear"] < 2.0 < plan["orthographic"]["zfar"]
    first, second = document["nodes"][-2:]
    assert (first["camera"], first["rotation"], second["camera"]) == (0, [0.0, 1.0, 0.0, 0.0], 1)
    assert document["scenes"][0]["nodes"][-2:] == [len(document["nodes"]) - 2, len(document["nodes"]) - 1]


def test_a_node_with_a_camera_and_something_below_it_stays_and_one_with_a_camera_alone_does_not(path):
    gltf = square()
    gltf.node(name="rig", camera=0, children=[2])
    gltf.node(name="eye", camera=0)
    content = read_gltf(gltf.glb(path, cameras=[WIDE]))
    assert list(content.bookmarks) == ["rig", "eye"]
    assert "rig" in content.node_names.tolist() and "eye" not in content.node_names.tolist()

"""The cameras of glTF files become bookmarks."""

import math

import numpy as np
import pytest

from scene import load, read_gltf
from scene.bookmarks import DEFAULT_FOV_Y_RAD
from tests.oracles import random_quaternion
from tests.scene.gltf.files import square

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

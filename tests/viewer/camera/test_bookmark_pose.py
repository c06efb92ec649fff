"""A bookmark brings a camera back; one without a distance, as in other programs' files, looks at the scene."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from octoscope.octree import Frustum
from octoscope.scene import Bookmark
from octoscope.viewer.camera import controls
from octoscope.viewer.camera.bookmark_pose import bookmark_of, camera_at
from octoscope.viewer.camera.camera import view_name
from octoscope.viewer.camera.views import VIEWS
from tests.viewer.camera.test_camera import random_camera

BOUNDS = np.array((-1.0, -2.0, -3.0)), np.array((5.0, 4.0, 3.0))


@pytest.mark.parametrize("orthographic", [False, True])
@pytest.mark.parametrize("offset", [0.0, 1e7])
def test_a_bookmarked_camera_comes_back(orthographic: bool, offset: float) -> None:
    rng = np.random.default_rng(1)
    for number in range(100):
        camera = random_camera(rng, orthographic=orthographic, offset=offset, rolled=number % 2 == 0)
        back = camera_at(bookmark_of(camera), None)
        assert np.allclose(back.axes, camera.axes, atol=1e-12)
        assert np.allclose(back.position, camera.position, rtol=1e-14)
        assert (back.distance, back.fov_y_rad) == (camera.distance, camera.fov_y_rad)
        assert back.orthographic == orthographic


@pytest.mark.parametrize("name", VIEWS)
def test_a_bookmarked_view_along_an_axis_is_one_again(name: str) -> None:
    camera = controls.look_from(random_camera(np.random.default_rng(2), orthographic=True), name)
    back = camera_at(bookmark_of(camera), None)
    assert view_name(back) == name and abs(back.roll_rad) < 1e-12


def test_a_quaternion_of_any_length_turns_as_in_gltf() -> None:
    for length in (1e-50, 1.0, 1e50):  # a quarter turn to the left, about Y
        camera = camera_at(Bookmark((1.0, 2.0, 3.0), (0.0, length, 0.0, length), 2.0), None)
        assert np.allclose(camera.axes, [(0, 0, -1), (0, 1, 0), (1, 0, 0)])
        assert np.allclose(camera.position, (1.0, 2.0, 3.0)) and np.allclose(camera.pivot, (-1.0, 2.0, 3.0))


def test_without_a_distance_the_pivot_is_abreast_of_the_scene_or_somewhere_before_the_camera() -> None:
    middle = (BOUNDS[0] + BOUNDS[1]) / 2.0
    towards = camera_at(Bookmark((9.0, 9.0, 20.0)), BOUNDS)
    assert towards.distance == pytest.approx(20.0 - middle[2])
    away = camera_at(Bookmark((9.0, 9.0, -20.0)), BOUNDS)
    assert 0.0 < away.distance <= np.linalg.norm(BOUNDS[1] - BOUNDS[0])
    assert camera_at(Bookmark((0.0, 0.0, 0.0)), None).distance > 0.0
    assert camera_at(Bookmark((0.0, 0.0, 0.0)), (middle, middle)).distance > 0.0


def test_a_camera_beyond_all_bounds_is_refused() -> None:
    camera = replace(random_camera(np.random.default_rng(3), orthographic=False), pivot=np.array((0.0, 1e31, 0.0)))
    with pytest.raises(ValueError, match="position"):
        bookmark_of(camera)


@pytest.mark.parametrize("orthographic", [False, True])
def test_every_bookmark_that_can_be_has_a_frustum(orthographic: bool) -> None:
    rng = np.random.default_rng(4)
    for number in range(500):
        bookmark = Bookmark(
            tuple(rng.choice([-1.0, 0.0, 1.0], 3) * 10.0 ** rng.uniform(-30.0, 15.0, 3)),
            tuple(rng.normal(size=4)),
            10.0 ** rng.uniform(-12.0, 15.0) if number % 5 else None,
            rng.choice([1e-6, 0.6, math.pi - 1e-6]),
            orthographic,
        )
        camera = camera_at(bookmark, BOUNDS).with_depth_range(*BOUNDS)
        frustum = Frustum.from_matrix(camera.clip_from_relative(1.5), camera.position)  # as View has it
        assert np.isfinite(frustum.planes).all(), bookmark

"""Gestures do to the picture what a person expects of them."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from tests.viewer.test_camera import SIZE, project, random_camera
from viewer import navigation


@pytest.mark.parametrize("orthographic", [False, True])
def test_zoom_keeps_the_point_under_the_cursor(orthographic: bool) -> None:
    rng = np.random.default_rng(1)
    for _ in range(50):
        camera = random_camera(rng, orthographic=orthographic)
        target = camera.pivot + rng.normal(0.0, 0.2, 3)
        for steps in (1.0, -1.0, 4.5):
            zoomed = navigation.zoom(camera, steps, target)
            assert np.allclose(project(zoomed, target)[:2], project(camera, target)[:2], atol=1e-9)
            assert (zoomed.distance < camera.distance) == (steps > 0.0)


@pytest.mark.parametrize("orthographic", [False, True])
def test_pan_moves_what_lies_at_the_pivots_depth_with_the_mouse(orthographic: bool) -> None:
    camera = random_camera(np.random.default_rng(2), orthographic=orthographic)
    panned = navigation.pan(camera, 30.0, -12.0, SIZE[1])
    moved = (project(panned, camera.pivot) - project(camera, camera.pivot))[:2] * (SIZE[0] / 2, -SIZE[1] / 2)
    assert np.allclose(moved, (30.0, -12.0))


def test_orbit_keeps_the_horizon_level_and_stops_at_the_poles() -> None:
    camera = random_camera(np.random.default_rng(3), orthographic=False)
    for dx, dy in ((10.0, 5.0), (-400.0, 90.0), (3.0, 1e5), (0.0, -1e6)):
        camera = navigation.orbit(camera, dx, dy)
        assert camera.axes[0][1] == 0.0, "the right of the picture stays level"
        assert abs(camera.pitch_rad) <= math.pi / 2
        assert np.allclose(project(camera, camera.pivot)[:2], 0.0)


def test_orbit_to_the_right_turns_the_scenes_front_to_the_right() -> None:
    camera = navigation.look(random_camera(np.random.default_rng(4), orthographic=False), "front")
    toward_camera = camera.pivot + np.array((0.0, 0.0, 0.1))
    assert project(navigation.orbit(camera, 40.0, 0.0), toward_camera)[0] > 0.0
    assert project(navigation.orbit(camera, 0.0, 40.0), toward_camera)[1] < 0.0


@pytest.mark.parametrize("frame", [navigation.frame_box, navigation.frame_box_tightly])
@pytest.mark.parametrize("orthographic", [False, True])
def test_framing_shows_all_of_a_box_and_not_much_else(frame: object, orthographic: bool) -> None:
    rng = np.random.default_rng(5)
    for _ in range(60):
        lower = rng.normal(0.0, 50.0, 3)
        upper = lower + rng.uniform(0.0, 20.0, 3)
        camera = frame(random_camera(rng, orthographic=orthographic), lower, upper, SIZE[0] / SIZE[1])
        corners = np.array([project(camera, np.where(c, upper, lower)) for c in np.ndindex(2, 2, 2)])
        largest = np.abs(corners[:, :2]).max()
        assert 0.9 < largest <= 1.0


def test_framing_a_point_looks_at_it_from_somewhere() -> None:
    camera = navigation.frame_box(
        random_camera(np.random.default_rng(6), orthographic=False), np.ones(3), np.ones(3), 1.5
    )
    assert camera.distance > 0.0 and np.array_equal(camera.pivot, np.ones(3))


def test_tight_framing_centres_the_outline() -> None:
    camera = replace(random_camera(np.random.default_rng(7), orthographic=False), fov_y_rad=1.2, pitch_rad=0.6)
    lower, upper = np.array((-10.0, 0.0, -10.0)), np.array((10.0, 1.0, 10.0))
    camera = navigation.frame_box_tightly(camera, lower, upper, 1.6)
    corners = np.array([project(camera, np.where(c, upper, lower))[:2] for c in np.ndindex(2, 2, 2)])
    assert np.allclose(corners.min(axis=0), -corners.max(axis=0), atol=0.01)

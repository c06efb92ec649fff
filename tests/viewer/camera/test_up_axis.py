"""A camera in a world with Z up does what one in the same world with Y up does."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from octoscope.scene.conventions.upright import turn_between
from octoscope.viewer.camera import controls
from octoscope.viewer.camera.camera import Camera, view_name
from octoscope.viewer.camera.camera_json import camera_from_json, camera_to_json
from octoscope.viewer.camera.views import VIEWS
from tests.viewer.camera.test_camera import random_camera

TURN = turn_between("y", "z")
POINT = np.array((0.3, -2.0, 1.7))


def lying(camera: Camera) -> Camera:
    """Return the camera in the world turned by a quarter about X, with Z up."""
    return replace(camera, pivot=TURN @ camera.pivot, up_axis="z")


def assert_same(found: Camera, camera: Camera) -> None:
    """Check that a camera in a world with Z up looks as another does in one with Y up."""
    np.testing.assert_allclose(found.position, TURN @ camera.position, atol=1e-9)
    np.testing.assert_allclose(found.pivot, TURN @ camera.pivot, atol=1e-9)
    np.testing.assert_allclose(found.axes, camera.axes @ TURN.T, atol=1e-9)


POSITION, TARGET, ABOVE = np.random.default_rng(4).normal(size=(3, 3))
MOVES = {
    "none": lambda each, turn: each,
    "orbit": lambda each, turn: controls.orbit(each, 40.0, -25.0, about=turn @ POINT),
    "trackball": lambda each, turn: controls.orbit(each, 40.0, -25.0, trackball=True),
    "look around": lambda each, turn: controls.look_around(each, 30.0, 12.0),
    "fly": lambda each, turn: controls.fly(each, (0.2, 0.9, -0.4), 0.3, speed=2.0),
    "level": lambda each, turn: controls.level(controls.orbit(each, 3.0, 9.0, trackball=True)),
    "look at": lambda each, turn: controls.look_at(each, turn @ POSITION, turn @ TARGET),
    "look down": lambda each, turn: controls.look_at(each, turn @ np.add(TARGET, (0.0, 5.0, 0.0)), turn @ TARGET),
    "look at with up": lambda each, turn: controls.look_at(each, turn @ POSITION, turn @ TARGET, up=turn @ ABOVE),
}


@pytest.mark.parametrize("orthographic", [False, True])
@pytest.mark.parametrize("move", MOVES.values(), ids=MOVES)
def test_every_move_follows_the_up_axis(move: Callable[[Camera, np.ndarray], Camera], orthographic: bool) -> None:
    rng = np.random.default_rng(5)
    for _ in range(20):
        camera = random_camera(rng, orthographic=orthographic)
        assert_same(move(lying(camera), TURN), move(camera, np.eye(3)))


@pytest.mark.parametrize(
    ("view", "from_side", "above"),
    [
        ("front", (0, -1, 0), (0, 0, 1)),
        ("back", (0, 1, 0), (0, 0, 1)),
        ("right", (1, 0, 0), (0, 0, 1)),
        ("left", (-1, 0, 0), (0, 0, 1)),
        ("top", (0, 0, 1), (0, 1, 0)),
        ("bottom", (0, 0, -1), (0, -1, 0)),
    ],
)
def test_named_views_of_a_world_with_z_up_are_those_of_cad_programs(view: str, from_side, above) -> None:
    camera = controls.look_from(Camera(np.zeros(3), up_axis="z"), view)
    np.testing.assert_allclose(camera.axes[2], from_side, atol=1e-12)
    np.testing.assert_allclose(camera.axes[1], above, atol=1e-12)
    assert view_name(camera) == view
    assert set(VIEWS) - {"iso"} == {"front", "back", "right", "left", "top", "bottom"}


def test_a_camera_that_comes_from_a_world_with_another_up_axis_looks_at_the_same() -> None:
    rng = np.random.default_rng(6)
    for _ in range(20):
        camera = random_camera(rng, orthographic=False)
        other = camera.with_up_axis("z")
        np.testing.assert_allclose(other.axes, camera.axes, atol=1e-12)
        np.testing.assert_allclose(other.position, camera.position, atol=1e-9)
        assert other.with_up_axis("z") is other


def test_a_camera_as_json_without_up_is_level_with_the_world() -> None:
    camera = camera_from_json('{"position": [3, -8, 2], "target": [0, 0, 1]}', up_axis="z")
    assert camera.axes[0, 2] == pytest.approx(0.0, abs=1e-12)
    assert camera.axes[1, 2] > 0.0
    again = camera_from_json(camera_to_json(camera), up_axis="z")
    np.testing.assert_allclose(again.axes, camera.axes, atol=1e-12)
    np.testing.assert_allclose(again.position, camera.position, atol=1e-9)

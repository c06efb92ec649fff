"""A camera comes back from its JSON, and what is none is refused in one line that says why."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest

from octoscope.viewer.camera import controls
from octoscope.viewer.camera.camera_json import camera_from_json, camera_to_json
from octoscope.viewer.camera.views import VIEWS
from tests.viewer.camera.test_camera import random_camera


@pytest.mark.parametrize("orthographic", [False, True])
@pytest.mark.parametrize("offset", [0.0, 1e7])
def test_a_camera_comes_back(orthographic: bool, offset: float) -> None:
    rng = np.random.default_rng(4)
    for number in range(100):
        camera = random_camera(rng, orthographic=orthographic, offset=offset, rolled=number % 2 == 0)
        back = camera_from_json(camera_to_json(camera))
        assert np.allclose(back.axes, camera.axes, atol=1e-6 if offset else 1e-12)  # of two points that far out
        assert np.allclose(back.position, camera.position, rtol=1e-14, atol=1e-9)
        assert np.array_equal(back.pivot, camera.pivot) and back.orthographic == orthographic
        assert back.fov_y_rad == pytest.approx(camera.fov_y_rad)


@pytest.mark.parametrize("name", VIEWS)
def test_a_view_along_an_axis_comes_back(name: str) -> None:
    camera = controls.look_from(random_camera(np.random.default_rng(5), orthographic=False), name)
    back = camera_from_json(camera_to_json(camera))
    assert np.allclose(back.axes, camera.axes, atol=1e-9)


def test_position_and_target_are_enough_and_the_horizon_is_level_then() -> None:
    camera = camera_from_json('{"position": [3, 4, 5], "target": [0, 1, 0]}')
    assert camera.roll_rad == pytest.approx(0.0) and camera.axes[1, 1] > 0.0
    assert np.allclose(camera.position, (3.0, 4.0, 5.0)) and camera.distance == pytest.approx(math.sqrt(43.0))
    assert camera.fov_y_rad == pytest.approx(math.radians(35.0)) and not camera.orthographic
    for height in (5.0, -5.0):  # along the vertical, right stays right
        down = camera_from_json(json.dumps({"position": [0, height, 0], "target": [0, 0, 0]}))
        assert np.allclose(down.axes[0], (1.0, 0.0, 0.0)) or np.allclose(down.axes[0], (-1.0, 0.0, 0.0))
        assert np.allclose(down.axes[2], (0.0, np.sign(height), 0.0))


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "is no camera, such as {"),
        ('{"position": [0, 1, 5], "target": [0, 0, 0], "up": [0, -0.0, 0]}', "up is a direction, which"),
        ("[1, 2]", "is no camera"),
        ("[" * 100_000, "is no camera"),
        ("hello", "'hello' is no camera"),
        ('{"position": [0, 0, 5]}', "needs a target"),
        ('{"target": [0, 0, 5]}', "needs a position"),
        ('{"position": [0, 0], "target": [0, 0, 5]}', "position is three numbers"),
        ('{"position": [0, 0, "x"], "target": [0, 0, 5]}', "position: 'x' is no number"),
        ('{"position": [0, 0, NaN], "target": [0, 0, 5]}', "position: nan is no number"),
        ('{"position": [0, 0, 1e999], "target": [0, 0, 5]}', "position: inf is no number"),
        ('{"position": [0, 0, 1e20], "target": [0, 0, 5]}', "up to 1e+15"),
        ('{"position": [0, 0, 5], "target": [0, 0, 5]}', "the point where it stands"),
        ('{"position": [0, 0, 5], "target": [0, 0, 0], "fov": 3}', "'fov' is nothing of a camera"),
        ('{"position": [0, 0, 5], "target": [0, 0, 0], "fov_degrees": 180}', "below half a turn"),
        ('{"position": [0, 0, 5], "target": [0, 0, 0], "fov_degrees": true}', "is no number"),
        ('{"position": [0, 0, 5], "target": [0, 0, 0], "orthographic": 1}', "true or false"),
        ('{"position": [0, 0, 5], "target": [0, 0, 0], "up": 1}', "up is three numbers"),
    ],
)
def test_what_is_no_camera_is_refused(text: str, says: str) -> None:
    with pytest.raises(ValueError) as refused:
        camera_from_json(text)
    assert says in str(refused.value) and "\n" not in str(refused.value) and len(str(refused.value)) < 300

"""The key light: what it is fixed to, and drags that turn it."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from octoscope.viewer.camera.camera import Camera
from octoscope.viewer.frame.look.lighting import LIGHTING, Lighting, world_light


def cameras() -> list[Camera]:
    rng = np.random.default_rng(3)
    return [Camera(np.zeros(3), *rng.uniform(-1.5, 1.5, 3)) for _ in range(20)]


def test_a_light_fixed_to_something_else_falls_as_before_and_back_again():
    for camera in cameras():
        there = LIGHTING.fixed(camera.axes, to_world=True)
        assert there.is_fixed_to_world
        np.testing.assert_allclose(there.in_view(camera.axes), LIGHTING.direction, atol=1e-9)
        np.testing.assert_allclose(there.in_world(camera.axes), LIGHTING.in_world(camera.axes), atol=1e-9)
        back = there.fixed(camera.axes, to_world=False)
        assert not back.is_fixed_to_world
        np.testing.assert_allclose(back.direction, LIGHTING.direction, atol=1e-9)


def test_a_light_that_is_fixed_to_the_world_moves_in_the_picture_and_the_other_in_the_world():
    one, other = cameras()[:2]
    fixed = LIGHTING.fixed(one.axes, to_world=True)
    assert np.linalg.norm(fixed.in_view(other.axes) - fixed.in_view(one.axes)) > 0.1
    np.testing.assert_array_equal(fixed.in_world(other.axes), fixed.in_world(one.axes))
    assert np.linalg.norm(LIGHTING.in_world(other.axes) - LIGHTING.in_world(one.axes)) > 0.1
    np.testing.assert_array_equal(LIGHTING.in_view(other.axes), LIGHTING.in_view(one.axes))


@pytest.mark.parametrize("to_world", (False, True))
def test_a_drag_takes_the_light_along(to_world):
    for camera in cameras():
        light = Lighting((0.0, 0.0, 1.0)).fixed(camera.axes, to_world=to_world)
        right = light.turned(math.radians(30.0), 0.0, camera.axes)
        np.testing.assert_allclose(right.in_view(camera.axes), (0.5, 0.0, math.sqrt(0.75)), atol=1e-9)
        up = light.turned(0.0, math.radians(30.0), camera.axes)
        np.testing.assert_allclose(up.in_view(camera.axes), (0.0, 0.5, math.sqrt(0.75)), atol=1e-9)
        assert right.is_fixed_to_world == up.is_fixed_to_world == to_world


@pytest.mark.parametrize(
    ("angles", "direction"), (((0.0, 0.0), (0, 0, 1)), ((90.0, 0.0), (1, 0, 0)), ((123.0, 90.0), (0, 1, 0)))
)
def test_angles_of_a_light_in_the_world(angles, direction):
    np.testing.assert_allclose(world_light(*angles).direction, direction, atol=1e-9)


def test_a_direction_has_unit_length_and_numbers_out_of_range_are_refused():
    assert Lighting((0.0, 3.0, 4.0)).direction == pytest.approx((0.0, 0.6, 0.8))
    for wrong in (
        {"direction": (0.0, 0.0, 0.0)},
        {"direction": (0.0, math.nan, 0.0)},
        {"strength": -1.0},
        {"shadow_strength": 1.5},
        {"occlusion_strength": math.nan},
    ):
        with pytest.raises(ValueError):
            replace(LIGHTING, **wrong)


def test_strengths_of_what_is_switched_off_are_0():
    light = Lighting(shadow_strength=0.5, occlusion_strength=0.25)
    assert (light.shadow, light.occlusion) == (0.5, 0.25)
    assert replace(light, has_shadow=False).shadow == replace(light, has_occlusion=False).occlusion == 0.0


def test_a_light_from_above_shines_along_the_up_axis() -> None:
    np.testing.assert_allclose(world_light(0.0, 90.0, up_axis="z").direction, (0, 0, 1), atol=1e-9)
    np.testing.assert_allclose(world_light(0.0, 0.0, up_axis="z").direction, (0, -1, 0), atol=1e-9)
    np.testing.assert_allclose(world_light(90.0, 0.0, up_axis="z").direction, (1, 0, 0), atol=1e-9)

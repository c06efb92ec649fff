"""Cameras made from where they stand and what they look at."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from octoscope import Camera, Frustum

SIZE = (640, 360)
places = st.tuples(*[st.floats(-50.0, 50.0)] * 3)


@given(eye=places, target=places, up_axis=st.sampled_from("yz"))
def test_it_stands_at_the_eye_and_sees_the_target_in_the_middle_with_a_level_horizon(eye, target, up_axis):
    if math.dist(eye, target) < 1e-3:
        return
    camera = Camera.looking_at(eye, target, fov_deg=50, up_axis=up_axis)
    np.testing.assert_allclose(camera.position, eye, atol=1e-9)
    forward = np.subtract(target, eye) / math.dist(eye, target)
    np.testing.assert_allclose(-camera.axes[2], forward, atol=1e-9)
    up = np.eye(3)["xyz".index(up_axis)]
    assert abs(camera.axes[0] @ up) < 1e-9 and camera.axes[1] @ up > -1e-9
    assert camera.fov_y_rad == math.radians(50)


@pytest.mark.parametrize("down", ((0.0, -1.0, 0.0), (0.0, 1.0, 0.0)))
def test_straight_down_and_up_are_directions_like_others(down):
    camera = Camera.looking_at((1.0, 2.0, 3.0), np.add((1.0, 2.0, 3.0), down))
    np.testing.assert_allclose(-camera.axes[2], down, atol=1e-12)


def test_pinhole_matrix_pose_and_rays_agree():
    camera = Camera.looking_at((5.0, 3.0, 9.0), (0.0, 1.0, 0.0), fov_deg=60)
    origin, direction = camera.ray_through_pixel((100, 40), SIZE)
    point = origin + 7.0 * direction
    right, up, back, _ = np.linalg.inv(camera.world_from_view) @ (*point, 1.0)
    x, y, depth = camera.intrinsics(SIZE) @ (right, -up, -back)
    np.testing.assert_allclose((x / depth, y / depth), (100.5, 40.5))


def test_a_frustum_of_a_camera_holds_what_it_sees():
    camera = Camera.looking_at((0.0, 0.0, 10.0), (0.0, 0.0, 0.0))
    frustum = Frustum.from_camera(camera, 16 / 9)
    expected = Frustum.from_matrix(camera.clip_from_relative(16 / 9), camera.position)
    np.testing.assert_array_equal(frustum.planes, expected.planes)
    with pytest.raises(ValueError, match="aspect must be a number"):
        Frustum.from_camera(camera, (1280, 720))


@pytest.mark.parametrize(
    ("eye", "target", "options", "what"),
    [
        ((1, 2), (0, 0, 0), {}, "eye must be three"),
        ((1, 2, 3), "origin", {}, "target must be three"),
        ((1, 2, math.nan), (0, 0, 0), {}, "eye must be three"),
        ((1, 2, 3), (1, 2, 3), {}, "different"),
        ((1, 2, 3), (0, 0, 0), {"fov_deg": 180}, "fov_deg"),
        ((1, 2, 3), (0, 0, 0), {"up_axis": "x"}, "up_axis must"),
    ],
)
def test_what_is_no_camera_is_refused(eye, target, options, what):
    with pytest.raises(ValueError, match=what):
        Camera.looking_at(eye, target, **options)


BAD_VALUES = [
    *((name, bad) for name in ("yaw_rad", "pitch_rad", "roll_rad") for bad in ("1", None, (0, 1), True)),
    *((name, bad) for name in ("near", "far") for bad in ("1", (0, 1), True)),
    *(("pivot", bad) for bad in (5, (1, 2), "abc", None, (1, 2, math.nan), np.eye(3))),
    *(("distance", bad) for bad in (0, -5, math.nan, "far")),
    *(("fov_y_rad", bad) for bad in (0, -1, 60, math.pi, math.nan, "wide")),
    *(("orthographic", bad) for bad in ("no", 2, None)),
]


@pytest.mark.parametrize(("name", "bad"), BAD_VALUES, ids=str)
def test_a_camera_takes_no_value_that_it_cannot_have(name, bad):
    with pytest.raises(ValueError, match=f"^{name}[^\n]* (must be|needed)[^\n]*, not "):
        Camera(**{"pivot": np.zeros(3), name: bad})


def test_a_camera_takes_no_arguments_that_are_out_of_place():
    with pytest.raises(ValueError, match=r"^yaw_rad must be a number.*Camera\.looking_at\(eye, target"):
        Camera((3, 2, 3), (0, 0.5, 0), 60)
    with pytest.raises(ValueError, match="up_axis must be 'y' or 'z'"):
        Camera((0, 0, 0), up_axis="x")
    assert Camera([1, 2, 3]).pivot.dtype == np.float64
    for name in ("fov", "up"):
        with pytest.raises(TypeError, match=rf"^Camera\.looking_at\(\) got an unexpected .*{name!r}; "):
            Camera.looking_at((0, 0, 5), (0, 0, 0), **{name: 60})
    with pytest.raises(ValueError, match=r"^fov_deg"):
        Camera.looking_at((0, 0, 5), (0, 0, 0), fov_deg="wide")

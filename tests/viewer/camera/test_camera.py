"""The camera's matrices and rays agree with each other, for both lenses."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from octoscope.octree import Frustum
from octoscope.viewer.camera.camera import Camera, box_corners, view_name, view_title
from octoscope.viewer.camera.views import VIEWS

SIZE = (640, 400)


def random_camera(rng: np.random.Generator, *, orthographic: bool, offset: float = 0.0, rolled: bool = False) -> Camera:
    return Camera(
        pivot=rng.normal(offset, 5.0, 3),
        yaw_rad=rng.uniform(-math.pi, math.pi),
        pitch_rad=rng.uniform(-math.pi / 2, math.pi / 2),
        roll_rad=rng.uniform(-math.pi, math.pi) if rolled else 0.0,
        distance=rng.uniform(1.0, 30.0),
        fov_y_rad=rng.uniform(0.3, 1.5),
        orthographic=orthographic,
        near=0.5,
        far=90.0,
    )


def project(camera: Camera, point: np.ndarray) -> np.ndarray:
    """(3,) normalised device coordinates of a world point."""
    clip = camera.clip_from_world(SIZE[0] / SIZE[1]) @ np.append(point, 1.0)
    return clip[:3] / clip[3]


@pytest.mark.parametrize("orthographic", [False, True])
def test_a_point_on_a_pixels_ray_projects_to_that_pixel(orthographic: bool) -> None:
    rng = np.random.default_rng(1)
    for number in range(200):
        camera = random_camera(rng, orthographic=orthographic, rolled=number % 2 == 1)
        pixel = rng.uniform((0, 0), SIZE)
        origin, direction = camera.ray_through(tuple(pixel / SIZE), SIZE[0] / SIZE[1])
        ndc = project(camera, origin + rng.uniform(0.1, 40.0) * direction)
        assert np.allclose((ndc[:2] * (1, -1) + 1) / 2 * SIZE, pixel, atol=1e-6)
        assert project(camera, origin)[2] == pytest.approx(-1.0, abs=1e-9), "rays begin on the near plane"


@pytest.mark.parametrize("orthographic", [False, True])
def test_the_pivot_is_in_the_middle_at_any_distance_from_the_origin(orthographic: bool) -> None:
    rng = np.random.default_rng(2)
    for offset in (0.0, 1e7):
        camera = random_camera(rng, orthographic=orthographic, offset=offset)
        assert np.allclose(project(camera, camera.pivot)[:2], 0.0, atol=1e-6)


def test_both_lenses_show_the_pivots_surroundings_in_the_same_size() -> None:
    camera = random_camera(np.random.default_rng(3), orthographic=False)
    beside = camera.pivot + 0.3 * camera.axes[0]
    assert project(camera, beside)[0] == pytest.approx(project(replace(camera, orthographic=True), beside)[0])


@pytest.mark.parametrize(
    ("view", "right", "up"),
    [
        ("front", (1, 0, 0), (0, 1, 0)),
        ("back", (-1, 0, 0), (0, 1, 0)),
        ("right", (0, 0, -1), (0, 1, 0)),
        ("left", (0, 0, 1), (0, 1, 0)),
        ("top", (1, 0, 0), (0, 0, -1)),
        ("bottom", (1, 0, 0), (0, 0, 1)),
    ],
)
def test_named_views_look_as_other_programs_do(view: str, right: tuple, up: tuple) -> None:
    yaw, pitch = np.radians(VIEWS[view])
    axes = Camera(np.zeros(3), yaw_rad=yaw, pitch_rad=pitch).axes
    assert np.allclose(axes[0], right) and np.allclose(axes[1], up)
    assert np.linalg.det(axes) == pytest.approx(1.0)


def test_roll_turns_the_camera_to_the_left_about_its_line_of_sight() -> None:
    level = random_camera(np.random.default_rng(5), orthographic=False)
    rolled = replace(level, roll_rad=0.4)
    assert np.array_equal(rolled.axes[2], level.axes[2]) and np.linalg.det(rolled.axes) == pytest.approx(1.0)
    x, y, _ = level.axes @ rolled.axes[0]
    assert (x, y) == pytest.approx((math.cos(0.4), math.sin(0.4)))
    assert project(rolled, level.pivot + 0.1 * level.axes[1])[0] > 0.0, "what was above is to the right then"


def test_any_rotation_can_be_given_as_axes() -> None:
    rng = np.random.default_rng(6)
    turned = [random_camera(rng, orthographic=False, rolled=True) for _ in range(300)]
    # The poles, and so near to them that heading and roll can hardly be told apart.
    for pitch in (math.pi / 2, -math.pi / 2, math.pi / 2 - 1e-9, 1e-13 - math.pi / 2):
        turned += [replace(camera, pitch_rad=pitch) for camera in turned[:30]]
    for camera in turned:
        found = random_camera(rng, orthographic=False).with_axes(camera.axes)
        assert np.allclose(found.axes, camera.axes, atol=1e-12)
    for camera in (replace(camera, roll_rad=0.0) for camera in turned[::7]):
        assert abs(camera.with_axes(camera.axes).roll_rad) < 1e-12, "level is level, at the poles too"


def test_a_named_view_is_known_again_and_others_have_no_name() -> None:
    camera = random_camera(np.random.default_rng(7), orthographic=True, rolled=True)
    assert view_name(camera) is None
    for name, (yaw, pitch) in VIEWS.items():
        named = replace(camera, yaw_rad=math.radians(yaw) - math.tau, pitch_rad=math.radians(pitch), roll_rad=0.0)
        assert view_name(named) == name
        assert view_name(replace(named, roll_rad=0.01)) is None


@pytest.mark.parametrize("orthographic", [False, True])
def test_the_depth_range_holds_the_scene_from_outside_and_from_within(orthographic: bool) -> None:
    rng = np.random.default_rng(4)
    lower, upper = np.array((-3.0, 0.0, -2.0)), np.array((4.0, 5.0, 2.0))
    for distance in (0.01, 1.0, 50.0, 1e5):
        camera = replace(random_camera(rng, orthographic=orthographic), pivot=np.ones(3), distance=distance)
        camera = camera.with_depth_range(lower, upper)
        frustum = Frustum.from_matrix(camera.clip_from_world(1.5))
        near, far = camera.depth_range
        assert far > near and (orthographic or near > 0.0)
        corners = np.array([(x, y, z) for x in (-3, 4) for y in (0, 5) for z in (-2, 2)])
        far_side = corners @ frustum.planes[5, :3] + frustum.planes[5, 3]
        assert (far_side > 0.0).all()
        if orthographic or distance > 20.0:
            assert (corners @ frustum.planes[4, :3] + frustum.planes[4, 3] > 0.0).all()


@pytest.mark.parametrize("orthographic", [False, True])
def test_there_is_a_depth_range_wherever_the_scene_lies_and_however_large_it_is(orthographic: bool) -> None:
    rng = np.random.default_rng(8)
    for _ in range(500):
        size, distance = 10.0 ** rng.uniform(-9.0, 15.0, 2)
        middle = rng.normal(size=3) * 10.0 ** rng.uniform(-3.0, 15.0)
        pivot = rng.normal(size=3) * distance
        camera = replace(random_camera(rng, orthographic=orthographic), pivot=pivot, distance=distance)
        camera = camera.with_depth_range(middle - size, middle + size)
        assert camera.depth_range[0] < camera.depth_range[1]
        Frustum.from_matrix(camera.clip_from_world(1.5))


def test_a_view_is_called_by_its_axis_and_else_by_its_lens() -> None:
    camera = Camera(np.zeros(3), yaw_rad=0.3)
    top = replace(camera, yaw_rad=0.0, pitch_rad=math.radians(90.0))
    named = [
        view_title(replace(each, orthographic=flat)) for each in (camera, top, Camera(np.zeros(3))) for flat in (0, 1)
    ]
    assert named == ["Perspective", "Orthographic", "Top, perspective", "Top", "Perspective", "Orthographic"]


def test_depths_follow_the_distance_unless_they_are_given():
    camera = Camera(np.zeros(3), distance=140.0)
    assert camera.depth_range == (0.14, 140e3) and (camera.near, camera.far) == (None, None)
    assert replace(camera, distance=7.0).depth_range == (0.007, 7e3)
    assert replace(camera, near=1.0).depth_range == (1.0, 140e3) and replace(camera, far=9.0).depth_range == (0.14, 9.0)
    fitted = replace(camera, near=1.0).with_depth_range(np.full(3, -1.0), np.full(3, 1.0))
    assert fitted.depth_range[1] < 1e3 and fitted.shows_as(camera)
    assert replace(fitted, distance=1e4).depth_range == (10.0, 1e7), "what was fitted is for where it stood"


@pytest.mark.parametrize("aspect", [1.0, 16 / 9])
@pytest.mark.parametrize("size", [(1, 1, 1), (90, 20, 70), (1, 40, 1), (50, 0, 1), (0, 1, 90)])
def test_the_turntable_of_the_guide_shows_all_of_a_scene_from_every_side(size, aspect):
    lower, upper = np.array((5.0, -2.0, 9.0)), np.array((5.0, -2.0, 9.0)) + size
    camera = Camera(lower, distance=0.1)
    away = np.linalg.norm(upper - lower) / 2 / np.sin(camera.fov_y_rad / 2)
    around = replace(camera, pivot=(lower + upper) / 2, distance=away)
    corners = np.column_stack([box_corners(lower, upper), np.ones(8)])
    for yaw in np.linspace(0, 2 * np.pi, 50):
        clip = corners @ replace(around, yaw_rad=yaw).clip_from_world(aspect).T
        assert (np.abs(clip[:, :3]) <= clip[:, 3:]).all()

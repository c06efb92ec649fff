"""Drags of the gizmo: from mouse positions to distances, angles and factors, and to world matrices."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from octoscope.scene.geometry.pyrr_transforms import rotation_about
from octoscope.viewer.camera.camera import Camera
from octoscope.viewer.frame.points import Rectangle
from octoscope.viewer.frame.projection import ViewProjection
from octoscope.viewer.tools.gizmo.drag_solver import (
    ALL_AXES,
    DragSolver,
    TransformDelta,
    in_steps,
    matrices_of,
    typed_delta,
)
from octoscope.viewer.tools.gizmo.frames import GizmoFrame
from octoscope.viewer.tools.gizmo.handles import ARM, MIDDLE, PLANE, handle_under, handles_of
from octoscope.viewer.tools.gizmo.settings import MODES, MOVE, ROTATE, SCALE
from octoscope.viewer.tools.gizmo.transform_session import TypedNumbers
from tests.oracles import random_rotation

SEEDS = st.integers(0, 2**32 - 1)
STEPS = {"step": 0.5, "step_rad": np.radians(15.0), "step_factor": 0.25}


def an_eye(rng: np.random.Generator, at: np.ndarray, *, orthographic: bool = False) -> ViewProjection:
    """Looks at a point from a distance of 10, and sees it near the middle of a part of the picture."""
    yaw, pitch = rng.uniform(-3.0, 3.0), rng.uniform(-1.2, 1.2)
    pivot = at + rng.uniform(-0.5, 0.5, 3)
    camera = Camera(pivot, yaw, pitch, distance=10.0, orthographic=orthographic, near=0.1, far=1e3)
    return ViewProjection(camera, Rectangle(100.0, 40.0, 800.0, 600.0))


def a_frame(rng: np.random.Generator, origin: np.ndarray, *, uneven: bool = True) -> GizmoFrame:
    basis = random_rotation(rng)
    if uneven:
        basis = random_rotation(rng) @ np.diag(rng.uniform(0.5, 2.0, 3) * rng.choice((-1.0, 1.0), 3)) @ basis
    return GizmoFrame(origin, basis / np.cbrt(abs(np.linalg.det(basis))))


def pixel_at(projection: ViewProjection, point: np.ndarray) -> tuple[float, float]:
    return tuple(projection.pixels(point[None])[0].tolist())


@given(seed=SEEDS, orthographic=st.booleans(), far=st.sampled_from((0.0, 1e6)))
def test_what_moves_stays_under_the_mouse(seed, orthographic, far):
    rng = np.random.default_rng(seed)
    origin = rng.normal(size=3) + far
    projection, frame = an_eye(rng, origin, orthographic=orthographic), a_frame(rng, origin)
    axes = ((0,), (1,), (2,), (0, 1), (1, 2), (0, 2))[seed % 6]
    free = np.isin(ALL_AXES, axes)
    sides = [frame.directions[:, axis] for axis in axes]
    across = sides[0] if len(axes) == 1 else np.cross(*sides)
    steep = abs(projection.camera.axes[2] @ across / np.linalg.norm(across))
    assume(steep < 0.9 if len(axes) == 1 else steep > 0.2)
    begin, end = (np.where(free, rng.uniform(-1.0, 1.0, 3), 0.0) for _ in range(2))
    solver = DragSolver(MOVE, axes, frame, projection, pixel_at(projection, origin + frame.directions @ begin))
    delta = solver.move_to(pixel_at(projection, origin + frame.directions @ end))
    np.testing.assert_allclose(delta.values, end - begin, atol=1e-6)
    assert (delta.values[~free] == 0.0).all()


@given(seed=SEEDS, orthographic=st.booleans())
def test_a_free_move_goes_across_the_view(seed, orthographic):
    rng = np.random.default_rng(seed)
    origin = rng.normal(size=3)
    projection, frame = an_eye(rng, origin, orthographic=orthographic), a_frame(rng, origin)
    offset = rng.uniform(-1.0, 1.0, 2) @ projection.camera.axes[:2]
    solver = DragSolver(MOVE, ALL_AXES, frame, projection, pixel_at(projection, origin))
    delta = solver.move_to(pixel_at(projection, origin + offset))
    np.testing.assert_allclose(matrices_of(solver, delta, frame.basis)[:3, 3], offset, atol=1e-9)


@given(seed=SEEDS)
def test_a_ring_follows_the_mouse_round_and_round_also_about_mirrored_axes(seed):
    rng = np.random.default_rng(seed)
    origin = rng.normal(size=3)
    projection, frame = an_eye(rng, origin, orthographic=True), a_frame(rng, origin)
    axis = seed % 3
    u, v = (frame.basis[:, (axis + k) % 3] for k in (1, 2))
    stretches = np.linalg.svd(projection.pixels_per_unit(origin) @ np.column_stack((u, v)), compute_uv=False)
    assume(stretches[1] > 0.2 * stretches[0])
    start, total = rng.uniform(-3.0, 3.0), rng.uniform(-12.0, 12.0)
    angles = start + np.linspace(0.0, total, 40)
    points = origin + np.cos(angles)[:, None] * u + np.sin(angles)[:, None] * v
    solver = DragSolver(ROTATE, (axis,), frame, projection, pixel_at(projection, points[0]))
    for point in points:
        delta = solver.move_to(pixel_at(projection, point))
    assert delta.angle_rad == pytest.approx(total, abs=1e-9)
    turned = matrices_of(solver, delta, frame.basis)[:3, :3] @ (points[0] - origin)
    np.testing.assert_allclose(turned, points[-1] - origin, atol=1e-9)


def test_a_ring_seen_from_its_edge_is_turned_along_it():
    projection = ViewProjection(Camera(np.zeros(3), 0.0, 0.0), Rectangle(0.0, 0.0, 800.0, 600.0))  # looks along -Z
    frame = GizmoFrame(np.zeros(3), np.eye(3))
    about_y = DragSolver(ROTATE, (1,), frame, projection, (400.0, 300.0)).move_to((445.0, 300.0))
    assert about_y.angle_rad == pytest.approx(0.5)  # what is in front goes to the right: counterclockwise from above
    about_x = DragSolver(ROTATE, (0,), frame, projection, (400.0, 300.0)).move_to((400.0, 345.0))
    assert about_x.angle_rad == pytest.approx(0.5)


def test_turning_about_the_view_goes_counterclockwise_as_it_is_seen():
    projection = ViewProjection(Camera(np.zeros(3), 0.7, 0.4), Rectangle(0.0, 0.0, 800.0, 600.0))
    solver = DragSolver(ROTATE, ALL_AXES, GizmoFrame(np.zeros(3), np.eye(3)), projection, (500.0, 300.0))
    delta = solver.move_to((400.0, 200.0))
    assert delta.angle_rad == pytest.approx(np.pi / 2.0)
    right, up, _ = projection.camera.axes
    np.testing.assert_allclose(matrices_of(solver, delta, np.eye(3))[:3, :3] @ right, up, atol=1e-12)


def test_a_scale_grows_as_the_mouse_goes_away_from_the_middle():
    projection = ViewProjection(Camera(np.zeros(3)), Rectangle(0.0, 0.0, 800.0, 600.0))
    frame = GizmoFrame(np.zeros(3), np.eye(3))
    even = DragSolver(SCALE, ALL_AXES, frame, projection, (500.0, 300.0)).move_to((400.0, 550.0))
    np.testing.assert_allclose(even.values, 2.5)
    assert (even.values == even.values[0]).all()
    pulled = DragSolver(SCALE, (1,), frame, projection, (400.0, 200.0), pull_px=np.array((0.0, -3.0)))
    np.testing.assert_allclose(pulled.move_to((440.0, 100.0)).values, (1.0, 2.0, 1.0))
    np.testing.assert_allclose(pulled.move_to((400.0, 350.0)).values, (1.0, -0.5, 1.0))


def test_beyond_the_horizon_what_was_last_stays():
    projection = ViewProjection(Camera(np.zeros(3), 0.0, 0.3), Rectangle(0.0, 0.0, 800.0, 600.0))
    solver = DragSolver(MOVE, (0, 2), GizmoFrame(np.zeros(3), np.eye(3)), projection, (400.0, 300.0))
    before = solver.move_to((420.0, 310.0))
    assert (solver.move_to((420.0, -5000.0)).values == before.values).all() and before.values.any()


def test_the_gizmo_behind_the_camera_cannot_be_moved():
    projection = ViewProjection(Camera(np.zeros(3), 0.0, 0.0), Rectangle(0.0, 0.0, 800.0, 600.0))
    frame = GizmoFrame(np.array((0.0, 0.0, 50.0)), np.eye(3))
    with pytest.raises(ValueError, match="behind"):
        DragSolver(MOVE, (0,), frame, projection, (400.0, 300.0))
    assert handles_of(MOVE, frame, projection, 1.0) == []


# Steps and numbers.


def a_solver(mode: str, axes: tuple[int, ...], frame: GizmoFrame | None = None) -> DragSolver:
    projection = ViewProjection(Camera(np.zeros(3)), Rectangle(0.0, 0.0, 800.0, 600.0))
    return DragSolver(mode, axes, frame or GizmoFrame(np.array((0.2, 0.0, 0.0)), np.eye(3)), projection, (400.0, 300.0))


def test_along_the_worlds_axes_a_move_ends_on_the_grid():
    snapped = in_steps(a_solver(MOVE, (0, 1)), TransformDelta(np.array((0.9, -0.6, 0.0))), **STEPS)
    np.testing.assert_allclose(snapped.values, (0.8, -0.5, 0.0), atol=1e-15)


def test_moves_in_the_plane_snap_to_the_nearest_middle_of_a_hexagon():
    rng = np.random.default_rng(5)
    rows, columns = np.mgrid[-9:10, -9:10]
    middles = 2.0 * np.stack([columns + 0.5 * (rows % 2), rows * 0.75**0.5], axis=-1).reshape(-1, 2)
    gaps = np.linalg.norm(middles - np.zeros(2), axis=1)
    assert (np.isclose(gaps, 2.0).sum(), (gaps > 1e-9).sum()) == (6, len(gaps) - 1), "six neighbours at the distance"
    solver = a_solver(MOVE, ALL_AXES)
    for end in rng.uniform(-5.0, 5.0, (50, 3)):
        delta = TransformDelta(end - solver.frame.origin)
        found = in_steps(solver, delta, **(STEPS | {"step": 2.0}), hexagons_across=1).values + solver.frame.origin
        nearest = middles[np.linalg.norm(middles - end[[0, 2]], axis=1).argmin()]
        np.testing.assert_allclose(found, (nearest[0], 2.0 * np.round(end[1] / 2.0), nearest[1]), atol=1e-12)


def test_along_other_axes_a_move_goes_in_steps():
    turned = GizmoFrame(np.array((0.2, 0.0, 0.0)), rotation_about(np.array((0.0, 1.0, 0.0)), 0.5))
    snapped = in_steps(a_solver(MOVE, (0,), turned), TransformDelta(np.array((0.9, 0.0, 0.0))), **STEPS)
    assert snapped.values.tolist() == [1.0, 0.0, 0.0]


def test_turns_and_scales_go_in_steps_and_no_scale_snaps_to_nothing():
    turned = in_steps(a_solver(ROTATE, (0,)), TransformDelta(np.zeros(3), np.radians(50.0)), **STEPS)
    assert np.degrees(turned.angle_rad) == pytest.approx(45.0)
    scaled = in_steps(a_solver(SCALE, (0, 1)), TransformDelta(np.array((1.3, -0.01, 1.0))), **STEPS)
    assert scaled.values.tolist() == [1.25, -0.25, 1.0]


@pytest.mark.parametrize(
    ("keys", "numbers"),
    (
        (("NUMBER_2",), [2.0]),
        (("NUMPAD_1", "PERIOD", "NUMBER_5"), [1.5]),
        (("NUMBER_1", "COMMA", "NUMBER_5", "PERIOD", "NUMBER_2"), [1.52]),
        (("NUMBER_3", "MINUS"), [-3.0]),
        (("MINUS", "NUMBER_3", "MINUS"), [3.0]),
        (("MINUS",), [7.0]),
        (("PERIOD",), [7.0]),
        (("NUMBER_1", "NUMBER_2", "BACKSPACE"), [1.0]),
        (("NUMBER_1", "TAB", "MINUS", "NUMBER_2"), [1.0, -2.0]),
        (("NUMBER_1", "TAB", "BACKSPACE", "NUMBER_4"), [14.0]),
        (("NUMBER_1", "TAB", "TAB", "NUMBER_4"), [14.0, 7.0]),
    ),
)
def test_numbers_are_typed_with_sign_and_point(keys, numbers):
    typed = TypedNumbers()
    assert all(typed.press(key, "", 2) for key in keys)
    assert typed.values(len(numbers), 7.0, "") == numbers
    assert typed


def test_what_is_no_key_of_numbers_is_left_alone():
    typed = TypedNumbers()
    assert not any(typed.press(key, "", 1) for key in ("A", "TAB", "BACKSPACE", "ENTER", "LEFT"))
    assert not typed


def test_one_number_scales_evenly_and_several_each_axis():
    assert typed_delta(a_solver(SCALE, (0, 2)), [2.0, 1.0], 1).values.tolist() == [2.0, 1.0, 2.0]
    assert typed_delta(a_solver(SCALE, (0, 2)), [2.0, 3.0], 2).values.tolist() == [2.0, 1.0, 3.0]
    assert typed_delta(a_solver(MOVE, (1, 2)), [2.0, -3.0], 2).values.tolist() == [0.0, 2.0, -3.0]
    assert typed_delta(a_solver(ROTATE, (1,)), [90.0], 1).angle_rad == np.pi / 2.0


# Handles.


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("orthographic", (False, True))
@pytest.mark.parametrize("scale", (1.0, 2.0))
def test_every_handle_is_taken_where_it_is_seen(mode, orthographic, scale):
    rng = np.random.default_rng(5)
    origin = np.array((3.0, -1.0, 2.0))
    projection = an_eye(rng, origin, orthographic=orthographic)
    handles = handles_of(mode, GizmoFrame(origin, np.eye(3)), projection, scale)
    assert len(handles) == (4 if mode == ROTATE else 7)
    for handle in handles:
        place = handle.outline.mean(axis=0) if handle.shape == PLANE else handle.outline[0]
        if handle.shape == ARM:
            place = handle.outline[-1]
        elif handle.shape not in (MIDDLE, PLANE):
            seen = np.flatnonzero(~handle.hidden) if handle.hidden is not None else np.arange(64)
            alone = [k for k in seen if [h for h in handles if h.distance_px(tuple(handle.outline[k])) < 8] == [handle]]
            place = handle.outline[alone[0]]
        assert handle_under(handles, tuple(place), scale).is_like(handle)
    middle = projection.pixels(origin[None])[0]
    assert handle_under(handles, tuple(middle + 170.0 * scale), scale) is None


def test_the_gizmo_is_as_large_from_near_and_from_afar():
    for distance in (1e-3, 1.0, 1e6):
        projection = ViewProjection(Camera(np.zeros(3), 0.0, 0.0, distance=distance), Rectangle(0.0, 0.0, 800.0, 600.0))
        arms = [h for h in handles_of(MOVE, GizmoFrame(np.zeros(3), np.eye(3)), projection, 1.5) if h.shape == ARM]
        assert sorted(h.axes for h in arms) == [(0,), (1,)]  # the one that points at the eye is not there
        np.testing.assert_allclose(arms[0].outline[-1], (400.0 + 90.0 * 1.5, 300.0), atol=1e-6)


# Finer, and seen from elsewhere meanwhile.


def amount(delta: TransformDelta, mode: str) -> np.ndarray:
    return np.array([delta.angle_rad]) if mode == ROTATE else delta.values


@given(seed=SEEDS, mode=st.sampled_from(MODES))
def test_a_fine_way_is_a_tenth_of_the_way_and_what_follows_goes_on_from_there(seed, mode):
    rng = np.random.default_rng(seed)
    origin = rng.normal(size=3)
    projection, frame = an_eye(rng, origin), a_frame(rng, origin)
    middle = np.array(pixel_at(projection, origin))
    axes = ((0,), (1,), (2,), ALL_AXES)[seed % 4]
    begin, *places = (tuple(middle + rng.uniform(30.0, 120.0, 2)) for _ in range(4))
    directly, finely = (DragSolver(mode, axes, frame, projection, begin) for _ in range(2))
    first, second, third = (amount(directly.move_to(place), mode) for place in places)
    assert (amount(finely.move_to(places[0]), mode) == first).all()
    between = amount(finely.move_to(places[1], fine=True), mode)
    np.testing.assert_allclose(between, first + 0.1 * (second - first), atol=1e-9)
    np.testing.assert_array_equal(amount(finely.move_to(places[1]), mode), between)
    np.testing.assert_allclose(amount(finely.move_to(places[2]), mode), between + (third - second), atol=1e-9)


@given(seed=SEEDS, mode=st.sampled_from(MODES), orthographic=st.booleans())
def test_seen_from_elsewhere_meanwhile_it_does_not_jump_and_goes_on_with_the_mouse(seed, mode, orthographic):
    rng = np.random.default_rng(seed)
    origin = rng.normal(size=3)
    projection, frame = an_eye(rng, origin), a_frame(rng, origin)
    axes = ((0,), (1,), (2,), ALL_AXES)[seed % 4]
    solver = DragSolver(mode, axes, frame, projection, tuple(np.add(pixel_at(projection, origin), (60.0, 20.0))))
    before = amount(solver.move_to(tuple(np.add(pixel_at(projection, origin), (90.0, 60.0)))), mode)
    other = an_eye(rng, origin, orthographic=orthographic)
    here = tuple(np.add(pixel_at(other, origin), rng.uniform(30.0, 90.0, 2)))
    solver.change_view(other, here)
    np.testing.assert_allclose(amount(solver.move_to(here), mode), before, atol=1e-9)
    if mode == MOVE and len(axes) == 3:
        now = origin + frame.directions @ before
        depth = other.camera.axes[2]
        goal = now + np.cross(depth, rng.normal(size=3))
        solver.change_view(other, pixel_at(other, now))
        delta = solver.move_to(pixel_at(other, goal))
        np.testing.assert_allclose(origin + frame.directions @ delta.values, goal, atol=1e-6)


def test_an_eye_that_does_not_see_it_changes_nothing():
    projection = ViewProjection(Camera(np.zeros(3)), Rectangle(0.0, 0.0, 800.0, 600.0))
    solver = DragSolver(MOVE, ALL_AXES, GizmoFrame(np.zeros(3), np.eye(3)), projection, (400.0, 300.0))
    before = solver.move_to((420.0, 330.0))
    solver.change_view(
        ViewProjection(Camera(np.array((0.0, 0.0, -100.0)), 0.0, 0.0), Rectangle(0.0, 0.0, 800.0, 600.0)), (1.0, 1.0)
    )
    assert (solver.move_to((420.0, 330.0)).values == before.values).all()

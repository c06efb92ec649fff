"""Objects that are too small to add to a picture, against projection of points on their spheres."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from octoscope.scene import Scene
from octoscope.viewer.camera.camera import Camera
from octoscope.viewer.frame.detail.screen_size_culling import MOST_LEFT_OUT, TILE_PX, contributing
from octoscope.viewer.frame.view import View
from tests.viewer.scenes import BOX_POSITIONS, BOX_TRIANGLES, add_box_mesh, add_mesh, view_of

WIDTH, HEIGHT = 320, 200


def pixels_of(points: np.ndarray, camera: Camera) -> tuple[np.ndarray, np.ndarray]:
    """(..., 2) pixels about the picture's middle, y up, and (...) depths of world points before the camera."""
    in_view = (points - camera.position) @ camera.axes.T
    depth = -in_view[..., 2]
    scale = HEIGHT / (2.0 * np.tan(camera.fov_y_rad / 2.0))
    at = np.full_like(depth, camera.distance) if camera.orthographic else depth
    return scale * in_view[..., :2] / at[..., None], depth


def drawn_widths(spheres: np.ndarray, camera: Camera, rng: np.random.Generator) -> np.ndarray:
    """(n,) pixels from one point of each sphere's surface to the opposite one, the most of many; inf behind the eye."""
    directions = rng.normal(size=(400, 3))
    directions /= np.linalg.norm(directions, axis=1, keepdims=True)
    ends = spheres[:, None, :3] + spheres[:, None, 3:] * directions
    first, depth = pixels_of(ends, camera)
    second, _ = pixels_of(2.0 * spheres[:, None, :3] - ends, camera)
    widths = np.linalg.norm(first - second, axis=2).max(axis=1)
    return widths if camera.orthographic else np.where(depth.min(axis=1) > 0.0, widths, np.inf)


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 2**32 - 1), st.booleans())
def test_nothing_as_large_as_a_pixel_is_left_out_and_a_tenth_of_a_tile_at_most(seed, orthographic):
    rng = np.random.default_rng(seed)
    count = 300
    fov_y_rad = rng.uniform(0.2, 2.5)
    angles = {"yaw_rad": rng.uniform(-3, 3), "pitch_rad": rng.uniform(-1.5, 1.5), "roll_rad": rng.uniform(-3, 3)}
    camera = Camera(rng.normal(size=3), distance=20.0, orthographic=orthographic, fov_y_rad=fov_y_rad, **angles)
    spread = camera.pixel_size(HEIGHT) * rng.choice((3.0, 30.0, 300.0))
    centers = camera.pivot + rng.normal(0.0, spread, (count, 3))
    radii = 0.5 * camera.pixel_size(HEIGHT) * 2.0 ** rng.uniform(-4.0, 2.0, count)
    spheres = np.column_stack((centers, radii))
    ids = rng.permutation(count).astype(np.int32)
    drawn = np.zeros(count, dtype=bool)
    drawn[ids] = contributing(ids, spheres, camera, (WIDTH, HEIGHT))
    widths = drawn_widths(spheres, camera, rng)
    assert drawn[widths >= 1.0].all()
    pixels, depth = pixels_of(centers, camera)
    places = pixels + np.array((WIDTH / 2.0, HEIGHT / 2.0))
    in_picture = ((places >= 0.0) & (places < (WIDTH, HEIGHT))).all(axis=1) & ((depth > 0.0) | orthographic)
    for tile in np.unique(places[in_picture] // TILE_PX, axis=0):
        here = np.flatnonzero(in_picture & (places // TILE_PX == tile).all(axis=1))
        area = (np.pi / 4.0 * widths[here] ** 2) @ ~drawn[here]
        # Lots of hundreds are even enough; where everything fits, all of it goes.
        assert area <= 1.5 * MOST_LEFT_OUT * TILE_PX**2
        certain = here[widths[here] < 0.5]
        if len(here) < MOST_LEFT_OUT * TILE_PX**2 and len(certain) == len(here):
            assert not drawn[here].any()
    again = rng.permutation(count).astype(np.int32)
    assert np.array_equal(contributing(again, spheres, camera, (WIDTH, HEIGHT)), drawn[again])


def far_crowd() -> Scene:
    """1,000 boxes that are far smaller than a pixel from 100 units away, all over the picture; the first is large."""
    scene = Scene()
    rng = np.random.default_rng(3)
    scales = np.full((1000, 3), 0.01)
    scales[0] = 1.0
    scene.add_nodes(
        [f"box {i}" for i in range(1000)],
        mesh=add_box_mesh(scene),
        translation=rng.uniform(-12.0, 12.0, (1000, 3)),
        scale=scales,
    )
    scene.update_world()
    return scene


@pytest.mark.parametrize("orthographic", (False, True))
def test_only_the_picture_leaves_out_what_is_tiny(orthographic):
    view = view_of(far_crowd(), distance=100.0, orthographic=orthographic)
    view.build_frames((WIDTH, HEIGHT))
    assert view.stats.drawn == 1000 and view.stats.tiny == 0
    everything = set(view.snapshot.visible_ids.tolist())
    picked = view.snapshot.pick_box((0.0, 0.0), (1.0, 1.0), wholly=False).tolist()
    bounds = view.index.bounds()
    view.settings.tiny_culling = True
    frame = view.build_frames((WIDTH, HEIGHT))[0].frame
    assert 1 <= view.stats.drawn < 100 and view.stats.drawn + view.stats.tiny == 1000
    assert 0 in frame.visible.nodes
    assert set(view.snapshot.visible_ids.tolist()) == everything
    assert view.snapshot.pick_box((0.0, 0.0), (1.0, 1.0), wholly=False).tolist() == picked
    assert np.array_equal(view.index.bounds(), bounds)
    view.selection.ids = [999]
    frame = view.build_frames((WIDTH, HEIGHT))[0].frame
    assert 999 in [*frame.outlined.selected.nodes, *frame.outlined.active.nodes]
    view.settings.culling = False
    view.build_frames((WIDTH, HEIGHT))
    assert view.stats.drawn == 1000


def test_lines_and_points_are_drawn_however_small_the_object_is():
    scene = far_crowd()
    lines = {"lines": np.array([(0, 7)]), "triangles": BOX_TRIANGLES}
    points = {"points": np.array([3])}
    for extra in (lines, points):
        mesh = add_mesh(scene, BOX_POSITIONS, **extra)
        scene.add_nodes(["sketch"] * 50, mesh=mesh, scale=np.full((50, 3), 0.001))
    scene.update_world()
    view = View(scene, tiny_culling=True)
    view.camera = view_of(scene, distance=100.0).camera
    frame = view.build_frames((WIDTH, HEIGHT))[0].frame
    assert set(range(1000, 1100)) <= set(frame.visible.nodes.tolist()) and view.stats.tiny > 900
    view.settings.show_edges = True  # they are lines, too
    view.build_frames((WIDTH, HEIGHT))
    assert view.stats.drawn == 1100

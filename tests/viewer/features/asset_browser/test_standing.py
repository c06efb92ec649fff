"""Where an object stands: on its foot, upright or along the normal, on multiples of a step."""

from __future__ import annotations

import copy
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from octoscope.scene import Scene, apply
from octoscope.scene.conventions.upright import up_vector
from octoscope.scene.editing import import_content
from octoscope.viewer.camera.camera import Camera, box_corners
from octoscope.viewer.features.asset_browser.placing import box_of_content
from octoscope.viewer.features.asset_browser.standing import standing
from octoscope.viewer.frame.view import View
from octoscope.viewer.frame.viewports import Surface
from tests.scene.builders import box
from tests.scene.editing.walks import small_content

numbers = st.floats(-100.0, 100.0)
points = st.tuples(numbers, numbers, numbers).map(np.array)
directions = points.filter(lambda point: np.linalg.norm(point) > 1e-3).map(lambda point: point / np.linalg.norm(point))
boxes = st.tuples(points, points).map(lambda pair: np.sort(np.array(pair), axis=0))


@given(boxes, points, directions, st.sampled_from(["y", "z"]), st.booleans(), st.booleans())
def test_a_box_touches_the_surface_at_its_foot_or_origin(bounds, point, normal, up_axis, aligned, by_origin):
    pose = standing(bounds, Surface(point, normal), up_axis, aligned=aligned, step=None, by_origin=by_origin)
    up = up_vector(up_axis)
    foot = np.zeros(3) if by_origin else bounds.mean(axis=0) - up * (bounds[1] - bounds[0]) / 2.0
    slope = normal @ up
    away = normal if aligned else up if slope > 0.5 else -up if slope < -0.5 else normal - slope * up
    away = away / np.linalg.norm(away)
    distances = (box_corners(*bounds) @ pose.turn.T + pose.translation - point) @ away
    assert abs(distances.min()) < 1e-6
    np.testing.assert_allclose(np.cross(pose.turn @ foot + pose.translation - point, away), 0.0, atol=1e-6)


@given(points, st.sampled_from([*np.eye(3)]), st.sampled_from([0.25, 1.0, 4.0]))
def test_a_step_moves_the_point_across_the_surface_alone(point, normal, step):
    bounds = np.array([(-1.0, 0.0, -1.0), (1.0, 2.0, 1.0)])
    placed = standing(bounds, Surface(point, normal), "y", aligned=False, step=step).translation
    along = np.abs(normal).argmax()
    assert placed[along] == point[along] + (0.0 if along == 1 else 1.0)
    across = np.delete(placed, along)
    np.testing.assert_allclose(across, np.round(across / step) * step, atol=1e-9)
    assert np.abs(across - np.delete(point, along)).max() <= step / 2.0 + 1e-9


@pytest.mark.parametrize(("file_unit", "scene_unit"), [("mm", "m"), ("m", "in"), ("", "m"), ("mm", "")])
def test_the_box_of_a_file_is_that_which_its_import_has(file_unit, scene_unit):
    scene = Scene(up_axis="z")
    scene.length_unit = scene_unit
    scene.add_node("here before")
    content = small_content(np.random.default_rng(0))
    content.up_axis, content.length_unit = "y", file_unit
    found = box_of_content(copy.deepcopy(content), scene.up_axis, scene.length_unit)
    apply(scene, import_content(scene, content, Path("small.obj")))
    np.testing.assert_allclose(found, scene.bounds())


@pytest.fixture
def view() -> View:
    """A cube that stands on the ground, at -0.5, seen from above and aside; 100 pixels."""
    scene = Scene()
    scene.add_node("cube", mesh=scene.meshes.add(box()), translation=(0.0, 0.5, 0.0))
    view = View(scene)
    view.layout.resize((100, 100))
    view.camera = Camera.looking_at((0.0, 10.0, 10.0), (0.0, 0.0, 0.0))
    view.update()
    view.build_frames((100, 100))
    return view


def test_under_the_pointer_lie_objects_the_ground_and_else_the_depth_of_the_pivot(view):
    _, upper = view.scene.bounds()
    top = view.layout.projection_of(view.active).pixels(np.array([(0.0, upper[1], 0.0)]))[0]
    on = view.locate(tuple(top)).surface()
    np.testing.assert_allclose(on.point, (0.0, upper[1], 0.0), atol=1e-6)
    np.testing.assert_allclose(on.normal, (0.0, 1.0, 0.0), atol=1e-6)
    beside = view.layout.projection_of(view.active).pixels(np.array([(2.5, -0.5, 1.0)]))[0]
    on = view.locate(tuple(beside)).surface()
    np.testing.assert_allclose(on.point, (2.5, -0.5, 1.0), atol=1e-6)
    view.camera = Camera.looking_at((0.0, 1.0, 10.0), (0.0, 1.0, 0.0))
    view.build_frames((100, 100))
    on = view.locate((50.0, 5.0)).surface()
    assert np.isclose(on.point[2], 0.0) and on.point[1] > 1.0, "the sky is no place for the ground"
    below = view.locate((50.0, 5.0)).surface(in_air=False)
    np.testing.assert_allclose(below.point, (on.point[0], -0.5, 0.0), atol=1e-6)

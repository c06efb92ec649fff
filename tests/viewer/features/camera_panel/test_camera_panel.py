"""The camera panel under the mouse: numbers that are typed or dragged move the camera."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
import pytest

from octoscope.viewer.features.camera_panel.feature import CameraPanel
from octoscope.viewer.settings.config import WindowState
from tests.viewer.headless_app import HeadlessApp
from tests.viewer.scenes import box_scene

POSITION, TARGET, DISTANCE, FOV, FOCAL, ORTHOGRAPHIC = range(6)  # rows
COLUMNS = (1125, 1183, 1242)


@pytest.fixture
def app(ctx) -> Iterator[HeadlessApp]:
    """With the panel in the inspector's place."""
    app = HeadlessApp(ctx, box_scene(), state=WindowState(open={CameraPanel.id: True, "inspector": False}))
    app.view.update()
    app.view.framing.frame_nodes(None)
    app.settle()
    yield app
    app.close()


def enter(app: HeadlessApp, row: int, text: str, axis: int = 0) -> None:
    app.click((COLUMNS[axis], 65 + 28 * row))
    app.type(text)
    app.press("Enter")


def test_a_typed_position_is_where_the_camera_stands_and_it_looks_at_its_target_still(app):
    target = app.view.camera.pivot
    for axis, value in enumerate((3.5, 4.25, -6.0)):
        enter(app, POSITION, str(value), axis)
    assert np.allclose(app.view.camera.position, (3.5, 4.25, -6.0)) and np.allclose(app.view.camera.pivot, target)
    assert app.view.camera.roll_rad == pytest.approx(0.0)


def test_a_typed_target_is_looked_at_from_the_same_place(app):
    position = app.view.camera.position
    enter(app, TARGET, "1/4", 1)
    assert np.allclose(app.view.camera.position, position) and app.view.camera.pivot[1] == 0.25


def test_a_rolled_camera_stays_rolled(app):
    app.view.camera = app.view.camera.with_axes(app.view.camera.axes[[1, 0, 2]] * ((1.0,), (-1.0,), (1.0,)))
    app.settle()
    up = app.view.camera.axes[1]
    enter(app, POSITION, "+=0.001")
    assert np.allclose(app.view.camera.axes[1], up, atol=1e-3)


def test_the_lens_is_an_angle_or_a_focal_length(app):
    camera = app.view.camera
    enter(app, FOV, "90")
    assert app.view.camera.fov_y_rad == pytest.approx(math.pi / 2.0)
    assert np.array_equal(app.view.camera.position, camera.position)
    enter(app, FOCAL, "24")
    assert math.degrees(app.view.camera.fov_y_rad) == pytest.approx(2.0 * math.degrees(math.atan(0.5)))
    for text, degrees in (("1000", 179.0), ("-3", 0.001)):
        enter(app, FOV, text)
        assert math.degrees(app.view.camera.fov_y_rad) == pytest.approx(degrees)
    enter(app, FOCAL, "0")
    assert math.degrees(app.view.camera.fov_y_rad) == pytest.approx(179.0)
    app.click((1108, 65 + 28 * ORTHOGRAPHIC))
    assert app.view.camera.orthographic


def test_a_drag_changes_the_distance_and_no_further_than_to_the_target(app):
    before = app.view.camera
    app.drag((1180, 65 + 28 * DISTANCE), (1240, 65 + 28 * DISTANCE))
    assert app.view.camera.distance > before.distance and np.array_equal(app.view.camera.pivot, before.pivot)
    enter(app, DISTANCE, "-5")
    assert 0.0 < app.view.camera.distance < 1e-6


def test_what_a_camera_cannot_do_is_refused_in_a_line(app):
    for axis, value in enumerate(app.view.camera.pivot.tolist()):
        enter(app, POSITION, repr(value), axis)
    assert app.view.camera.distance > 0.0
    assert [toast.text for toast in app.session.log.toasts] == [
        "Camera: a camera cannot look at the point where it stands"
    ]
    enter(app, DISTANCE, "5")
    assert app.session.log.toasts == []

"""The axes in the corner: they point as the world's do, a click looks along one, and a drag orbits."""

from __future__ import annotations

import numpy as np
import pytest

from octoscope.viewer.camera import controls
from octoscope.viewer.camera.camera import view_name
from octoscope.viewer.features.axis_widget.tool import RADIUS, AxisWidget
from octoscope.viewer.frame.decoration import Decoration
from octoscope.viewer.frame.look.labels import font_size_px
from octoscope.viewer.ui.imgui.docking import Area
from tests.viewer.headless_app import HeadlessApp


def place(app: HeadlessApp, axis: int, sign: int, viewport: int = 0) -> tuple[float, float]:
    """Place of an end in the window."""
    ends = app.feature_tool(AxisWidget).ends(app.view.viewports[viewport])
    (end,) = (each for each in ends if (each.axis, each.sign) == (axis, sign))
    picture = app.shell.picture
    return picture.left + end.pixel[0], picture.top + end.pixel[1]


def test_the_ends_point_as_the_axes_do_in_the_picture(app):
    rng = np.random.default_rng(1)
    for _ in range(20):
        app.view.camera = controls.turn(app.view.camera, *rng.uniform(-3.0, 3.0, 2), trackball=True)
        ends = app.feature_tool(AxisWidget).ends(app.view.active)
        assert [end.nearness for end in ends] == sorted(end.nearness for end in ends)
        middle = np.array(app.feature_tool(AxisWidget).middle(app.view.active))
        aspect = app.view.layout.area().aspect
        for end in ends:
            point = app.view.camera.pivot + 1e-3 * end.sign * np.eye(3)[end.axis]
            clip = app.view.camera.clip_from_world(aspect) @ np.append(point, 1.0)
            seen = clip[:2] / clip[3] * (aspect, -1.0)
            drawn = np.array(end.pixel) - middle
            assert abs(np.cross(np.append(seen, 0), np.append(drawn, 0))[2]) < 1e-2 * np.hypot(*seen) * RADIUS
            assert seen @ drawn >= -1e-9


@pytest.mark.parametrize(
    ("axis", "sign", "name", "opposite"),
    [
        (0, 1, "right", "left"),
        (0, -1, "left", "right"),
        (1, 1, "top", "bottom"),
        (1, -1, "bottom", "top"),
        (2, 1, "front", "back"),
        (2, -1, "back", "front"),
    ],
)
def test_a_click_looks_from_there_and_another_from_the_opposite_side(app, axis, sign, name, opposite):
    app.click(place(app, axis, sign))
    assert view_name(app.view.camera) == name
    app.click(place(app, axis, sign))
    assert view_name(app.view.camera) == opposite
    assert len(app.selected) == 0


def test_a_drag_orbits_about_the_pivot_and_ends_with_the_button(app):
    before = app.view.camera
    x, y = place(app, 1, 1)
    app.drag((x, y), (x + 30, y), (x + 90, y + 200))
    after = app.view.camera
    assert np.array_equal(after.pivot, before.pivot) and not np.allclose(after.axes, before.axes)
    assert after.roll_rad == 0.0
    picture = app.shell.picture
    app.drag((picture.left + 300, picture.top + 300), (picture.left + 330, picture.top + 300))
    assert not np.allclose(app.view.camera.axes, after.axes)


def test_between_the_ends_nothing_happens_and_beside_the_widget_the_scene_is_clicked(app):
    camera = app.view.camera
    app.click(place(app, 0, 1))
    app.view.camera = camera
    picture, middle = app.shell.picture, app.feature_tool(AxisWidget).middle(app.view.active)
    app.click((picture.left + middle[0] + 0.9 * RADIUS, picture.top + middle[1]))
    assert app.view.camera.shows_as(camera)
    app.press("A")
    app.click((picture.left + middle[0] - 1.5 * RADIUS, picture.top + middle[1]))
    assert len(app.selected) == 0


def test_each_viewport_has_its_own_and_a_small_one_has_none(app):
    app.press("Ctrl+Alt+4")
    app.settle()
    second = app.view.viewports[1]
    app.click(place(app, 0, 1, viewport=1))
    assert view_name(second.camera) == "right" and app.view.active is second
    app.view.layout.resize((300, 200))
    assert all(app.feature_tool(AxisWidget).ends(viewport) == [] for viewport in app.view.viewports)


def test_it_can_be_switched_off(app):
    point = place(app, 0, 1)
    app.table.run(app.table["view.axes"])
    app.settle()
    before = app.view.camera
    app.click(point)
    assert app.view.camera is before and not app.table["view.axes"].is_on


def test_the_end_under_the_mouse_is_the_nearest_to_the_viewer(app):
    app.press("1")  # from the front: +Z before -Z
    app.settle()
    app.move(place(app, 2, 1))
    end = app.feature_tool(AxisWidget).hovered_end(app.view.active)
    assert (end.axis, end.sign) == (2, 1)
    app.move((app.shell.picture.left + 300, app.shell.picture.top + 300))
    assert not app.feature_tool(AxisWidget).is_hovered(app.view.active)


@pytest.mark.parametrize("count", [1, 4])
def test_messages_stay_below_it(app, count):
    app.view.layout.set_count(count)
    app.settle()
    for line in ("a message", "a longer message, " + 20 * "of many words "):
        app.editor.log.say("warning", line)
    app.settle()
    picture, widget = app.shell.picture, app.feature_tool(AxisWidget)
    toasts = [area for area in app.shell._hud.areas if area.right > picture.right - 2.0 * RADIUS]
    assert toasts
    for viewport in app.view.viewports:
        x, y = np.add(widget.middle(viewport), (picture.left, picture.top))
        for area in toasts:
            assert not area.overlaps(Area(x - RADIUS, y - RADIUS, x + RADIUS, y + RADIUS))
    assert len(app.session._overlay_areas) == count and len(app.view.covered) > count
    widget.enabled = False
    app.settle()
    assert not app.session._overlay_areas


def test_it_stands_beside_what_fills_the_right_edge(app, monkeypatch):
    widget = app.feature_tool(AxisWidget)
    viewport = app.view.active
    before = widget.middle(viewport)
    monkeypatch.setattr(Decoration, "edges", lambda self, viewport: (3.0, 0.0))
    after = widget.middle(viewport)
    height = round(app.view.layout.area(viewport).height)
    assert before[0] - after[0] == pytest.approx(3.0 * font_size_px(height), abs=1.0)

"""Drags do with each preset as the key sheet says; handles come first, but where Alt is the camera's."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from octoscope.viewer.settings.config import Config
from octoscope.viewer.tools.gizmo.handles import ARM
from octoscope.viewer.window.drags import BOX, DRAGS, NOTHING, action_of
from octoscope.viewer.window.keys import PRESETS
from tests.viewer.headless_app import HeadlessApp
from tests.viewer.scenes import box_scene


@pytest.mark.parametrize("preset", PRESETS)
def test_the_key_sheet_says_what_the_mouse_does_with_these_keys(open_app, preset):
    app = open_app(box_scene(), preset=preset, rebound={"select.box": ["Ctrl+Alt+B"]})
    rows = dict(row[1:] for row in app.shell.key_sheet.rows(app.table))
    assert "Left drag after Ctrl+Alt+B" in rows
    says = {each.lower(): what.split(":")[0].split(";")[0] for row, what in rows.items() for each in row.split(", ")}
    app.view.camera = replace(app.view.camera, yaw_rad=0.4, pitch_rad=0.3)
    for gesture in DRAGS[preset]:
        before = app.view.camera
        drag(app, gesture)
        after, what = app.view.camera, says[f"{gesture.replace('+', ' + ')} drag".lower()]
        turned, moved = not np.allclose(before.axes, after.axes), not np.allclose(before.pivot, after.pivot)
        nearer = after.distance != before.distance
        expected = {
            "orbit about the point under the mouse": (True, moved, False),
            "orbit about the middle of the view": (True, False, False),
            "pan": (False, True, False),
            "look around": (True, True, False),
            "zoom": (False, False, True),
            "box": (False, False, False),
        }
        assert (turned, moved, nearer) == expected[what], (gesture, what)


@pytest.mark.parametrize("preset", PRESETS)
def test_a_handle_has_drags_with_the_left_button_but_where_alt_is_the_cameras(open_app, preset):
    app = open_app(box_scene(), preset=preset)
    app.editor.select([0])
    app.table.run(app.table["gizmo.move"])
    app.settle()
    (arm,) = (
        each
        for each in app.tools.gizmo.handles(app.view.layout.projection_of(app.view.active))
        if (each.shape, each.axes) == (ARM, (0,))
    )
    picture = app.shell.picture
    begin = np.add((picture.left, picture.top), 0.3 * arm.outline[0] + 0.7 * arm.outline[1])
    before = app.view.camera
    drag(app, "left", tuple(begin))
    assert app.done[-1] == "Move red" and app.view.camera == before
    app.press("Ctrl+Z")
    drag(app, "Alt+left", tuple(begin))
    is_the_cameras = "Alt+left" in DRAGS[preset]
    assert (app.view.camera != before, "Move red" not in app.done) == (is_the_cameras, is_the_cameras)


def drag(
    app: HeadlessApp,
    gesture: str,
    begin: tuple[float, float] = (640.0, 300.0),
    end: tuple[float, float] | None = None,
) -> None:
    """Drag from a point to another, or a little to the right and down."""
    end = end or (begin[0] + 60.0, begin[1] + 20.0)
    *held, button = gesture.split("+")
    number = {"left": 1, "right": 2, "middle": 3}[button]
    for modifier in held:
        app.window.key_down(f"LEFT_{modifier.upper()}")
    app.move(begin)
    app.frame()
    app.window.button_down(number)
    app.frame()
    for share in (0.2, 0.5, 1.0):
        app.move(tuple(np.add(begin, share * np.subtract(end, begin))))
    app.window.button_up(number)
    for modifier in held:
        app.window.key_up(f"LEFT_{modifier.upper()}")
    app.settle()


def test_a_drag_of_a_persons_own_goes_before_the_presets_and_others_stay():
    drags = Config(preset="maya", mouse={"left": NOTHING, "Shift+left": BOX}).drags
    assert [action_of(drags, "left", held) for held in ((), ("Shift",), ("Ctrl",), ("Alt",), ("Alt", "Shift"))] == [
        NOTHING,
        BOX,
        NOTHING,
        "orbit",
        BOX,
    ]


def test_a_drag_that_draws_boxes_selects_by_its_direction_as_after_the_key(open_app):
    app = open_app(box_scene(), preset="cad")
    app.view.build_frames(app.view.layout.last_size)
    drag(app, "left", (900.0, 500.0), (400.0, 200.0))
    assert app.selected and app.tools.select.box is None and not app.tools.select.draws_boxes

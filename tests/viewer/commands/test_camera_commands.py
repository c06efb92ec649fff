"""Commands that move the camera by steps, and take it to the clipboard and back."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from octoscope.viewer.commands.context import Context
from octoscope.viewer.commands.menus.all_commands import commands_of_menus
from octoscope.viewer.commands.table import CommandTable
from octoscope.viewer.editing.editor import Editor
from octoscope.viewer.editing.log import Log
from octoscope.viewer.frame.view import View
from octoscope.viewer.window.keys import Chord
from tests.viewer.contexts import context_of
from tests.viewer.scenes import box_scene


@pytest.fixture
def context() -> Context:
    view = View(box_scene())
    view.update()
    context = context_of(Editor(view, Log()))
    view.framing.frame_nodes(None)
    return context


def table_of(context: Context) -> CommandTable:
    return CommandTable(commands_of_menus(context))


def test_a_camera_goes_to_the_clipboard_and_comes_back(context: Context) -> None:
    clipboard: list[str] = []
    context = replace(context, copy=clipboard.append, paste=lambda: clipboard[-1])
    table, camera = table_of(context), context.view.camera
    table.run(table["view.copy_camera"])
    table.run(table["view.top"])
    table.run(table["view.paste_camera"])
    assert np.allclose(context.view.camera.position, camera.position)
    assert np.allclose(context.view.camera.axes, camera.axes)


def test_a_clipboard_without_a_camera_moves_nothing_and_says_so(context: Context) -> None:
    context = replace(context, paste=lambda: "milk, eggs")
    table, camera = table_of(context), context.view.camera
    table.run(table["view.paste_camera"])
    assert context.view.camera is camera
    (entry,) = context.editor.log.toasts
    assert entry.level == "error" and entry.text.startswith("Paste camera: 'milk, eggs' is no camera")


@pytest.mark.parametrize(
    ("key", "yaw_degrees", "pitch_degrees"), [("4", -15, 0), ("6", 15, 0), ("8", 0, 15), ("2", 0, -15), ("9", 180, 0)]
)
def test_keys_of_the_number_pad_orbit_by_steps(
    context: Context, key: str, yaw_degrees: float, pitch_degrees: float
) -> None:
    table, before = table_of(context), context.view.camera
    table.press(Chord.parse(f"Num {key}"))
    after = context.view.camera
    turned = math.degrees(math.remainder(after.yaw_rad - before.yaw_rad - math.radians(yaw_degrees), math.tau))
    assert turned == pytest.approx(0.0, abs=1e-9)
    assert math.degrees(after.pitch_rad - before.pitch_rad) == pytest.approx(pitch_degrees)
    assert np.array_equal(after.pivot, before.pivot) and after.distance == before.distance


def test_the_turntable_stops_at_the_pole_and_the_trackball_goes_over_it(context: Context) -> None:
    table = table_of(context)
    for _ in range(12):
        table.press(Chord.parse("Num 8"))
    assert np.allclose(context.view.camera.axes[2], (0.0, 1.0, 0.0))
    table.run(table["view.front"])
    table.run(table["view.trackball"])
    for _ in range(12):
        table.press(Chord.parse("Num 8"))
    assert np.allclose(context.view.camera.axes, np.diag((1.0, -1.0, -1.0)))


@pytest.mark.parametrize(("key", "across", "up"), [("4", -1, 0), ("6", 1, 0), ("8", 0, 1), ("2", 0, -1)])
def test_with_ctrl_they_pan(context: Context, key: str, across: int, up: int) -> None:
    table, before = table_of(context), context.view.camera
    table.press(Chord.parse(f"Ctrl+Num {key}"))
    moved = before.axes @ (context.view.camera.position - before.position)
    assert np.array_equal(np.sign(np.round(moved, 9)), (across, up, 0))
    assert np.array_equal(context.view.camera.axes, before.axes)


def test_z_is_up_turns_the_view_and_can_be_undone(context: Context) -> None:
    table, view = table_of(context), context.view
    assert view.framing.is_framed()
    table.run(table["scene.z_up"])
    assert context.scene.up_axis == "z" and table["scene.z_up"].checked()
    assert view.camera.axes[1, 2] > 0.5, "Z points up in the picture"
    assert view.framing.is_framed(), "all of it is still in the picture"
    context.editor.undo()
    assert context.scene.up_axis == "y" and not table["scene.z_up"].checked()
    assert view.camera.axes[1, 1] > 0.5


def test_a_camera_that_has_come_near_stays_there_when_z_is_up(context: Context) -> None:
    table, view = table_of(context), context.view
    view.camera = replace(view.camera, distance=0.5 * view.camera.distance)
    pivot, distance = view.camera.pivot, view.camera.distance
    table.run(table["scene.z_up"])
    assert np.array_equal(view.camera.pivot, pivot) and view.camera.distance == distance

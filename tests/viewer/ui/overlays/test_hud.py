"""The words over the picture."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from imgui_bundle import imgui

from octoscope.scene import Scene
from octoscope.scene.loading.read import ReadingState
from octoscope.viewer.commands.menus import octree as octree_menu
from octoscope.viewer.commands.table import CommandTable
from octoscope.viewer.editing.editor import Editor
from octoscope.viewer.editing.log import TOAST_SECONDS, Log
from octoscope.viewer.frame.view import View
from octoscope.viewer.ui.imgui.backend import ImguiBackend
from octoscope.viewer.ui.imgui.docking import Area
from octoscope.viewer.ui.imgui.fonts import load_fonts
from octoscope.viewer.ui.imgui.theme import DARK, apply_theme
from octoscope.viewer.ui.overlays.hud import CornerBox, Hud, HudState
from octoscope.viewer.ui.overlays.statistics import statistics_of
from octoscope.viewer.ui.overlays.status_bar import name_of_selected, status_bar, status_of
from tests.viewer.contexts import context_of
from tests.viewer.headless_app import HeadlessApp
from tests.viewer.scenes import BOX_POSITIONS, add_box_mesh, add_mesh


def test_lines_and_points_are_counted_where_there_are_some() -> None:
    scene = Scene()
    ends, places = np.array([(0, 1), (1, 2)]), np.array([0, 1, 2])
    scene.add_nodes(["box", "group"], mesh=[add_box_mesh(scene), -1])
    view = View(scene)
    table = CommandTable(octree_menu.command.bound_to(context_of(Editor(view, Log()))))
    view.build_frames((64, 48))
    assert [name for name, _ in statistics_of(view, 1, table).counts if name in ("lines", "points")] == []
    scene.add_nodes(["sketch", "twin"], mesh=add_mesh(scene, BOX_POSITIONS, lines=ends, points=places))
    view.framing.frame_nodes(None)
    view.build_frames((64, 48))
    counts = dict(statistics_of(view, 1, table).counts)
    assert (counts["triangles"], counts["lines"], counts["points"]) == ("12", "4", "6")
    texts = []
    for node in range(3):
        view.selection.ids = np.array([node], dtype=np.int32)
        texts.append(status_of(view).split("    ")[1])
    assert texts == ["12 triangles", "0 objects, 0 triangles", "2 lines, 3 points"]


def test_objects_that_are_too_small_to_be_drawn_are_counted_and_the_window_draws_without_them(open_app) -> None:
    scene = Scene()
    mesh = add_box_mesh(scene)
    scene.add_nodes(
        [f"box {i}" for i in range(10)], mesh=mesh, scale=np.full((10, 3), 1e-6), translation=np.eye(10)[:, :3]
    )
    scene.add_nodes(["large"], mesh=mesh)
    app = open_app(scene)
    view, table = app.view, app.table
    view.framing.frame_nodes(None)
    view.build_frames((320, 240))
    counts = dict(statistics_of(view, 1, table).counts)
    assert counts["too small"] == "10" and counts["drawn"] == "1 of 11 objects"
    table["octree.tiny"].run()
    view.build_frames((320, 240))
    counts = dict(statistics_of(view, 1, table).counts)
    assert "too small" not in counts and "hidden" not in counts and counts["drawn"] == "11 of 11 objects"
    assert dict(statistics_of(view, 1, table, hidden=2).counts)["hidden"] == "2"


def test_a_group_is_told_with_all_that_is_below_it() -> None:
    scene = Scene()
    box = add_box_mesh(scene)
    line = add_mesh(scene, BOX_POSITIONS, lines=np.array([(0, 1)]))
    scene.add_nodes(["town", "street", "house", "path"], parent=[-1, 0, 1, 0], mesh=[-1, -1, box, line])
    view = View(scene)
    view.selection.ids = np.array([0], dtype=np.int32)
    assert status_of(view) == "town    2 objects, 12 triangles, 1 line"
    view.selection.ids = np.array([1], dtype=np.int32)
    assert status_of(view) == "town/street    1 object, 12 triangles"
    scene.set_names([1], ["two\nlines"])
    assert status_of(view).startswith("town/two\\nlines    ")
    assert name_of_selected(view) == "two\\nlines"


def test_that_others_are_left_out_is_said_as_long_as_they_are(ctx) -> None:
    scene = Scene()
    scene.add_nodes(["red", "green"], mesh=add_box_mesh(scene))
    app = HeadlessApp(ctx, scene)
    view, table = app.view, app.table

    def said() -> tuple[bool, bool]:
        bar = status_bar(view, app.document, app.tools, app.session.status_line, flies=False)
        return ("/", "isolate", True) in statistics_of(view, 0, table).switches, "isolated" in bar.counts

    app.editor.select([0])
    assert said() == (False, False)
    app.press("/")
    assert said() == (True, True)
    app.press("Alt+A", "Alt+H")
    assert said() == (False, False)


def test_while_files_are_opened_the_status_bar_says_which(ctx, tmp_path) -> None:
    app = HeadlessApp(ctx, Scene())

    def text() -> str:
        return status_bar(app.view, app.document, app.tools, app.session.status_line, flies=False).text

    assert text() == "Drop files on the window to begin"
    path = tmp_path / "town.obj"
    path.write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
    app.files.open([path])
    assert text() in ("Opening files", "Opening town.obj")
    reader = app.files._load.reader
    reader._thread.join()
    reader.state = ReadingState(path, 2, 3, 10, 20)  # as it was a moment ago
    assert text() == "Opening town.obj  2 of 3"
    app.editor.select([])
    while app.files.reading:
        app.files.add()
    assert text().startswith("town.obj/town    1 triangle"), "what was opened is selected"


def test_keys_that_change_how_things_move_show_it_in_the_status_bar(ctx) -> None:
    scene = Scene()
    scene.add_nodes(["red"], mesh=add_box_mesh(scene))
    app = HeadlessApp(ctx, scene)

    def counts() -> str:
        return status_bar(app.view, app.document, app.tools, app.session.status_line, flies=False).counts

    assert "axes" not in counts(), "nothing is selected"
    app.editor.select([0])
    assert counts().startswith("world axes, centre pivot    ")
    app.press(",", ".", "Shift+Tab")
    assert counts().startswith("local axes, median pivot, snaps    ")


@pytest.mark.parametrize("is_short", [True, False])
@pytest.mark.parametrize("width", [300, 420, 560, 700, 900, 1400])
@pytest.mark.parametrize("scale", [1.0, 2.0])
def test_messages_and_statistics_lie_neither_over_each_other_nor_over_the_corner(ctx, width, is_short, scale) -> None:
    scene = Scene()
    scene.add_nodes(["box"], mesh=add_box_mesh(scene))
    view = View(scene)
    table = CommandTable(octree_menu.command.bound_to(context_of(Editor(view, Log()))))
    view.build_frames((64, 48))
    log = Log()
    log.say("warning", "config.toml: bogus: unknown setting, nor one of a name that is like it")
    backend, hud, picture = ImguiBackend(ctx, load_fonts), Hud(), Area(0.0, 0.0, width * scale, 1000.0 * scale)
    axes = Area(picture.right - 140.0 * scale, 0.0, picture.right, 140.0 * scale)
    state = HudState(statistics_of(view, 0, table), None, None, log.toasts, corners=[axes])
    try:
        apply_theme(DARK, scale)
        for _ in range(3):
            backend.new_frame((3000, 2000), (3000, 2000), 0.02)
            hud.draw(state, DARK, picture, scale, is_short=is_short)
            backend.end_frame()
    finally:
        backend.close()
    assert len(hud.areas) == 2
    for one, other in combinations((*hud.areas, axes), 2):
        beside = one.right <= other.left or other.right <= one.left
        assert beside or one.bottom <= other.top or other.bottom <= one.top


@pytest.mark.parametrize("width", [300, 420, 560, 900])
@pytest.mark.parametrize("scale", [1.0, 2.0])
def test_rows_of_a_tool_stay_within_the_picture_beside_the_toolbar(ctx, width, scale) -> None:
    rows = [("size in its own frame", "13.14263 x 45.46277 x 10.1497"), ("area", "2346.695"), ("watertight", "yes")]
    state = HudState(statistics=None, status=None, loading=None, toasts=(), corner_box=CornerBox(rows))
    backend, hud = ImguiBackend(ctx, load_fonts), Hud()
    picture = Area(100.0, 50.0, 100.0 + width * scale, 1000.0)
    toolbar = Area(110.0, 60.0, 100.0 + 41.0 * scale, 700.0)
    try:
        apply_theme(DARK, scale)
        for _ in range(3):
            backend.new_frame((3000, 2000), (3000, 2000), 0.02)
            hud.draw(state, DARK, picture, scale, toolbar=toolbar)
            backend.end_frame()
    finally:
        backend.close()
    assert not hud.areas, "clicks go through the rows"
    area = hud.corner_box
    assert toolbar.right <= area.left and area.right <= picture.right
    assert picture.top <= area.top and area.bottom <= picture.bottom


@pytest.mark.parametrize("has_others", [True, False])
@pytest.mark.parametrize("taken", [(), ("lower right",), ("lower right", "upper right"), ("lower left", "lower right")])
def test_rows_of_a_tool_go_where_they_cover_no_point_that_is_to_be_free(ctx, taken, has_others) -> None:
    corners = {"lower right": (0.98, 0.98), "upper right": (0.98, 0.02), "lower left": (0.06, 0.98)}
    measured = [(0.5, 0.5), *(corners[name] for name in taken)]
    log = Log()
    if has_others:
        log.say("warning", "at the upper right")
    state = HudState(
        statistics=None,
        status=None,
        loading=None,
        toasts=log.toasts,
        corner_box=CornerBox([("distance", "4.123106"), ("area", "2346.695")], measured),
    )
    backend, hud = ImguiBackend(ctx, load_fonts), Hud()
    picture, toolbar = Area(100.0, 50.0, 1300.0, 850.0), Area(110.0, 60.0, 141.0, 700.0)
    try:
        apply_theme(DARK, 1.0)
        for _ in range(3):
            backend.new_frame((3000, 2000), (3000, 2000), 0.02)
            hud.draw(state, DARK, picture, 1.0, toolbar=toolbar)
            backend.end_frame()
    finally:
        backend.close()
    others, panel = hud.areas, hud.corner_box
    assert len(others) == has_others
    assert not any(panel.holds((100.0 + 1200.0 * x, 50.0 + 800.0 * y)) for x, y in measured)
    assert not any(panel.overlaps(area) for area in [*others, toolbar])
    assert picture.left < panel.left and panel.right < picture.right
    assert picture.top < panel.top and panel.bottom < picture.bottom
    if not taken:
        assert panel.right > 1200.0 and panel.bottom > 800.0, "at the lower right as long as it is free"


@pytest.mark.parametrize(("size", "scale"), [((800, 600), 1.0), ((1280, 720), 1.0), ((1280, 720), 2.0)])
def test_panels_begin_with_room_for_names_and_numbers_and_leave_some_to_the_picture(ctx, size, scale) -> None:
    scene = Scene()
    scene.add_nodes(["box"], mesh=add_box_mesh(scene))
    app = HeadlessApp(ctx, scene, size=size, scale=scale)
    try:
        picture = app.shell.picture
        assert picture.left >= 170.0 * scale and size[0] - picture.right >= 160.0 * scale
        assert picture.size[0] >= 0.45 * size[0]
    finally:
        app.close()


def test_messages_go_by_themselves_but_not_under_the_mouse_and_only_warnings_have_a_button(open_app, monkeypatch):
    app = open_app(Scene())
    log, buttons = app.session.log, list[str]()
    small_button = imgui.small_button
    monkeypatch.setattr(imgui, "small_button", lambda label: buttons.append(label) or small_button(label))
    for level, has_button in (("info", False), ("warning", True)):
        log.say(level, "something has happened")
        buttons.clear()
        app.settle()
        assert ("Dismiss" in buttons) is has_button
        area = app.shell._hud.areas[-1]
        app.move((area.left + 20.0, area.top + 10.0))
        monkeypatch.setitem(TOAST_SECONDS, level, 0.0)
        app.settle()
        assert len(log.toasts) == 1
        app.move((640.0, 650.0))
        app.settle()
        assert not log.toasts
    monkeypatch.setitem(TOAST_SECONDS, "warning", 60.0)
    for label, command_id, can_be_done in (("New", "file.new", True), ("Revert", "file.revert", False)):
        log.say("warning", "a message with an offer", offer=(label, command_id))
        buttons.clear()
        app.frame()
        assert any(button.startswith(label) for button in buttons) is can_be_done

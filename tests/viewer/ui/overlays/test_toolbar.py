"""The toolbar and the statistics over the picture, what a small window does with panels, and what several views say."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from imgui_bundle import imgui

from octoscope.viewer.commands.table import Command
from octoscope.viewer.ui.imgui.docking import Area
from octoscope.viewer.ui.overlays.statistics import statistics_of
from octoscope.viewer.ui.overlays.toolbar import _MENUS, _TOOLS
from octoscope.viewer.ui.overlays.viewport_labels import viewport_labels
from tests.viewer.headless_app import HeadlessApp
from tests.viewer.needs import needs
from tests.viewer.scenes import box_scene

SIDE, GAP = 23.0, 2.0  # of a button, and between two


@pytest.fixture
def app(open_app) -> HeadlessApp:
    return open_app(box_scene())


def tools_of(app: HeadlessApp) -> list[str]:
    """The commands of the buttons that open no menu, from above."""
    added = [command.id for command in app.table.commands if command.icon]
    return [*(command_id for command_id, _ in _TOOLS), *added, "gizmo.snap"]


def button(app: HeadlessApp, command_id: str) -> tuple[float, float]:
    """The middle of a command's button."""
    picture = app.shell.picture
    below = [*tools_of(app), *_MENUS].index(command_id) * (SIDE + GAP)
    return picture.left + 10.0 + 4.0 + SIDE / 2.0, picture.top + 10.0 + 4.0 + below + SIDE / 2.0


def has_toolbar(app: HeadlessApp) -> bool:
    return app.shell.covers(button(app, "gizmo.select"))


@needs("measuring")
def test_each_button_runs_its_command_and_shows_how_it_stands(app):
    run: list[str] = []
    app.table.after_run = lambda command: run.append(command.id)
    measure = "tools.measure_distance"
    others = [each for each in tools_of(app) if each != measure]
    for command_id in others:
        app.click(button(app, command_id))
    assert run == others
    x, y = button(app, measure)
    for line, kind in enumerate(("distance", "angle", "path")):
        app.click((x, y))
        app.click((x + 30.0, y + 16.0 + 20.0 * line))
        assert run[-1] == f"tools.measure_{kind}", "from the menu of all kinds"
    app.move((640.0, 600.0))
    app.settle()
    assert app.picture()[int(y) - 9, int(x) - 9, 2] > 180, "lit for each kind"
    app.click(button(app, "gizmo.rotate"))
    assert app.tools.gizmo.settings.mode == "rotate" and app.tools.hand.tool is None, "one tool"
    app.move((640.0, 600.0))
    app.settle()
    lit = app.picture().astype(int)
    x, y = map(int, button(app, "gizmo.rotate"))
    assert lit[y - 9, x - 9, 2] > 180, "in the accent's blue"
    x, y = map(int, button(app, "gizmo.move"))
    assert lit[y - 9, x - 9, 2] < 60


def test_space_and_pivot_are_chosen_from_menus_of_commands(app):
    x, y = button(app, "gizmo.next_pivot")
    app.click((x, y))
    assert app.shell.covers((900.0, 500.0)), "a menu is open"
    app.click((x + 30.0, y + 16.0 + 20.0 * 3))
    assert app.tools.gizmo.settings.pivot == "individual"
    assert app.session.host.preferences.values()["gizmo.pivot"] == "individual"


def test_a_button_tells_its_name_and_keys(app):
    app.move(button(app, "gizmo.snap"))
    before = app.picture().astype(int)
    for _ in range(40):
        app.frame()
    changed = np.argwhere(np.abs(app.picture().astype(int) - before).max(axis=2) > 40)
    assert np.ptp(changed[:, 1]) > 150, "a tooltip beside the button"
    app.press("Ctrl+,")
    app.settle()
    assert not any(window.active for window in imgui.get_current_context().windows if "Tooltip" in window.name)


def test_it_is_not_there_where_it_is_switched_off_without_panels_and_in_tiny_pictures(app, open_app):
    assert has_toolbar(app)
    app.table.run(app.table["view.toolbar"])
    app.settle()
    assert not has_toolbar(app) and not app.shell.state.toolbar
    app.table.run(app.table["view.toolbar"])
    app.press("Ctrl+Space")
    assert not has_toolbar(app)
    tiny = open_app(box_scene(), size=(240, 260))
    assert not has_toolbar(tiny)


def test_its_buttons_stand_side_by_side_where_they_have_no_room_below_each_other(open_app):
    low = open_app(box_scene(), size=(480, 260))
    x, y = button(low, "gizmo.select")
    assert low.shell.covers((x + SIDE + GAP, y))
    low.click((x + SIDE + GAP, y + SIDE + GAP))
    assert low.tools.gizmo.settings.mode == "rotate", "the fourth, in rows of two"


# Statistics.


def statistics_area(app: HeadlessApp) -> Area:
    return app.shell._hud.areas[-1]


def test_statistics_are_off_until_a_key_shows_them_and_a_small_picture_has_only_their_sum(app):
    app.view.build_frames((600, 400))
    app.settle()
    assert app.shell._hud.areas == []
    app.press("I")
    assert statistics_area(app).size[1] > 180.0
    app.view.layout.set_count(2)
    app.settle()
    assert statistics_area(app).size[1] < 40.0


def test_of_several_views_statistics_are_sums_and_each_view_says_its_own(app):
    app.session.host.state.statistics = True
    app.view.layout.set_count(4)
    app.view.layout.resize((680, 600))
    app.view.framing.frame_nodes(None, every=True)
    app.view.viewports[1].camera = replace(app.view.viewports[1].camera, pivot=np.array((1e4, 0.0, 0.0)))
    app.view.build_frames((680, 600))
    app.settle()
    area = statistics_area(app)
    assert area.size[1] < 40.0
    statistics = statistics_of(app.view, 12, app.table)
    counts = dict(statistics.counts)
    assert (counts["drawn"], counts["objects"]) == ("9 in 4 views", "3") and "lens" not in counts
    assert counts["triangles"] == str(sum(viewport.stats.triangles for viewport in app.view.viewports))
    labels = viewport_labels(app.view)
    assert [(label.title, label.counts) for label in labels] == [
        ("Perspective", "3 of 3"),
        ("Top", "0 of 3"),
        ("Front", "3 of 3"),
        ("Right", "3 of 3"),
    ]
    assert [label.is_active for label in labels] == [True, False, False, False]


# Small windows.


def test_in_a_small_window_a_panel_lies_over_the_picture_one_at_a_time_and_its_key_closes_it(open_app):
    app = open_app(box_scene(), size=(480, 320))
    right = (380.0, 150.0)
    outliner, inspector = (app.table[f"panel.{name}"] for name in ("outliner", "inspector"))

    def is_over() -> bool:
        return app.shell.covers(right)

    assert not is_over() and not outliner.checked()
    app.press("Ctrl+1")
    assert is_over() and outliner.checked()
    app.press("Ctrl+2")
    assert is_over() and inspector.checked() and not outliner.checked()
    app.press("Ctrl+2")
    assert not is_over() and not inspector.checked()
    app.press("Ctrl+F")
    assert is_over() and outliner.checked(), "find opens the outliner"
    app.type("green")
    app.press("Enter")
    assert app.selected == [1]
    assert app.shell.state.open == {}, "in a larger window panels are as they were"


# Commands that cannot be done.


def test_in_a_scripts_window_new_and_open_say_why_they_do_nothing(open_app):
    app = open_app(box_scene(), for_script=True)
    for keys in ("Ctrl+N", "Ctrl+O"):
        app.press(keys)
        assert "script" in app.editor.log.toasts[-1].text
    assert app.document.next_document is None and not app.document.is_closed
    assert not app.shell.boxes.path.is_open
    app.press("Alt+H")
    assert len(app.editor.log.toasts) == 2, "where nothing is hidden there is nothing to tell"


def test_only_what_has_a_refusal_is_told(app):
    told: list[Command] = []
    app.table.refuse = told.append
    app.table.run(app.table["select.show_all"])
    assert [command.id for command in told] == ["select.show_all"] and told[0].refusal == ""

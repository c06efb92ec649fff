"""The window of settings under mouse and keys: what is chosen goes at once, everywhere, and into config.toml."""

from __future__ import annotations

from pathlib import Path

import pytest
from imgui_bundle import imgui

from octoscope.viewer.features.settings_window.key_changes import with_key, with_keys_of_preset, without_keys
from octoscope.viewer.settings.config import PAGES, Config, read_config
from octoscope.viewer.ui.shell import scale_with_room
from octoscope.viewer.window.keys import Chord
from tests.viewer.headless_app import HeadlessApp
from tests.viewer.scenes import box_scene

TABS = dict(zip(PAGES, (30, 105, 160, 220, 270), strict=True))
Point = tuple[float, float]


@pytest.fixture
def app(open_app, tmp_path) -> HeadlessApp:
    """With the window open."""
    app = open_app(box_scene(), folder=tmp_path)
    app.press("Ctrl+,")
    return app


def place(x: float, y: float) -> Point:
    """Return a point of the window of settings as one of the whole window."""
    window = imgui.internal.find_window_by_name("Settings###settings")
    return window.pos.x + x, window.pos.y + y


def choose(app: HeadlessApp, row_y: float, number: int) -> None:
    """Open the choice in a row, and take an entry."""
    app.click(place(300.0, row_y))
    app.click(place(300.0, row_y + 30.0 + 20.0 * number))


def test_a_theme_is_seen_and_written_at_once_and_reverted(app, tmp_path):
    dark = app.shell.theme
    choose(app, 75.0, 1)
    assert app.shell.theme is not dark and read_config(tmp_path) == Config(theme="light")
    app.click(place(30.0, 435.0))
    assert app.shell.theme is dark and read_config(tmp_path) == Config()
    app.click(place(300.0, 75.0))
    app.settle()
    app.press("Down", "Enter")
    app.settle()
    assert app.shell.theme is not dark, "by keys, after a click has opened the list"


def test_the_window_grows_with_the_scale_as_far_as_there_is_room(app):
    window = imgui.internal.find_window_by_name("Settings###settings")
    before, room = window.size.x, imgui.get_main_viewport().work_size.x
    app.shell.rescale(1.5)
    app.frame()
    assert window.size.x == pytest.approx(min(1.5 * before, room), abs=1.0) and window.pos.x + window.size.x <= room
    app.size = (1000, 640)
    app.frame()
    app.frame()
    assert window.pos.x + window.size.x <= 1000.0 and 0.0 < window.pos.y <= 640.0 - window.size.y
    for size in ((1600, 900), (1000, 800), (1600, 800)):
        app.size = size
        app.frame()
        app.frame()
        assert window.pos.x + window.size.x / 2.0 == pytest.approx(size[0] / 2.0, abs=2.0), "in the middle again"


def test_no_scale_takes_the_panels_away(app, tmp_path):
    app.click(place(300.0, 121.0))
    app.type("20")
    app.press("Enter")
    assert read_config(tmp_path) == Config(scale=4.0)
    app.shell.rescale(scale_with_room(4.0, 1.0, (1280, 720)))
    app.settle()
    assert app.shell._scale == 2.0 and {"settings", "outliner"} <= app.shell._in_front
    assert imgui.internal.find_window_by_name("Settings###settings").pos.y >= imgui.get_main_viewport().work_pos.y
    scales = [scale_with_room(*wanted, (800, 600)) for wanted in ((None, 3.0), (0.5, 1.0), (2.0, 1.0), (3.0, 2.0))]
    assert scales == [3.0, 0.5, 1.25, 2.0], "a smaller window leaves the scale of the screen as it is"


def test_settings_take_effect_where_they_belong_and_menus_change_them_too(app, tmp_path):
    app.click(place(TABS["Files"], 38.0))
    app.click(place(228.0, 75.0))
    assert not app.document.autosaves and read_config(tmp_path) == Config(autosave=False)
    app.session.run_command("view.quality_best")
    app.session.run_command("select.right_touches")
    assert app.view.settings.quality == "best" and app.tools.select.right_touches
    assert read_config(tmp_path) == Config(autosave=False, quality="best", box_right_touches=True)
    app.show(box_scene())
    assert app.view.settings.quality == "best" and not app.document.autosaves, "another document has them, too"


def test_a_file_that_changes_takes_effect_in_the_open_window(app, tmp_path: Path, monkeypatch):
    monkeypatch.setattr("octoscope.viewer.settings.settings._LOOK_SECONDS", 0.0)
    app.settle()
    (tmp_path / "config.toml").write_text('theme = "light"\npreset = "blender"\n[keys]\nview.frame = "J"\n')
    app.session.host.settings._next_look = 0.0
    app.settle()
    assert not app.shell.theme.is_dark
    assert [app.table.shown_keys(app.table[each]) for each in ("view.frame", "gizmo.rotate_by_keys")] == ["J", "R"]


def test_a_key_is_given_by_pressing_it_and_palette_key_sheet_and_menus_say_so(app, tmp_path):
    grid, frame = app.table["view.grid"], app.table["view.frame"]
    app.click(place(TABS["Keys"], 38.0))
    app.click(place(300.0, 128.0))
    app.type("view.frame")
    app.click(place(420.0, 158.0))
    shown = app.view.settings.show_grid
    app.press("Shift+G")
    assert app.view.settings.show_grid == shown, "the key is taken, and does nothing"
    assert "Shift+G is the key of" in app.document.question.text
    app.press("Esc")
    assert (app.table.shown_keys(frame), read_config(tmp_path)) == ("F", Config()), "nothing is taken unasked"
    app.click(place(420.0, 158.0))
    app.press("Shift+G")
    app.press("Enter")
    assert (app.table.shown_keys(frame), app.table.shown_keys(grid)) == ("Shift+G", "")
    assert read_config(tmp_path).keys == {"view.frame": ("Shift+G",), "view.grid": ()}
    assert any(row[1] == "Shift+G" and row[2].startswith("Frame") for row in app.shell.key_sheet.rows(app.table))
    assert app.table.problems == []
    app.click(place(420.0, 158.0))
    app.press("Esc")
    assert app.table.shown_keys(frame) == "Shift+G", "Esc leaves it"
    app.click(place(420.0, 158.0))
    app.press("Ctrl+,")
    app.press("Enter")
    assert app.table.shown_keys(frame) == "Ctrl+," and app.shell.is_open(app.shell.panels[3])
    app.click(place(60.0, 128.0))
    assert app.table.shown_keys(frame) == "F" and read_config(tmp_path) == Config()


def test_esc_closes_the_window_wherever_the_mouse_is_and_only_then_deselects(app):
    app.editor.select([0])
    app.move((5.0, 400.0))
    app.press("Ctrl+,")
    assert app.shell.is_open(app.shell.panels[3])
    assert [found.label for found in app.table.search("settings")].count("Settings") == 1
    app.press("Esc")
    assert not app.shell.is_open(app.shell.panels[3]) and app.selected == [0]
    app.press("Esc")
    assert app.selected == []


def test_a_window_that_was_closed_takes_no_key(app):
    app.click(place(TABS["Keys"], 38.0))
    app.click(place(420.0, 165.0))
    app.shell.toggle_panel(app.shell.panels[3])
    app.settle()
    shown = app.view.settings.show_grid
    app.press("Shift+G")
    assert app.view.settings.show_grid != shown


def test_keys_are_taken_from_others_added_and_reset(app):
    table, frame, grid = app.table, app.table["view.frame"], app.table["view.grid"]
    config = with_key(Config(keys={"a.b": ("K",)}), table, frame, Chord.parse("Shift+G"), adds=True)
    assert config.keys == {"a.b": ("K",), "view.frame": ("F", "Shift+G"), "view.grid": ()}
    table.rebind(config.preset, {name: keys for name, keys in config.keys.items() if name != "a.b"})
    config = with_key(config, table, frame, Chord.parse("F"), adds=True)
    assert config.keys["view.frame"] == ("F", "Shift+G"), "once"
    assert without_keys(config, frame).keys["view.frame"] == ()
    config = with_keys_of_preset(with_keys_of_preset(config, frame), grid)
    assert config.keys == {"a.b": ("K",)}

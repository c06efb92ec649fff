"""Large text and narrow panels: numbers, colours, lists, menus and the bar below the picture still fit."""

from __future__ import annotations

import math

import numpy as np
import pytest
from imgui_bundle import imgui

from octoscope.scene.measuring.lengths import Lengths
from octoscope.viewer.commands.table import CommandTable
from octoscope.viewer.ui.overlays.status_bar import Status, draw_status_bar
from octoscope.viewer.ui.widgets.fields import fitting_number, fitting_row
from tests.viewer.headless_app import HeadlessApp
from tests.viewer.scenes import box_scene


@pytest.fixture
def app(open_app) -> HeadlessApp:
    return open_app(box_scene())


def in_each_frame(app: HeadlessApp, monkeypatch, name: str) -> list[tuple[str, imgui.ImVec2, imgui.ImVec2]]:
    """(text, its upper left, its lower right) of what a function of Dear ImGui's was called with."""
    drawn = []
    original = getattr(imgui, name)

    def noted(*arguments: object) -> object:
        result = original(*arguments)
        text = next(argument for argument in arguments if isinstance(argument, str))
        drawn.append((text, imgui.get_item_rect_min(), imgui.get_item_rect_max()))
        return result

    monkeypatch.setattr(imgui, name, noted)
    return drawn


def test_a_number_is_rounded_to_what_there_is_room_for_and_never_cut(app):
    numbers = np.random.default_rng(0).normal(size=200) * 10.0 ** np.random.default_rng(1).uniform(-9, 9, 200)
    for value in (*numbers.tolist(), 0.0, -0.5, 1e-300, 123456789.0, 1e300):
        for room in (20.0, 30.0, 40.0, 60.0, 200.0):
            text = fitting_number(value, room, f"{value:.10g}")
            if imgui.calc_text_size(f"{value:.1g}").x <= room:
                assert imgui.calc_text_size(text).x <= room
            text = text.replace(",", "")
            digits = len(text.lstrip("-").partition("e")[0].replace(".", "").lstrip("0"))
            assert math.isclose(float(text), value, rel_tol=0.51 * 10.0 ** (1 - max(digits, 1)), abs_tol=0.0)
    assert fitting_number(117.7523, 200.0, "117.752") == "117.752"
    room = imgui.calc_text_size("117.8").x
    assert fitting_number(117.7523, room, "117.752") == "117.8"
    assert fitting_number(117.7523, room, "117.752", " mm") == "117.8" and fitting_number(5.0, room, "5", "°") == "5°"
    width = imgui.calc_text_size("80.00").x + 10.0
    row = fitting_row(Lengths(80.0), np.array([80.0, 1.7, 0.0]), width)
    assert [row.text(value) for value in (80.0, 1.7, 0.0)] == ["80.00", "1.70", "0.00"]


@pytest.mark.parametrize("scale", [1.0, 1.5, 2.0])
@pytest.mark.parametrize("logical_width", [150, 170, 190, 220, 250, 280, 400])
def test_a_colour_is_written_in_a_way_that_fits(open_app, monkeypatch, logical_width, scale):
    app = open_app(box_scene(), scale=scale, size=(round(1280 * scale), round(900 * scale)))
    app.editor.select([0])
    app.settle()
    edge, y = app.shell.picture.right + 1.0, 500.0 * scale
    app.drag((edge, y), (app.size[0] - logical_width * scale, y))
    flags: list[int] = []
    rooms: list[float] = []
    color_edit3 = imgui.color_edit3

    def noted(label: str, color: list[float], given: int) -> object:
        flags.append(given)
        rooms.append(imgui.get_content_region_avail().x)
        return color_edit3(label, color, given)

    monkeypatch.setattr(imgui, "color_edit3", noted)
    app.frame()
    gap = imgui.get_style().item_inner_spacing.x
    room = rooms[-1] - imgui.get_frame_height() - gap
    if flags[-1] & imgui.ColorEditFlags_.no_inputs:
        assert logical_width < 150
    elif flags[-1] & imgui.ColorEditFlags_.display_hex:
        assert imgui.calc_text_size("#0D0D0D").x <= room and logical_width < 300
    else:
        assert 3.0 * imgui.calc_text_size("0.900").x + 2.0 * gap <= room
    assert abs(app.size[0] - app.shell.picture.right - logical_width * scale) < 10.0 * scale


@pytest.mark.parametrize("scale", [1.0, 2.0])
def test_in_the_box_for_paths_no_icon_lies_over_a_name(open_app, monkeypatch, tmp_path, scale):
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "a.obj").write_text("")
    (tmp_path / "boxes.obj").write_text("")
    monkeypatch.chdir(tmp_path)
    app = open_app(box_scene(), scale=scale)
    app.press("Ctrl+O")
    colored, plain = (in_each_frame(app, monkeypatch, name) for name in ("text_colored", "text"))
    app.frame()
    names = ("..", "folder", "boxes.obj")
    of_names = [(low, high) for text, low, high in (*colored, *plain) if text in names]
    icons = [each for each in colored if each[0] not in names]
    assert len(of_names) == 3
    for low, high in of_names:
        before = [right.x for _, left, right in icons if left.y < high.y and right.y > low.y and left.x < low.x]
        assert before and max(before) <= low.x


def test_the_menu_of_what_is_there_fits_a_window_of_usual_size(app, monkeypatch):
    app.editor.select([0])
    app.settle()
    picture = app.shell.picture
    drawn = in_each_frame(app, monkeypatch, "menu_item")
    app.click(((picture.left + picture.right) / 2.0, 300.0), button=1)
    drawn.clear()
    app.frame()
    shown = {text.rpartition("###")[2]: high.y for text, _, high in drawn}
    assert {"view.frame", "edit.delete", "object.merge"} <= shown.keys() and "select.all" not in shown
    assert max(shown.values()) < app.size[1]


@pytest.mark.parametrize("width", [300, 500, 700, 900, 1280])
def test_what_is_not_saved_is_said_for_as_long_as_there_is_room(app, monkeypatch, width):
    said = in_each_frame(app, monkeypatch, "text_colored")
    counts = "Not saved    Isolated    200 of 200 objects drawn"
    draws(app, Status("city/block 1/house", counts.lower()), app.table, (width, 300))
    room = width - 16.0 - imgui.calc_text_size("city/block 1/house").x - 24.0
    texts = "".join(text for text, _, _ in said)
    assert (counts in texts) == (imgui.calc_text_size(counts).x <= room)
    assert ("Not saved" in texts) == (imgui.calc_text_size("Not saved").x <= room)


def test_a_click_on_the_number_of_problems_opens_messages(app, monkeypatch):
    said = in_each_frame(app, monkeypatch, "text_colored")
    monkeypatch.setattr(app.session.integrator, "problem_count", 2)
    app.settle()
    _, begin, _ = next(each for each in reversed(said) if each[0] == "2 problems")
    app.click((begin.x + 4.0, begin.y + 4.0))
    (messages,) = (panel for panel in app.shell.panels if panel.id == "messages")
    assert app.shell.is_open(messages)


def draws(app: HeadlessApp, status: Status, table: CommandTable, size: tuple[int, int]) -> None:
    app.backend.new_frame(size, size, 0.02)
    draw_status_bar(status, table, app.shell.theme, 1.0)
    app.backend.end_frame()


@pytest.mark.parametrize("scale", [1.0, 2.0])
def test_what_leads_back_from_a_search_lies_within_its_panel(open_app, monkeypatch, scale):
    app = open_app(box_scene(), scale=scale)
    buttons = in_each_frame(app, monkeypatch, "small_button")
    app.outliner.rows.query = "green"
    app.settle()
    _, low, high = buttons[-1]
    assert low.x > 0.0 and high.x <= app.shell.picture.left - imgui.get_style().window_padding.x / 2.0

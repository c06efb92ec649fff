"""The inspector's labels and what stands beside them, in panels of any width."""

from __future__ import annotations

import pytest
from imgui_bundle import imgui

from octoscope.viewer.settings.config import WindowState
from octoscope.viewer.ui.imgui.backend import ImguiBackend
from octoscope.viewer.ui.imgui.fonts import load_fonts
from octoscope.viewer.ui.imgui.theme import DARK, apply_theme
from octoscope.viewer.ui.panels.inspector import rows
from octoscope.viewer.ui.panels.inspector.rows import fact, label
from tests.viewer.scenes import box_scene

LABELS = ("Location", "Rotation", "Scale", "Colour", "Opacity", "Metallic", "Roughness", "Texture")
FACTS = ("objects", "up axis", "shared with", "watertight", "materials", "size, at most", "shown by", "vertices")


@pytest.fixture
def backend(ctx):
    backend = ImguiBackend(ctx, load_fonts)
    yield backend
    backend.close()


@pytest.mark.parametrize("scale", [1.0, 2.0])
@pytest.mark.parametrize("width", [90, 120, 150, 170, 190, 220, 260, 400, 800])
def test_no_label_lies_under_what_stands_beside_it(backend, width, scale):
    apply_theme(DARK, scale)
    backend.new_frame((1000, 2000), (1000, 2000), 0.02)
    imgui.set_next_window_size((width * scale, 1800.0))
    imgui.begin("panel")
    for text in LABELS:
        label(DARK, text)
        assert_apart(imgui.get_item_rect_max(), imgui.get_cursor_screen_pos(), text)
        imgui.button(f"0###{text}", (-1.0, 0.0))
    for text in FACTS:
        top = imgui.get_cursor_screen_pos()
        fact(DARK, text, "9")
        right = top.x + imgui.calc_text_size(text).x
        below = imgui.ImVec2(right, top.y + imgui.get_text_line_height())
        assert_apart(below, imgui.get_item_rect_min(), text)
    imgui.end()
    backend.end_frame()


def assert_apart(label_end: imgui.ImVec2, value_begin: imgui.ImVec2, text: str) -> None:
    assert value_begin.x > label_end.x or value_begin.y >= label_end.y, text


def test_a_closed_heading_stays_closed_in_the_next_document_and_session(open_app, monkeypatch):
    places, foldout = {}, rows._foldout

    def noted(title, *rest):
        is_open = foldout(title, *rest)
        places[title] = tuple(imgui.get_item_rect_min() + imgui.ImVec2(20.0, 8.0)), is_open
        return is_open

    monkeypatch.setattr(rows, "_foldout", noted)

    def are_open(app):
        app.editor.select([0])
        app.settle()
        return [places[title][1] for title in ("Transform", "Material", "Mesh")]

    app = open_app(box_scene())
    assert are_open(app) == [True, True, True]
    app.click(places["Material"][0])
    assert are_open(app) == [True, False, True]
    app.show(box_scene())
    assert are_open(app) == [True, False, True]
    state = WindowState(settings=app.session.host.preferences.values())
    other = open_app(box_scene(), state=state)
    assert are_open(other) == [True, False, True]
    other.click(places["Material"][0])
    assert are_open(other) == [True, True, True]

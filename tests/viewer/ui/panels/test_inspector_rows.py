"""The inspector's labels and what stands beside them, in panels of any width."""

from __future__ import annotations

import pytest
from imgui_bundle import imgui

from octoscope.viewer.ui.imgui.backend import ImguiBackend
from octoscope.viewer.ui.imgui.fonts import load_fonts
from octoscope.viewer.ui.imgui.theme import DARK, apply_theme
from octoscope.viewer.ui.panels.inspector.rows import fact, label

LABELS = ("Location", "Rotation", "Scale", "Colour", "Opacity", "Metal", "Roughness", "Texture")
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

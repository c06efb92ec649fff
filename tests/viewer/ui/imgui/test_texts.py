"""Texts are cut where there is no room, with an ellipsis; tooltips stand beside their window."""

from __future__ import annotations

from collections.abc import Iterator

import moderngl
import pytest
from imgui_bundle import imgui

from octoscope.viewer.ui.imgui.backend import ImguiBackend
from octoscope.viewer.ui.imgui.fonts import load_fonts
from octoscope.viewer.ui.imgui.items import fitting, sentence_case, tooltip
from octoscope.viewer.ui.imgui.theme import DARK, apply_theme

NAME = "a long name of an object, somewhere/in a folder.obj"


@pytest.fixture
def backend(ctx: moderngl.Context) -> Iterator[ImguiBackend]:
    backend = ImguiBackend(ctx, load_fonts)
    apply_theme(DARK, 1.0)
    backend.new_frame((1000, 800), (1000, 800), 0.02)
    yield backend
    backend.end_frame()
    backend.close()


@pytest.mark.parametrize("keeps_end", [False, True])
def test_a_text_is_cut_to_as_much_as_fits(backend: ImguiBackend, keeps_end: bool) -> None:
    for room in (0.0, 20.0, 61.5, 150.0, imgui.calc_text_size(NAME).x - 1.0):
        text = fitting(NAME, room, keeps_end=keeps_end)
        kept = text.removeprefix("…") if keeps_end else text.removesuffix("…")
        assert text != kept != NAME and (NAME.endswith(kept) if keeps_end else NAME.startswith(kept))
        longer = NAME[-len(kept) - 2 :] if keeps_end else NAME[: len(kept) + 2]
        assert not kept or imgui.calc_text_size(text).x <= room < imgui.calc_text_size("…" + longer).x
    assert fitting(NAME, imgui.calc_text_size(NAME).x) == NAME and fitting("", 0.0) == ""


def test_labels_begin_with_a_large_letter() -> None:
    assert [sentence_case(text) for text in ("size in the world", "x", "")] == ["Size in the world", "X", ""]


@pytest.mark.parametrize(("left", "width"), [(0.0, 300.0), (700.0, 300.0), (0.0, 1000.0)])
@pytest.mark.parametrize("text", ["what the first entry does", "a long line of words " * 20 + "\nand another"])
def test_a_tooltip_covers_nothing_below_its_item_and_lies_within_the_picture(
    backend: ImguiBackend, left: float, width: float, text: str
) -> None:
    backend.end_frame()
    for _ in range(2):  # a tooltip knows its size after its first frame
        backend.new_frame((1000, 800), (1000, 800), 0.02)
        imgui.set_next_window_pos((left, 300.0))
        imgui.set_next_window_size((width, 400.0))
        imgui.begin("entries")
        imgui.button("first")
        item = imgui.get_item_rect_min().y
        tooltip(text)
        imgui.end()
        imgui.begin_tooltip()  # again, to ask where it is
        begin, size = imgui.get_window_pos(), imgui.get_window_size()
        imgui.end_tooltip()
        backend.end_frame()
    backend.new_frame((1000, 800), (1000, 800), 0.02)
    assert begin.x >= left + width or begin.x + size.x <= left + 1.0 or begin.y + size.y <= item, (begin, size)
    assert begin.x >= 0.0 and begin.x + size.x <= 1000.0 and begin.y >= 0.0 and begin.y + size.y <= 800.0

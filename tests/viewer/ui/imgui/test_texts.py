"""Texts are cut where there is no room, with an ellipsis; tooltips stand beside their window."""

from __future__ import annotations

from collections.abc import Iterator

import moderngl
import pytest
from imgui_bundle import imgui

from octoscope.viewer.ui.imgui.backend import ImguiBackend
from octoscope.viewer.ui.imgui.fonts import load_fonts
from octoscope.viewer.ui.imgui.texts import fitting, sentence_case, tooltip
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


@pytest.mark.parametrize("left", [0.0, 700.0])
def test_a_tooltip_covers_nothing_of_its_window(backend: ImguiBackend, left: float) -> None:
    imgui.set_next_window_pos((left, 100.0))
    imgui.set_next_window_size((300.0, 400.0))
    imgui.begin("entries")
    imgui.button("first")
    tooltip("what the first entry does")
    imgui.end()
    imgui.begin_tooltip()  # again, to ask where it is
    begin, width = imgui.get_window_pos().x, imgui.get_window_size().x
    imgui.end_tooltip()
    assert begin >= left + 300.0 or begin + width <= left + 1.0, (begin, width)

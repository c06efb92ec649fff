"""Boxes that wait for an answer in the middle of the window."""

from __future__ import annotations

from imgui_bundle import imgui

_MARGIN = 24.0  # logical pixels that a narrow window keeps beside the box
_FLAGS = imgui.WindowFlags_.no_move | imgui.WindowFlags_.no_title_bar | imgui.WindowFlags_.always_auto_resize


def begin_modal(title: str, window_size: tuple[int, int], width: float) -> bool:
    """Begin a box, which is opened if it is not open.

    Returns:
        Whether to describe it, and end the popup after that.
    """
    if not imgui.is_popup_open(title):
        imgui.open_popup(title)
    imgui.set_next_window_pos((window_size[0] / 2.0, window_size[1] / 2.0), imgui.Cond_.always, (0.5, 0.5))
    imgui.set_next_window_size((min(width, window_size[0] - _MARGIN), 0.0))
    return imgui.begin_popup_modal(title, None, _FLAGS)[0]

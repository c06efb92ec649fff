"""Texts of the interface: their case, how they are cut to fit, and tooltips, which lie beside their window."""

from __future__ import annotations

from imgui_bundle import imgui

_CUT = "…"
_TOOLTIP_WIDTH = 520.0  # logical pixels; longer lines are wrapped
_GAP = 4.0  # between a window and the tooltip beside it


def sentence_case(text: str) -> str:
    """Return a label with its first letter large, as all labels of the interface are written."""
    return text[:1].upper() + text[1:]


def fitting(text: str, room: float, *, keeps_end: bool = False) -> str:
    """Return as much of a text as fits into logical pixels, with an ellipsis: its beginning, or the end of a path."""
    if imgui.calc_text_size(text).x <= room:
        return text
    least, most = 0, len(text)  # characters that are kept; so many fit, and so many do not
    while least + 1 < most:
        middle = (least + most) // 2
        part = _CUT + text[-middle:] if keeps_end else text[:middle] + _CUT
        least, most = (middle, most) if imgui.calc_text_size(part).x <= room else (least, middle)
    return _CUT + text[len(text) - least :] if keeps_end else text[:least].rstrip() + _CUT


def cut_text(text: str, color: tuple[float, float, float, float] | None = None, *, keeps_end: bool = False) -> None:
    """Draw as much of a text as the rest of the line has room for, as `fitting` cuts it; a tooltip has all of it."""
    shown = fitting(text, imgui.get_content_region_avail().x, keeps_end=keeps_end)
    imgui.text_colored(imgui.get_style_color_vec4(imgui.Col_.text) if color is None else color, shown)
    if shown != text:
        item_tooltip(text)


def tooltip(text: str) -> None:
    """Show a tooltip beside the current window, else above the last item, so that it covers no entry below that."""
    begin, size = imgui.get_window_pos(), imgui.get_window_size()
    style, viewport = imgui.get_style(), imgui.get_main_viewport()
    wrap = _TOOLTIP_WIDTH * style.font_scale_main
    extent = imgui.calc_text_size(text, wrap_width=wrap) + style.window_padding * 2.0
    end = viewport.pos.x + viewport.size.x
    left, top = imgui.get_item_rect_min()
    right = begin.x + size.x + _GAP
    if right + extent.x <= end:
        imgui.set_next_window_pos((right, top))
    elif begin.x - _GAP - extent.x >= viewport.pos.x:
        imgui.set_next_window_pos((begin.x - _GAP, top), imgui.Cond_.always, (1.0, 0.0))
    elif top - _GAP - extent.y >= viewport.pos.y:
        imgui.set_next_window_pos((max(min(left, end - extent.x), viewport.pos.x), top - _GAP - extent.y))
    imgui.begin_tooltip()
    imgui.push_text_wrap_pos(wrap + style.window_padding.x)
    imgui.text(text)
    imgui.pop_text_wrap_pos()
    imgui.end_tooltip()


def item_tooltip(text: str) -> None:
    """Show a tooltip, as `tooltip`, where the mouse rests on the last item."""
    if imgui.is_item_hovered(imgui.HoveredFlags_.for_tooltip):
        tooltip(text)

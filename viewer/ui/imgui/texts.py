"""Texts of the interface: their case, how they are cut to fit, and tooltips, which lie beside their window."""

from __future__ import annotations

from imgui_bundle import imgui

_CUT = "…"
_GAP = 4.0  # between a window and the tooltip beside it


def sentence_case(text: str) -> str:
    """Return a label with its first letter large, as all labels of the interface are written."""
    return text[:1].upper() + text[1:]


def fitting(text: str, room: float, *, keeps_end: bool = False) -> str:
    """Return a text, or as much of it as fits into a width in logical pixels, with an ellipsis.

    Args:
        keeps_end: whether the beginning is cut off: the end of a path says most.
    """
    if imgui.calc_text_size(text).x <= room:
        return text
    least, most = 0, len(text)  # characters that are kept; so many fit, and so many do not
    while least + 1 < most:
        middle = (least + most) // 2
        part = _CUT + text[-middle:] if keeps_end else text[:middle] + _CUT
        least, most = (middle, most) if imgui.calc_text_size(part).x <= room else (least, middle)
    return _CUT + text[len(text) - least :] if keeps_end else text[:least].rstrip() + _CUT


def tooltip(text: str) -> None:
    """Show a tooltip beside the current window at the height of the last item, so that it covers no entry below it."""
    begin, size = imgui.get_window_pos(), imgui.get_window_size()
    padding, viewport = imgui.get_style().window_padding, imgui.get_main_viewport()
    width = imgui.calc_text_size(text).x + 2.0 * padding.x
    top = imgui.get_item_rect_min().y
    right = begin.x + size.x + _GAP
    if right + width <= viewport.pos.x + viewport.size.x:
        imgui.set_next_window_pos((right, top))
    elif begin.x - _GAP - width >= viewport.pos.x:
        imgui.set_next_window_pos((begin.x - _GAP, top), imgui.Cond_.always, (1.0, 0.0))
    imgui.set_tooltip(text)


def item_tooltip(text: str) -> None:
    """Show a tooltip, as `tooltip`, where the mouse rests on the last item."""
    if imgui.is_item_hovered(imgui.HoveredFlags_.for_tooltip):
        tooltip(text)

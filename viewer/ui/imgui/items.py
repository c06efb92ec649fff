"""Dear ImGui items: labels that are also their ids, rows of lists, texts cut to fit, tooltips beside their window."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from imgui_bundle import imgui

from octoscope.viewer.ui.imgui.theme import Theme

_NOTHING_WIDE = "\u200b"  # zero width space, which the font has
_CUT = "…"
_TOOLTIP_WIDTH = 520.0  # logical pixels; longer lines are wrapped
_GAP = 4.0  # between a window and the tooltip beside it


def item(text: str, item_id: object) -> str:
    """Return a label that shows all of a text, even "##"; its id in the window follows from `item_id` alone."""
    if item_id == "":
        raise ValueError(f"an item's id must not be empty: {text}")
    return text.replace("#", f"#{_NOTHING_WIDE}") + f"###{item_id}"


def list_row(
    label: str,
    is_chosen: bool,
    flags: int = 0,
    size: tuple[float, float] = (0.0, 0.0),
    ground: tuple[float, float, float, float] | None = None,
) -> bool:
    """Draw a row of a list, and return whether it was clicked.

    A chosen row keeps its colour under the mouse: Dear ImGui would draw it as any other row there.

    Args:
        size: logical pixels; 0 is all of the width, or the height of a line.
        ground: the colour of a chosen row; None: the theme's.
    """
    if is_chosen:
        color = imgui.get_style_color_vec4(imgui.Col_.header) if ground is None else imgui.ImVec4(*ground)
        imgui.push_style_color(imgui.Col_.header, color)
        imgui.push_style_color(imgui.Col_.header_hovered, color)
    clicked, _ = imgui.selectable(label, is_chosen, flags, size)
    if is_chosen:
        imgui.pop_style_color(2)
    return clicked


def button_width(text: str) -> float:
    """Return the width of a button with a text."""
    return imgui.calc_text_size(text).x + 2.0 * imgui.get_style().frame_padding.x


def check_width(text: str) -> float:
    """Return the width of a check box, or a radio button, with a text."""
    return imgui.get_frame_height() + imgui.get_style().item_inner_spacing.x + imgui.calc_text_size(text).x


@contextmanager
def rim(theme: Theme, scale: float) -> Iterator[None]:
    """Draw radio buttons and check boxes with a border: unticked they are hardly seen without one."""
    imgui.push_style_var(imgui.StyleVar_.frame_border_size, scale)
    imgui.push_style_color(imgui.Col_.border, theme.quiet)
    yield
    imgui.pop_style_color()
    imgui.pop_style_var()


def continue_line(width: float, gap: float | None = None, *, left: float | None = None) -> None:
    """Draw what comes next on the line of the last item if it fits there, else on a new line.

    Args:
        gap: between the two; None: the style's.
        left: where a new line begins, from the left of the window; None: where lines do.
    """
    gap = imgui.get_style().item_spacing.x if gap is None else gap
    end = imgui.get_cursor_screen_pos().x + imgui.get_content_region_avail().x
    if imgui.get_item_rect_max().x + gap + width <= end:
        imgui.same_line(0.0, gap)
    elif left is not None:
        imgui.set_cursor_pos_x(left)


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


def wrapped_text(text: str, color: tuple[float, float, float, float] | None = None) -> None:
    """Draw a text on as many lines as the width of the window asks for."""
    imgui.push_text_wrap_pos(0.0)
    imgui.text_colored(imgui.get_style_color_vec4(imgui.Col_.text) if color is None else color, text)
    imgui.pop_text_wrap_pos()


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

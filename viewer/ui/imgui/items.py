"""Dear ImGui items: labels that are also their ids, rows of lists, texts cut to fit, tooltips beside their window."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager

from imgui_bundle import imgui, imgui_ctx

from octoscope.viewer.ui.imgui.fonts import heading_font
from octoscope.viewer.ui.imgui.theme import Theme

_NOTHING_WIDE = "\u200b"  # zero width space, which the font has
_CUT = "…"
_TOOLTIP_WIDTH = 520.0  # logical pixels; longer lines are wrapped
_EMPTY_WIDTH = 24.0  # heights of the text, of lines that say why a panel is empty
_NEAR = 340.0  # logical pixels from the mouse, of a place beside the window: as wide as panels and menus
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


def rows_in_sight(count: int, height: float = -1.0) -> Iterator[int]:
    """Yield the numbers of those rows of a list that are in sight; `height` of each, logical pixels, if it is known."""
    clipper = imgui.ListClipper()
    clipper.begin(count, height)
    while clipper.step():
        yield from range(clipper.display_start, clipper.display_end)
    clipper.end()


def button(label: str, hint: str, size: tuple[float, float] = (0.0, 0.0)) -> bool:
    """Draw a button with a tooltip, and return whether it was clicked."""
    clicked = imgui.button(label, size)
    item_tooltip(hint)
    return clicked


def next_button(text: str, item_id: str, hint: str, *, widest: str = "") -> bool:
    """Draw a button with a tooltip on the line of the last item, or the next one; return whether it was clicked.

    Args:
        widest: a text that it is always wide enough for.
    """
    width = button_width(widest or text)
    continue_line(width)
    return button(item(text, item_id), hint, (width, 0.0))


def button_width(text: str) -> float:
    """Return the width of a button with a text."""
    return imgui.calc_text_size(text).x + 2.0 * imgui.get_style().frame_padding.x


def small_gap() -> float:
    """Return the distance between fields or buttons of a line that belong together, logical pixels."""
    return 4.0 * imgui.get_style().font_scale_main


def check_width(text: str) -> float:
    """Return the width of a check box, or a radio button, with a text."""
    return imgui.get_frame_height() + imgui.get_style().item_inner_spacing.x + imgui.calc_text_size(text).x


def is_enter_pressed(*, repeats: bool = False) -> bool:
    """Return whether Enter was pressed, of the keyboard or its number pad; `repeats`: or is still held."""
    return any(imgui.is_key_pressed(key, repeats) for key in (imgui.Key.enter, imgui.Key.keypad_enter))


def heading(text: str) -> None:
    """Draw the title of a box."""
    with imgui_ctx.push_font(heading_font(), 0.0):
        wrapped_text(text)


def tab_list(theme: Theme, list_id: str, labels: Mapping[str, str], shown: str) -> str:
    """Draw tabs inside a panel by their ids; return the id of the one that is shown, which was `shown` before.

    Tabs of panels are on a title bar and open into the panel; these look chosen or not, as rows do.
    """
    for name, color in (
        ("tab", theme.panel),
        ("tab_dimmed", theme.panel),
        ("tab_selected", theme.chosen),
        ("tab_dimmed_selected", theme.chosen),
    ):
        imgui.push_style_color(getattr(imgui.Col_, name), color)
    if imgui.begin_tab_bar(list_id, imgui.TabBarFlags_.fitting_policy_scroll):
        before = shown
        for tab_id, label in labels.items():
            imgui.push_style_color(imgui.Col_.tab_hovered, theme.chosen if tab_id == before else theme.raised)
            if imgui.begin_tab_item(item(label, tab_id))[0]:
                shown = tab_id
                imgui.end_tab_item()
            imgui.pop_style_color()
        imgui.end_tab_bar()
    imgui.pop_style_color(4)
    return shown


def primary_button(theme: Theme, label: str, size: tuple[float, float] = (0.0, 0.0)) -> bool:
    """Draw the button that a box or an empty panel is there for, and return whether it was clicked."""
    for column, color in (
        (imgui.Col_.button, theme.primary),
        (imgui.Col_.button_hovered, theme.primary_hovered),
        (imgui.Col_.button_active, theme.primary_hovered),
        (imgui.Col_.text, theme.on_primary),
        (imgui.Col_.border, theme.primary),
    ):
        imgui.push_style_color(column, color)
    clicked = imgui.button(label, size)
    imgui.pop_style_color(5)
    return bool(clicked)


def check_box(label: str, is_on: bool) -> tuple[bool, bool]:
    """Draw a check box; return whether it was clicked, and whether it is ticked now."""
    with _rim():
        return imgui.checkbox(label, is_on)


def radio_button(label: str, is_on: bool) -> bool:
    """Draw a radio button, and return whether it was clicked."""
    with _rim():
        return bool(imgui.radio_button(label, is_on))


def slider(
    label: str, value: float, least: float, most: float, text: str, flags: int = 0, *, is_filled: bool = True
) -> tuple[bool, float]:
    """Draw a slider, of whole numbers where all are, filled up to its value: a handle would cover the number.

    Returns:
        Whether it was moved, and the value.
    """
    style, corner = imgui.get_style(), imgui.get_cursor_screen_pos()
    end = corner + imgui.ImVec2(imgui.calc_item_width(), imgui.get_frame_height())
    draw, clear = imgui.get_window_draw_list(), imgui.ImVec4(0.0, 0.0, 0.0, 0.0)
    draw.add_rect_filled(corner, end, imgui.get_color_u32(imgui.Col_.frame_bg), style.frame_rounding)
    if is_filled and not imgui.internal.temp_input_is_active(imgui.get_id(label)):
        edge = corner.x + (end.x - corner.x) * min(max((value - least) / max(most - least, 1e-300), 0.0), 1.0)
        with imgui_ctx.push_clip_rect(corner, imgui.ImVec2(edge, end.y), True):
            draw.add_rect_filled(corner, end, imgui.get_color_u32(imgui.Col_.header), style.frame_rounding)
        mark = small_gap() / 2.0
        left = min(max(edge - mark / 2.0, corner.x), end.x - mark)
        draw.add_rect_filled((left, corner.y), (left + mark, end.y), imgui.get_color_u32(imgui.Col_.slider_grab))
    for column in (imgui.Col_.frame_bg, imgui.Col_.slider_grab, imgui.Col_.slider_grab_active):
        imgui.push_style_color(column, clear)
    for column in (imgui.Col_.frame_bg_hovered, imgui.Col_.frame_bg_active):
        imgui.push_style_color(column, imgui.get_style_color_vec4(imgui.Col_.header_hovered))
    draw_slider: Callable[..., tuple[bool, float]] = imgui.slider_int if isinstance(value, int) else imgui.slider_float
    changed, value = draw_slider(label, value, least, most, text, flags)
    imgui.pop_style_color(5)
    return changed, value


def _rim() -> AbstractContextManager[object]:
    """Return a context with borders that are seen: without one, an unticked box is a hole in the panel."""
    return imgui_ctx.push_style_color(imgui.Col_.border, imgui.get_style_color_vec4(imgui.Col_.text_disabled))


def empty_state(theme: Theme, icon: str, text: str, action: str = "") -> bool:
    """Draw what a panel shows that has nothing to list, in the middle: an icon, what there is to do, and a button.

    Returns:
        Whether the button, labelled `action`, was clicked; there is none for "".
    """
    room, line = imgui.get_content_region_avail(), imgui.get_text_line_height_with_spacing()
    lines = _lines_of(text, min(room.x, _EMPTY_WIDTH * imgui.get_font_size()))
    height = (len(lines) + 2.0) * line + (imgui.get_frame_height() if action else 0.0)
    imgui.set_cursor_pos_y(imgui.get_cursor_pos_y() + max(0.0, min(room.y - height, 0.5 * room.y) / 2.0))
    left = imgui.get_cursor_pos_x()
    with imgui_ctx.push_font(None, 1.5 * imgui.get_style().font_size_base):
        imgui.set_cursor_pos_x(left + (room.x - imgui.calc_text_size(icon).x) / 2.0)
        imgui.text_colored(theme.quiet, icon)
    for each in lines:
        imgui.set_cursor_pos_x(left + (room.x - imgui.calc_text_size(each).x) / 2.0)
        imgui.text_colored(theme.quiet, each)
    if not action:
        return False
    imgui.set_cursor_pos_x(left + (room.x - button_width(action)) / 2.0)
    return primary_button(theme, item(action, f"empty {action}"))


def _lines_of(text: str, room: float) -> list[str]:
    """Return the lines of a text between whose words there are breaks, none wider than the room."""
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".lstrip()
        lines[-1:] = [longer] if not lines[-1] or imgui.calc_text_size(longer).x <= room else [lines[-1], word]
    return lines


def last_on_line(*labels: str) -> None:
    """Continue the line where buttons with these labels end it at the right, or begin a new line."""
    gap = imgui.get_style().item_spacing.x
    width = sum(map(button_width, labels)) + gap * (len(labels) - 1)
    end = imgui.get_window_width() - imgui.get_style().window_padding.x
    continue_line(width)
    imgui.set_cursor_pos_x(max(imgui.get_cursor_pos_x(), end - width))


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


def continue_check(text: str, *, left: float | None = None) -> None:
    """Draw a check box or radio button with a text next, as `continue_line`, farther off than its text is from it."""
    continue_line(check_width(text), 4.0 * small_gap(), left=left)


def sentence_case(text: str) -> str:
    """Return a label with its first letter large, as all labels of the interface are written."""
    return text[:1].upper() + text[1:]


def sentence(message: str) -> str:
    """Return a message with its first letter large, unless it begins with a name: of a file, or before a colon."""
    return sentence_case(message) if message.partition(" ")[0].isalpha() else message


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
        item_tooltip(text, is_name=True)


def wrapped_text(text: str, color: tuple[float, float, float, float] | None = None) -> None:
    """Draw a text on as many lines as the width of the window asks for."""
    with imgui_ctx.push_text_wrap_pos(0.0):
        imgui.text_colored(imgui.get_style_color_vec4(imgui.Col_.text) if color is None else color, text)


def tooltip(text: str) -> None:
    """Show a tooltip beside the current window if that is near, else above the last item: it covers no entry below."""
    begin, size = imgui.get_window_pos(), imgui.get_window_size()
    style, viewport = imgui.get_style(), imgui.get_main_viewport()
    wrap = _TOOLTIP_WIDTH * style.font_scale_main
    extent = imgui.calc_text_size(text, wrap_width=wrap) + style.window_padding * 2.0
    end = viewport.pos.x + viewport.size.x
    left, top = imgui.get_item_rect_min()
    right, near = begin.x + size.x + _GAP, _NEAR * style.font_scale_main
    mouse = max(left, min(imgui.get_mouse_pos().x, imgui.get_item_rect_max().x))  # keys may be elsewhere
    if right + extent.x <= end and right - mouse <= near:
        imgui.set_next_window_pos((right, top))
    elif begin.x - _GAP - extent.x >= viewport.pos.x and mouse - begin.x <= near:
        imgui.set_next_window_pos((begin.x - _GAP, top), imgui.Cond_.always, (1.0, 0.0))
    elif top - _GAP - extent.y >= viewport.pos.y:
        imgui.set_next_window_pos((max(min(left, end - extent.x), viewport.pos.x), top - _GAP - extent.y))
    imgui.begin_tooltip()
    with imgui_ctx.push_text_wrap_pos(wrap + style.window_padding.x):
        imgui.text(text)
    imgui.end_tooltip()


def item_tooltip(text: str, *, is_name: bool = False) -> None:
    """Show a tooltip, as `tooltip`, where the mouse rests on the last item: a sentence or a name; "": none."""
    if text and imgui.is_item_hovered(imgui.HoveredFlags_.for_tooltip):
        tooltip(text if is_name else sentence_case(text))

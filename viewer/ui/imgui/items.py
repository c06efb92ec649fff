"""Dear ImGui items: labels that are also their ids, rows of lists, and lines that are continued where there is room."""

from __future__ import annotations

from imgui_bundle import imgui

_NOTHING_WIDE = "\u200b"  # zero width space, which the font has


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

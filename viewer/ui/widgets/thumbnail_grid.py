"""A grid of thumbnails with names below them, of which only those in sight are described."""

from __future__ import annotations

from collections.abc import Iterator

from imgui_bundle import imgui

from octoscope.viewer.ui.imgui.items import fitting, item
from octoscope.viewer.ui.imgui.theme import Color, Theme, packed

SIZES = (48.0, 160.0)  # of a cell, logical pixels at scale 1
_GAP = 6.0


def cells_in_sight(count: int, size: float, also: int | None = None, lines: int = 1) -> Iterator[int]:
    """Yield the numbers of those of a grid's cells that are in sight, with the cursor at the corner of each.

    Args:
        size: of a cell, logical pixels at scale 1.
        also: a cell that is described even where it is out of sight, as its field gets the keyboard and scrolls there.
        lines: of each name.
    """
    side, gap, columns = _columns(size)
    height = side + lines * imgui.get_text_line_height() + gap
    corner = imgui.get_cursor_screen_pos()
    clipper = imgui.ListClipper()
    clipper.begin(-(-count // columns), height)
    if also is not None:
        clipper.include_item_by_index(also // columns)
    while clipper.step():
        for line in range(clipper.display_start, clipper.display_end):
            for number in range(line * columns, min(count, (line + 1) * columns)):
                imgui.set_cursor_screen_pos((corner.x + number % columns * (side + gap), corner.y + line * height))
                yield number
    clipper.end()


def walked(marked: int | None, count: int, size: float, *, enters: bool = False) -> int | None:
    """Return the cell that the arrow keys go to from a marked one, where the grid's window has the keyboard, or None.

    Args:
        count: of the cells.
        size: of a cell, logical pixels at scale 1.
        enters: whether a key has just come from a field above: it goes no further than to the marked cell.
    """
    down, step = _columns(size)[2], 0
    if not enters and imgui.is_window_focused() and not imgui.is_any_item_active():
        steps = {"left_arrow": -1, "right_arrow": 1, "up_arrow": -down, "down_arrow": down}
        step = sum(step for name, step in steps.items() if imgui.is_key_pressed(getattr(imgui.Key, name)))
    if not count or not (step or enters):
        return None
    return 0 if marked is None else min(max(marked + step, 0), count - 1)


def _columns(size: float) -> tuple[float, float, int]:
    """Return the side of a cell and the gap between two, pixels, and how many stand beside each other."""
    side, gap = (length * imgui.get_style().font_scale_main for length in (size, _GAP))
    return side, gap, max(1, int((imgui.get_content_region_avail().x + gap) // (side + gap)))


def draw_cell(
    name: str,
    item_id: object,
    size: float,
    picture: imgui.ImTextureRef | str,
    theme: Theme,
    *,
    is_marked: bool,
    glyph_color: Color | None = None,
    lines: int = 1,
) -> None:
    """Draw a cell as one item, which can be hovered and clicked.

    Args:
        size: logical pixels at scale 1.
        picture: an image, or a glyph that stands for it.
        glyph_color: None: the theme's quiet one.
        lines: of the name.
    """
    scale = imgui.get_style().font_scale_main
    corner, draw, side, gap = imgui.get_cursor_screen_pos(), imgui.get_window_draw_list(), size * scale, _GAP * scale
    low, high = (corner.x, corner.y), (corner.x + side, corner.y + side)
    imgui.invisible_button(item(" ", item_id), (side, side + lines * imgui.get_text_line_height()))
    if imgui.is_item_hovered() or is_marked:
        draw.add_rect_filled(low, high, packed(theme.raised), gap)
    if is_marked:
        draw.add_rect(low, high, packed(theme.accent), gap)
    for line, shown in enumerate(_name_lines(name, side, lines)):
        left = corner.x + (side - imgui.calc_text_size(shown).x) / 2.0
        draw.add_text((left, high[1] + line * imgui.get_text_line_height()), packed(theme.text), shown)
    if isinstance(picture, str):
        height = 0.4 * side
        extent = imgui.calc_text_size(picture) * (height / imgui.get_font_size())
        place = low[0] + (side - extent.x) / 2.0, low[1] + (side - extent.y) / 2.0
        draw.add_text(imgui.get_font(), height, place, packed(glyph_color or theme.quiet), picture)
    else:
        draw.add_image(picture, low, high)


def _name_lines(name: str, room: float, lines: int) -> list[str]:
    """Return a name in one line or two: names of a kit differ at their ends, which the second line keeps."""
    if lines == 1 or imgui.calc_text_size(name).x <= room:
        return [fitting(name, room)]
    end = next(end for end in range(len(name) - 1, 0, -1) if end == 1 or imgui.calc_text_size(name[:end]).x <= room)
    word = max(name.rfind(mark, 1, end) + 1 for mark in "_-. ")
    end = word if word and imgui.calc_text_size(name[word:]).x <= room else end
    return [name[:end], fitting(name[end:], room, keeps_end=True)]

"""Windows of Dear ImGui that are not docked: boxes in the middle, and panels over the picture."""

from __future__ import annotations

import numpy as np
from imgui_bundle import imgui

from octoscope.viewer.ui.imgui.theme import OVER_PICTURE

FIXED = (  # flags of a window with a title that stays where it is
    imgui.WindowFlags_.no_collapse
    | imgui.WindowFlags_.no_saved_settings
    | imgui.WindowFlags_.no_docking
    | imgui.WindowFlags_.no_move
    | imgui.WindowFlags_.no_resize
)
_OVER_PICTURE = (
    imgui.WindowFlags_.no_decoration
    | imgui.WindowFlags_.always_auto_resize
    | imgui.WindowFlags_.no_saved_settings
    | imgui.WindowFlags_.no_focus_on_appearing
    | imgui.WindowFlags_.no_bring_to_front_on_focus  # but behind all panels that are not docked
    | imgui.WindowFlags_.no_move
    | imgui.WindowFlags_.no_docking
)
_DIMMED = 0.35  # opacity of the black over what is behind a box
_SHADOW, _SHADOW_REACH = 0.2, 12.0  # opacity at the edge of a window; how far it reaches, logical pixels
_MARGIN = 24.0  # logical pixels that a narrow window keeps beside the box
_MOVES = imgui.WindowFlags_.always_auto_resize | imgui.WindowFlags_.no_saved_settings
_MODAL = imgui.WindowFlags_.no_move | imgui.WindowFlags_.no_title_bar | imgui.WindowFlags_.always_auto_resize


def begin_modal(
    title: str,
    window_size: tuple[int, int],
    width: float,
    *,
    place: imgui.ImVec2Like | None = None,
    moves: bool = False,
    is_new: bool = True,
) -> bool:
    """Begin a box, opened if it is not open; return whether to describe it, and end the popup after that.

    Args:
        place: its upper left corner; then the picture stays as bright as it is. None: it stands in the middle.
        moves: whether it has a title by which it is moved, once it `is_new` no longer.
    """
    if not imgui.is_popup_open(title):
        imgui.open_popup(title)
    width = min(width, window_size[0] - _MARGIN)
    if place is not None and is_new:
        imgui.set_next_window_pos(place)
    elif is_new or not moves:
        imgui.set_next_window_pos((window_size[0] / 2.0, window_size[1] / 2.0), imgui.Cond_.always, (0.5, 0.5))
    else:
        keep_inside(title)
    imgui.set_next_window_size((width, 0.0))
    # Not pushed: it is drawn at the frame's end.
    dimmed = imgui.ImVec4(0.0, 0.0, 0.0, _DIMMED if place is None else 0.0)
    imgui.get_style().set_color_(int(imgui.Col_.modal_window_dim_bg), dimmed)
    return imgui.begin_popup_modal(title, None, _MOVES if moves else _MODAL)[0]


def draw_shadows(scale: float) -> None:
    """Draw a soft shadow around each window that floats over others, before the frame ends."""
    for window in imgui.get_current_context().windows:
        is_part = window.flags & imgui.WindowFlags_.child_window and not window.flags & imgui.WindowFlags_.popup
        if not window.active or window.hidden or is_part or window.window_rounding == 0.0 or window.dock_id != 0:
            continue  # what lies along an edge of the program's window has square corners
        draw_list, low, high = window.draw_list, window.pos, window.pos + window.size
        draw_list.push_clip_rect_full_screen()
        reach = round(_SHADOW_REACH * scale)
        for step in range(1, reach + 1):  # rings that are a pixel wide: wider ones would overlap, and show as lines
            out = imgui.ImVec2(step, step)
            color = imgui.get_color_u32(imgui.ImVec4(0.0, 0.0, 0.0, _SHADOW * (1.0 - step / reach) ** 2))
            draw_list.add_rect(low - out, high + out, color, window.window_rounding + step)
        draw_list.pop_clip_rect()


def resize_floating(name: str, factor: float) -> None:
    """Make a window that is not docked so many times as large about its middle, between frames."""
    window = imgui.internal.find_window_by_name(name)
    if window is not None and window.dock_id == 0:
        size = window.size_full * factor
        imgui.set_window_pos(name, window.pos + (window.size_full - size) / 2.0)
        imgui.set_window_size(name, size)


def keep_inside(name: str, grown: tuple[float, float] = (0.0, 0.0)) -> None:
    """Have a window that is not docked within the program's, if need be smaller; call it before `begin`.

    Args:
        grown: by how much the program's window has grown: what was in its middle, or at an edge, is there again.
    """
    window, viewport = imgui.internal.find_window_by_name(name), imgui.get_main_viewport()
    if window is None or window.dock_id != 0:
        return
    first, room, size, place = map(np.array, (viewport.work_pos, viewport.work_size, window.size_full, window.pos))
    spare, spare_before = np.maximum(room - size, 0.0), room - grown - size
    share = np.where(spare_before > 0.0, (place - first) / np.maximum(spare_before, 1.0), 0.5)
    place = np.where(np.array(grown) != 0.0, first + share * spare, place)
    imgui.set_window_size(name, np.minimum(size, room).tolist())
    imgui.set_window_pos(name, np.clip(place, first, first + spare).tolist())


def begin_over_picture(
    name: str, place: imgui.ImVec2Like, pivot: imgui.ImVec2Like = (0.0, 0.0), flags: int = 0
) -> None:
    """Begin a panel of the size of its contents; `pivot` is the part of it that lies at the place, 0 to 1."""
    imgui.set_next_window_pos(place, imgui.Cond_.always, pivot)
    imgui.set_next_window_bg_alpha(OVER_PICTURE)
    imgui.begin(name, None, _OVER_PICTURE | flags)

"""What each of several viewports says of itself: where it looks from, how much it draws, and which is worked in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from imgui_bundle import imgui

from viewer.camera import view_title
from viewer.ui.layout import Area
from viewer.ui.theme import Theme, with_opacity
from viewer.view import View
from viewer.viewports import tiles

_MARGIN = 10.0
_PADDING = 4.0


@dataclass(frozen=True)
class ViewportLabel:
    """A viewport's.

    Attributes:
        part: of the picture, fractions of its width and height. title: where it looks from.
        counts: what it draws, "" where that is not known yet. is_active: whether it is the one that is worked in.
    """

    part: Area
    title: str
    counts: str
    is_active: bool


def viewport_labels(view: View) -> list[ViewportLabel]:
    """Of a view's last picture; none where there is but one."""
    if len(view.viewports) == 1:
        return []
    width, height = view.last_size
    return [
        ViewportLabel(
            Area(part.x / width, part.y / height, (part.x + part.width) / width, (part.y + part.height) / height),
            view_title(viewport.camera),
            f"{viewport.stats.drawn:,} of {viewport.stats.objects:,}" if viewport.stats.objects else "",
            viewport is view.active,
        )
        for viewport, part in zip(view.viewports, tiles(len(view.viewports), view.last_size), strict=True)
    ]


def draw_viewport_labels(
    labels: Sequence[ViewportLabel], theme: Theme, picture: Area, scale: float, taken: Sequence[Area], *, counts: bool
) -> None:
    """A line in each one's lower left corner, above what lies there already, and a frame about the active one.

    Args:
        taken: areas of the window that something else has. counts: whether to say what each draws.
    """
    draw = imgui.get_background_draw_list()
    width, height = picture.size
    margin, padding = _MARGIN * scale, _PADDING * scale
    for label in labels:
        left, top = picture.left + label.part.left * width, picture.top + label.part.top * height
        right, bottom = picture.left + label.part.right * width, picture.top + label.part.bottom * height
        color = imgui.get_color_u32(imgui.ImVec4(*(theme.text if label.is_active else theme.quiet)))
        draw.push_clip_rect((left, top), (right, bottom))
        text = f"{label.title}   {label.counts}" if counts and label.counts else label.title
        extent = imgui.calc_text_size(text)
        x, y = left + margin, bottom - margin - extent.y
        y = min([y, *(area.top - margin - extent.y for area in taken if area.holds((x, y + extent.y / 2.0)))])
        low, high = (x - padding, y - padding / 2.0), (x + extent.x + padding, y + extent.y + padding / 2.0)
        ground = imgui.get_color_u32(imgui.ImVec4(*with_opacity(theme.panel, 0.55)))
        draw.add_rect_filled(low, high, ground, 4.0 * scale)
        draw.add_text((x, y), color, text)
        if label.is_active:
            _draw_frame(draw, Area(left, top, right, bottom), 2.0 * scale, theme)
        draw.pop_clip_rect()


def _draw_frame(draw: imgui.ImDrawList, area: Area, width: float, theme: Theme) -> None:
    """Inside of an area; filled, for a line's edge would be blurred."""
    color = imgui.get_color_u32(imgui.ImVec4(*theme.accent))
    left, top, right, bottom = area.left, area.top, area.right, area.bottom
    for low, high in (
        ((left, top), (right, top + width)),
        ((left, bottom - width), (right, bottom)),
        ((left, top), (left + width, bottom)),
        ((right - width, top), (right, bottom)),
    ):
        draw.add_rect_filled(low, high, color)

"""The labels of several viewports: where each looks from, how much it draws, and which one is active."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from imgui_bundle import imgui

from octoscope.viewer.camera.camera import view_title
from octoscope.viewer.frame.points import Rectangle
from octoscope.viewer.frame.view import View
from octoscope.viewer.ui.imgui.docking import Area
from octoscope.viewer.ui.imgui.theme import OVER_PICTURE, Theme, packed, with_opacity

_MARGIN = 10.0
_PADDING = 4.0


@dataclass(frozen=True)
class ViewportLabel:
    """The label of a viewport."""

    part: Area  # of the picture, fractions of its width and height
    free: Area  # of the picture, beside rulers, fractions as well
    title: str
    counts: str  # what it draws; "": not known yet
    is_active: bool


def viewport_labels(view: View) -> list[ViewportLabel]:
    """Return the labels for a view's last picture; none if there is only one viewport."""
    if len(view.viewports) == 1:
        return []
    width, height = view.layout.size

    def fractions(part: Rectangle) -> Area:
        return Area(part.x / width, part.y / height, part.end[0] / width, part.end[1] / height)

    return [
        ViewportLabel(
            fractions(view.layout.area(viewport)),
            fractions(view.free_area(viewport)),
            view_title(viewport.camera) + "".join(each.title(viewport) for each in view.decorations),
            f"{viewport.stats.drawn:,} of {viewport.stats.objects:,}" if viewport.stats.objects else "",
            viewport is view.active,
        )
        for viewport in view.viewports
    ]


def draw_viewport_labels(
    labels: Sequence[ViewportLabel], theme: Theme, picture: Area, scale: float, taken: Sequence[Area], *, counts: bool
) -> None:
    """Draw labels in the lower left corners of viewports, beside areas in `taken`, and frame the active one."""
    draw = imgui.get_background_draw_list()
    padding = _PADDING * scale
    for label in labels:
        part, free = (
            Area(*picture.corner(each.left, each.top), *picture.corner(each.right, each.bottom))
            for each in (label.part, label.free)
        )
        text, place = placed_label(label, free, taken, _MARGIN * scale, padding, counts=counts)
        color = packed(theme.text if label.is_active else theme.quiet)
        ground = packed(with_opacity(theme.panel, OVER_PICTURE))
        draw.push_clip_rect((part.left, part.top), (part.right, part.bottom))
        draw.add_rect_filled((place.left, place.top), (place.right, place.bottom), ground, 4.0 * scale)
        draw.add_text((place.left + padding, place.top + padding / 2.0), color, text)
        if label.is_active:
            _draw_frame(draw, part, 2.0 * scale, theme)
        draw.pop_clip_rect()


def placed_label(
    label: ViewportLabel, part: Area, taken: Sequence[Area], margin: float, padding: float, *, counts: bool
) -> tuple[str, Area]:
    """Return text and corner of a label: with counts if they fit, else only the title."""
    texts = [f"{label.title}   {label.counts}"] if counts and label.counts else []
    for text in (*texts, label.title):
        extent = imgui.calc_text_size(text)
        width, height = extent.x + 2.0 * padding, extent.y + padding
        left, bottom = part.left + margin - padding, part.bottom - margin + padding / 2.0
        corner = Area(left, bottom - height, left + width, bottom)
        places = [corner]
        for area in taken:
            if area.overlaps(corner):  # go above or to the right
                over, beside = area.top - margin / 2.0, area.right + margin / 2.0
                places.append(Area(left, over - height, left + width, over))
                places.append(Area(beside, bottom - height, beside + width, bottom))
        for place in places:
            has_room = place.right <= part.right and place.top >= part.top
            if has_room and not any(area.overlaps(place) for area in taken):
                return text, place
    return label.title, corner


def _draw_frame(draw: imgui.ImDrawList, area: Area, width: float, theme: Theme) -> None:
    """Draw a frame inside an area, of filled rectangles: the edge of a line would be blurred."""
    color = packed(theme.accent)
    left, top, right, bottom = area.left, area.top, area.right, area.bottom
    for low, high in (
        ((left, top), (right, top + width)),
        ((left, bottom - width), (right, bottom)),
        ((left, top), (left + width, bottom)),
        ((right - width, top), (right, bottom)),
    ):
        draw.add_rect_filled(low, high, color)

"""Rulers as a feature of a window."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from imgui_bundle import imgui

from octoscope.viewer.app.contribution import WindowPart
from octoscope.viewer.features.rulers.decoration import Rulers
from octoscope.viewer.frame.view import View
from octoscope.viewer.ui.imgui.docking import Area
from octoscope.viewer.ui.imgui.theme import packed

_COLOR = (0.35, 0.9, 1.0, 1.0)

_SWITCH = WindowPart.switch_of(
    Rulers,
    "view.rulers",
    "Rulers",
    "coordinates along the edges of orthographic views",
    synonyms=("axes", "coordinates", "ticks"),
)


def _draw_mouse(view: View, picture: Area) -> None:
    """Draw a line across each ruler of a viewport where the mouse is, while that is between the rulers."""
    mouse = imgui.get_mouse_pos()
    viewport = view.locate((mouse.x - picture.left, mouse.y - picture.top)).viewport
    whole, free = (Area(*each.corner, *each.end) for each in (view.layout.area(viewport), view.free_area(viewport)))
    whole, free = (each.moved(picture.left, picture.top) for each in (whole, free))
    if any(view.decoration(Rulers).edges(viewport)) and free.holds((mouse.x, mouse.y)):
        draw, width = imgui.get_background_draw_list(), view.interface_scale
        draw.add_line((mouse.x, free.bottom), (mouse.x, whole.bottom), packed(_COLOR), width)
        draw.add_line((free.right, mouse.y), (whole.right, mouse.y), packed(_COLOR), width)


PART = WindowPart(lambda context: replace(_SWITCH.contribute(context), overlays=[partial(_draw_mouse, context.view)]))

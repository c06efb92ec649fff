"""The axes in the corner as a feature."""

from __future__ import annotations

from functools import partial

from imgui_bundle import imgui

from octoscope.viewer.app.contribution import Contribution, WindowPart
from octoscope.viewer.commands.context import Context
from octoscope.viewer.commands.switches import switch
from octoscope.viewer.commands.table import Declarations
from octoscope.viewer.features.axis_widget.tool import END_RADIUS, RADIUS, AxisEnd, AxisWidget
from octoscope.viewer.settings import kept
from octoscope.viewer.ui.imgui.docking import Area
from octoscope.viewer.ui.imgui.theme import AXIS_COLORS, Color, packed, with_opacity

_LETTER: Color = (0.05, 0.05, 0.06, 1.0)
_BRIGHT: Color = (1.0, 1.0, 1.0, 1.0)
_DISC: Color = (0.5, 0.5, 0.55, 0.25)
_THICKNESS = 2.0  # logical pixels
_FARTHEST_OPACITY = 0.55  # of an end that points away from the viewer
command = Declarations("View/Overlays", after="view.grid")


def _covered(widget: AxisWidget) -> list[Area]:
    """Return the parts of the picture that the axes cover, one a viewport that has them, from the picture's corner."""
    middles = filter(None, map(widget.middle, widget.view.viewports))
    return [Area(x, y, x, y).grown(RADIUS * widget.view.interface_scale) for x, y in middles]


def _draw_axes(widget: AxisWidget, picture: Area) -> None:
    """Draw the axes in each viewport."""
    draw_list, scale = imgui.get_background_draw_list(), widget.view.interface_scale
    for viewport in widget.view.viewports:
        middle = widget.middle(viewport)
        if middle is None:
            continue
        center = (picture.left + middle[0], picture.top + middle[1])
        if widget.is_hovered(viewport):
            draw_list.add_circle_filled(center, RADIUS * scale, packed(_DISC))
        hovered = widget.hovered_end(viewport)
        for end in widget.ends(viewport):
            place = (picture.left + end.pixel[0], picture.top + end.pixel[1])
            is_hovered = hovered is not None and (end.axis, end.sign) == (hovered.axis, hovered.sign)
            _draw_end(draw_list, end, center, place, scale, is_hovered=is_hovered)


def _draw_end(
    draw_list: imgui.ImDrawList,
    end: AxisEnd,
    center: tuple[float, float],
    place: tuple[float, float],
    scale: float,
    *,
    is_hovered: bool,
) -> None:
    opacity = _FARTHEST_OPACITY + (1.0 - _FARTHEST_OPACITY) * (end.nearness + 1.0) / 2.0
    color = with_opacity(AXIS_COLORS[end.axis], 1.0 if is_hovered else opacity)
    radius = END_RADIUS * scale
    if end.sign > 0:
        draw_list.add_line(center, place, packed(color), _THICKNESS * scale)
        draw_list.add_circle_filled(place, radius, packed(color))
    else:
        draw_list.add_circle_filled(place, radius, packed(with_opacity(color, 0.35 * opacity)))
        draw_list.add_circle(place, radius - 0.5 * scale, packed(color), 0, 1.5 * scale)
    if is_hovered:
        draw_list.add_circle(place, radius, packed(_BRIGHT), 0, 1.5 * scale)
    if end.sign > 0 or is_hovered:
        letter = ("" if end.sign > 0 else "-") + "XYZ"[end.axis]
        size = imgui.calc_text_size(letter)
        corner = (place[0] - size.x / 2.0, place[1] - size.y / 2.0)
        draw_list.add_text(corner, packed(_LETTER if end.sign > 0 else _BRIGHT), letter)


switch(
    command,
    "enabled",
    "view.axes",
    "Axes in the corner",
    "a click looks along an axis, a drag orbits",
    synonyms=("axis widget", "navigation gizmo", "view cube", "compass", "orientation"),
)


def _contribute(context: Context) -> Contribution:
    widget = AxisWidget(context.view, context.tools.camera)
    return Contribution(
        commands=command.bound_to(widget),
        tools=[widget.follow],
        overlays=[partial(_draw_axes, widget)],
        covered=partial(_covered, widget),
        settings={"view.axes": kept.switch(widget, "enabled")},
    )


PART = WindowPart(_contribute)

"""The drawing of the gizmo: its handles, the line along which something moves, and the amount."""

from __future__ import annotations

from typing import Protocol

import numpy as np
from imgui_bundle import imgui

from octoscope.viewer.frame.points import PixelPoint
from octoscope.viewer.frame.projection import ViewProjection
from octoscope.viewer.frame.view import View
from octoscope.viewer.tools.gizmo.handles import ARM, MIDDLE, PLANE, Handle
from octoscope.viewer.tools.gizmo.settings import SCALE
from octoscope.viewer.ui.imgui.docking import Area
from octoscope.viewer.ui.imgui.theme import AXIS_COLORS, Color, packed, with_opacity

_ALL: Color = (0.88, 0.89, 0.92, 1.0)
_HOVERED: Color = (1.0, 0.83, 0.25, 1.0)
_SHADE: Color = (0.0, 0.0, 0.0, 0.35)
_THICKNESS = 2.5  # logical pixels
_HEAD_PX, _HEAD_WIDTH_PX = 15.0, 5.5
_BOX_PX = 5.0
_BESIDE_CURSOR = 18.0


class HandleTool(Protocol):
    """A tool with handles that are dragged, as the gizmo has."""

    hovered: Handle | None
    mouse: PixelPoint | None
    view: View

    @property
    def color_axes(self) -> tuple[int, ...]:
        """The world's axis whose colour each axis of the handles has."""

    @property
    def snapped_to(self) -> np.ndarray | None:
        """The point that a drag snapped to, (3,) world, or None."""

    @property
    def shown_mode(self) -> str | None:
        """The mode of the gizmo whose arrows the handles have."""

    def projections(self) -> list[ViewProjection]:
        """Return the projection of each viewport with handles."""

    def handles(self, projection: ViewProjection) -> list[Handle]:
        """Return the handles in a viewport."""

    def guides(self, projection: ViewProjection) -> list[tuple[int, np.ndarray]]:
        """Return lines in a viewport: the world's axis whose colour each has, and (2, 2) pixels."""

    def text(self) -> str | None:
        """Return a line about the drag under way, or None."""


def draw_gizmo(tool: HandleTool, picture: Area) -> None:
    """Draw the gizmo, or the handles of another tool, over the picture, below all panels."""
    draw_list = imgui.get_background_draw_list()
    offset = np.array((picture.left, picture.top))
    for projection in tool.projections():
        low, high = offset + projection.area.corner, offset + projection.area.corner + projection.area.size
        draw_list.push_clip_rect(tuple(low), tuple(high))
        for axis, line in tool.guides(projection):
            color = packed(with_opacity(AXIS_COLORS[axis], 0.55))
            draw_list.add_line(tuple(line[0] + offset), tuple(line[1] + offset), color, 1.0)
        mode = tool.shown_mode
        for handle in tool.handles(projection):
            _draw_handle(draw_list, handle, offset, tool, mode)
        if tool.snapped_to is not None:
            pixel = projection.pixels(tool.snapped_to[None])[0]
            if np.isfinite(pixel).all():
                draw_list.add_circle(tuple(pixel + offset), 7.0, packed(_HOVERED), 0, 2.0)
        draw_list.pop_clip_rect()
    text = tool.text()
    if text is not None and tool.mouse is not None:
        _draw_text(draw_list, text, offset + tool.mouse, picture, tool.view.interface_scale)


def _draw_handle(
    draw_list: imgui.ImDrawList, handle: Handle, offset: np.ndarray, tool: HandleTool, mode: str | None
) -> None:
    is_hovered = handle.is_like(tool.hovered)
    plain = _ALL
    if len(handle.axes) < 3:  # a plane has the colour of its normal
        plain = AXIS_COLORS[tool.color_axes[handle.axes[0] if len(handle.axes) == 1 else 3 - sum(handle.axes)]]
    color = _HOVERED if is_hovered else plain
    points = handle.outline + offset
    thickness = _THICKNESS * tool.view.interface_scale * (1.4 if is_hovered else 1.0)
    if handle.shape == MIDDLE:
        _draw_middle(draw_list, points[0], color, tool.view.interface_scale, mode)
    elif handle.shape == PLANE:
        corners: list[imgui.ImVec2Like] = [imgui.ImVec2(*point) for point in points]
        draw_list.add_convex_poly_filled(corners, packed(with_opacity(color, 0.55 if is_hovered else 0.35)))
        draw_list.add_polyline(corners, packed(color), 1.2 * tool.view.interface_scale, int(imgui.ImDrawFlags_.closed))
    elif handle.shape == ARM:
        _draw_arm(draw_list, points, color, thickness, tool.view.interface_scale, mode)
    else:
        _draw_ring(draw_list, points, handle.hidden, color, thickness)


def _draw_middle(draw_list: imgui.ImDrawList, point: np.ndarray, color: Color, scale: float, mode: str | None) -> None:
    half = _BOX_PX * 1.2 * scale
    if mode == SCALE:
        draw_list.add_rect_filled(tuple(point - half), tuple(point + half), packed(with_opacity(color, 0.9)))
        draw_list.add_rect(tuple(point - half), tuple(point + half), packed(_SHADE))
    else:
        draw_list.add_circle_filled(tuple(point), half, packed(with_opacity(color, 0.35)))
        draw_list.add_circle(tuple(point), half * 1.4, packed(color), 0, 1.6 * scale)


def _draw_arm(
    draw_list: imgui.ImDrawList, points: np.ndarray, color: Color, thickness: float, scale: float, mode: str | None
) -> None:
    start, end = points
    along = (end - start) / max(float(np.linalg.norm(end - start)), 1e-6)
    head = min(_HEAD_PX * scale, float(np.linalg.norm(end - start)))
    neck = end - along * head * 0.9
    draw_list.add_line(tuple(start), tuple(neck if mode != SCALE else end), packed(_SHADE), thickness + 1.5)
    draw_list.add_line(tuple(start), tuple(neck if mode != SCALE else end), packed(color), thickness)
    if mode == SCALE:
        half = _BOX_PX * scale
        draw_list.add_rect_filled(tuple(end - half), tuple(end + half), packed(color))
        return
    across = np.array((-along[1], along[0])) * _HEAD_WIDTH_PX * scale
    neck = end - along * head
    draw_list.add_triangle_filled(tuple(end), tuple(neck + across), tuple(neck - across), packed(color))


def _draw_ring(
    draw_list: imgui.ImDrawList, points: np.ndarray, hidden: np.ndarray | None, color: Color, thickness: float
) -> None:
    if hidden is None:
        hidden = np.zeros(len(points) - 1, dtype=bool)
    faint, full = packed(with_opacity(color, 0.18)), packed(color)
    for start, end, is_hidden in zip(points[:-1], points[1:], hidden, strict=True):
        draw_list.add_line(
            tuple(start), tuple(end), faint if is_hidden else full, thickness * (0.6 if is_hidden else 1.0)
        )


def _draw_text(draw_list: imgui.ImDrawList, text: str, mouse: np.ndarray, picture: Area, scale: float) -> None:
    size = imgui.calc_text_size(text)
    margin = 5.0 * scale
    x = min(max(mouse[0] + _BESIDE_CURSOR * scale, picture.left + margin), picture.right - size.x - 2.0 * margin)
    y = min(max(mouse[1] + _BESIDE_CURSOR * scale, picture.top + margin), picture.bottom - size.y - 2.0 * margin)
    low, high = (x - margin, y - margin), (x + size.x + margin, y + size.y + margin)
    draw_list.add_rect_filled(low, high, packed((0.06, 0.07, 0.08, 0.85)), 4.0 * scale)
    draw_list.add_text((x, y), packed((0.95, 0.96, 0.98, 1.0)), text)

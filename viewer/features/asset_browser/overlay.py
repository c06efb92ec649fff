"""The box that shows where a dragged file will stand; letting go places it there."""

from __future__ import annotations

from itertools import combinations

import numpy as np
from imgui_bundle import imgui

from octoscope.viewer.camera.camera import box_corners
from octoscope.viewer.features.asset_browser.panel import AssetPanel
from octoscope.viewer.features.asset_browser.placing import Placer
from octoscope.viewer.features.asset_browser.standing import Pose
from octoscope.viewer.frame.view import View
from octoscope.viewer.frame.viewports import PointerLocation, Surface
from octoscope.viewer.ui.imgui.docking import Area
from octoscope.viewer.ui.imgui.theme import packed

_COLOR = (1.0, 0.83, 0.25, 1.0)
_DOT = 4.0  # logical pixels
# Pairs of corners of a box, in the order of box_corners, that differ along one axis.
_EDGES = [pair for pair in combinations(range(8), 2) if (pair[0] ^ pair[1]) in (1, 2, 4)]
_OVER_PANEL = imgui.HoveredFlags_.any_window | imgui.HoveredFlags_.allow_when_blocked_by_active_item


class PlacingOverlay:
    """Follows a drag that began in the panel."""

    corner_height = 0.0

    def __init__(self, panel: AssetPanel, placer: Placer, view: View) -> None:
        self._panel = panel
        self._placer = placer
        self._view = view

    def draw(self, picture: Area) -> None:
        """Draw the box under the mouse; place the file once the button is released there."""
        row = self._panel.dragged
        if row is None:
            return
        mouse, io = imgui.get_mouse_pos(), imgui.get_io()
        is_released = not imgui.is_mouse_down(imgui.MouseButton_.left)
        if is_released or imgui.is_key_pressed(imgui.Key.escape):
            self._panel.dragged = None
        if not picture.holds((mouse.x, mouse.y)) or imgui.is_window_hovered(_OVER_PANEL):
            return
        location = self._view.locate((mouse.x - picture.left, mouse.y - picture.top))
        on = self._placer.surface(location)
        if is_released:
            self._panel.place_row(row, on, shift=io.key_shift, ctrl=io.key_ctrl)
        else:
            box = self._placer.box_of(self._panel.thumbnail_of(row))
            pose = None if box is None else self._placer.pose(box, on, shift=io.key_shift, ctrl=io.key_ctrl)
            self._draw(location, picture, on, box, pose)

    def _draw(
        self, location: PointerLocation, picture: Area, on: Surface, box: np.ndarray | None, pose: Pose | None
    ) -> None:
        projection = self._view.projection_of(location.viewport)
        offset = np.array((picture.left, picture.top))
        draw_list, color = imgui.get_background_draw_list(), packed(_COLOR)
        (foot,) = projection.pixels(on.point[None]) + offset
        draw_list.add_circle_filled(tuple(foot), _DOT * self._view.interface_scale, color)
        if box is None or pose is None:
            return
        corners = box_corners(*box) @ pose.turn.T + pose.translation
        pixels = projection.pixels(corners) + offset
        for begin, end in _EDGES:
            if np.isfinite(pixels[[begin, end]]).all():
                draw_list.add_line(tuple(pixels[begin]), tuple(pixels[end]), color, 1.5 * self._view.interface_scale)

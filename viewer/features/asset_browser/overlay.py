"""PlacingOverlay: a file that is dragged out of the panel stands under the mouse, as a box until it is read."""

from __future__ import annotations

from itertools import combinations

import numpy as np
from imgui_bundle import imgui

from octoscope.viewer.camera.camera import box_corners
from octoscope.viewer.features.asset_browser.panel import AssetPanel
from octoscope.viewer.features.asset_browser.placing import Asked, CarriedFile, Placer
from octoscope.viewer.frame.view import View
from octoscope.viewer.frame.viewports import PointerLocation
from octoscope.viewer.tools.intents import Intent, KeyPress
from octoscope.viewer.ui.imgui.docking import Area
from octoscope.viewer.ui.imgui.theme import packed

_COLOR = (1.0, 0.83, 0.25, 1.0)
_DOT = 4.0  # logical pixels
# Pairs of corners of a box, in the order of box_corners, that differ along one axis.
_EDGES = [pair for pair in combinations(range(8), 2) if (pair[0] ^ pair[1]) in (1, 2, 4)]
_OVER_PANEL = imgui.HoveredFlags_.any_window | imgui.HoveredFlags_.allow_when_blocked_by_active_item


class PlacingOverlay:
    """Follows a drag that began in the panel; as a tool it has the key that turns what is dragged."""

    def __init__(self, panel: AssetPanel, placer: Placer, view: View) -> None:
        self._panel = panel
        self._placer = placer
        self._view = view
        self._carried: CarriedFile | None = None  # from the first time that the drag is over the picture
        self._quarter_turns = 0

    @property
    def text(self) -> str:
        """A line for users while something is dragged, else ""."""
        if self._panel.dragged is None:
            return ""
        return "release to place it: R rotates it by 90°, Shift aligns it to the surface, Ctrl snaps, Esc cancels"

    def follow(self, intent: Intent) -> bool:
        """Turn what is dragged, or cancel the drag; return whether the intent was meant for that."""
        match intent:
            case KeyPress(chord) if self._panel.dragged is not None and chord.key in ("R", "ESCAPE"):
                self._quarter_turns += 1
                if chord.key == "ESCAPE":
                    self._end()
                return True
        return False

    def _end(self) -> None:
        if self._carried is not None:
            self._carried.hide()
        self._panel.dragged, self._carried, self._quarter_turns = None, None, 0

    def draw(self, picture: Area) -> None:
        """Show what is dragged under the mouse; let go of it where the button is released."""
        row = self._panel.dragged
        if row is None:
            return
        mouse, io = imgui.get_mouse_pos(), imgui.get_io()
        is_released = not imgui.is_mouse_down(imgui.MouseButton_.left)
        is_over = picture.holds((mouse.x, mouse.y)) and not imgui.is_window_hovered(_OVER_PANEL)
        if is_over and self._carried is None:
            self._carried = self._panel.carry(row)
        carried = self._carried
        if carried is not None and not is_over:
            carried.hide()
        elif carried is not None:
            location = self._view.locate((mouse.x - picture.left, mouse.y - picture.top))
            asked = Asked(carried.surface(location), self._quarter_turns, io.key_shift, io.key_ctrl)
            carried.show(asked)
            if is_released:
                carried.let_go()
                self._carried = None
            elif not carried.is_seen:
                box = self._placer.box_of(self._panel.thumbnail_of(row))
                self._draw(location, picture, asked, box)
        if is_released:
            self._end()

    def _draw(self, location: PointerLocation, picture: Area, asked: Asked, box: np.ndarray | None) -> None:
        projection = self._view.layout.projection_of(location.viewport)
        offset = np.array((picture.left, picture.top))
        draw_list, color = imgui.get_background_draw_list(), packed(_COLOR)
        (foot,) = projection.pixels(asked.on.point[None]) + offset
        draw_list.add_circle_filled(tuple(foot), _DOT * self._view.interface_scale, color)
        if box is None:
            return
        pose = self._placer.pose(box, asked)
        corners = box_corners(*box) @ pose.turn.T + pose.translation
        pixels = projection.pixels(corners) + offset
        for begin, end in _EDGES:
            if np.isfinite(pixels[[begin, end]]).all():
                draw_list.add_line(tuple(pixels[begin]), tuple(pixels[end]), color, 1.5 * self._view.interface_scale)

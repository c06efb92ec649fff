"""Colours that mark objects and axes over the scene: sRGB, 0 to 1."""

from __future__ import annotations

Color = tuple[float, float, float]

SELECTED_COLOR: Color = (0.97, 0.38, 0.04)
ACTIVE_COLOR: Color = (1.0, 0.62, 0.12)  # of the object that was selected last
HOVERED_COLOR: Color = (0.92, 0.95, 1.0)
AXIS_COLORS: tuple[Color, Color, Color] = ((0.93, 0.27, 0.32), (0.44, 0.75, 0.20), (0.25, 0.53, 0.96))  # x, y, z

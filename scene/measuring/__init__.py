"""Measuring: distances and angles, and the size, area and volume of nodes; what a pick snaps to."""

from scene.measuring.figures import Figures, Measurer, angle_rad, distance, size_rows
from scene.measuring.measurements import Anchor, Measurement
from scene.measuring.snapping import Snap, snap

__all__ = [
    "Anchor",
    "Figures",
    "Measurement",
    "Measurer",
    "Snap",
    "angle_rad",
    "distance",
    "size_rows",
    "snap",
]

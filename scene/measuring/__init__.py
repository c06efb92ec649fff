"""Sizes, distances, angles, areas and volumes; which point a click means.

Imports the scene and what lies below it.

    figures       measure, Measurer: figures of nodes in world units.
    lengths       Lengths: lengths and coordinates as texts, by the size of the scene.
    planes        circles through points, how planes lie to each other, areas within outlines.
    rings         circular edges: the ring of edges that one of them is part of.
    faces         the flat face around a triangle, and its outline.
    drawings      lines and dots that show a measurement.
    measurements  which measurements and labels are shown, their texts and points.
    near_cursor   lines and points near the cursor, which are too thin for a ray.
    snapping      the corners and edges near the cursor, of what is drawn around it.
"""

from octoscope.scene.annotations.measurement import Anchor, Measurement
from octoscope.scene.measuring.figures import Measurer, NodeFigures, angle_rad, distance, measure, size_rows
from octoscope.scene.measuring.lengths import Lengths
from octoscope.scene.measuring.snapping import Snap

__all__ = [
    "Anchor",
    "Lengths",
    "Measurement",
    "Measurer",
    "NodeFigures",
    "Snap",
    "angle_rad",
    "distance",
    "measure",
    "size_rows",
]

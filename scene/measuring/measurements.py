"""Measurements that a user made: distances and angles between points that stay on their nodes.

They are values, and part of the scene (Scene.measurements); their figures follow from where the nodes are.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from octoscope.scene.measurement import ANGLE, DISTANCE, IN_WORLD, Anchor, Measurement
from octoscope.scene.measuring.figures import angle_rad, distance
from octoscope.scene.measuring.lengths import Lengths, number_text
from octoscope.scene.nodes.layers import HIDDEN

if TYPE_CHECKING:
    from octoscope.scene.scene import Scene


def shown_measurements(scene: Scene, isolated: np.ndarray | None = None) -> list[Measurement]:
    """List a scene's measurements, without those of deleted and hidden nodes, which come back with the nodes.

    Args:
        isolated: (nodes,) bool by node id, the only nodes that are shown; None: all that are not hidden.
    """
    if not scene.measurements:
        return []
    shown = scene.alive & (scene.layers != HIDDEN)
    if isolated is not None:
        shown &= isolated
    return [
        measurement
        for measurement in scene.measurements
        if all(anchor.node == IN_WORLD or shown[anchor.node] for anchor in measurement.anchors)
    ]


def world_points(scene: Scene, anchors: tuple[Anchor, ...]) -> np.ndarray:
    """Compute where anchors are in the world: (n, 3) float64."""
    points = np.array([anchor.point for anchor in anchors], dtype=np.float64).reshape(-1, 3)
    for index, anchor in enumerate(anchors):
        if anchor.node != IN_WORLD:
            matrix = scene.world_from_local[anchor.node]
            points[index] = matrix[:3, :3] @ points[index] + matrix[:3, 3]
    return points


def figure_of(kind: str, points: np.ndarray) -> float:
    """Compute a measurement's figure: world units, or degrees; NaN for an angle without two legs."""
    return distance(*points) if kind == DISTANCE else float(np.degrees(angle_rad(*points)))


def figure_text(kind: str, points: np.ndarray, lengths: Lengths) -> str:
    """Write a measurement's figure for a label."""
    figure = figure_of(kind, points)
    return f"{number_text(figure)}°" if kind == ANGLE else lengths.text(figure)


def bare_figure_text(kind: str, points: np.ndarray) -> str:
    """Write a measurement's figure for other programs: a number alone, ten digits."""
    return f"{figure_of(kind, points):.10g}"


def figure_rows(kind: str, points: np.ndarray, lengths: Lengths) -> list[tuple[str, str]]:
    """Write a measurement for a person, as (label, text).

    A distance has its parts along x, y and z, an angle its legs.
    """
    rows = [(kind, figure_text(kind, points, lengths))]
    if kind == DISTANCE:
        return rows + [(axis, lengths.text(part)) for axis, part in zip("xyz", points[1] - points[0], strict=True)]
    return rows + [(f"leg {i + 1}", lengths.text(distance(points[1], points[2 * i]))) for i in range(2)]

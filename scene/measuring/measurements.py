"""Measurements and labels that a user made, at points that stay on their nodes.

They are values, and part of the scene (Scene.measurements, Scene.labels); figures follow from where the nodes are.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from octoscope.scene.annotations.measurement import ANGLE, CIRCLE, DISTANCE, FACES, IN_WORLD, PATH, Anchor, Measurement
from octoscope.scene.measuring.figures import angle_rad, distance
from octoscope.scene.measuring.lengths import Lengths
from octoscope.scene.measuring.planes import area_within, circle_through, plane_pair
from octoscope.scene.nodes.layers import HIDDEN
from octoscope.scene.system.text_file import printable

if TYPE_CHECKING:
    from octoscope.scene.scene import Scene

_ANGLE_DECIMALS = 2
_SAME = 1e-5  # share of a measurement's extent: files and float32 round the points that a circle goes through


def shown_measurements(scene: Scene, isolated: np.ndarray | None = None) -> list[Measurement]:
    """List the measurements that a scene shows: those of deleted and hidden nodes come back with these.

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
        if measurement.is_shown and all(anchor.node == IN_WORLD or shown[anchor.node] for anchor in measurement.anchors)
    ]


def shown_labels(scene: Scene, nodes: np.ndarray, isolated: np.ndarray | None = None) -> np.ndarray:
    """Tell which labels a scene shows: those of deleted and hidden nodes come back with these.

    Args:
        nodes: (n,) int64 of the scene's labels.
        isolated: (nodes,) bool by node id, the only nodes that are shown; None: all that are not hidden.

    Returns:
        (n,) bool.
    """
    shown = np.append(scene.alive & (scene.layers != HIDDEN), True)  # the last one is that of IN_WORLD, -1
    if isolated is not None:
        shown[:-1] &= isolated
    return shown[nodes]


def world_points(scene: Scene, anchors: tuple[Anchor, ...]) -> np.ndarray:
    """Compute where anchors are in the world: (n, 3) float64."""
    points = np.array([anchor.point for anchor in anchors], dtype=np.float64).reshape(-1, 3)
    nodes = np.array([anchor.node for anchor in anchors], dtype=np.int64)
    return world_places(scene, nodes, points)


def world_places(scene: Scene, nodes: np.ndarray, points: np.ndarray) -> np.ndarray:
    """Compute where (n, 3) points in the frames of (n,) nodes, or IN_WORLD, are in the world."""
    moves = nodes != IN_WORLD
    matrices = scene.world_from_local[nodes[moves]]
    places = points.copy()
    places[moves] = (matrices[:, :3, :3] @ points[moves, :, None])[:, :, 0] + matrices[:, :3, 3]
    return places


def is_same(scene: Scene, one: Measurement, other: Measurement) -> bool:
    """Tell whether two measurements are of the same points in either order, or of the same circle."""
    if one.kind != other.kind or (one.kind != CIRCLE and len(one.anchors) != len(other.anchors)):
        return False
    points, others = (world_points(scene, each.anchors) for each in (one, other))
    near = _SAME * np.ptp(points, axis=0).max()
    if one.kind == CIRCLE:
        points, others = (np.append(*circle_through(each)[:2])[None] for each in (points, others))
    return any(np.allclose(points, each, rtol=0.0, atol=near) for each in (others, others[::-1]))


def figures_of(kind: str, points: np.ndarray) -> dict[str, float]:
    """Compute what a measurement tells of its (n, 3) world points, by name, the figure that counts first.

    Lengths are in world units, angles in degrees; NaN where points leave a figure open.
    """
    if kind == DISTANCE:
        return {"distance": distance(*points)}
    if kind == PATH:
        return {"length": float(np.linalg.norm(np.diff(points, axis=0), axis=1).sum())}
    if kind == ANGLE:
        legs = {f"leg {i + 1}": distance(points[1], points[2 * i]) for i in range(2)}
        return {"angle": math.degrees(angle_rad(*points)), **legs}
    if kind == CIRCLE:
        radius = circle_through(points).radius
        return {"diameter": 2.0 * radius, "radius": radius}
    if kind == FACES:
        pair = plane_pair(points)
        angle = {"angle": math.degrees(pair.angle_rad)}
        return angle if math.isnan(pair.distance) else {"distance": pair.distance, **angle}
    sides = points.reshape(-1, 2, 3)
    return {"area": area_within(sides), "outline": float(np.linalg.norm(sides[:, 1] - sides[:, 0], axis=1).sum())}


def figure_of(kind: str, points: np.ndarray) -> float:
    """Compute the figure that counts."""
    return next(iter(figures_of(kind, points).values()))


def figure_text(kind: str, points: np.ndarray, lengths: Lengths) -> str:
    """Write a measurement's figure for a label."""
    name, text = next(iter(_texts(figures_of(kind, points), lengths).items()))
    return {"diameter": "Ø ", "area": "A = "}.get(name, "") + text


def picture_text(measurement: Measurement, figure: str) -> str:
    """Write what a picture says of a measurement: its figure, after the name that a user gave it."""
    name = printable(measurement.own_name)
    return f"{name}: {figure}" if name else figure


def figure_unit(name: str, unit: str) -> str:
    """Return the unit of a figure by its name, in a scene whose unit of length is `unit`; "" for none that is known."""
    return {"angle": "°", "area": f"{unit}²" if unit else ""}.get(name, unit)


def bare_figure_text(kind: str, points: np.ndarray) -> str:
    """Write a measurement's figure for other programs: a number alone, ten digits."""
    return f"{figure_of(kind, points):.10g}"


def figure_rows(kind: str, points: np.ndarray, lengths: Lengths) -> list[tuple[str, str]]:
    """Write all figures of a measurement for a person, as (label, text)."""
    rows = list(_texts(figures_of(kind, points), lengths).items())
    if kind == DISTANCE:
        rows.append(("delta", lengths.point(points[1] - points[0])))
    if kind == CIRCLE:
        rows.append(("centre", lengths.point(circle_through(points).center)))
    return rows


def _texts(figures: dict[str, float], lengths: Lengths) -> dict[str, str]:
    texts = {"angle": lambda value: f"{value:.{_ANGLE_DECIMALS}f}°", "area": lengths.area}
    return {name: texts.get(name, lengths.text)(value) for name, value in figures.items()}

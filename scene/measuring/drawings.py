"""Lines and dots that show a measurement, in the world: the same in windows, pictures, browsers and pages."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from octoscope.scene.annotations.measurement import ANGLE, AREA, CIRCLE, FACES, has_points
from octoscope.scene.measuring.planes import circle_through, dihedral_legs, plane_pair

_ARC_STEPS, _CIRCLE_STEPS = 24, 64
_ARC_SHARE = 0.3  # of the shorter leg


class Drawing(NamedTuple):
    """Lines and text that draw a measurement; all arrays float64, in world coordinates."""

    lines: np.ndarray  # (n, 2, 3)
    dots: np.ndarray  # (k, 3)
    # (m, 2, 3) lines that are drawn, too, and have the figure at their middle; none while points are missing
    figure_lines: np.ndarray

    @property
    def middle(self) -> np.ndarray:
        """(3,) where the figure stands, in the world."""
        lines = self.figure_lines
        return lines[len(lines) // 2].mean(axis=0)


def drawing_of(kind: str, points: np.ndarray) -> Drawing:
    """Return the drawing of a measurement with (n, 3) world points, all of them or the first ones."""
    path, none = _path(points), np.empty((0, 2, 3))
    if not has_points(kind, len(points)):
        return Drawing(none, points[::3], none) if kind == FACES else Drawing(path, points, none)
    if kind == ANGLE:
        arc = _path(arc_of(points))
        return Drawing(path, points, arc) if len(arc) else Drawing(none, points, path)  # a straight one has no arc
    if kind == CIRCLE:
        center, _, normal = circle_through(points)
        if not np.isfinite(center).all():
            return Drawing(none, points, path)
        across = points[0] - center
        turns = np.linspace(0.0, 2.0 * np.pi, _CIRCLE_STEPS + 1)[:, None]
        rim = center + np.cos(turns) * across + np.sin(turns) * np.cross(normal, across)
        return Drawing(_path(rim), points, np.array([(points[0], center - across)]))
    if kind == FACES:
        clicked, foot = points[::3], plane_pair(points).foot
        if not np.isfinite(foot).all():
            return _dihedral(points)
        return Drawing(np.array([(foot, clicked[1])]), clicked, np.array([(clicked[0], foot)]))
    if kind == AREA:
        sides = points.reshape(-1, 2, 3)
        return Drawing(sides, points[:0], np.broadcast_to(_inside(sides), (1, 2, 3)))
    return Drawing(none, points, path)


def _inside(sides: np.ndarray) -> np.ndarray:
    """Return (3,) the middle of the widest run of a plane face along one line through it; sides as of area_within."""
    middle = sides.mean(axis=(0, 1))
    relative = sides - middle
    normal = np.cross(relative[:, 0], relative[:, 1]).sum(axis=0)
    along = max(relative[:, 0], key=lambda corner: corner @ corner)
    across = np.cross(normal, along)
    heights = relative @ across
    heights -= 1e-6 * np.abs(heights).max()  # beside the corner: of a line through it, rounding decides what it crosses
    crosses = (heights[:, 0] > 0.0) != (heights[:, 1] > 0.0)
    start, end = relative[crosses, 0], relative[crosses, 1]
    with np.errstate(divide="ignore", invalid="ignore"):
        share = heights[crosses, 0] / (heights[crosses, 0] - heights[crosses, 1])
    cuts = start + share[:, None] * (end - start)
    cuts = cuts[np.argsort(cuts @ along)]
    runs = cuts[: len(cuts) // 2 * 2].reshape(-1, 2, 3)
    if not len(runs) or not np.isfinite(runs).all():
        return middle
    return middle + runs[np.linalg.norm(runs[:, 1] - runs[:, 0], axis=1).argmax()].mean(axis=0)


def _dihedral(points: np.ndarray) -> Drawing:
    """Return the drawing of the angle between two faces, of which each has three points."""
    clicked, legs = points[::3], dihedral_legs(points)
    if not np.isfinite(legs).all():
        return Drawing(np.empty((0, 2, 3)), clicked, clicked[None])
    acute = legs.copy()  # the figure is the lesser angle, of faces that meet at an obtuse one, too
    if (legs[0] - legs[1]) @ (legs[2] - legs[1]) < 0.0:
        acute[2] = 2.0 * legs[1] - legs[2]
    lines = _path(np.concatenate([clicked[:1], legs, clicked[1:]]))
    arc = _path(arc_of(acute))
    return Drawing(lines, clicked, arc) if len(arc) else Drawing(lines[:-1], clicked, lines[-1:])


def arc_of(points: np.ndarray) -> np.ndarray:
    """Return (k, 3) world points of the arc of an angle at the second of (3, 3); none where they span no plane."""
    legs = points[[0, 2]] - points[1]
    lengths = np.sqrt((legs**2).sum(axis=1))
    if not lengths.all():
        return np.empty((0, 3))
    first, last = legs / lengths[:, None]
    sideways = last - (last @ first) * first
    if not sideways.any():
        return np.empty((0, 3))
    sideways /= np.sqrt(sideways @ sideways)
    angles = np.linspace(0.0, np.arctan2(last @ sideways, last @ first), _ARC_STEPS + 1)[:, None]
    return points[1] + _ARC_SHARE * lengths.min() * (np.cos(angles) * first + np.sin(angles) * sideways)


def _path(points: np.ndarray) -> np.ndarray:
    """Return (n - 1, 2, 3) lines from each of (n, 3) points to the next."""
    return np.stack([points[:-1], points[1:]], axis=1)

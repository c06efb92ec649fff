"""Circles through points, planes through faces, and areas within outlines."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

_PARALLEL_RAD = math.radians(0.05)  # files round coordinates: planes that were made parallel differ by less


class Circle(NamedTuple):
    """A circle in the world; not finite where its three points lie on a line."""

    center: np.ndarray  # (3,)
    radius: float
    normal: np.ndarray  # (3,) of unit length


class PlanePair(NamedTuple):
    """The distance of two parallel planes, or the angle between others."""

    angle_rad: float  # 0 to a quarter turn
    distance: float  # between parallel planes; else NaN
    foot: np.ndarray  # (3,) the point of the second plane that is nearest to the first's first point, where parallel


def circle_through(points: np.ndarray) -> Circle:
    """Find the circle through (3, 3) points."""
    a, b = points[:2] - points[2]
    across = np.cross(a, b)
    square = across @ across
    with np.errstate(all="ignore"):
        center = points[2] + np.cross((a @ a) * b - (b @ b) * a, across) / (2.0 * square)
        # Of the three points alone, as the centre is rounded to the digits of its place in the world.
        radius = math.sqrt((a @ a) * (b @ b) * ((a - b) @ (a - b)) / square) / 2.0 if square else math.inf
        return Circle(center, radius, across / math.sqrt(square) if square else np.full(3, math.nan))


def plane_pair(points: np.ndarray) -> PlanePair:
    """Compare the plane through three points with that through three others, (6, 3) in all.

    All of it is NaN where three points lie on a line.
    """
    normals = np.cross(points[[1, 4]] - points[[0, 3]], points[[2, 5]] - points[[0, 3]])
    with np.errstate(all="ignore"):
        first, second = normals / np.linalg.norm(normals, axis=1, keepdims=True)
    second = second if first @ second >= 0.0 else -second
    # As for angles between points (figures.angle_rad): exact near 0, too.
    angle = 2.0 * math.atan2(math.hypot(*(first - second)), math.hypot(*(first + second)))
    if not angle <= _PARALLEL_RAD:
        return PlanePair(angle, math.nan, np.full(3, math.nan))
    between = (first + second) / math.hypot(*(first + second))
    apart = float((points[3] - points[0]) @ between)
    return PlanePair(angle, abs(apart), points[0] + apart * between)


def dihedral_legs(points: np.ndarray) -> np.ndarray:
    """Return the angle between the planes through three points and three others: leg, vertex, leg, (3, 3).

    The vertex lies where the planes meet, the legs end across from the first point of each three; not finite where
    planes are parallel.
    """
    clicked = points[::3]
    normals = np.cross(points[[1, 4]] - clicked, points[[2, 5]] - clicked)
    along = np.cross(*normals)
    middle = clicked.mean(axis=0)
    try:
        distances = [*((clicked - middle) * normals).sum(axis=1), 0.0]
        vertex = middle + np.linalg.solve(np.vstack([normals, along]), distances)
    except np.linalg.LinAlgError:
        return np.full((3, 3), math.nan)
    legs = clicked - vertex
    legs -= (legs @ along / (along @ along))[:, None] * along
    return np.stack([vertex + legs[0], vertex, vertex + legs[1]])


def area_within(sides: np.ndarray) -> float:
    """Return the area within the outlines of a plane face, holes left out.

    Args:
        sides: (n, 2, 3) directed sides of all outlines, which run around holes the other way.
    """
    relative = sides - sides[0, 0]
    return 0.5 * math.hypot(*np.cross(relative[:, 0], relative[:, 1]).sum(axis=0))

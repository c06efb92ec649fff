"""Vertical clearance: how far apart two triangles are along y, where one lies over the other as seen from above.

Over the region where both are seen, the difference of their heights is linear, and that region is a convex polygon. So
the difference is least and largest at the polygon's corners: corners of one triangle over the other, and crossings of
their edges.
"""

from __future__ import annotations

import numpy as np

from octoscope.octree.jit import borrowing_kernel, kernel

_SLACK = 1e-12  # of a triangle's size: a point that is not farther outside its border is over it; room for rounding
_UPRIGHT = 1e-14  # area over square of the longest edge, both seen from above; with less a triangle is seen as a line


@kernel
def vertical_clearance(upper: np.ndarray, i: int, lower: np.ndarray, j: int) -> tuple[float, float]:
    """Find the least and the largest height of one triangle, of (n, 3, 3) corners, over another.

    Least above largest: they lie beside each other. So do triangles of which nothing but an edge is exactly over a
    parallel edge.
    """
    least, most = np.inf, -np.inf
    # Corners of the one over the other.
    for corner in range(3):
        height = _height_at(lower, j, upper[i, corner, 0], upper[i, corner, 2])
        if height == height:  # not NaN
            between = upper[i, corner, 1] - height
            least, most = min(least, between), max(most, between)
        height = _height_at(upper, i, lower[j, corner, 0], lower[j, corner, 2])
        if height == height:
            between = height - lower[j, corner, 1]
            least, most = min(least, between), max(most, between)
    # Crossings of their edges, as seen from above.
    for edge in range(3):
        end = (edge + 1) % 3
        px, py, pz = upper[i, edge, 0], upper[i, edge, 1], upper[i, edge, 2]
        dx, dy, dz = upper[i, end, 0] - px, upper[i, end, 1] - py, upper[i, end, 2] - pz
        for other in range(3):
            other_end = (other + 1) % 3
            rx, ry, rz = lower[j, other, 0], lower[j, other, 1], lower[j, other, 2]
            ex, ey, ez = lower[j, other_end, 0] - rx, lower[j, other_end, 1] - ry, lower[j, other_end, 2] - rz
            turn = dx * ez - dz * ex
            if abs(turn) <= _UPRIGHT * (abs(dx) + abs(dz)) * (abs(ex) + abs(ez)):
                continue
            ox, oz = rx - px, rz - pz
            t = (ox * ez - oz * ex) / turn
            u = (ox * dz - oz * dx) / turn
            if -_SLACK <= t <= 1.0 + _SLACK and -_SLACK <= u <= 1.0 + _SLACK:
                between = (py + t * dy) - (ry + u * ey)
                least, most = min(least, between), max(most, between)
    return least, most


@borrowing_kernel
def _height_at(triangles: np.ndarray, i: int, x: float, z: float) -> float:
    """Compute the y of a triangle at (x, z) seen from above; NaN beside the triangle, or where it is upright."""
    ax, az = triangles[i, 0, 0], triangles[i, 0, 2]
    bx, bz = triangles[i, 1, 0] - ax, triangles[i, 1, 2] - az
    cx, cz = triangles[i, 2, 0] - ax, triangles[i, 2, 2] - az
    area = bx * cz - cx * bz
    longest = max(abs(bx), abs(bz), abs(cx), abs(cz))
    if abs(area) <= _UPRIGHT * longest * longest:
        return np.nan
    x -= ax
    z -= az
    b = (x * cz - cx * z) / area
    c = (bx * z - x * bz) / area
    if b < -_SLACK or c < -_SLACK or b + c > 1.0 + _SLACK:
        return np.nan
    return (1.0 - b - c) * triangles[i, 0, 1] + b * triangles[i, 1, 1] + c * triangles[i, 2, 1]

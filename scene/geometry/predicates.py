"""On which side a point lies: signs of determinants that are right for every float64 coordinate.

The determinant is calculated in float64 first. Where its rounding could have changed its sign, it is calculated again
as an expansion, a sum of float64 numbers that holds it exactly (Shewchuk, "Adaptive Precision Floating-Point
Arithmetic and Fast Robust Geometric Predicates", 1997). Exact as long as no product of three differences underflows:
callers keep coordinates near 1.

All functions take `points`, (n, 3) float64, and the rows of the points in question.
"""

from __future__ import annotations

import numpy as np

from octoscope.octree.jit import borrowing_kernel, kernel

_UNIT = 2.0**-53  # largest relative error of one operation
_ERROR_2D = (3.0 + 16.0 * _UNIT) * _UNIT
_ERROR_3D = (7.0 + 56.0 * _UNIT) * _UNIT
_SPLITTER = 2.0**27 + 1.0


@kernel
def side_of_plane(points: np.ndarray, a: int, b: int, c: int, d: int) -> int:
    """Find the side of the plane through a, b and c that d lies on.

    Returns:
        1 where the normal (b - a) x (c - a) points to d's side, -1 for the other side, 0 in the plane; 0 for every d
        where a, b and c lie in a line.
    """
    ax, ay, az = points[a, 0] - points[d, 0], points[a, 1] - points[d, 1], points[a, 2] - points[d, 2]
    bx, by, bz = points[b, 0] - points[d, 0], points[b, 1] - points[d, 1], points[b, 2] - points[d, 2]
    cx, cy, cz = points[c, 0] - points[d, 0], points[c, 1] - points[d, 1], points[c, 2] - points[d, 2]
    bxcy, cxby = bx * cy, cx * by
    cxay, axcy = cx * ay, ax * cy
    axby, bxay = ax * by, bx * ay
    determinant = az * (bxcy - cxby) + bz * (cxay - axcy) + cz * (axby - bxay)
    size = abs(az) * (abs(bxcy) + abs(cxby)) + abs(bz) * (abs(cxay) + abs(axcy)) + abs(cz) * (abs(axby) + abs(bxay))
    if abs(determinant) > _ERROR_3D * size:
        return -1 if determinant > 0.0 else 1
    if size == 0.0:  # every product has an exact zero in it
        return 0
    return _exact_side_of_plane(points, a, b, c, d)


@kernel
def orientation(points: np.ndarray, a: int, b: int, c: int, u: int, v: int) -> int:
    """Find the orientation of the points a, b, c in the axes u and v: 1 to the left, -1 to the right, 0 in a line."""
    positive = (points[a, u] - points[c, u]) * (points[b, v] - points[c, v])
    negative = (points[a, v] - points[c, v]) * (points[b, u] - points[c, u])
    size = abs(positive) + abs(negative)
    if abs(positive - negative) > _ERROR_2D * size:
        return 1 if positive > negative else -1
    if size == 0.0:
        return 0
    return _exact_orientation(points, a, b, c, u, v)


@borrowing_kernel
def _two_sum(a: float, b: float) -> tuple[float, float]:
    """Return a + b rounded, and the rounding error."""
    total = a + b
    b_there = total - a
    return total, (a - (total - b_there)) + (b - b_there)


@borrowing_kernel
def _two_product(a: float, b: float) -> tuple[float, float]:
    """Return a * b rounded, and the rounding error."""
    product = a * b
    scaled = _SPLITTER * a
    a_high = scaled - (scaled - a)
    a_low = a - a_high
    scaled = _SPLITTER * b
    b_high = scaled - (scaled - b)
    b_low = b - b_high
    return product, a_low * b_low - (((product - a_high * b_high) - a_low * b_high) - a_high * b_low)


@borrowing_kernel
def _add(expansion: np.ndarray, length: int, number: float) -> int:
    """Add a number to an expansion whose terms do not overlap, the smallest first; return its new length."""
    kept = 0
    for i in range(length):
        number, rest = _two_sum(number, expansion[i])
        if rest != 0.0:
            expansion[kept] = rest
            kept += 1
    if number != 0.0:
        expansion[kept] = number
        kept += 1
    return kept


@borrowing_kernel
def _add_product(expansion: np.ndarray, length: int, x: float, y: float, z: float) -> int:
    """Add x * y * z to an expansion; return the expansion's new length."""
    if x == 0.0 or y == 0.0 or z == 0.0:
        return length
    product, rest = _two_product(x, y)
    high, low = _two_product(product, z)
    length = _add(expansion, length, low)
    length = _add(expansion, length, high)
    if rest != 0.0:
        high, low = _two_product(rest, z)
        length = _add(expansion, length, low)
        length = _add(expansion, length, high)
    return length


@borrowing_kernel
def _difference(points: np.ndarray, a: int, b: int, row: int, parts: np.ndarray) -> None:
    """Write points[a] - points[b] to parts[row], (3, 2): rounded, and the rounding error."""
    for axis in range(3):
        high, low = _two_sum(points[a, axis], -points[b, axis])
        parts[row, axis, 0] = high
        parts[row, axis, 1] = low


@borrowing_kernel
def _sign(expansion: np.ndarray, length: int) -> int:
    """Return the sign of an expansion, which is its largest term's."""
    if length == 0:
        return 0
    return 1 if expansion[length - 1] > 0.0 else -1


@kernel
def _exact_side_of_plane(points: np.ndarray, a: int, b: int, c: int, d: int) -> int:
    """Do what `side_of_plane` does with expansions: the sum over all products of one part of each difference."""
    parts = np.empty((3, 3, 2))
    _difference(points, a, d, 0, parts)
    _difference(points, b, d, 1, parts)
    _difference(points, c, d, 2, parts)
    expansion = np.empty(6 * 8 * 4)
    length = 0
    for first in range(3):
        for step in range(1, 3):
            second = (first + step) % 3
            third = 3 - first - second
            sign = 1.0 if step == 1 else -1.0
            for i in range(8):
                length = _add_product(
                    expansion,
                    length,
                    sign * parts[0, first, i & 1],
                    parts[1, second, i >> 1 & 1],
                    parts[2, third, i >> 2],
                )
    return -_sign(expansion, length)


@kernel
def _exact_orientation(points: np.ndarray, a: int, b: int, c: int, u: int, v: int) -> int:
    """Do what `orientation` does with expansions."""
    parts = np.empty((2, 3, 2))
    _difference(points, a, c, 0, parts)
    _difference(points, b, c, 1, parts)
    expansion = np.empty(2 * 4 * 2)
    length = 0
    for i in range(4):
        for sign, first, second in ((1.0, u, v), (-1.0, v, u)):
            high, low = _two_product(sign * parts[0, first, i & 1], parts[1, second, i >> 1])
            length = _add(expansion, length, low)
            length = _add(expansion, length, high)
    return _sign(expansion, length)

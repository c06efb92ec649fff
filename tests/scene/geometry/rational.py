"""Triangles in exact rational arithmetic: slow, short, and independent of the product's code."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

Point = tuple[Fraction, ...]


def meet(first: np.ndarray, second: np.ndarray) -> tuple[bool, bool]:
    """Tell whether two triangles, (3, 3) corners each, have a point in common, and whether their insides have.

    The insides are without the edges. Triangles without area have neither. A point of both is a convex combination of
    either's corners; Gauss, Fourier and Motzkin decide whether there is one.
    """
    a, b = _exact(first), _exact(second)
    if _is_line(a) or _is_line(b):
        return False, False
    return _feasible(a, b, strict=False), _feasible(a, b, strict=True)


def in_one_plane_facing(first: np.ndarray, second: np.ndarray) -> int:
    """1 where two triangles lie in one plane and face the same way, -1 the other way, 0 where they do not."""
    a, b = _exact(first), _exact(second)
    normal = _normal(a)
    if any(_dot(normal, _minus(corner, a[0])) for corner in b):
        return 0
    return 1 if _dot(normal, _normal(b)) > 0 else -1


def _exact(corners: np.ndarray) -> list[Point]:
    return [tuple(Fraction(float(value)) for value in corner) for corner in corners]


def _minus(a: Point, b: Point) -> Point:
    return tuple(x - y for x, y in zip(a, b, strict=True))


def _dot(a: Point, b: Point) -> Fraction:
    return sum((x * y for x, y in zip(a, b, strict=True)), Fraction(0))


def _normal(t: list[Point]) -> Point:
    (ux, uy, uz), (vx, vy, vz) = _minus(t[1], t[0]), _minus(t[2], t[0])
    return uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx


def _is_line(t: list[Point]) -> bool:
    return not any(_normal(t))


def _feasible(a: list[Point], b: list[Point], *, strict: bool) -> bool:
    """Tell whether s, t, u, v exist with a0 + s (a1 - a0) + t (a2 - a0) = b0 + u (b1 - b0) + v (b2 - b0)."""
    columns = [_minus(a[1], a[0]), _minus(a[2], a[0]), _minus(b[0], b[1]), _minus(b[0], b[2])]
    equations = [[column[axis] for column in columns] + [a[0][axis] - b[0][axis]] for axis in range(3)]
    # Rows c with c[0] s + c[1] t + c[2] u + c[3] v + c[4] >= 0, or > 0.
    rows = [[Fraction(int(i == k)) for i in range(5)] for k in range(4)]
    rows += [[Fraction(value) for value in row] for row in ((-1, -1, 0, 0, 1), (0, 0, -1, -1, 1))]
    while equations:
        equation = equations.pop()
        pivot = next((k for k in range(4) if equation[k]), None)
        if pivot is None:
            if equation[4]:
                return False
            continue
        rows = [_without(row, equation, pivot) for row in rows]
        equations = [_without(row, equation, pivot) for row in equations]
    for k in range(4):
        above, below = [row for row in rows if row[k] > 0], [row for row in rows if row[k] < 0]
        rows = [row for row in rows if row[k] == 0]
        rows += [[x * -low[k] + y * high[k] for x, y in zip(high, low, strict=True)] for high in above for low in below]
    return all(row[4] > 0 if strict else row[4] >= 0 for row in rows)


def _without(row: list[Fraction], equation: list[Fraction], pivot: int) -> list[Fraction]:
    factor = row[pivot] / equation[pivot]
    return [x - factor * y for x, y in zip(row, equation, strict=True)]


def exact_side(a: np.ndarray, b: np.ndarray, c: np.ndarray, d: np.ndarray) -> int:
    """Sign of (d - a) . ((b - a) x (c - a))."""
    a, b, c, d = _exact([a, b, c, d])
    volume = _dot(_minus(d, a), _normal([a, b, c]))
    return (volume > 0) - (volume < 0)


def exact_turn(a: np.ndarray, b: np.ndarray, c: np.ndarray) -> int:
    """Sign of the area of a triangle in two dimensions."""
    a, b, c = _exact([a, b, c])
    area = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
    return (area > 0) - (area < 0)

"""Known shapes as the text of an OBJ file: control points of rational B-splines and Bezier patches."""

from __future__ import annotations

import numpy as np

_ARC = [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1), (1, 0)]  # a square around a circle
_ROUND = "0 0 0 1 1 2 2 3 3 4 4 4"


def _weight(k: int) -> float:
    return 1.0 if k % 2 == 0 else 0.5**0.5


def revolved(profile: list[tuple[float, float, float]], knots: str) -> str:
    """A surface that a profile, (radius, z, weight) of a quadratic B-spline, makes around the z axis."""
    rows = [
        f"v {radius * x!r} {radius * y!r} {z!r} {weight * _weight(k)!r}"
        for radius, z, weight in profile
        for k, (x, y) in enumerate(_ARC)
    ]
    numbers = " ".join(str(k - len(rows)) for k in range(len(rows)))
    last = float(knots.split()[-1])
    return (
        "\n".join(rows) + f"\ncstype rat bspline\ndeg 2 2\nsurf 0 4 0 {last} {numbers}\n"
        f"parm u {_ROUND}\nparm v {knots}\nend\n"
    )


def sphere() -> str:
    half = 0.5**0.5
    return revolved(
        [(0.0, -1.0, 1.0), (1.0, -1.0, half), (1.0, 0.0, 1.0), (1.0, 1.0, half), (0.0, 1.0, 1.0)], "0 0 0 1 1 2 2 2"
    )


def torus(large: float, small: float) -> str:
    return revolved([(large + small * x, small * y, _weight(k)) for k, (x, y) in enumerate(_ARC)], _ROUND)


def plane(size: float = 1.0) -> str:
    """A flat square from the origin, with its parameters as coordinates; its body is still open."""
    corners = "".join(f"v {x} {y} 0\n" for y in (0, size) for x in (0, size))
    return f"{corners}cstype bezier\ndeg 1 1\nsurf 0 {size} 0 {size} -4 -3 -2 -1\nparm u 0 {size}\nparm v 0 {size}\n"


def circle_2d(x: float, y: float, radius: float, *, reverse: bool = False) -> str:
    """A circle among parameters, from 0 to 4."""
    points = _ARC[::-1] if reverse else _ARC
    rows = [f"vp {x + radius * a!r} {y + radius * b!r} {_weight(k)!r}" for k, (a, b) in enumerate(points)]
    return "\n".join(rows) + f"\ncstype rat bspline\ndeg 2\ncurv2 -9 -8 -7 -6 -5 -4 -3 -2 -1\nparm u {_ROUND}\nend\n"


def bicubic(heights: np.ndarray, left: float = 0.0) -> str:
    """A Bezier patch over a square of 3 units from x = left on; heights (4, 4), by y and x."""
    rows = "".join(f"v {left + i} {j} {float(heights[j, i])!r}\n" for j in range(4) for i in range(4))
    numbers = " ".join(str(k - 16) for k in range(16))
    return f"{rows}cstype bezier\ndeg 3 3\nsurf 0 1 0 1 {numbers}\nparm u 0 1\nparm v 0 1\nend\n"

"""Axis: the basis of a curve, or of a surface in one direction, as polynomials from one joint to the next.

Each type of the format (Bezier, B-spline, Cardinal, Taylor, basis matrix) is the same after this: in each span some
control points that follow each other, and for each of them a polynomial of a parameter from 0 to 1.
Source of the B-splines: de Boor, "On calculating with B-splines", 1972.
"""

from __future__ import annotations

from math import comb
from typing import NamedTuple

import numpy as np

from octoscope.scene.system.read_limits import current_limits

MOST_DEGREES = 20  # as the format says
_LONGEST_STEP = 1000
_CARDINAL = ((0.0, -0.5, 1.0, -0.5), (1.0, 0.0, -2.5, 1.5), (0.0, 0.5, 2.0, -1.5), (0.0, 0.0, -0.5, 0.5))


class Axis(NamedTuple):
    """The basis in one direction, of s spans."""

    degree: int
    breaks: np.ndarray  # (s + 1,) float64, ascending: the parameters at which spans begin, and where the last ends
    firsts: np.ndarray  # (s,) int64, the first control point of each span
    polynomials: np.ndarray  # (s, degree + 1, degree + 1) float64: of each control point, by power
    control_count: int


class BadBasisError(ValueError):
    """A basis that the statements do not define; its text says why."""


def axis_of(
    kind: str, degree: int, parameters: np.ndarray, matrix: np.ndarray | None = None, step: int | None = None
) -> Axis:
    """Return the axis of a `cstype` and of the numbers after `parm`.

    Args:
        parameters: (p,) float64, knots of a B-spline, else where segments begin and end.
        matrix: (degree + 1, degree + 1), as bmat has it; for a basis matrix.
        step: control points from one segment to the next; for a basis matrix.
    """
    if not 1 <= degree <= MOST_DEGREES:
        raise BadBasisError(f"has a degree of {degree}: 1 to {MOST_DEGREES} are known")
    if len(parameters) < 2 or (np.diff(parameters) < 0.0).any() or not parameters[0] < parameters[-1]:
        raise BadBasisError("has no ascending parameter values (parm)")
    if kind == "bspline":
        return _b_spline(degree, parameters)
    steps = {"bezier": degree, "cardinal": 1, "taylor": degree + 1, "bmatrix": step}
    if kind not in steps:
        raise BadBasisError("has no type that is known (cstype)")
    if kind == "cardinal" and degree != 3:
        raise BadBasisError(f"is a Cardinal spline of degree {degree}, and there are only cubic ones")
    advance = steps[kind]
    if kind == "bmatrix" and (matrix is None or advance is None or not 1 <= advance <= _LONGEST_STEP):
        raise BadBasisError("has no basis matrix (bmat) for its degree, or no step")
    assert advance is not None
    segment = {"bezier": _bezier(degree), "cardinal": np.array(_CARDINAL), "taylor": np.eye(degree + 1)}.get(kind)
    of_each = matrix if segment is None else segment
    kept = np.flatnonzero(np.diff(parameters) > 0.0)
    breaks = np.append(parameters[kept], parameters[-1])
    polynomials = np.broadcast_to(np.asarray(of_each), (len(kept), degree + 1, degree + 1))
    return Axis(degree, breaks, kept * advance, polynomials, (len(parameters) - 2) * advance + degree + 1)


def _bezier(degree: int) -> np.ndarray:
    """Return the polynomials of Bernstein: t^i (1 - t)^(n - i), as often as i of n can be chosen."""
    polynomials = np.zeros((degree + 1, degree + 1))
    for i in range(degree + 1):
        for k in range(degree - i + 1):
            polynomials[i, i + k] = comb(degree, i) * comb(degree - i, k) * (-1) ** k
    return polynomials


def _b_spline(degree: int, knots: np.ndarray) -> Axis:
    count = len(knots) - degree - 1
    if count <= degree:
        raise BadBasisError(f"has {len(knots)} knots, and a B-spline of degree {degree} needs {2 * degree + 2} or more")
    spans = degree + np.flatnonzero(knots[degree + 1 : count + 1] > knots[degree:count])
    if len(spans) == 0:
        raise BadBasisError("has knots that leave no range of parameters")
    current_limits().check(4 * 8 * (degree + 2) ** 2 * len(spans))
    begin, width = knots[spans], knots[spans + 1] - knots[spans]
    # By the recursion of Cox and de Boor: those of lower degrees are at the end of the rows.
    basis = np.zeros((len(spans), degree + 2, degree + 1))
    basis[:, degree, 0] = 1.0
    for order in range(1, degree + 1):
        raised = np.zeros_like(basis)
        for row in range(degree - order, degree + 1):
            point = spans - degree + row
            for at, lower, upper in ((row, point, point + order), (row + 1, point + order + 1, point + 1)):
                if at in (degree - order, degree + 1):
                    continue  # that of another span, which is zero in this one
                length = knots[upper] - knots[lower]
                scale = np.divide(1.0, length, out=np.zeros(len(spans)), where=length != 0.0)  # 0 / 0 is 0
                raised[:, row] += (scale * (begin - knots[lower]))[:, None] * basis[:, at]
                raised[:, row, 1:] += (scale * width)[:, None] * basis[:, at, :-1]
        basis = raised
    if not np.isfinite(basis).all():
        raise BadBasisError("has knots too far from each other, or too near")
    return Axis(degree, np.append(begin, knots[spans[-1] + 1]), spans - degree, basis[:, : degree + 1], count)

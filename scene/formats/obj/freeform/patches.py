"""Patches: polynomial surfaces of one degree, evaluated at many parameters at once. A curve has no degree along v."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from octoscope.scene.formats.obj.freeform.axes import Axis

_AT_ONCE = 2**16  # points whose numbers stay in the processor's cache
_INWARD = 1e-3  # share of the way to the middle, to a point that has a normal where a pole has none
_NO_AREA = 1e-9  # of the product of two tangents: they are parallel, or one is zero
POINT_AXIS = Axis(0, np.array([0.0, 1.0]), np.zeros(1, dtype=np.int64), np.ones((1, 1, 1)), 1)  # of curves, along v


class Points(NamedTuple):
    """Points of surfaces, (n, 3) float64 each but the texture coordinates."""

    positions: np.ndarray
    normals: np.ndarray  # unit length, or zero
    uvs: np.ndarray  # (n, 2)


class Patches:
    """The surfaces of one degree.

    Args:
        axes: those along u and v of each surface.
        controls: of each surface (v count, u count, 4 to 9) float64: x, y, z, weight, then texture coordinates where
            there are 6 or 9, and then a normal where there are 7 or 9.
    """

    def __init__(self, axes: Sequence[tuple[Axis, Axis]], controls: Sequence[np.ndarray]) -> None:
        self.domains = np.array([(*u.breaks[[0, -1]], *v.breaks[[0, -1]]) for u, v in axes])  # (s, 4) u0, u1, v0, v1
        self._width = controls[0].shape[2]
        self._sides = [_Side([axis[k] for axis in axes]) for k in (0, 1)]
        counts = np.array([len(u.firsts) * len(v.firsts) for u, v in axes])
        self._first = np.cumsum(counts) - counts
        self._pieces = np.concatenate(
            [_pieces_of(u, v, points) for (u, v), points in zip(axes, controls, strict=True)]
        )  # (pieces, degree u + 1, degree v + 1, numbers)

    def at(self, surfaces: np.ndarray, u: np.ndarray, v: np.ndarray) -> Points:
        """Evaluate surfaces, (n,) int64, at their parameters, (n,) float64 each."""
        parts = [
            self._at(surfaces[first : first + _AT_ONCE], u[first : first + _AT_ONCE], v[first : first + _AT_ONCE])
            for first in range(0, max(len(u), 1), _AT_ONCE)
        ]
        return Points(*(np.concatenate(columns) for columns in zip(*parts, strict=True)))

    def positions_at(self, surfaces: np.ndarray, u: np.ndarray, v: np.ndarray) -> np.ndarray:
        """Evaluate positions alone, (n, 3) float64."""
        parts = []
        for first in range(0, max(len(u), 1), _AT_ONCE):
            part = slice(first, first + _AT_ONCE)
            value = self._values(surfaces[part], u[part], v[part], 4, with_tangents=False)[0]
            parts.append(value[:, :3] / value[:, 3:])
        return np.concatenate(parts)

    def tangents_at(self, curves: np.ndarray, parameters: np.ndarray) -> np.ndarray:
        """Evaluate unit tangents of curves, (n, 3) float64; zero where they have none."""
        value, along_u, _ = self._values(curves, parameters, np.zeros(len(parameters)), 4, with_tangents=True)
        return _unit(along_u[:, :3] * value[:, 3:4] - value[:, :3] * along_u[:, 3:4])

    def _at(self, surfaces: np.ndarray, u: np.ndarray, v: np.ndarray) -> Points:
        value, along_u, along_v = self._values(surfaces, u, v, self._width, with_tangents=True)
        weights = value[:, 3:4]
        positions, others = value[:, :3] / weights, value[:, 4:] / weights
        uvs = others[:, :2] if self._width in (6, 9) else np.stack([u, v], axis=1)
        if self._width in (7, 9):
            return Points(positions, _unit(others[:, -3:]), uvs)
        normals = _normals(value, along_u, along_v)
        flat = np.flatnonzero(~normals.any(axis=1))
        if len(flat):  # a pole: as beside it
            middle = self.domains[surfaces[flat]]
            inner_u = u[flat] + _INWARD * (middle[:, :2].mean(axis=1) - u[flat])
            inner_v = v[flat] + _INWARD * (middle[:, 2:].mean(axis=1) - v[flat])
            normals[flat] = _normals(*self._values(surfaces[flat], inner_u, inner_v, 4, with_tangents=True))
        return Points(positions, normals, uvs)

    def _values(
        self, surfaces: np.ndarray, u: np.ndarray, v: np.ndarray, width: int, *, with_tangents: bool
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Evaluate `width` homogeneous numbers, and their derivatives, by Horner's rule along v and then along u."""
        (column, s, width_u), (row, t, width_v) = (
            side.located(surfaces, of_each) for side, of_each in zip(self._sides, (u, v), strict=True)
        )
        numbers = self._first[surfaces] + column * self._sides[1].counts[surfaces] + row
        degree_u, degree_v = self._pieces.shape[1] - 1, self._pieces.shape[2] - 1
        s, t = s[:, None], t[:, None]
        value, along_u, along_v = np.zeros((3, len(u), width))
        for a in range(degree_u, -1, -1):
            inner, inner_along_v = np.zeros((2, len(u), width))
            for b in range(degree_v, -1, -1):
                if with_tangents:
                    inner_along_v = inner_along_v * t + inner
                inner = inner * t + self._pieces[numbers, a, b, :width]
            if with_tangents:
                along_u = along_u * s + value
                along_v = along_v * s + inner_along_v
            value = value * s + inner
        return value, along_u / width_u[:, None], along_v / width_v[:, None]


class _Side:
    """The spans of all surfaces in one direction, in one array that is searched."""

    def __init__(self, axes: Sequence[Axis]) -> None:
        self.counts = np.array([len(axis.firsts) for axis in axes])
        self._breaks = np.concatenate([axis.breaks for axis in axes])
        ends = np.cumsum(self.counts + 1)
        self._first = ends - self.counts - 1
        self._begin = self._breaks[self._first]
        self._length = self._breaks[ends - 1] - self._begin
        owners = np.repeat(np.arange(len(axes)), self.counts + 1)
        self._keys = 2.0 * owners + (self._breaks - self._begin[owners]) / self._length[owners]

    def located(self, surfaces: np.ndarray, parameters: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Find the span of each parameter: its number, where in it that is, from 0 to 1, and how long it is."""
        keys = 2.0 * surfaces + (parameters - self._begin[surfaces]) / self._length[surfaces]
        first = self._first[surfaces]
        rows = np.clip(np.searchsorted(self._keys, keys, side="right") - 1, first, first + self.counts[surfaces] - 1)
        width = self._breaks[rows + 1] - self._breaks[rows]
        return rows - first, (parameters - self._breaks[rows]) / width, width


def _pieces_of(u: Axis, v: Axis, points: np.ndarray) -> np.ndarray:
    """Return the polynomials of a surface, one piece for each span of u and v."""
    weighted = points * points[..., 3:4]
    weighted[..., 3] = points[..., 3]
    columns = u.firsts[:, None] + np.arange(u.degree + 1)
    rows = v.firsts[:, None] + np.arange(v.degree + 1)
    along_v = np.einsum("rjb,rjnc->rbnc", v.polynomials, weighted[rows])
    pieces = np.einsum("kia,rbkic->krabc", u.polynomials, along_v[:, :, columns])
    return pieces.reshape(-1, *pieces.shape[2:])


def _normals(value: np.ndarray, along_u: np.ndarray, along_v: np.ndarray) -> np.ndarray:
    """Return unit normals, by derivatives of homogeneous coordinates; zero where the tangents span no plane."""
    weights, positions = value[:, 3:4], value[:, :3]
    first = along_u[:, :3] * weights - positions * along_u[:, 3:4]
    second = along_v[:, :3] * weights - positions * along_v[:, 3:4]
    normals = np.cross(first, second)
    lengths = np.linalg.norm(normals, axis=1)
    product = np.linalg.norm(first, axis=1) * np.linalg.norm(second, axis=1)
    normals[~(lengths > _NO_AREA * product.max(initial=0.0))] = 0.0
    return _unit(normals)


def _unit(vectors: np.ndarray) -> np.ndarray:
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.divide(vectors, lengths, out=np.zeros_like(vectors), where=lengths > 0.0)

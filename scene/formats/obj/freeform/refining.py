"""Refining: triangles and lines over parameters are divided where they leave their surface or curve.

Whether an edge is divided follows from the surface along it alone, so that triangles on both sides agree, and so do
surfaces that share it. Edges are divided in the middle.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from octoscope.scene.formats.obj.freeform.patches import Patches, Points
from octoscope.scene.geometry.ranges import unique_rows
from octoscope.scene.system.read_limits import current_limits

_MOST_TIMES = 9  # that an edge is divided
_MOST_TRIANGLES = 4_000_000  # of all surfaces of a degree; they are divided no further then
_TRIANGLE_BYTES = 400  # with its vertices, and what is needed meanwhile
_SHARES = (0.25, 0.5, 0.75)  # of an edge, where its distance from the surface is looked at
_ROUNDING = 1.0 + 1e-6


@dataclass(frozen=True)
class Fineness:
    """Limits of surfaces or curves, (s,) float64 each; infinite where there is none."""

    distance: np.ndarray  # between an edge and the surface
    length: np.ndarray  # of an edge
    cosine: np.ndarray  # least, of the angle between two normals, or tangents; -2: no matter
    step_u: np.ndarray  # of parameters, from one end of an edge to the other
    step_v: np.ndarray


class Mesh(NamedTuple):
    """Triangles over the parameters of surfaces."""

    surfaces: np.ndarray  # (n,) int64, of each vertex
    u: np.ndarray  # (n,) float64
    v: np.ndarray  # (n,) float64
    triangles: np.ndarray  # (t, 3) int64


def refined(patches: Patches, mesh: Mesh, fineness: Fineness) -> tuple[Mesh, Points]:
    """Divide triangles until each edge is as near to its surface as it is to be; return also where vertices lie."""
    points = patches.at(*mesh[:3])
    done: list[np.ndarray] = []
    active = mesh.triangles
    count = len(active)
    for _ in range(_MOST_TIMES):
        current_limits().check(_TRIANGLE_BYTES * count)
        ends, edges = edges_of(active)
        is_long = _are_to_divide(patches, mesh, points, ends, fineness)
        if not is_long.any() or count > _MOST_TRIANGLES:
            break
        middles = np.full(len(ends), -1)
        middles[is_long] = len(mesh.u) + np.arange(np.count_nonzero(is_long))
        first, second = ends[is_long].T
        new = mesh.surfaces[first], (mesh.u[first] + mesh.u[second]) / 2, (mesh.v[first] + mesh.v[second]) / 2
        points = Points(*map(np.concatenate, zip(points, patches.at(*new), strict=True)))
        surfaces, u, v = (np.concatenate(pair) for pair in zip(mesh[:3], new, strict=True))
        mesh = Mesh(surfaces, u, v, mesh.triangles)
        of_corners = middles[edges]
        is_whole = (of_corners < 0).all(axis=1)
        done.append(active[is_whole])
        before = len(active)
        active = divided(active[~is_whole], of_corners[~is_whole], points.positions)
        count += len(active) + len(done[-1]) - before
    return mesh._replace(triangles=np.concatenate([*done, active])), points


def edges_of(triangles: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return (e, 2) the ends of all edges, lower one first, and (t, 3) the edge from each corner to the next."""
    pairs = np.sort(np.stack([triangles, np.roll(triangles, -1, axis=1)], axis=2).reshape(-1, 2), axis=1)
    firsts, numbers = unique_rows(pairs[:, 0], pairs[:, 1])
    return pairs[firsts], numbers.reshape(-1, 3)


def _are_to_divide(patches: Patches, mesh: Mesh, points: Points, ends: np.ndarray, fineness: Fineness) -> np.ndarray:
    """Tell which edges, (e, 2) vertices, are not as fine as they are to be."""
    first, second = ends.T
    surfaces = mesh.surfaces[first]
    begin, end = points.positions[first], points.positions[second]
    u, v = mesh.u[first], mesh.v[first]
    along_u, along_v = mesh.u[second] - u, mesh.v[second] - v
    result = np.linalg.norm(end - begin, axis=1) > fineness.length[surfaces]
    result |= np.abs(along_u) > fineness.step_u[surfaces] * _ROUNDING
    result |= np.abs(along_v) > fineness.step_v[surfaces] * _ROUNDING
    cosines = np.einsum("ij,ij->i", points.normals[first], points.normals[second])
    result |= cosines < fineness.cosine[surfaces]
    open_edges = np.flatnonzero(~result & np.isfinite(fineness.distance[surfaces]))
    for share in _SHARES:
        rows = open_edges[~result[open_edges]]
        between = patches.positions_at(surfaces[rows], u[rows] + share * along_u[rows], v[rows] + share * along_v[rows])
        chord = begin[rows] + share * (end[rows] - begin[rows])
        result[rows] = np.linalg.norm(between - chord, axis=1) > fineness.distance[surfaces[rows]]
    return result


def divided(triangles: np.ndarray, middles: np.ndarray, positions: np.ndarray) -> np.ndarray:
    """Divide triangles, (t, 3), of which some edges have a middle, (t, 3) from each corner to the next; else -1."""
    counts = (middles >= 0).sum(axis=1)
    whole = triangles[counts == 0]
    triangles, middles, counts = triangles[counts > 0], middles[counts > 0], counts[counts > 0]
    # Turn each so that what is special about it comes first: the divided edge, or the one that is not.
    turns = np.argmax(np.where((counts == 1)[:, None], middles >= 0, middles < 0), axis=1)
    order = (turns[:, None] + np.arange(3)) % 3
    (a, b, c), (ab, bc, ca) = (np.take_along_axis(each, order, axis=1).T for each in (triangles, middles))
    one, two, three = counts == 1, counts == 2, counts == 3

    def chosen(rows: np.ndarray, *corners: np.ndarray) -> np.ndarray:
        return np.stack([corner[rows] for corner in corners], axis=1)

    # Of the four-sided rest beside b, the shorter diagonal.
    is_shorter = np.zeros(len(two), dtype=np.bool_)
    lengths = [np.linalg.norm(positions[x[two]] - positions[y[two]], axis=1) for x, y in ((a, bc), (b, ca))]
    is_shorter[two] = lengths[0] <= lengths[1]
    first, second = two & is_shorter, two & ~is_shorter
    return np.concatenate(
        [
            whole,
            chosen(one, a, ab, c),
            chosen(one, ab, b, c),
            chosen(two, ca, bc, c),
            chosen(first, a, b, bc),
            chosen(first, a, bc, ca),
            chosen(second, a, b, ca),
            chosen(second, b, bc, ca),
            chosen(three, a, ab, ca),
            chosen(three, ab, b, bc),
            chosen(three, ca, bc, c),
            chosen(three, ab, bc, ca),
        ]
    )


def refined_lines(
    patches: Patches, curves: np.ndarray, parameters: np.ndarray, fineness: Fineness
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Divide curves, as `refined`.

    Args:
        curves, parameters: (n,) int64 and float64, points from which on they are divided, in the order of each curve.

    Returns:
        curves and parameters of all points, and (n, 3) where they lie.
    """
    positions = patches.positions_at(curves, parameters, np.zeros(len(parameters)))
    for _ in range(_MOST_TIMES):
        current_limits().check(_TRIANGLE_BYTES * len(curves))
        first = np.flatnonzero(curves[:-1] == curves[1:])
        mesh = Mesh(curves, parameters, np.zeros(len(parameters)), np.empty((0, 3), dtype=np.int64))
        ends = np.stack([first, first + 1], axis=1)
        tangents = patches.tangents_at(curves, parameters)
        is_long = _are_to_divide(patches, mesh, Points(positions, tangents, positions), ends, fineness)
        if not is_long.any() or len(curves) > _MOST_TRIANGLES:
            break
        first = first[is_long]
        middle = (parameters[first] + parameters[first + 1]) / 2
        of_middle = patches.positions_at(curves[first], middle, np.zeros(len(middle)))
        parameters = np.insert(parameters, first + 1, middle)
        positions = np.insert(positions, first + 1, of_middle, axis=0)
        curves = np.insert(curves, first + 1, curves[first])
    return curves, parameters, positions

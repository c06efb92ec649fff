"""Skirts: strips along open edges of coarser tiles, which close the gaps between a tile and those beside it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from octoscope.scene.geometry.ranges import unique_rows
from octoscope.scene.merging.merged_geometry import MergedGeometry

_WIDTH = 0.3  # of a tile's error
_SLOPE = 0.5  # how far a strip goes below its triangle's plane, as a share of how far it goes out


def with_skirts(geometry: MergedGeometry, error: float, lower: np.ndarray, upper: np.ndarray) -> MergedGeometry:
    """Add a strip along each edge at which one triangle alone ends, outward and a little below that triangle.

    Tiles beside each other are simplified each by itself: their borders no longer fit. A strip lies under what is
    beside it, and looks like the triangle that it goes on from. An object gets at most one strip triangle per triangle;
    objects with more open edges, such as leaves, get no skirts.

    Args:
        error: of the tile, world units.
        lower, upper: (3,) corners of the box that all tiles lie in, and which strips do not leave.
    """
    corners, positions = geometry.triangles, geometry.positions
    edges = np.concatenate(
        [corners[:, [0, 1, 2]], corners[:, [1, 2, 0]], corners[:, [2, 0, 1]]]
    )  # and what is opposite
    _, places = unique_rows(*positions.T)  # vertices that differ in normals or colours are at one place
    firsts, kinds = unique_rows(*np.sort(places[edges[:, :2]], axis=1).T)
    edges = edges[firsts[np.bincount(kinds) == 1]]
    count = int(geometry.objects.max(initial=0)) + 1
    of_edges, of_triangles = (np.bincount(geometry.objects[rows[:, 0]], minlength=count) for rows in (edges, corners))
    edges = edges[(2 * of_edges <= of_triangles)[geometry.objects[edges[:, 0]]]]
    if not len(edges):
        return geometry
    begin, end, opposite = (positions[column] for column in edges.T)
    below = np.cross(opposite - begin, end - begin)
    ways = _unit(np.cross(below, end - begin)) + _SLOPE * _unit(below)
    used, numbers = np.unique(edges[:, :2], return_inverse=True)
    numbers = numbers.reshape(-1, 2)
    of_vertices = np.zeros((len(used), 3))  # one way for both edges that end in a vertex, so that strips join
    for column in numbers.T:
        np.add.at(of_vertices, column, ways)
    added = geometry.of_vertices(used)
    added["positions"] = np.clip(added["positions"] + _WIDTH * error * _unit(of_vertices), lower, upper)
    near, far = edges[:, 1::-1], numbers[:, ::-1] + len(positions)
    strips = np.concatenate([near, far[:, 1:], near[:, :1], far[:, ::-1]], axis=1).reshape(-1, 3)
    both = {name: np.concatenate([getattr(geometry, name), rows]) for name, rows in added.items()}
    return replace(geometry, **both, triangles=np.concatenate([corners, strips]).astype(np.int32))


def _unit(vectors: np.ndarray) -> np.ndarray:
    return vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-300)

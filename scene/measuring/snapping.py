"""Snapping: of what is drawn around the cursor, choose the point that the user means.

Triangles have corners, middles of sides, and sides; lines have ends, middles, and themselves.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from octoscope.scene.measuring.near_cursor import NearHit
from octoscope.scene.node import NO_TRIANGLE, Hit
from octoscope.scene.scene import Scene
from octoscope.scene.spatial.cursor_kernels import nearest_shares
from octoscope.scene.spatial.frustum_select import NO_PLANES

VERTEX, MIDPOINT, EDGE, FACE = KINDS = "vertex", "edge midpoint", "edge", "face"
CIRCULAR_EDGE = "circular edge"  # which `ring_through` finds
_SAME_PX = 1e-3  # places in the picture that are one, but for rounding


@dataclass(frozen=True, eq=False)
class Snap:
    """A point that was snapped to."""

    kind: str  # one of KINDS
    node_id: int  # the node that the point is on
    local_point: np.ndarray  # (3,) float64 in the node's frame; of a vertex the mesh's own numbers
    point: np.ndarray  # (3,) float64 world
    side: tuple[int, int] = (-1, -1)  # vertices of the mesh at the ends of the side that it is of
    is_thin: bool = False  # whether that is a line, or a point of a mesh

    @classmethod
    def of(cls, hit: Hit | NearHit) -> Snap:
        """Return the very point of a hit."""
        scene, node_id = hit.node.scene, hit.node.id
        mesh, matrix = scene.meshes.mesh(scene.mesh_ids[node_id]), scene.world_from_local[node_id]
        if isinstance(hit, NearHit):
            begin, end = mesh.positions[list(hit.vertices)]
            kind = EDGE if hit.vertices[0] != hit.vertices[1] else VERTEX
            return cls(kind, node_id, begin + hit.share * (end - begin), hit.point, hit.vertices, is_thin=True)
        if hit.triangle == NO_TRIANGLE:  # where a section cuts the node open
            return cls(FACE, node_id, np.linalg.solve(matrix[:3, :3], hit.point - matrix[:3, 3]), hit.point)
        # A node that is scaled to a plane has no inverse.
        return cls(FACE, node_id, hit.barycentric @ mesh.positions[mesh.triangles[hit.triangle]], hit.point)


class Sides(NamedTuple):
    """Sides of triangles, lines and points around a cursor."""

    nodes: np.ndarray  # (s,) int64
    vertices: np.ndarray  # (s, 2) int64 of the node's mesh, at both ends; of a point, the same one twice
    is_edge: np.ndarray  # (s,) bool: False for points, and for diagonals that cut a polygon into triangles
    is_thin: np.ndarray  # (s,) bool: whether it is a line or a point


def sides_of(scene: Scene, triangles: np.ndarray, thin: Sequence[NearHit] = ()) -> Sides:
    """Return the sides of (k, 2) nodes and triangles of their meshes, after lines and points."""
    nodes, meshes, rows = triangles[:, 0], scene.meshes.triangles, scene.meshes.rows
    row = rows["first_triangle"][scene.mesh_ids[nodes]] + triangles[:, 1]
    corners = meshes["corners"][row].astype(np.int64)
    lines = np.array([hit.vertices for hit in thin], dtype=np.int64).reshape(-1, 2)
    vertices = np.concatenate([lines, np.stack([corners, np.roll(corners, -1, axis=1)], axis=2).reshape(-1, 2)])
    is_edge = (meshes["edges"][row, None] >> np.arange(3) & 1).ravel().astype(bool)
    return Sides(
        np.concatenate([np.array([hit.node.id for hit in thin], dtype=np.int64), np.repeat(nodes, 3)]),
        vertices,
        np.concatenate([lines[:, 0] != lines[:, 1], is_edge]),
        np.arange(len(vertices)) < len(lines),
    )


def snaps_near(
    scene: Scene,
    sides: Sides,
    cursor: tuple[float, float],
    pixels_from_relative: np.ndarray,
    origin: np.ndarray,
    reach_px: float,
    kinds: Sequence[str] = KINDS,
    section: np.ndarray = NO_PLANES,
) -> Iterator[Snap]:
    """Yield the points within reach of the cursor, kind by kind and the nearest first; of equals, by the sides' order.

    Distances are measured in the picture, where the user sees them.

    Args:
        cursor: x, y in the picture, pixels.
        pixels_from_relative: (4, 4) float64, homogeneous, to pixels from the world's axes about `origin`; z is clip
            space's.
        origin: (3,) float64 world, near what is seen, as the eye is: far from it coordinates have few digits.
        reach_px: how far a point may be from the cursor, pixels.
        kinds: of KINDS, the likeliest first; FACE has no points here.
        section: (p, 4) planes about the origin, as Section.planes_about.
    """
    first = scene.meshes.rows["first_vertex"][scene.mesh_ids[sides.nodes]]
    ends = scene.meshes.vertices["position"][first[:, None] + sides.vertices]
    every, edges = np.arange(len(ends)), np.flatnonzero(sides.is_edge)
    of_kind = {
        VERTEX: (np.repeat(every, 2), np.repeat(ends.reshape(-1, 1, 3), 2, axis=1)),
        MIDPOINT: (edges, np.repeat(ends[edges].mean(axis=1, keepdims=True), 2, axis=1)),
        EDGE: (edges, ends[edges]),
    }
    for kind in kinds:
        rows, parts = of_kind.get(kind, (edges[:0], ends[:0]))
        matrices = scene.world_from_local[sides.nodes[rows]]
        relative = parts @ matrices[:, :3, :3].transpose(0, 2, 1) + (matrices[:, None, :3, 3] - origin)
        projected = relative @ pixels_from_relative[:, :3].T + pixels_from_relative[:, 3]
        found = np.zeros((len(rows), 2))
        nearest_shares(projected, relative, section, np.array(cursor, dtype=np.float64), found)
        given = set()
        for place in np.argsort(np.round(found[:, 1] / _SAME_PX), kind="stable").tolist():
            share, distance_px = found[place].tolist()
            if not distance_px <= reach_px:
                break
            node_id, side = int(sides.nodes[rows[place]]), tuple(sides.vertices[rows[place]].tolist())
            local = parts[place, 0] + share * (parts[place, 1] - parts[place, 0])
            if (node_id, *local) not in given:  # triangles share corners and sides
                given.add((node_id, *local))
                world = matrices[place, :3, :3] @ local + matrices[place, :3, 3]
                yield Snap(kind, node_id, local, world, side, bool(sides.is_thin[rows[place]]))

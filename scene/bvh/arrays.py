"""The arguments of the kernels that cast rays, as bundles of plain arrays, and the hits that they write."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np


class MeshArrays(NamedTuple):
    """Columns of scene.meshes, by mesh, vertex and triangle."""

    first_vertex: np.ndarray
    first_triangle: np.ndarray
    triangle_count: np.ndarray
    lower: np.ndarray
    upper: np.ndarray
    positions: np.ndarray
    corners: np.ndarray
    uvs: np.ndarray


class BvhArrays(NamedTuple):
    """The trees of all meshes that have one."""

    first_node: np.ndarray  # (m,) int32 by mesh: its root, -1 where there is none
    first_leaf: np.ndarray  # (m,) int32 by mesh: its first row of `leaves`
    # (n, 8, 8) float32, as scene.bvh.build.build, one mesh behind the other; the indices of children count from the
    # mesh's first node, those of leaves from its first row of `leaves`
    nodes: np.ndarray
    integers: np.ndarray  # the nodes, viewed as int32
    leaves: np.ndarray  # (t, 4) int32, as scene.bvh.build.build


class NodeArrays(NamedTuple):
    """Columns of the scene's nodes, by node id."""

    mesh: np.ndarray  # (n,) int32, -1 for none
    world_from_local: np.ndarray  # (n, 4, 4) float64
    layers: np.ndarray  # (n,) layer masks
    node_mask: np.ndarray  # (n,) bool: which nodes a ray may hit; of length 0: all


class RayQuery(NamedTuple):
    """The options of a ray query, beside the ray."""

    layers: int  # mask
    back_faces: bool  # whether triangles seen from behind count
    every: bool  # whether all hits are wanted, not the nearest alone
    # triangles: a larger mesh that has no tree yet is tested whole; a smaller one makes the answer incomplete
    brute_above: int


class HitBuffer(NamedTuple):
    """The hits of one ray, the nearest alone or all in no order."""

    values: np.ndarray  # (capacity, 4) float64: t and the corners' weights, not yet divided by their sum
    ids: np.ndarray  # (capacity, 2) int64: node and triangle


class RayHits(NamedTuple):
    """The first triangle that each of n rays meets."""

    nodes: np.ndarray  # (n,) int32 ids of the nodes whose mesh was hit, -1 for a ray that misses
    t: np.ndarray  # (n,) float64 distances from the rays' origins, world units; inf for a miss
    triangles: np.ndarray  # (n,) int32 within the node's mesh, -1 for a miss
    barycentric: np.ndarray  # (n, 3) float64 weights of the triangle's corners; NaN for a miss

    @classmethod
    def none(cls, count: int) -> RayHits:
        """Make the hits of rays that all miss."""
        return cls(
            np.full(count, -1, dtype=np.int32),
            np.full(count, np.inf),
            np.full(count, -1, dtype=np.int32),
            np.full((count, 3), np.nan),
        )

"""What the kernels of a ray cast take: bundles of plain arrays, and the hits that they write."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np


class MeshArrays(NamedTuple):
    """Of scene.meshes, by mesh, vertex and triangle."""

    first_vertex: np.ndarray
    first_triangle: np.ndarray
    triangle_count: np.ndarray
    lower: np.ndarray
    upper: np.ndarray
    positions: np.ndarray
    corners: np.ndarray
    uvs: np.ndarray


class BvhArrays(NamedTuple):
    """The trees of all meshes that have one.

    Attributes:
        first_node: (m,) int32 by mesh: its root, -1 where there is none. first_leaf: (m,) int32.
        nodes, leaves: as scene.bvh.build.build, one mesh behind the other; children count from the mesh's first node, a
            leaf's places from its first place in `leaves`. integers: the nodes as int32.
    """

    first_node: np.ndarray
    first_leaf: np.ndarray
    nodes: np.ndarray
    integers: np.ndarray
    leaves: np.ndarray


class NodeArrays(NamedTuple):
    """Of the scene, by node id.

    Attributes:
        among: (n,) bool: which count; of length 0: all.
    """

    mesh: np.ndarray
    world_from_local: np.ndarray
    layers: np.ndarray
    among: np.ndarray


class Question(NamedTuple):
    """What is asked of each ray, beside the ray.

    Attributes:
        layers: mask. back_faces: whether triangles seen from behind count. every: all hits, or the nearest alone.
        brute_above: triangles: a larger mesh that has no tree yet is tested whole; a smaller one makes the answer
            incomplete.
    """

    layers: int
    back_faces: bool
    every: bool
    brute_above: int


class Found(NamedTuple):
    """Hits of one ray, the nearest alone or all in no order.

    Attributes:
        values: (capacity, 4) float64: t and the corners' weights, not yet divided by their sum.
        ids: (capacity, 2) int64: node and triangle.
    """

    values: np.ndarray
    ids: np.ndarray

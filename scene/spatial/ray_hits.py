"""What a ray cast answers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from scene.node import Node


@dataclass(frozen=True, eq=False, slots=True)
class Hit:
    """Where a ray meets a triangle; all arrays float64.

    Attributes:
        node: whose mesh was hit.
        t: distance from the ray's origin, world units.
        point: (3,) world.
        normal: (3,) unit normal of the triangle, world; by its winding, whichever side was hit.
        triangle: index of the triangle within the node's mesh.
        barycentric: (3,) weights of the triangle's corners at the point; their sum is 1.
        uv: (2,) texture coordinates there; 0 for a mesh without them.
    """

    node: Node
    t: float
    point: np.ndarray
    normal: np.ndarray
    triangle: int
    barycentric: np.ndarray
    uv: np.ndarray


class RayHits(NamedTuple):
    """Where each of n rays meets its first triangle.

    Attributes:
        nodes: (n,) int32 ids of the nodes whose mesh was hit, -1 for a ray that misses.
        t: (n,) float64 distances from the rays' origins, world units; inf for a miss.
        triangles: (n,) int32 within the node's mesh, -1 for a miss.
        barycentric: (n, 3) float64 weights of the triangle's corners; NaN for a miss.
    """

    nodes: np.ndarray
    t: np.ndarray
    triangles: np.ndarray
    barycentric: np.ndarray

    @classmethod
    def none(cls, count: int) -> RayHits:
        """Every ray a miss."""
        return cls(
            np.full(count, -1, dtype=np.int32),
            np.full(count, np.inf),
            np.full(count, -1, dtype=np.int32),
            np.full((count, 3), np.nan),
        )

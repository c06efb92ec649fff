"""The answers of the trees, beside plain arrays."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass
class CullStats:
    """The cost of queries; `cull` adds to it."""

    nodes_visited: int = 0  # cells that were compared with the frustum
    spheres_tested: int = 0  # spheres that were compared with the frustum
    copied_untested: int = 0  # spheres of cells that lie inside the frustum


@dataclass(frozen=True, eq=False)
class Cells:
    """Cells for drawing."""

    centers: np.ndarray  # (n, 3) float64, world
    half_sizes: np.ndarray  # (n,) float64, world units
    levels: np.ndarray  # (n,) int64
    counts: np.ndarray  # (n,) int64 spheres


@dataclass(frozen=True, eq=False)
class Contacts:
    """Pairs of spheres that overlap or touch, as a solver takes them.

    Attributes:
        ids: (m, 2) int32, the lower one first.
        normals: (m, 3) float64 unit vectors from the first sphere's centre to the second's; +x where they coincide.
        depths: (m,) float64: how far the spheres reach into each other along the normal, world units; at least 0.
        points: (m, 3) float64, world: the middle of what both have of the line through their centres.
    """

    ids: np.ndarray
    normals: np.ndarray
    depths: np.ndarray
    points: np.ndarray


@dataclass(frozen=True, eq=False)
class SphereHit:
    """A point where a ray meets an object, which is known by its sphere."""

    id: int  # of the object
    # distance from the ray's origin, world units; 0 when the ray begins inside a sphere that is itself the object
    t: float
    point: np.ndarray  # (3,) world
    # (3,) unit vector from the centre of the object's sphere towards the point: the normal of the sphere, if that is
    # what was hit. Against the ray where the point is the centre.
    normal: np.ndarray
    cell: int  # locational code (octree.layout.morton) of the cell that the object is stored in


@dataclass(frozen=True)
class OctreeStats:
    """Facts about a tree."""

    split_level: int  # level of the leaves; the root is level 0
    cells: int  # cells that the complete tree has
    occupied: int  # cells that hold at least one sphere of their own
    spheres: int
    at_root: int  # of these, the ones in no smaller cell: too large, or outside the root cube
    outside_root: int  # of these, the ones whose centre is outside the root cube
    divided: int  # cells that are divided, in a tree with a capacity; else 0
    divisions: int  # how many cells have been divided since the tree was made
    collapses: int  # how many of those have collapsed again
    center: tuple[float, float, float]  # of the root cube, world
    half_size: float  # of the root cube, world units
    memory_bytes: int  # of the columns and the table

"""The answers of the trees, beside plain arrays."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass
class CullStats:
    """The cost of queries; `cull` adds to it.

    Attributes:
        nodes_visited: cells that were compared with the frustum.
        spheres_tested: spheres that were compared with the frustum.
        copied_untested: spheres of cells that lie inside the frustum.
    """

    nodes_visited: int = 0
    spheres_tested: int = 0
    copied_untested: int = 0


@dataclass(frozen=True, eq=False)
class Cells:
    """Cells for drawing.

    Attributes:
        centers: (n, 3) float64, world.
        half_sizes: (n,) float64, world units.
        levels: (n,) int64.
        counts: (n,) int64 spheres.
    """

    centers: np.ndarray
    half_sizes: np.ndarray
    levels: np.ndarray
    counts: np.ndarray


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
    """A point where a ray meets an object, which is known by its sphere.

    Attributes:
        id: of the object.
        t: distance from the ray's origin, world units; 0 when the ray begins inside a sphere that is itself the object.
        point: (3,) world.
        normal: (3,) unit vector from the centre of the object's sphere towards the point: the normal of the sphere, if
            that is what was hit. Against the ray where the point is the centre.
        cell: locational code (octree.layout.morton) of the cell that the object is stored in.
    """

    id: int
    t: float
    point: np.ndarray
    normal: np.ndarray
    cell: int


@dataclass(frozen=True)
class OctreeStats:
    """Facts about a tree.

    Attributes:
        split_level: level of the leaves; the root is level 0.
        cells: cells that the complete tree has.
        occupied: cells that hold at least one sphere of their own.
        at_root: of these, the ones in no smaller cell: too large, or outside the root cube.
        outside_root: of these, the ones whose centre is outside the root cube.
        divided: cells that are divided, in a tree with a capacity; else 0.
        divisions: how many cells have been divided since the tree was made.
        collapses: how many of those have collapsed again.
        center: of the root cube, world.
        half_size: of the root cube, world units.
        memory_bytes: of the columns and the table.
    """

    split_level: int
    cells: int
    occupied: int
    spheres: int
    at_root: int
    outside_root: int
    divided: int
    divisions: int
    collapses: int
    center: tuple[float, float, float]
    half_size: float
    memory_bytes: int

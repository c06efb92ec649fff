"""What the trees answer with, beside plain arrays."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass
class CullStats:
    """What culling cost; `cull` adds to it."""

    nodes_visited: int = 0
    spheres_tested: int = 0
    copied_untested: int = 0


@dataclass(frozen=True, eq=False)
class Cells:
    """Cells for drawing: centres (n, 3) float64 and half sizes (n,) float64 in world units, levels and counts (n,)."""

    centers: np.ndarray
    half_sizes: np.ndarray
    levels: np.ndarray
    counts: np.ndarray


@dataclass(frozen=True, eq=False)
class Hit:
    """Where a ray meets an object.

    Attributes:
        id: of the object.
        t: distance from the ray's origin, world units; 0 when the ray begins inside a sphere that is itself the object.
        point: (3,) world.
        normal: (3,) unit vector from the centre of the object's sphere towards the point: the normal of the sphere, if
            that is what was hit. Against the ray where the point is the centre.
        cell: locational code (octree.morton) of the cell that the object is stored in.
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
        spheres: spheres in the tree.
        at_root: of these, the ones in no smaller cell: too large, or outside the root cube.
        strays: of these, the ones whose centre is outside the root cube.
        divided: cells that are divided, in a tree with a capacity; else 0.
        divisions, collapses: how many cells have been divided, and have collapsed again, since the tree was made.
        center, half_size: the root cube, world units.
        memory_bytes: what the columns and the table take.
    """

    split_level: int
    cells: int
    occupied: int
    spheres: int
    at_root: int
    strays: int
    divided: int
    divisions: int
    collapses: int
    center: tuple[float, float, float]
    half_size: float
    memory_bytes: int

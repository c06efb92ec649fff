"""A spatial index over spheres: ids and numpy arrays in, ids and numpy arrays out.

Nothing in here knows what an id stands for. Imports numpy and numba, nothing else. README.md explains the octree with a
drawing. In import order: what stands lower imports what stands above it, never the other way.

    jit/         compile kernels by numba; keep and forget their machine code.
    layout/      the tree in arrays: keys of cells, columns of spheres, the walk from a cell to its children.
    building/    changes of the arrays: insert, move, remove, sort, divide.
    queries/     kernels of the queries: volumes, rays, pairs.
    arguments    check the arguments of a tree's methods.
    frustum      Frustum: six planes from a camera's matrix.
    records      answers: SphereHit, Contacts, Cells, CullStats, OctreeStats.
    sphere_tree  SphereTree: every query, for every tree.
    tree         Octree: for spheres that come, move and go.
    leaf_tree    LeafOctree: stores a sphere in every leaf that it touches.
    linear       LinearOctree: for a set that stays as it is.
"""

from octoscope.octree.frustum import Frustum
from octoscope.octree.leaf_tree import LeafOctree
from octoscope.octree.linear import LinearOctree
from octoscope.octree.records import Cells, Contacts, CullStats, OctreeStats, SphereHit
from octoscope.octree.tree import Octree

__all__ = [
    "Cells",
    "Contacts",
    "CullStats",
    "Frustum",
    "LeafOctree",
    "LinearOctree",
    "Octree",
    "OctreeStats",
    "SphereHit",
]

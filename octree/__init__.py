"""A spatial index over spheres: ids and numpy arrays in, ids and numpy arrays out.

Nothing in here knows what an id stands for. Imports numpy and numba, nothing else. README.md explains it.
"""

from octree.arguments import ALL
from octree.frustum import Frustum
from octree.leaf_tree import LeafOctree
from octree.linear import LinearOctree
from octree.records import Cells, CullStats, OctreeStats, SphereHit
from octree.tree import Octree

__all__ = ["ALL", "Cells", "CullStats", "Frustum", "LeafOctree", "LinearOctree", "Octree", "OctreeStats", "SphereHit"]

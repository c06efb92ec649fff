"""A spatial index over spheres: ids and numpy arrays in, ids and numpy arrays out.

Nothing in here knows what an id stands for. Imports numpy and numba, nothing else.
"""

from octree.frustum import Frustum
from octree.tree import Cells, CullStats, Octree, OctreeStats

__all__ = ["Cells", "CullStats", "Frustum", "Octree", "OctreeStats"]

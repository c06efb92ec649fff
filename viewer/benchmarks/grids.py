"""A uniform grid and a hierarchical grid over spheres, as rivals of the octree: kernels on one thread like its own."""

from __future__ import annotations

import numpy as np

from octoscope.octree import Frustum
from octoscope.viewer.benchmarks.kernels import fill_grid, grid_in_box, grid_in_frustum

_PER_CELL = 2.0  # spheres, where they are spread evenly
_MOST_CELLS = 2**22
_LARGEST_SHARE = 2.0  # how many times the smallest radius of a level of the hierarchy the largest may be


class UniformGrid:
    """Spheres sorted by the cubic cell that holds their centre. A cell is at least as wide as the largest sphere.

    Args:
        centers: (n, 3) float64, world.
        radii: (n,) float64, world units.
        ids: (n,) int32.
    """

    def __init__(self, centers: np.ndarray, radii: np.ndarray, ids: np.ndarray) -> None:
        self._lower = centers.min(axis=0)
        extent = centers.max(axis=0) - self._lower
        self._largest = float(radii.max())
        size = max(2.0 * self._largest, (extent.prod() * _PER_CELL / len(radii)) ** (1.0 / 3.0), 1e-9)
        while np.prod(extent / size + 1.0) > _MOST_CELLS:
            size *= 1.25
        self._size = size
        self._shape = (extent / size).astype(np.int64) + 1
        self._begins = np.zeros(int(self._shape.prod()) + 2, dtype=np.int32)
        self._columns = np.empty((4, len(radii)), dtype=np.float32)
        self._ids = np.empty(len(radii), dtype=np.int32)
        fill_grid(centers, radii, ids, self._lower, size, self._shape, self._begins, self._columns, self._ids)

    def __len__(self) -> int:
        return len(self._ids)

    def cull(self, frustum: Frustum, out: np.ndarray) -> int:
        """Write the ids of the spheres that touch a frustum to `out`, with one element to spare; return the number."""
        planes = frustum.planes_about(self._lower)
        return grid_in_frustum(
            planes.astype(np.float32),
            self._largest,
            self._size,
            self._shape,
            self._begins,
            self._columns,
            self._ids,
            out,
        )

    def query_box(self, lower: np.ndarray, upper: np.ndarray, out: np.ndarray) -> int:
        """Write the ids of the spheres that touch a box to `out`, with one element to spare; return the number."""
        box = np.array((lower - self._lower, upper - self._lower), dtype=np.float32)
        reach = np.array((-self._largest, self._largest))[:, None]
        cells = ((box + reach) / self._size).clip(-1.0, self._shape).astype(np.int64)
        if (cells[1] < 0).any() or (cells[0] >= self._shape).any():
            return 0
        cells = cells.clip(0, self._shape - 1)
        return grid_in_box(box, cells, self._shape, self._begins, self._columns, self._ids, out)


class HierarchicalGrid:
    """A uniform grid for each octave of radii (Ericson, "Real-Time Collision Detection", 7.2.1), each of its own size.

    Args:
        centers: (n, 3) float64, world.
        radii: (n,) float64 above 0, world units.
    """

    def __init__(self, centers: np.ndarray, radii: np.ndarray) -> None:
        levels = np.log2(radii / radii.min()) // np.log2(_LARGEST_SHARE)
        self._out = np.empty(len(radii) + 1, dtype=np.int32)
        self._levels = []
        for level in np.unique(levels):
            ids = np.flatnonzero(levels == level).astype(np.int32)
            self._levels.append(UniformGrid(centers[ids], radii[ids], ids))

    def cull(self, frustum: Frustum) -> np.ndarray:
        """Return (k,) int32 ids of the spheres that touch a frustum: a view of a buffer that the next call rewrites."""
        count = 0
        for grid in self._levels:
            count += grid.cull(frustum, self._out[count:])
        return self._out[:count]

    def query_box(self, lower: np.ndarray, upper: np.ndarray) -> np.ndarray:
        """Return (k,) int32 ids of the spheres that touch a box: a view of a buffer that the next call rewrites."""
        count = 0
        for grid in self._levels:
            count += grid.query_box(lower, upper, self._out[count:])
        return self._out[:count]

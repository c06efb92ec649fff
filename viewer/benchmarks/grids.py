"""A uniform grid and a hierarchical grid over spheres, as rivals of the octree: kernels on one thread like its own."""

from __future__ import annotations

import numpy as np

from octree import Frustum
from octree.jit import fused_kernel, kernel

_PER_CELL = 2.0  # spheres, where they are spread evenly
_MOST_CELLS = 2**22
_ROUNDING = 2.0**-21  # of float32, relative to a distance; the octree grows its spheres likewise
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
        _fill(centers, radii, ids, self._lower, size, self._shape, self._begins, self._columns, self._ids)

    def __len__(self) -> int:
        return len(self._ids)

    def cull(self, frustum: Frustum, out: np.ndarray) -> int:
        """Write the ids of the spheres that touch a frustum to `out`, with one element to spare; return the number."""
        planes = frustum.planes_about(self._lower)
        return _in_frustum(
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
        return _in_box(box, cells, self._shape, self._begins, self._columns, self._ids, out)


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


@kernel
def _fill(centers, radii, ids, lower, size, shape, begins, columns, out_ids):
    """Sort spheres by cell, a counting sort; x is the slowest axis, z the fastest."""
    cells = np.empty(len(radii), np.int32)
    for i in range(len(radii)):
        cell = 0
        for axis in range(3):
            cell = cell * shape[axis] + min(np.int64((centers[i, axis] - lower[axis]) / size), shape[axis] - 1)
        cells[i] = cell
        begins[cell + 2] += 1
    for cell in range(2, len(begins)):
        begins[cell] += begins[cell - 1]
    for i in range(len(radii)):
        cell = cells[i]
        cells[i] = begins[cell + 1]
        begins[cell + 1] += 1
    for axis in range(3):
        for i in range(len(radii)):
            columns[axis, cells[i]] = centers[i, axis] - lower[axis]
    for i in range(len(radii)):
        distance = centers[i, 0] - lower[0] + centers[i, 1] - lower[1] + centers[i, 2] - lower[2]
        columns[3, cells[i]] = radii[i] + distance * _ROUNDING
    for i in range(len(radii)):
        out_ids[cells[i]] = ids[i]


@fused_kernel
def _in_box(box, cells, shape, begins, columns, ids, out):
    count = 0
    zero = np.float32(0.0)
    for i in range(cells[0, 0], cells[1, 0] + 1):
        for j in range(cells[0, 1], cells[1, 1] + 1):
            row = (i * shape[1] + j) * shape[2]
            for slot in range(begins[row + cells[0, 2]], begins[row + cells[1, 2] + 1]):
                squared = zero
                for axis in range(3):
                    at = columns[axis, slot]
                    off = max(max(box[0, axis] - at, at - box[1, axis]), zero)
                    squared += off * off
                out[count] = ids[slot]
                count += int(squared <= columns[3, slot] * columns[3, slot])
    return count


@fused_kernel
def _in_frustum(planes, largest, size, shape, begins, columns, ids, out):
    """Judge whole rows of cells first, then the cells of the rows that a plane crosses, then their spheres."""
    count = 0
    length = size * shape[2]
    for i in range(shape[0]):
        for j in range(shape[1]):
            row = (i * shape[1] + j) * shape[2]
            x, y = (i + 0.5) * size, (j + 0.5) * size
            relation = _box_and_planes(planes, x, y, 0.5 * length, 0.5 * size, 0.5 * length, largest)
            if relation < 0 or begins[row] == begins[row + shape[2]]:
                continue
            if relation == 0:
                for slot in range(begins[row], begins[row + shape[2]]):
                    out[count] = ids[slot]
                    count += 1
                continue
            for k in range(shape[2]):
                begin, end = begins[row + k], begins[row + k + 1]
                if begin == end:
                    continue
                relation = _box_and_planes(planes, x, y, (k + 0.5) * size, 0.5 * size, 0.5 * size, largest)
                if relation < 0:
                    continue
                for slot in range(begin, end):
                    touches = True
                    if relation > 0:
                        for plane in range(6):
                            distance = planes[plane, 3]
                            for axis in range(3):
                                distance += planes[plane, axis] * columns[axis, slot]
                            touches &= distance >= -columns[3, slot]
                    out[count] = ids[slot]
                    count += int(touches)
    return count


@fused_kernel
def _box_and_planes(planes, x, y, z, half, half_z, largest):
    """Compare a box, grown by the largest radius, with a frustum: -1 outside, 0 inside, 1 neither."""
    relation = 0
    for plane in range(6):
        nx, ny, nz = planes[plane, 0], planes[plane, 1], planes[plane, 2]
        distance = nx * x + ny * y + nz * z + planes[plane, 3]
        extent = (abs(nx) + abs(ny)) * half + abs(nz) * half_z
        if distance < -extent - largest * 1.001:
            return -1
        if distance < extent:
            relation = 1
    return relation

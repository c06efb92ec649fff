"""The sets of spheres that the octree is measured on, the cameras for them, and the flat test to compare with."""

from __future__ import annotations

import math

import numpy as np

from octoscope.octree import Frustum, Octree
from tests.benchmarks.kernels import flat_mask

HALF_SIZE = 100.0


def uniform_spheres(count: int) -> tuple[np.ndarray, np.ndarray]:
    """Return centres in a cube of side 200, and radii from 0.3 to 0.5."""
    rng = np.random.default_rng(7)
    return rng.uniform(-HALF_SIZE, HALF_SIZE, (count, 3)), rng.uniform(0.3, 0.5, count)


def clustered_spheres(count: int) -> tuple[np.ndarray, np.ndarray]:
    """Return a set like a city: flat, with dense quarters and a few high places."""
    rng = np.random.default_rng(8)
    middles = rng.uniform(-0.85, 0.85, (400, 2)) * HALF_SIZE
    quarter = rng.integers(0, len(middles), count)
    ground = middles[quarter] + rng.normal(0.0, 0.04 * HALF_SIZE, (count, 2))
    height = rng.exponential(0.02 * HALF_SIZE, count)
    centers = np.stack([ground[:, 0], height, ground[:, 1]], axis=1).clip(-HALF_SIZE, HALF_SIZE)
    return centers, rng.uniform(0.05, 0.3, count)


def mixed_spheres(count: int) -> tuple[np.ndarray, np.ndarray]:
    """Return centres in a cube of side 200, and radii from 0.1 to 2, as many small as large on a logarithmic scale."""
    rng = np.random.default_rng(17)
    return rng.uniform(-HALF_SIZE, HALF_SIZE, (count, 3)), 0.1 * 20.0 ** rng.random(count)


SETS = {"uniform": uniform_spheres, "city": clustered_spheres}
MIXED = {**SETS, "mixed sizes": mixed_spheres}


def tree_over(centers: np.ndarray, radii: np.ndarray) -> Octree:
    """Return a sorted tree with the default settings."""
    tree = Octree((0.0, 0.0, 0.0), HALF_SIZE)
    tree.insert(np.arange(len(radii), dtype=np.int32), centers, radii)
    tree.query_sphere((0.0, 0.0, 0.0), 0.0)  # insertion is lazy: the first query sorts
    return tree


class FlatSpheres:
    """The strongest test without a tree: a numba SIMD mask over all spheres, then np.flatnonzero; one thread."""

    def __init__(self, centers: np.ndarray, radii: np.ndarray) -> None:
        self._columns = (*np.ascontiguousarray(centers.T, dtype=np.float32), radii.astype(np.float32))
        self._mask = np.empty(len(radii), dtype=np.bool_)

    def cull(self, frustum: Frustum) -> np.ndarray:
        """Return the indices of spheres that touch all six half-spaces."""
        x, y, z, r = self._columns
        flat_mask(x, y, z, r, frustum.planes.astype(np.float32), self._mask)
        return np.flatnonzero(self._mask)


def sees(frustum: Frustum, centers: np.ndarray, radii: np.ndarray) -> np.ndarray:
    """Return which spheres touch all six half-spaces, (n,) bool, in float64."""
    return (centers @ frustum.planes[:, :3].T + frustum.planes[:, 3] >= -radii[:, None]).all(axis=1)


def assert_about(found: np.ndarray, wanted: np.ndarray) -> None:
    """Check that `found` are the ids for which `wanted`, (n,) bool, is true, each once; float32 may add a few."""
    assert len(np.unique(found)) == len(found) and np.isin(np.flatnonzero(wanted), found).all()
    assert len(found) <= wanted.sum() * 1.001 + 8


def frustum_that_sees(fraction: float, centers: np.ndarray, radii: np.ndarray) -> Frustum:
    """Return the frustum of a camera in a corner of the set that sees about that fraction of it.

    To see more than fits into the widest angle it steps back; to see all it looks from far away.
    """
    sample = np.random.default_rng(9).choice(len(centers), min(len(centers), 200_000), replace=False)
    little, much = 0.0, 1.0
    for _ in range(30):
        amount = (little + much) / 2.0
        frustum = Frustum.from_matrix(_clip_from_world(amount))
        if sees(frustum, centers[sample], radii[sample]).mean() < min(fraction, 0.9999):
            little = amount
        else:
            much = amount
    return Frustum.from_matrix(_clip_from_world(1.0 if fraction == 1.0 else amount))


def _clip_from_world(amount: float) -> np.ndarray:
    """Return the matrix of a camera that sees more the larger `amount` is.

    Up to 0.5 its angle widens (0.1 to 120 degrees), then it steps back.
    """
    fov_y_rad = math.radians(0.1 + 119.9 * min(1.0, 2.0 * amount))
    eye = np.array((-0.7, 0.25, -0.6)) * HALF_SIZE * (1.0 + 4.0 * max(0.0, 2.0 * amount - 1.0))
    back = eye / np.linalg.norm(eye)
    right = np.cross((0.0, 1.0, 0.0), back)
    right /= np.linalg.norm(right)
    view = np.eye(4)
    view[:3, :3] = right, np.cross(back, right), back
    view[:3, 3] = -view[:3, :3] @ eye
    near, far, slope = 0.1, 20.0 * HALF_SIZE, 1.0 / math.tan(fov_y_rad / 2.0)
    projection = np.zeros((4, 4))
    projection[0, 0], projection[1, 1] = slope * 9.0 / 16.0, slope
    projection[2, 2], projection[2, 3] = (far + near) / (near - far), 2.0 * far * near / (near - far)
    projection[3, 2] = -1.0
    return projection @ view

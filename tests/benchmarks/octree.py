"""The octree against the strongest flat competitor: a numba SIMD mask over all spheres and np.flatnonzero, one thread.

Every answer is asserted against a float64 test of all spheres before anything is timed.
"""

from __future__ import annotations

import importlib.util
import math
from collections.abc import Callable, Iterator

import numpy as np

from octree import Frustum, Octree
from octree.jit import fused_kernel
from viewer.benchmarks.harness import Result, compare

_COUNT = 1_000_000
_HALF_SIZE = 100.0
_FRACTIONS = (0.002, 0.1)
_ROUNDS = 41


def run() -> Iterator[Result]:
    """Culling at two fractions on two sets, then insertion."""
    sets = {"uniform": uniform_spheres(_COUNT), "city": clustered_spheres(_COUNT)}
    for set_name, (centers, radii) in sets.items():
        tree = Octree((0.0, 0.0, 0.0), _HALF_SIZE)
        tree.insert(np.arange(_COUNT), centers, radii)
        x, y, z = np.ascontiguousarray(centers.T, dtype=np.float32)
        r = radii.astype(np.float32)
        mask = np.empty(_COUNT, dtype=np.bool_)
        for fraction in _FRACTIONS:
            frustum = frustum_that_sees(fraction, centers, radii)
            seen = sees(frustum, centers, radii)
            found = tree.cull(frustum)
            assert len(np.unique(found)) == len(found) and np.isin(np.flatnonzero(seen), found).all()
            assert len(found) <= seen.sum() * 1.001 + 8
            planes = frustum.planes.astype(np.float32)

            def flat(x=x, y=y, z=z, r=r, planes=planes, mask=mask) -> np.ndarray:
                flat_mask(x, y, z, r, planes, mask)
                return np.flatnonzero(mask)

            assert abs(len(flat()) - seen.sum()) <= seen.sum() * 0.001 + 8

            def ours(tree=tree, frustum=frustum) -> np.ndarray:
                return tree.cull(frustum)

            name = f"cull {_COUNT:,} {set_name}, {len(found) / _COUNT:.1%} visible"
            yield compare(name, ours, {"flat SIMD mask + flatnonzero": flat}, rounds=_ROUNDS)
    yield _insertion(*sets["uniform"])


def _insertion(centers: np.ndarray, radii: np.ndarray) -> Result:
    ids = np.arange(_COUNT, dtype=np.int32)
    nothing_seen = frustum_that_sees(0.0001, centers, radii)

    def ours() -> Octree:
        tree = Octree((0.0, 0.0, 0.0), _HALF_SIZE)
        tree.insert(ids, centers, radii)
        tree.cull(nothing_seen)  # insertion is lazy: the first query sorts
        return tree

    assert len(ours()) == _COUNT
    cells = np.random.default_rng(10).integers(0, 8**6, _COUNT, dtype=np.int32)
    others: dict[str, Callable[[], object]] = {
        "np.argsort of as many cell numbers": lambda: np.argsort(cells, kind="stable")
    }
    if importlib.util.find_spec("rtree") is not None:
        from rtree import index

        lower, upper = centers - radii[:, None], centers + radii[:, None]
        others["rtree bulk load"] = lambda: index.Index(
            (ids.astype(np.int64), lower, upper), properties=index.Property(dimension=3)
        )
    note = "" if "rtree bulk load" in others else "rtree is not installed: pip install rtree"
    return compare(f"insert {_COUNT:,} and sort", ours, others, rounds=7, note=note)


@fused_kernel
def flat_mask(x, y, z, r, planes, mask):
    """Which spheres touch the frustum, all six planes at once; vectorises."""
    ax, ay, az, ad = planes[0, 0], planes[0, 1], planes[0, 2], planes[0, 3]
    bx, by, bz, bd = planes[1, 0], planes[1, 1], planes[1, 2], planes[1, 3]
    cx, cy, cz, cd = planes[2, 0], planes[2, 1], planes[2, 2], planes[2, 3]
    dx, dy, dz, dd = planes[3, 0], planes[3, 1], planes[3, 2], planes[3, 3]
    ex, ey, ez, ed = planes[4, 0], planes[4, 1], planes[4, 2], planes[4, 3]
    fx, fy, fz, fd = planes[5, 0], planes[5, 1], planes[5, 2], planes[5, 3]
    for i in range(len(x)):
        mask[i] = (
            (ax * x[i] + ay * y[i] + az * z[i] + ad >= -r[i])
            & (bx * x[i] + by * y[i] + bz * z[i] + bd >= -r[i])
            & (cx * x[i] + cy * y[i] + cz * z[i] + cd >= -r[i])
            & (dx * x[i] + dy * y[i] + dz * z[i] + dd >= -r[i])
            & (ex * x[i] + ey * y[i] + ez * z[i] + ed >= -r[i])
            & (fx * x[i] + fy * y[i] + fz * z[i] + fd >= -r[i])
        )


def uniform_spheres(count: int) -> tuple[np.ndarray, np.ndarray]:
    """Centres in a cube of side 200, radii 0.3 to 0.5."""
    rng = np.random.default_rng(7)
    return rng.uniform(-_HALF_SIZE, _HALF_SIZE, (count, 3)), rng.uniform(0.3, 0.5, count)


def clustered_spheres(count: int) -> tuple[np.ndarray, np.ndarray]:
    """City-like: flat, in dense quarters, with a few high places."""
    rng = np.random.default_rng(8)
    middles = rng.uniform(-0.85, 0.85, (400, 2)) * _HALF_SIZE
    quarter = rng.integers(0, len(middles), count)
    ground = middles[quarter] + rng.normal(0.0, 0.04 * _HALF_SIZE, (count, 2))
    height = rng.exponential(0.02 * _HALF_SIZE, count)
    centers = np.stack([ground[:, 0], height, ground[:, 1]], axis=1).clip(-_HALF_SIZE, _HALF_SIZE)
    return centers, rng.uniform(0.05, 0.3, count)


def sees(frustum: Frustum, centers: np.ndarray, radii: np.ndarray) -> np.ndarray:
    """(n,) bool, float64: which spheres touch all six half-spaces."""
    return (centers @ frustum.planes[:, :3].T + frustum.planes[:, 3] >= -radii[:, None]).all(axis=1)


def frustum_that_sees(fraction: float, centers: np.ndarray, radii: np.ndarray) -> Frustum:
    """A camera in a corner of the set, turned to its middle, whose angle of view shows about that many."""
    sample = np.random.default_rng(9).choice(len(centers), min(len(centers), 200_000), replace=False)
    narrow, wide = math.radians(0.1), math.radians(170.0)
    for _ in range(30):
        angle = (narrow + wide) / 2.0
        frustum = Frustum.from_matrix(_clip_from_world(angle))
        if sees(frustum, centers[sample], radii[sample]).mean() < fraction:
            narrow = angle
        else:
            wide = angle
    return frustum


def _clip_from_world(fov_y_rad: float) -> np.ndarray:
    eye = np.array((-0.7, 0.25, -0.6)) * _HALF_SIZE
    back = eye / np.linalg.norm(eye)
    right = np.cross((0.0, 1.0, 0.0), back)
    right /= np.linalg.norm(right)
    view = np.eye(4)
    view[:3, :3] = right, np.cross(back, right), back
    view[:3, 3] = -view[:3, :3] @ eye
    near, far, slope = 0.1, 4.0 * _HALF_SIZE, 1.0 / math.tan(fov_y_rad / 2.0)
    projection = np.zeros((4, 4))
    projection[0, 0], projection[1, 1] = slope * 9.0 / 16.0, slope
    projection[2, 2], projection[2, 3] = (far + near) / (near - far), 2.0 * far * near / (near - far)
    projection[3, 2] = -1.0
    return projection @ view

"""Checks of every query of a tree, against the spheres that it should hold."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from octoscope.octree import Frustum, SphereHit
from octoscope.octree.layout.morton import encode_3d
from octoscope.octree.sphere_tree import SphereTree
from tests.oracles import EVERYTHING, frustum_clearance, random_camera, random_ray, ray_clearance, ray_entry

_FEW = 400  # spheres: the oracle of all pairs is quadratic


class Sphere(NamedTuple):
    center: np.ndarray
    radius: float


@dataclass
class Spheres:
    """The spheres that a tree should hold, by id."""

    by_id: dict[int, Sphere] = field(default_factory=dict)

    def put(self, ids: np.ndarray, centers: np.ndarray, radii: np.ndarray) -> None:
        """Insert or move spheres."""
        for place, identifier in enumerate(ids.tolist()):
            self.by_id[identifier] = Sphere(centers[place], radii[place])

    def drop(self, ids: np.ndarray) -> None:
        for identifier in ids.tolist():
            del self.by_id[identifier]

    @property
    def ids(self) -> np.ndarray:
        return np.fromiter(self.by_id, dtype=np.int64)

    @property
    def centers(self) -> np.ndarray:
        return np.array([sphere.center for sphere in self.by_id.values()]).reshape(-1, 3)

    @property
    def radii(self) -> np.ndarray:
        return np.array([sphere.radius for sphere in self.by_id.values()], dtype=np.float64)


def check_contents(tree: SphereTree, spheres: Spheres) -> None:
    """The tree knows exactly these ids, and a camera that sees everything sees each of them once."""
    assert len(tree) == len(spheres.by_id)
    assert tree.contains(spheres.ids).all()
    seen = tree.cull(Frustum.from_matrix(EVERYTHING))
    np.testing.assert_array_equal(np.sort(seen), np.sort(spheres.ids))


# Volumes.


def check_cull(tree: SphereTree, spheres: Spheres, clip_from_world: np.ndarray) -> np.ndarray:
    """Compare a frustum query with brute force; returns what the tree found."""
    frustum = Frustum.from_matrix(clip_from_world)
    planes = frustum.planes
    ids, centers, radii = spheres.ids, spheres.centers, spheres.radii
    found = tree.cull(frustum)
    exact, float32 = rounding(tree, centers, radii)
    # A plane's own rounding: of its distance from the tree's centre, and of the root's size.
    float32 = float32 + 1e-5 * (tree.half_size + np.abs(planes[:, :3] @ tree.center + planes[:, 3]).max())
    # And of the matrix, which cannot hold exactly what is small and far from the world's origin.
    tilts, shifts = frustum.rounding[:, :3], frustum.rounding[:, 3]
    float32 = float32 + 2.0 * (tilts @ np.abs(tree.center) + shifts).max()
    check_found(found, ids, frustum_clearance(planes, centers, radii), exact, float32)
    return found


def check_box(tree: SphereTree, spheres: Spheres, lower: np.ndarray, upper: np.ndarray) -> np.ndarray:
    """Compare a box query with brute force; returns what the tree found."""
    ids, centers, radii = spheres.ids, spheres.centers, spheres.radii
    found = tree.query_box(lower, upper)
    off = np.maximum(np.maximum(lower - centers, centers - upper), 0.0)
    exact, float32 = rounding(tree, centers, radii)
    corners = np.where(np.isfinite((lower, upper)), (lower, upper), tree.center)
    exact = exact + 2.0**-46 * np.abs(corners).sum(axis=1).max()
    float32 = float32 + 1e-5 * (tree.half_size + np.abs(corners - tree.center).sum(axis=1).max())
    check_found(found, ids, np.linalg.norm(off, axis=1) - radii, exact, float32)
    return found


def check_ball(tree: SphereTree, spheres: Spheres, center: np.ndarray, radius: float) -> np.ndarray:
    """Compare a sphere query with brute force; returns what the tree found."""
    ids, centers, radii = spheres.ids, spheres.centers, spheres.radii
    found = tree.query_sphere(center, radius)
    clearance = np.linalg.norm(centers - center, axis=1) - radii - radius
    exact, float32 = rounding(tree, centers, radii)
    size = radius if np.isfinite(radius) else 0.0
    exact = exact + 2.0**-46 * (np.abs(center).sum() + size)
    float32 = float32 + 1e-5 * (tree.half_size + np.abs(center - tree.center).sum() + size)
    check_found(found, ids, clearance, exact, float32)
    return found


# Rays.


def check_raycast(
    tree: SphereTree,
    spheres: Spheres,
    origin: np.ndarray,
    direction: np.ndarray,
    t_max: float = np.inf,
) -> np.ndarray:
    """Compare a ray query, and the nearest on the ray, with brute force; `direction` of unit length. Returns the ids.

    Every sphere's t lies between those of two other spheres: where a ray grazes one, t depends on the last digit of
    its radius.
    """
    ids, centers, radii = spheres.ids, spheres.centers, spheres.radii
    found, t_enter = tree.raycast(origin, direction, t_max=t_max)
    assert t_enter.dtype == np.float64 and (np.diff(t_enter) >= 0.0).all(), "not nearest first"
    exact, float32 = _ray_rounding(tree, origin, centers, radii)
    check_found(found, ids, ray_clearance(origin, direction, t_max, centers, radii), exact, float32)
    places = places_of(found, ids)
    latest = ray_entry(origin, direction, centers, radii - exact) + exact
    earliest = ray_entry(origin, direction, centers, radii + float32) - float32
    assert (t_enter <= latest[places]).all(), "t is too large"
    assert (t_enter >= earliest[places]).all(), "t is too small"
    assert (t_enter <= t_max).all(), "t is beyond the ray's end"

    hit = tree.raycast_nearest(origin, direction, t_max=t_max)
    if len(found) == 0:
        assert hit is None, "the nearest of none"
        return found
    check_hit(hit, origin, direction)
    assert hit.t == t_enter[0] and hit.id in found[t_enter == hit.t], "the nearest is not the first"
    assert hit.t <= latest[latest <= t_max].min(initial=np.inf), "there is a nearer one"
    return found


def check_nearest_object(
    tree: SphereTree,
    spheres: Spheres,
    origin: np.ndarray,
    direction: np.ndarray,
    rng: np.random.Generator,
    t_max: float = np.inf,
) -> None:
    """Compare the nearest of objects that lie within the spheres with brute force: smaller spheres, or nothing."""
    ids, centers, radii = spheres.ids, spheres.centers, spheres.radii
    exact, _ = _ray_rounding(tree, origin, centers, radii)
    t_object = ray_entry(origin, direction, centers, radii * rng.choice((0.5, 0.9), len(ids)))
    t_object[(rng.random(len(ids)) < 0.3) | (0.1 * radii <= exact)] = np.nan
    entered, t_enter = tree.raycast(origin, direction, t_max=t_max)
    asked = []

    def test(batch: np.ndarray) -> np.ndarray:
        assert batch.dtype == np.int32 and batch.ndim == 1 and len(batch)
        asked.extend(batch.tolist())
        return t_object[places_of(batch, ids)]

    hit = tree.raycast_nearest(origin, direction, test, t_max=t_max)
    assert len(set(asked)) == len(asked), "asked about an object twice"
    assert np.isin(asked, entered).all(), "asked about an object whose sphere the ray does not enter"
    assert (np.diff(t_enter[places_of(np.array(asked, dtype=np.int64), entered)]) >= 0.0).all(), "not front to back"
    nearest = np.where(t_object <= t_max, t_object, np.inf).min(initial=np.inf)
    assert (np.inf if hit is None else hit.t) == nearest
    if hit is not None:
        check_hit(hit, origin, direction)
        assert hit.id in ids[t_object == nearest]


def check_hit(hit: SphereHit, origin: np.ndarray, direction: np.ndarray) -> None:
    """Its parts fit together; `direction` of any length."""
    assert isinstance(hit, SphereHit) and isinstance(hit.id, int) and isinstance(hit.t, float) and hit.t >= 0.0
    unit = np.divide(direction, np.linalg.norm(direction))
    size = np.abs(origin).max() + hit.t
    np.testing.assert_allclose(hit.point, origin + hit.t * unit, rtol=0.0, atol=1e-14 * size)
    assert abs(np.linalg.norm(hit.normal) - 1.0) < 1e-12, "the normal is not of unit length"
    assert hit.cell >= 1


# Pairs.


def check_pairs(tree: SphereTree, spheres: Spheres) -> np.ndarray:
    """Compare all pairs with brute force; returns what the tree found."""
    found = tree.pairs()
    assert found.dtype == np.int32 and found.shape == (len(found), 2)
    assert (found[:, 0] < found[:, 1]).all(), "not the lower id first"
    ids = spheres.ids
    ordered = [(identifier, *spheres.by_id[identifier]) for identifier in np.sort(ids).tolist()]
    ids = np.array([sphere[0] for sphere in ordered], dtype=np.int64)
    centers = np.array([sphere[1] for sphere in ordered]).reshape(-1, 3)
    radii = np.array([sphere[2] for sphere in ordered], dtype=np.float64)
    a, b = np.triu_indices(len(ids), 1)
    exact, float32 = rounding(tree, centers, radii)
    clearance = np.linalg.norm(centers[a] - centers[b], axis=1) - radii[a] - radii[b]
    # A pair as one number: so it can be looked for as an id.
    _check_reported(
        found[:, 0].astype(np.int64) * 2**31 + found[:, 1],
        ids[a] * 2**31 + ids[b],
        clearance,
        exact[a] + exact[b],
        float32[a] + float32[b],
    )
    return found


# All of them.


def check_queries(tree: SphereTree, spheres: Spheres, rng: np.random.Generator, count: int) -> None:
    """`count` random queries of each kind, and of few spheres all pairs."""
    for _ in range(count):
        check_volumes(tree, spheres, rng)
        check_rays(tree, spheres, rng)
    if len(spheres.by_id) <= _FEW:
        check_pairs(tree, spheres)


def check_volumes(tree: SphereTree, spheres: Spheres, rng: np.random.Generator) -> None:
    """A random camera, box and ball."""
    check_cull(tree, spheres, random_camera(rng, tree.center, tree.half_size))
    check_box(tree, spheres, *random_box(rng, tree.center, tree.half_size))
    check_ball(tree, spheres, *random_ball(rng, tree.center, tree.half_size))


def check_rays(tree: SphereTree, spheres: Spheres, rng: np.random.Generator) -> None:
    """A random ray, one in two of finite length: what is on it, the nearest, the nearest object."""
    origin, direction = random_ray(rng, tree.center, tree.half_size)
    t_max = np.inf if rng.random() < 0.5 else tree.half_size * rng.uniform(0.0, 3.0)
    check_raycast(tree, spheres, origin, direction, t_max)
    check_nearest_object(tree, spheres, origin, direction, rng, t_max)


def random_box(rng: np.random.Generator, center: np.ndarray, half_size: float) -> tuple[np.ndarray, np.ndarray]:
    """Corners in or about a cube; some boxes end in faces of cells, at infinity, or are a point."""
    corners = rng.normal(size=(2, 3)) * 10.0 ** rng.uniform(-2.0, 1.0)
    if rng.random() < 0.3:
        corners = np.round(8.0 * corners) / 8.0
    lower, upper = center + half_size * np.sort(corners, axis=0)
    if rng.random() < 0.3:
        lower[rng.random(3) < 0.5] = -np.inf
        upper[rng.random(3) < 0.5] = np.inf
    return (lower, lower.copy()) if rng.random() < 0.2 and np.isfinite(lower).all() else (lower, upper)


def random_ball(rng: np.random.Generator, center: np.ndarray, half_size: float) -> tuple[np.ndarray, float]:
    """Centre in or about a cube; some balls are a point, some endless."""
    radius = rng.choice((10.0 ** rng.uniform(-3.0, 1.0), 0.0, np.inf), p=(0.8, 0.15, 0.05))
    return center + half_size * rng.normal(size=3) * 10.0 ** rng.uniform(-2.0, 1.0), half_size * radius


def check_found(
    found: np.ndarray, ids: np.ndarray, clearance: np.ndarray, exact: np.ndarray, float32: np.ndarray
) -> None:
    """Found are all ids that touch, each once, and none that is farther away than float32 can tell."""
    assert found.dtype == np.int32 and found.ndim == 1
    _check_reported(found, ids, clearance, exact, float32)


def _check_reported(
    found: np.ndarray, ids: np.ndarray, clearance: np.ndarray, exact: np.ndarray, float32: np.ndarray
) -> None:
    assert len(np.unique(found)) == len(found), "an id was reported twice"
    reported = np.isin(ids, found)
    assert reported.sum() == len(found), "an id was reported that is not in the tree"
    missed = ids[(clearance <= -exact) & ~reported]
    assert len(missed) == 0, f"ids that touch were missed: {missed[:8]}"
    strangers = ids[(clearance > float32) & reported]
    assert len(strangers) == 0, f"ids that are far from touching were reported: {strangers[:8]}"


def rounding(tree: SphereTree, centers: np.ndarray, radii: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the possible error of each sphere's distances: in the oracle's float64, and in the tree's float32."""
    about_world = np.abs(centers).sum(axis=1) + np.abs(tree.center).sum() + tree.half_size + radii
    about_tree = np.abs(centers - tree.center).sum(axis=1) + radii
    exact = 2.0**-46 * about_world
    return exact, 1e-5 * about_tree + exact


def _ray_rounding(
    tree: SphereTree, origin: np.ndarray, centers: np.ndarray, radii: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    exact, float32 = rounding(tree, np.vstack((centers, origin)), np.append(radii, 0.0))
    return exact[:-1] + exact[-1], float32[:-1]


def places_of(found: np.ndarray, ids: np.ndarray) -> np.ndarray:
    """Return the index in `ids` of each found id."""
    order = np.argsort(ids)
    return order[np.searchsorted(ids, found, sorter=order)]


def locational_code(level: ArrayLike, x: ArrayLike, y: ArrayLike, z: ArrayLike) -> np.ndarray:
    """The locational codes of cells: a sentinel bit before their Morton codes."""
    return np.int64(1) << 3 * np.asarray(level) | encode_3d(x, y, z)

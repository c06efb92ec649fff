"""What every query of a tree must satisfy, given the spheres it should hold."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from octree import Frustum, Octree
from tests.oracles import EVERYTHING, frustum_clearance, random_camera, random_ray, ray_clearance, ray_entry


@dataclass
class Spheres:
    """The spheres that a tree should hold, by id."""

    by_id: dict[int, tuple[np.ndarray, float]] = field(default_factory=dict)

    def put(self, ids: np.ndarray, centers: np.ndarray, radii: np.ndarray) -> None:
        self.by_id.update(zip(ids.tolist(), zip(centers, radii, strict=True), strict=True))

    def drop(self, ids: np.ndarray) -> None:
        for identifier in ids.tolist():
            del self.by_id[identifier]

    @property
    def ids(self) -> np.ndarray:
        return np.fromiter(self.by_id, dtype=np.int64)

    @property
    def centers(self) -> np.ndarray:
        return np.array([center for center, _ in self.by_id.values()]).reshape(-1, 3)

    @property
    def radii(self) -> np.ndarray:
        return np.array([radius for _, radius in self.by_id.values()])


def check_contents(tree: Octree, spheres: Spheres) -> None:
    """The tree knows exactly these ids, and a camera that sees everything sees each of them once."""
    assert len(tree) == len(spheres.by_id)
    assert tree.contains(spheres.ids).all()
    seen = tree.cull(Frustum.from_matrix(EVERYTHING))
    np.testing.assert_array_equal(np.sort(seen), np.sort(spheres.ids))


def check_cull(tree: Octree, spheres: Spheres, clip_from_world: np.ndarray) -> np.ndarray:
    """Compare a frustum query with brute force; returns what the tree found."""
    planes = Frustum.from_matrix(clip_from_world).planes
    ids, centers, radii = spheres.ids, spheres.centers, spheres.radii
    found = tree.cull(Frustum.from_matrix(clip_from_world))
    exact, float32 = rounding(tree, centers, radii)
    # A plane's own rounding: of its distance from the tree's centre, and of the root's size.
    float32 = float32 + 1e-5 * (tree.half_size + np.abs(planes[:, :3] @ tree.center + planes[:, 3]).max())
    check_found(found, ids, frustum_clearance(planes, centers, radii), exact, float32)
    return found


def check_raycast(
    tree: Octree, spheres: Spheres, origin: np.ndarray, direction: np.ndarray, t_max: float = np.inf
) -> np.ndarray:
    """Compare a ray query with brute force, ids and t; `direction` of unit length. Returns the ids."""
    ids, centers, radii = spheres.ids, spheres.centers, spheres.radii
    found, t_enter = tree.raycast(origin, direction, t_max=t_max)
    assert (np.diff(t_enter) >= 0.0).all(), "not nearest first"
    exact, float32 = rounding(tree, np.vstack((centers, origin)), np.append(radii, 0.0))
    exact, float32 = exact[:-1] + exact[-1], float32[:-1]
    check_found(found, ids, ray_clearance(origin, direction, t_max, centers, radii), exact, float32)
    places = places_of(found, ids)
    centers, radii, exact, float32 = centers[places], radii[places], exact[places], float32[places]
    # Where a ray grazes a sphere, t depends on the last digit of the radius: so compare with two other spheres.
    assert (t_enter <= ray_entry(origin, direction, centers, radii - exact) + exact).all(), "t is too large"
    assert (t_enter >= ray_entry(origin, direction, centers, radii + float32) - float32).all(), "t is too small"
    assert (t_enter <= t_max).all(), "t is beyond the ray's end"
    return found


def check_queries(tree: Octree, spheres: Spheres, rng: np.random.Generator, count: int) -> None:
    """`count` random cameras, and as many rays, some of them of finite length."""
    for number in range(count):
        check_cull(tree, spheres, random_camera(rng, tree.center, tree.half_size))
        t_max = np.inf if number % 2 else tree.half_size * rng.uniform(0.0, 3.0)
        check_raycast(tree, spheres, *random_ray(rng, tree.center, tree.half_size), t_max=t_max)


def check_found(
    found: np.ndarray, ids: np.ndarray, clearance: np.ndarray, exact: np.ndarray, float32: np.ndarray
) -> None:
    """Found are all ids that touch, each once, and none that is farther away than float32 can tell."""
    assert found.dtype == np.int32
    assert len(np.unique(found)) == len(found), "an id was reported twice"
    reported = np.isin(ids, found)
    assert reported.sum() == len(found), "an id was reported that is not in the tree"
    missed = ids[(clearance <= -exact) & ~reported]
    assert len(missed) == 0, f"ids that touch were missed: {missed[:8]}"
    strangers = ids[(clearance > float32) & reported]
    assert len(strangers) == 0, f"ids that are far from touching were reported: {strangers[:8]}"


def rounding(tree: Octree, centers: np.ndarray, radii: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """By sphere: what the oracle's float64 may err about the world's origin, and the tree's float32 about its own."""
    about_world = np.abs(centers).sum(axis=1) + np.abs(tree.center).sum() + tree.half_size + radii
    about_tree = np.abs(centers - tree.center).sum(axis=1) + radii
    exact = 2.0**-46 * about_world
    return exact, 1e-5 * about_tree + exact


def places_of(found: np.ndarray, ids: np.ndarray) -> np.ndarray:
    """Where each found id stands in `ids`."""
    order = np.argsort(ids)
    return order[np.searchsorted(ids, found, sorter=order)]

"""LinearOctree: every query against brute force; what it turns away."""

import numpy as np
import pytest

from octoscope.octree import Frustum, LinearOctree, Octree
from tests.octree.checks import Spheres, check_cull, check_found, check_raycast, rounding
from tests.oracles import EVERYTHING, random_camera, random_ray

pytestmark = pytest.mark.usefixtures("strict_floats")


# Every query against brute force, for this file and those of the Octree.


def check_box(tree: Octree | LinearOctree, spheres: Spheres, lower: np.ndarray, upper: np.ndarray) -> np.ndarray:
    ids, centers, radii = spheres.ids, spheres.centers, spheres.radii
    off = np.maximum(np.maximum(lower - centers, centers - upper), 0.0)
    corners = np.concatenate((lower, upper))
    exact, float32 = rounding(tree, centers, radii)
    float32 = float32 + 1e-5 * (tree.half_size + np.abs(corners[np.isfinite(corners)]).sum())
    found = tree.query_box(lower, upper)
    check_found(found, ids, np.linalg.norm(off, axis=1) - radii, exact, float32)
    return found


def check_ball(tree: Octree | LinearOctree, spheres: Spheres, center: np.ndarray, radius: float) -> np.ndarray:
    ids, centers, radii = spheres.ids, spheres.centers, spheres.radii
    exact, float32 = rounding(tree, centers, radii)
    exact = exact + 2.0**-46 * radius
    float32 = float32 + 1e-5 * (tree.half_size + np.abs(center - tree.center).sum() + radius)
    found = tree.query_sphere(center, radius)
    check_found(found, ids, np.linalg.norm(centers - center, axis=1) - radii - radius, exact, float32)
    return found


def check_pairs(tree: Octree | LinearOctree, spheres: Spheres) -> np.ndarray:
    ids, centers, radii = spheres.ids, spheres.centers, spheres.radii
    exact, float32 = rounding(tree, centers, radii)
    first, second = np.triu_indices(len(ids), 1)
    clearance = np.linalg.norm(centers[first] - centers[second], axis=1) - radii[first] - radii[second]
    found = tree.pairs()
    assert found.dtype == np.int32 and found.shape == (len(found), 2)
    assert (found[:, 0] < found[:, 1]).all(), "not the lower id first"
    code = found[:, 0].astype(np.int64) << 32 | found[:, 1]
    assert len(np.unique(code)) == len(code), "a pair was reported twice"
    expected = np.minimum(ids[first], ids[second]) << 32 | np.maximum(ids[first], ids[second])
    reported = np.isin(expected, code)
    assert reported.sum() == len(code), "a pair of ids that are not in the tree"
    assert reported[clearance <= -(exact[first] + exact[second])].all(), "a pair was missed"
    assert not reported[clearance > float32[first] + float32[second]].any(), "a pair that is far from touching"
    return found


def check_nearest(
    tree: Octree | LinearOctree, spheres: Spheres, origin: np.ndarray, direction: np.ndarray, t_max: float
) -> None:
    """The nearest of all spheres, which check_raycast compares with brute force; and of objects of a test's own."""
    check_raycast(tree, spheres, origin, direction, t_max)
    ids, t_enter = tree.raycast(origin, direction, t_max=t_max)
    hit = tree.raycast_nearest(origin, direction, t_max=t_max)
    assert (hit is None) == (len(ids) == 0)
    if hit is not None:
        assert hit.t == t_enter[0] and hit.id in ids[t_enter == t_enter[0]]
        np.testing.assert_allclose(hit.point, origin + hit.t * direction)
    # Objects of every third id, each somewhat behind the entrance into its sphere.
    behind = {identifier: t + 0.1 * (identifier % 7) for identifier, t in zip(ids.tolist(), t_enter, strict=True)}
    hits = {identifier: t for identifier, t in behind.items() if identifier % 3 == 0 and t <= t_max}
    hit = tree.raycast_nearest(
        origin, direction, lambda batch: [hits.get(identifier, np.inf) for identifier in batch.tolist()], t_max=t_max
    )
    assert (hit is None) == (not hits)
    if hit is not None:
        assert hit.t == min(hits.values()) == hits[hit.id]


def check_all_queries(
    tree: Octree | LinearOctree, spheres: Spheres, rng: np.random.Generator, count: int = 3, *, pairs: bool = True
) -> None:
    """`count` queries of each kind in and about the root, and one of everything."""
    seen = tree.cull(Frustum.from_matrix(EVERYTHING))
    np.testing.assert_array_equal(np.sort(seen), np.sort(spheres.ids))
    assert len(check_box(tree, spheres, np.full(3, -np.inf), np.full(3, np.inf))) == len(tree) == len(seen)
    assert len(tree.query_sphere(tree.center, np.inf)) == len(tree)
    for number in range(count):
        check_cull(tree, spheres, random_camera(rng, tree.center, tree.half_size))
        t_max = np.inf if number % 2 else tree.half_size * rng.uniform(0.0, 3.0)
        check_nearest(tree, spheres, *random_ray(rng, tree.center, tree.half_size), t_max)
        middle = tree.center + tree.half_size * rng.uniform(-1.0, 1.0, 3)
        size = tree.half_size * 10.0 ** rng.uniform(-2.0, 0.3)
        check_ball(tree, spheres, middle, size)
        check_box(tree, spheres, middle - size * rng.random(3), middle + size * rng.random(3))
        if len(spheres.by_id):
            check_ball(tree, spheres, spheres.centers[rng.integers(len(spheres.by_id))], 0.0)
    if pairs:
        check_pairs(tree, spheres)


# The sets that the tree is built from.


def uniform(rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    return rng.uniform(-10.0, 10.0, (600, 3)), 10.0 ** rng.uniform(-3.0, 0.0, 600)


def clustered(rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    middles = rng.uniform(-10.0, 10.0, (5, 3))
    return middles[rng.integers(5, size=600)] + 1e-3 * rng.normal(size=(600, 3)), 10.0 ** rng.uniform(-6.0, -3.0, 600)


def coincident(rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    centers = rng.uniform(-10.0, 10.0, (300, 3))
    centers[:200] = 3.3
    return centers, np.full(300, 0.25)


def all_at_one_point(rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    return np.full((100, 3), -7.7), np.linspace(0.0, 2.0, 100)


def of_equal_z(rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    centers, radii = uniform(rng)
    return centers * (1.0, 1.0, 0.0) + (0.0, 0.0, 0.3), radii


def on_a_line(rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    return np.linspace(-10.0, 10.0, 500)[:, None] * np.array((0.0, 1.0, 0.0)), rng.uniform(0.0, 0.03, 500)


def single(rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    return np.array([(1.0, -2.0, 3.0)]), np.array([0.5])


def single_point(rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    return np.array([(1.0, -2.0, 3.0)]), np.array([0.0])


def empty(rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    return np.empty((0, 3)), np.empty(0)


def far_away(rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    centers, radii = uniform(rng)
    return np.add(centers, (1e7, -1e7, 1e7)), radii


def points_and_a_giant(rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    radii = np.zeros(600)
    radii[17] = 1e4
    return rng.uniform(-10.0, 10.0, (600, 3)), radii


SETS = (
    uniform, clustered, coincident, all_at_one_point, of_equal_z, on_a_line, single, single_point, empty, far_away,
    points_and_a_giant,
)  # fmt: skip


@pytest.mark.parametrize("make", SETS)
def test_every_query_agrees_with_brute_force(make):
    rng = np.random.default_rng(0)
    centers, radii = make(rng)
    tree, spheres = LinearOctree.build(centers, radii), Spheres()
    spheres.put(np.arange(len(radii)), centers, radii)
    assert len(tree) == len(radii)
    check_all_queries(tree, spheres, rng, 12)


@pytest.mark.parametrize("make", SETS)
def test_the_root_holds_every_centre_and_cells_count_every_sphere(make):
    centers, radii = make(np.random.default_rng(1))
    tree = LinearOctree.build(centers, radii)
    assert (np.abs(centers - tree.center) <= tree.half_size).all()
    cells = tree.cells()
    assert cells.counts.sum() == len(radii) and (cells.counts > 0).all()
    assert (cells.half_sizes == tree.half_size * 0.5**cells.levels).all()


@pytest.mark.parametrize("make", SETS)
def test_cells_of_a_level_count_the_spheres_that_are_no_larger_and_have_their_centres_there(make):
    """Looseness 2: a sphere is on the level whose cells' half size is its radius or one deeper, or there above."""
    centers, radii = make(np.random.default_rng(2))
    tree = LinearOctree.build(centers, radii)
    for level in (0, 1, 2, 3, 6):
        half = tree.half_size * 0.5**level
        at_cell = np.floor((centers - tree.center + tree.half_size) / (2.0 * half))
        places, cells_of = np.unique(at_cell, axis=0, return_inverse=True)
        middles = tree.center - tree.half_size + (2.0 * places + 1.0) * half
        off = np.abs(centers - middles[cells_of.reshape(-1)]).max(axis=1, initial=0.0)
        slack = 1e-5 * tree.half_size
        near_a_face = off > half - slack
        contained = off + radii <= 2.0 * half
        unsure = near_a_face | (np.abs(off + radii - 2.0 * half) < slack)
        cells = tree.cells(level=level)
        total = cells.counts.sum()
        if level == 0:
            assert cells.counts.tolist() == [len(radii)] * (len(radii) > 0)
            continue
        assert (contained & ~unsure).sum() <= total <= (contained | unsure).sum()
        for middle, count in zip(cells.centers, cells.counts, strict=True):
            here = np.abs(centers - middle).max(axis=1)
            sure = ((here < half - slack) & contained & ~unsure).sum()
            possible = ((here < half + slack) & (contained | unsure)).sum()
            assert sure <= count <= possible


def test_ids_are_places_in_the_arrays_that_the_tree_was_built_from():
    centers = np.array([(5.0, 0.0, 0.0), (-5.0, 0.0, 0.0), (0.0, 5.0, 0.0)])
    tree = LinearOctree.build(centers, np.full(3, 0.5))
    for place, center in enumerate(centers):
        assert tree.query_sphere(center, 0.1).tolist() == [place]


def test_lists_may_be_given():
    tree = LinearOctree.build([(0, 0, 0), (4, 0, 0), (4.5, 0, 0)], [1, 1, 1])
    assert tree.pairs().tolist() == [[1, 2]]


def test_input_arrays_are_neither_changed_nor_kept():
    rng = np.random.default_rng(3)
    centers, radii = uniform(rng)
    copies = [array.copy() for array in (centers, radii)]
    tree = LinearOctree.build(centers, radii)
    for array, copy in zip((centers, radii), copies, strict=True):
        np.testing.assert_array_equal(array, copy)

    def answers() -> list[list]:
        found = tree.raycast((-20.0, 0.1, 0.2), (1.0, 0.0, 0.0))[0].tolist()
        return [found, np.sort(tree.pairs(), axis=0).tolist()]

    before = answers()
    assert all(before)
    centers[:], radii[:] = 99.0, 0.0
    assert answers() == before


# What is turned away.


@pytest.mark.parametrize(
    ("centers", "radii"),
    [((3,), ()), ((2, 2), (2,)), ((2, 4), (2,)), ((2, 3), (3,)), ((2, 3), (2, 1)), ((3, 2), (2,)), ((0, 2), (0,))],
)
def test_arrays_of_other_shapes_are_refused(centers, radii):
    with pytest.raises(ValueError, match="shape"):
        LinearOctree.build(np.zeros(centers), np.ones(radii))


@pytest.mark.parametrize(
    ("center", "radius"),
    [
        ((np.nan, 0.0, 0.0), 1.0),
        ((0.0, np.inf, 0.0), 1.0),
        ((0.0, 0.0, -np.inf), 1.0),
        ((0.0, 0.0, 0.0), np.nan),
        ((0.0, 0.0, 0.0), np.inf),
        ((0.0, 0.0, 0.0), -1e-300),
        ((0.0, 0.0, 0.0), 1e31),
    ],
)
def test_bad_spheres_are_refused_and_named_by_their_places(center, radius):
    centers, radii = np.zeros((20, 3)), np.ones(20)
    for place in (7, 13):
        centers[place], radii[place] = center, radius
    with pytest.raises(ValueError, match=r"\b7, 13$"):
        LinearOctree.build(centers, radii)


@pytest.mark.parametrize("limit", (0.6e30, 0.9e30, 1e31, 1e300))
def test_spheres_are_refused_or_found_however_far_apart_they_are(limit):
    """More than fit into one portion of the kernel that places them."""
    centers = np.full((10_000, 3), -limit)
    centers[0] = limit
    try:
        tree = LinearOctree.build(centers, np.ones(10_000))
    except ValueError:
        return
    assert 0 in tree.query_sphere(centers[0], 0.0)
    assert len(np.setdiff1d(np.arange(1, 10_000), tree.query_sphere(centers[1], 0.0))) == 0, "spheres were missed"

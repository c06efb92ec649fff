"""Capacity: which cells divide, that a flat world makes a quadtree, and that branches outlive a moment of emptiness."""

import numpy as np
import pytest

from octoscope.octree import LeafOctree, Octree
from octoscope.octree.building.divide import FIRST_GRACE, LAST_GRACE
from octoscope.octree.layout.morton import coordinates_of
from tests.cases import quick
from tests.octree.checks import Spheres, check_contents, locational_code
from tests.octree.test_linear import check_all_queries
from tests.octree.validate import validate

pytestmark = pytest.mark.usefixtures("strict_floats")

CENTER, HALF = np.array((1.0, 2.0, 3.0)), 16.0
CAPACITY, SPLIT_LEVEL = 32, 6  # the quadtree's setting
SMALL = 1e-3 * HALF  # a radius that fits into every cell

TREE_TYPES = pytest.mark.parametrize("tree_type", (Octree, LeafOctree))


def codes_of(centers: np.ndarray, level: int) -> np.ndarray:
    """Return the locational codes of the cells that hold points, which lie in the root."""
    coordinates = np.floor((centers - CENTER + HALF) * (2.0**level / (2.0 * HALF))).astype(np.int64)
    return locational_code(level, *coordinates.T)


def listed(tree: Octree) -> dict[int, int]:
    """Counts by locational code of all cells that exist, empty ones too."""
    cells = tree.cells(occupied=False)
    codes = []
    for center, level in zip(cells.centers, cells.levels.tolist(), strict=True):
        codes.append(int(codes_of(center[None], level)[0]))
    assert len(set(codes)) == len(codes)
    return dict(zip(codes, cells.counts.tolist(), strict=True))


def divided_of(cells: dict[int, int]) -> set[int]:
    """The cells that have children. All eight of them exist, and so does each cell's parent."""
    divided = {code >> 3 for code in cells if code > 1}
    assert all(8 * code + child in cells for code in divided for child in range(8))
    assert divided <= set(cells)
    return divided


def level_of_code(code: int) -> int:
    return (code.bit_length() - 1) // 3


def counts_below(centers: np.ndarray) -> dict[int, int]:
    """Count by brute force the centres in each occupied cell of each level."""
    counts: dict[int, int] = {}
    for level in range(SPLIT_LEVEL + 1):
        counts.update(
            zip(*(column.tolist() for column in np.unique(codes_of(centers, level), return_counts=True)), strict=True)
        )
    return counts


def divided_at_once(centers: np.ndarray, before: set[int]) -> set[int]:
    """A model without lifespans: above the capacity cells divide, and at half of it or less they collapse."""
    divided = set()
    for code, count in sorted(counts_below(centers).items()):  # parents before their children
        deep_enough = level_of_code(code) < SPLIT_LEVEL and (code == 1 or code >> 3 in divided)
        if deep_enough and count > (CAPACITY // 2 if code in before else CAPACITY):
            divided.add(code)
    return divided


def clustered(rng: np.random.Generator, count: int) -> np.ndarray:
    middles = CENTER + rng.uniform(-0.8, 0.8, (6, 3)) * HALF
    return middles[rng.integers(6, size=count)] + rng.normal(size=(count, 3)) * 0.03 * HALF


def uniform(rng: np.random.Generator, count: int) -> np.ndarray:
    return CENTER + rng.uniform(-0.999, 0.999, (count, 3)) * HALF


def built(
    centers: np.ndarray, radii: np.ndarray | float = SMALL, tree_type: type = Octree, capacity: int = CAPACITY
) -> tuple[Octree, Spheres]:
    tree, spheres = tree_type(CENTER, HALF, SPLIT_LEVEL, capacity=capacity), Spheres()
    ids, radii = np.arange(len(centers)), np.broadcast_to(radii, len(centers)).astype(np.float64)
    tree.insert(ids, centers, radii)
    spheres.put(ids, centers, radii)
    return tree, spheres


def sort_once_more(tree: Octree) -> None:
    """A sphere comes far from all others, is sorted in, and goes."""
    tree.insert([9999], [CENTER - 0.99 * HALF], [0.0])
    tree.stats()
    tree.remove([9999])


# Building.


@pytest.mark.parametrize("count", (20, 32, 33, 500, 3000))
@pytest.mark.parametrize("arrangement", (uniform, clustered))
def test_cells_divide_when_they_hold_more_than_the_capacity_and_only_then(arrangement, count):
    rng = np.random.default_rng(count)
    centers = arrangement(rng, count)
    tree, spheres = built(centers)
    cells, below = listed(tree), counts_below(centers)
    divided = divided_of(cells)
    assert all(below[code] > CAPACITY for code in divided)
    assert all(
        number <= CAPACITY
        for code, number in cells.items()
        if code not in divided and level_of_code(code) < SPLIT_LEVEL
    )
    assert cells == {code: 0 if code in divided else below.get(code, 0) for code in cells}
    assert divided == divided_at_once(centers, set())
    stats = tree.stats()
    assert (stats.divided, stats.divisions, stats.collapses) == (len(divided), len(divided), 0)
    assert bool(divided) == (count > CAPACITY)
    validate(tree)
    check_all_queries(tree, spheres, rng, pairs=count <= 500)


def test_a_sphere_is_in_the_undivided_cell_that_holds_its_centre():
    centers = clustered(np.random.default_rng(1), 1000)
    tree, _ = built(centers)
    divided = divided_of(listed(tree))
    for identifier, center in enumerate(centers):
        code = 1
        while code in divided:
            code = int(codes_of(center[None], level_of_code(code) + 1)[0])
        assert tree.cell_of(identifier) == code


def test_spheres_too_large_for_the_children_divide_no_cell():
    centers = uniform(np.random.default_rng(2), 200)
    tree, spheres = built(centers, 1.5 * HALF)
    assert (tree.stats().divided, tree.cells().counts.tolist()) == (0, [200])
    validate(tree)
    check_all_queries(tree, spheres, np.random.default_rng(2), 2)


def test_a_sphere_that_fits_into_a_leaf_only_for_lying_in_its_middle_may_be_in_a_larger_cell():
    centers = CENTER + np.array((-0.5, 33.0 / 64.0))[:, None] * HALF
    tree, spheres = built(centers, np.array((0.0, 1.5 / 64.0)) * HALF, capacity=1)  # leaves' half size is HALF / 64
    assert tree.cells().levels.tolist() == [1, 1]
    check_all_queries(tree, spheres, np.random.default_rng(3))
    validate(tree)


def test_a_flat_world_makes_a_quadtree():
    rng = np.random.default_rng(3)
    centers = np.column_stack((uniform(rng, 3000)[:, :2], np.full(3000, 0.3)))
    centers[:1000, :2] = CENTER[:2] + 0.1 * HALF * rng.uniform(0.0, 1.0, (1000, 2))
    tree, spheres = built(centers)
    cells = listed(tree)
    divided = divided_of(cells)
    below = counts_below(centers)
    occupied = {code: [8 * code + child for child in range(8) if below.get(8 * code + child)] for code in divided}
    assert len(divided) >= 40 and all(1 <= len(children) <= 4 for children in occupied.values())
    for children in occupied.values():
        assert len({coordinates_of(child)[2] for child in children}) == 1
    assert any(level_of_code(code) == SPLIT_LEVEL - 1 for code in divided)
    validate(tree)
    check_all_queries(tree, spheres, rng, pairs=False)


@TREE_TYPES
def test_coincident_spheres_by_the_thousand_end_in_one_leaf(tree_type):
    tree, spheres = built(np.repeat(CENTER[None] + 0.3, 5000, axis=0), 0.01, tree_type)
    cells = tree.cells()
    assert (cells.levels.tolist(), cells.counts.tolist()) == ([SPLIT_LEVEL], [5000])
    assert tree.stats().divided == SPLIT_LEVEL
    check_all_queries(tree, spheres, np.random.default_rng(4), 2, pairs=False)
    validate(tree)
    tree.move(np.arange(1, 5000), np.repeat(CENTER[None] - 7.0, 4999, axis=0), np.full(4999, 0.01))
    spheres.put(np.arange(1, 5000), np.repeat(CENTER[None] - 7.0, 4999, axis=0), np.full(4999, 0.01))
    check_all_queries(tree, spheres, np.random.default_rng(4), 2, pairs=False)
    validate(tree)


def test_in_leaves_a_cell_divides_by_the_spheres_that_touch_it():
    rng = np.random.default_rng(5)
    centers, radii = clustered(rng, 800), HALF * 10.0 ** rng.uniform(-3.0, -1.5, 800)
    sure = np.abs(centers - CENTER).max(axis=1) + radii < 0.999 * HALF  # else they stay in the root
    centers, radii = centers[sure], radii[sure]
    tree, spheres = built(centers, radii, LeafOctree)
    cells = listed(tree)
    divided = divided_of(cells)
    for code, count in cells.items():
        level = level_of_code(code)
        half = HALF * 0.5**level
        middle = CENTER - HALF + (2 * np.array(coordinates_of(code)) + 1) * half
        clearance = np.linalg.norm(np.maximum(np.abs(centers - middle) - half, 0.0), axis=1) - radii
        lowest, highest = (clearance <= -1e-4).sum(), (clearance <= 1e-4).sum()
        if code in divided:
            assert count == 0 and highest > CAPACITY
        else:
            assert lowest <= count <= highest
            assert count <= CAPACITY or level == SPLIT_LEVEL
    assert len(divided) == tree.stats().divided > 20 and tree.cells().counts.sum() > len(radii)
    validate(tree)
    check_all_queries(tree, spheres, rng, 10, pairs=True)


# Collapsing.


@TREE_TYPES
def test_a_branch_lives_on_for_its_lifespan_and_collapses_then(tree_type):
    centers = CENTER + 0.4 * HALF + np.random.default_rng(6).uniform(-0.1, 0.1, (40, 3)) * HALF
    tree, spheres = built(centers, tree_type=tree_type)
    divided = tree.stats().divided
    assert divided > 1
    tree.remove(np.arange(16, 40))  # half of the capacity is left
    spheres.drop(np.arange(16, 40))
    for sort in range(1, FIRST_GRACE + 1):
        assert tree.stats().divided == divided
        assert tree.stats().divided == divided  # nothing has changed: nothing is sorted
        check_all_queries(tree, spheres, np.random.default_rng(6), 1)
        validate(tree)
        elsewhere = centers[:1] - 0.3 * HALF * (sort % 2)  # another cell: so it is sorted in anew
        tree.move([0], elsewhere, [SMALL])
        spheres.put(np.array([0]), elsewhere, np.array([SMALL]))
    assert tree.stats().divided == 0
    assert tree.cells().levels.tolist() == [0] and tree.stats().collapses == tree.stats().divisions == divided
    check_all_queries(tree, spheres, np.random.default_rng(6), 2)
    validate(tree)


@TREE_TYPES
def test_one_more_than_half_of_the_capacity_keeps_cells_divided(tree_type):
    centers = np.repeat(CENTER[None] + 0.3, 40, axis=0)
    tree, _ = built(centers, tree_type=tree_type)
    assert tree.stats().divided == SPLIT_LEVEL
    tree.remove(np.arange(CAPACITY // 2 + 1, 40))
    for _ in range(2 * LAST_GRACE):
        assert tree.stats().divided == SPLIT_LEVEL
        sort_once_more(tree)
    tree.remove([0, 1])  # and one comes and goes
    for _ in range(2 * LAST_GRACE):
        sort_once_more(tree)
    assert tree.stats().divided == 0


@TREE_TYPES
def test_after_everything_is_removed_no_cell_stays_divided_for_long(tree_type):
    rng = np.random.default_rng(7)
    tree, spheres = built(clustered(rng, 1000), tree_type=tree_type)
    assert tree.stats().divided > 10
    tree.remove(spheres.ids)
    check_contents(tree, Spheres())
    for _ in range(2 * LAST_GRACE):
        sort_once_more(tree)
        validate(tree)
    assert tree.stats().divided == 0
    assert tree.stats().divisions == tree.stats().collapses
    assert len(tree) == len(tree.cells().counts) == 0
    validate(tree)


# Hysteresis.


@TREE_TYPES
@pytest.mark.parametrize(("step", "period"), [(0.25, 7), (0.5, 4), (0.1, 2)])
def test_a_stream_through_an_empty_region_does_not_divide_and_collapse_cells_at_every_step(tree_type, step, period):
    """40 spheres go through, others follow at once, and so on; a model without lifespans divides at every step."""
    rng = np.random.default_rng(8)
    start = CENTER - 0.8 * HALF + rng.uniform(0.0, 0.02, (40, 3)) * HALF
    tree, _ = built(start, tree_type=tree_type)
    divided, changes = set(), 0
    for number in range(60):
        centers = start + (number % period) * step * HALF * np.array((1.0, 0.5, 0.0))
        tree.move(np.arange(40), centers, np.full(40, SMALL))
        cells = tree.cells()
        assert cells.counts.sum() >= 40
        now = divided_at_once(centers, divided)
        changes += len(now ^ divided)
        divided = now
    stats = tree.stats()
    assert changes > 150
    assert stats.divisions + stats.collapses < changes / 4
    assert stats.divisions - stats.collapses == stats.divided
    validate(tree)


def test_a_branch_that_was_nearly_given_up_and_needed_again_lives_twice_as_long():
    centers = np.repeat(CENTER[None] + 0.3, 40, axis=0)
    tree, _ = built(centers)
    assert tree.stats().divided == SPLIT_LEVEL
    lived = []
    for grace in (8, 16, 32, 64, 64):
        tree.remove(np.arange(1, 40))
        sorts = 0
        for _ in range(grace):
            assert tree.stats().divided == SPLIT_LEVEL
            sorts += 1
            tree.insert([50 + sorts], centers[:1] - 9.0, [0.0])
            tree.remove([49 + sorts] if sorts > 1 else [])
        tree.remove([50 + sorts])
        tree.insert(np.arange(1, 40), centers[1:], np.full(39, SMALL))
        lived.append(sorts)
        assert tree.stats().divided == SPLIT_LEVEL
    assert tree.stats().collapses == 0 and lived == [8, 16, 32, 64, 64]


# Histories.


@TREE_TYPES
@pytest.mark.parametrize("capacity", quick((1, 5, 32), 2))
def test_queries_agree_with_brute_force_through_a_history(tree_type, capacity):
    rng = np.random.default_rng(9)
    tree, spheres = built(clustered(rng, 300), tree_type=tree_type, capacity=capacity)
    for number in range(25):
        moved = rng.choice(spheres.ids, int(rng.choice((3, 40, len(spheres.ids)))), replace=False)
        centers = (uniform, clustered)[number % 2](rng, len(moved))
        radii = HALF * 10.0 ** rng.uniform(-4.0, -1.2, len(moved))
        tree.move(moved, centers, radii)
        spheres.put(moved, centers, radii)
        validate(tree)
        check_all_queries(tree, spheres, rng, 2, pairs=number % 5 == 0)
        gone = rng.choice(spheres.ids, 20, replace=False)
        tree.remove(gone)
        spheres.drop(gone)
        check_all_queries(tree, spheres, rng, 1, pairs=False)
        back = gone[:18] if number % 3 else gone
        new = uniform(rng, len(back))
        tree.insert(back, new, np.full(len(back), 0.1))
        spheres.put(back, new, np.full(len(back), 0.1))
        validate(tree)
    check_contents(tree, spheres)
    assert tree.stats().divisions > 0

"""Cells in which spheres are stored: by looseness, in the leaves that they touch, and after moves."""

import itertools

import numpy as np
import pytest

from octoscope.octree import LeafOctree, Octree
from octoscope.octree.layout.morton import coordinates_of, level_of_code
from tests.octree.checks import Spheres, check_contents, locational_code
from tests.octree.test_linear import check_all_queries
from tests.octree.validate import validate

pytestmark = pytest.mark.usefixtures("strict_floats")

CENTER, HALF = np.array((3.0, -2.0, 1.0)), 8.0
CLEAR = 1e-4  # spheres nearer than this to a decision are left out: float32 may see it differently


def middles_of(level: int, coordinates: np.ndarray) -> np.ndarray:
    """(n, 3) world centres of cells."""
    return CENTER - HALF + (2 * coordinates + 1) * (HALF * 0.5**level)


def all_cells(level: int) -> np.ndarray:
    return np.array(list(itertools.product(range(2**level), repeat=3)))


def deepest_loose_cells(
    centers: np.ndarray, radii: np.ndarray, split_level: int, looseness: float
) -> tuple[np.ndarray, np.ndarray]:
    """Codes by the rule, level for level from the root: the deepest cell that holds the centre and whose bounds,
    `looseness` times as large, contain the sphere; and for which spheres that is beyond doubt.
    """
    codes, clear = np.ones(len(radii), dtype=np.int64), np.ones(len(radii), dtype=bool)
    for level in range(1, split_level + 1):
        half = HALF * 0.5**level
        coordinates = np.floor((centers - CENTER + HALF) / (2.0 * half)).astype(np.int64)
        off = np.abs(centers - middles_of(level, coordinates))
        room = looseness * half - off.max(axis=1) - radii
        fits = room >= 0.0
        codes[fits] = locational_code(level, *coordinates[fits].T)
        clear &= (np.abs(room) > CLEAR) & (off.max(axis=1) < half - CLEAR)
    return codes, clear


def some_spheres(rng: np.random.Generator, count: int) -> tuple[np.ndarray, np.ndarray]:
    return CENTER + rng.uniform(-0.999, 0.999, (count, 3)) * HALF, HALF * 10.0 ** rng.uniform(-3.0, 0.1, count)


def cells_of(tree: Octree, count: int) -> np.ndarray:
    return np.array([tree.cell_of(identifier) for identifier in range(count)])


def distances_to_cells(center: np.ndarray, level: int) -> np.ndarray:
    """Return the distances of a point from all cells of a level, in the order of all_cells."""
    off = np.abs(center - middles_of(level, all_cells(level))) - HALF * 0.5**level
    return np.linalg.norm(np.maximum(off, 0.0), axis=1)


# By looseness.


@pytest.mark.parametrize("split_level", (0, 1, 5, 12))
@pytest.mark.parametrize("looseness", (1.0, 1.25, 1.5, 2.0, 3.0))
def test_a_sphere_is_in_the_deepest_cell_that_holds_its_centre_and_whose_loose_bounds_contain_it(
    looseness, split_level
):
    rng = np.random.default_rng(0)
    centers, radii = some_spheres(rng, 2000)
    expected, clear = deepest_loose_cells(centers, radii, split_level, looseness)
    tree, spheres = Octree(CENTER, HALF, split_level, looseness=looseness), Spheres()
    tree.insert(np.arange(2000), centers, radii)
    spheres.put(np.arange(2000), centers, radii)
    found = cells_of(tree, 2000)
    clear |= split_level == 0
    assert np.count_nonzero(clear) > (1000 if split_level < 6 else 50)
    np.testing.assert_array_equal(found[clear], expected[clear])
    assert len(np.unique(level_of_code(found[clear]))) >= min(split_level, 9) + 1
    validate(tree)
    check_all_queries(tree, spheres, rng, pairs=False)


def test_looseness_1_puts_a_sphere_into_the_smallest_cell_that_contains_it():
    rng = np.random.default_rng(1)
    centers, radii = some_spheres(rng, 400)
    radii *= 0.3
    expected, clear = np.ones(400, dtype=np.int64), np.ones(400, dtype=bool)
    for level in range(1, 5):  # all 4,681 cells, and the root for the rest
        cells = all_cells(level)
        off = np.abs(centers[:, None] - middles_of(level, cells)).max(axis=2)
        room = HALF * 0.5**level - off - radii[:, None]
        clear &= (np.abs(room) > CLEAR).all(axis=1)
        inside, cell = np.nonzero(room >= 0.0)
        expected[inside] = locational_code(level, *cells[cell].T)
    tree = Octree(CENTER, HALF, 4, looseness=1.0)
    tree.insert(np.arange(400), centers, radii)
    found = cells_of(tree, 400)
    assert clear.sum() > 300 and set(level_of_code(expected).tolist()) == {0, 1, 2, 3, 4}
    np.testing.assert_array_equal(found[clear], expected[clear])
    validate(tree)


def test_looseness_2_takes_the_level_from_the_radius():
    """The deepest level whose cells have half a size of the radius or more; one deeper only in a cell's middle."""
    rng = np.random.default_rng(2)
    centers, radii = some_spheres(rng, 1000)
    radii = np.minimum(radii, 0.49 * HALF)
    tree = Octree(CENTER, HALF, 6)
    tree.insert(np.arange(1000), centers, radii)
    levels = level_of_code(cells_of(tree, 1000))
    half_sizes = HALF * 0.5 ** np.arange(7)
    by_radius = (half_sizes >= radii[:, None]).sum(axis=1) - 1
    assert ((levels == by_radius) | (levels == by_radius + 1)).all()
    assert 0 < (levels == by_radius + 1).sum() < 400 and len(np.unique(levels)) == 6


@pytest.mark.parametrize("split_level", (2, 4, 8))
def test_a_sphere_across_the_middle_plane_is_in_the_root_when_tight_and_deep_when_loose(split_level):
    center, radius = np.add(CENTER, (0.001, 0.003, -0.002)), 0.01
    levels = {}
    for looseness in (1.0, 2.0):
        tree = Octree(CENTER, HALF, split_level, looseness=looseness)
        tree.insert([0], [center], [radius])
        levels[looseness] = level_of_code(tree.cell_of(0))
    assert levels == {1.0: 0, 2.0: split_level}


# In the leaves.


@pytest.mark.parametrize("split_level", (1, 3, 4))
def test_a_sphere_is_stored_in_every_leaf_that_it_touches(split_level):
    rng = np.random.default_rng(3)
    centers, radii = some_spheres(rng, 300)
    radii *= 0.4
    leaves = all_cells(split_level)
    distances = np.array([distances_to_cells(center, split_level) for center in centers])
    clear = (np.abs(distances - radii[:, None]) > CLEAR).all(axis=1)
    clear &= np.abs(np.abs(centers - CENTER).max(axis=1) + radii - HALF) > CLEAR
    centers, radii, distances = centers[clear], radii[clear], distances[clear]
    count = len(radii)
    assert count > 200
    in_root = np.abs(centers - CENTER).max(axis=1) + radii > HALF  # sticks out: kept in the root
    assert 5 < in_root.sum() < count - 50
    touching = (distances <= radii[:, None]) & ~in_root[:, None]
    tree, spheres = LeafOctree(CENTER, HALF, split_level), Spheres()
    tree.insert(np.arange(count), centers, radii)
    spheres.put(np.arange(count), centers, radii)
    cells = tree.cells()
    expected = {(0, *CENTER.tolist()): int(in_root.sum())}
    for middle, number in zip(middles_of(split_level, leaves).tolist(), touching.sum(axis=0).tolist(), strict=True):
        if number:
            expected[(split_level, *middle)] = number
    found = zip(cells.levels.tolist(), cells.centers.tolist(), cells.counts.tolist(), strict=True)
    assert {(level, *center): number for level, center, number in found} == expected
    assert touching.sum() > count * (2 if split_level > 1 else 1)
    for identifier, code in enumerate(cells_of(tree, count)):
        if in_root[identifier]:
            assert code == 1
        else:
            place = coordinates_of(code)
            assert touching[identifier, (leaves == place).all(axis=1)].all() and level_of_code(code) == split_level
    validate(tree)
    check_all_queries(tree, spheres, rng, 12)  # each id once, though it stands in many leaves


def test_a_sphere_that_touches_thousands_of_leaves_is_in_fewer_larger_cells():
    tree = LeafOctree(CENTER, HALF, 6)
    center, radius = np.add(CENTER, (0.1, 0.2, 0.3)), 0.5 * HALF
    assert (distances_to_cells(center, 6) <= radius).sum() > 10_000
    tree.insert([7], [center], [radius])
    cells = tree.cells()
    assert cells.counts.sum() == len(cells.counts) <= 4096
    assert len(set(cells.levels.tolist())) == 1
    level = int(cells.levels[0])
    touched = distances_to_cells(center, level) <= radius
    assert 0 < level < 6 and len(cells.counts) == touched.sum()
    assert {tuple(middle) for middle in cells.centers} == {
        tuple(middle) for middle in middles_of(level, all_cells(level)[touched])
    }
    spheres = Spheres()
    spheres.put(np.array([7]), center[None], np.array([radius]))
    check_all_queries(tree, spheres, np.random.default_rng(0), 10)
    validate(tree)


@pytest.mark.parametrize("capacity", (0, 10))
def test_entries_of_moved_and_removed_spheres_are_gone(capacity):
    rng = np.random.default_rng(4)
    tree, spheres = LeafOctree(CENTER, HALF, 4, capacity=capacity), Spheres()
    centers, radii = some_spheres(rng, 300)
    radii *= 0.2
    tree.insert(np.arange(300), centers, radii)
    spheres.put(np.arange(300), centers, radii)
    for _ in range(4):
        check_all_queries(tree, spheres, rng, 2)
        moved = rng.choice(spheres.ids, 60, replace=False)
        centers, radii = some_spheres(rng, 60)
        tree.move(moved, centers, radii * 0.2)
        spheres.put(moved, centers, radii * 0.2)
        validate(tree)
        check_all_queries(tree, spheres, rng, 2)
        removed = rng.choice(spheres.ids, 30, replace=False)
        tree.remove(removed)
        spheres.drop(removed)
        validate(tree)
    fresh = LeafOctree(CENTER, HALF, 4, capacity=capacity)
    fresh.insert(spheres.ids, spheres.centers, spheres.radii)
    if capacity == 0:  # else cells live on for a while
        assert tree.cells().counts.tolist() == fresh.cells().counts.tolist()
        assert tree.cells().centers.tolist() == fresh.cells().centers.tolist()
    tree.remove(spheres.ids)
    check_contents(tree, Spheres())
    assert len(tree.cells().counts) == 0


# Moving: up until contained, then down.


@pytest.mark.parametrize("looseness", (1.0, 1.25, 2.0))
def test_after_moves_each_sphere_is_where_a_new_tree_would_put_it(looseness):
    rng = np.random.default_rng(5)
    tree = Octree(CENTER, HALF, 5, looseness=looseness)
    centers, radii = some_spheres(rng, 500)
    tree.insert(np.arange(500), centers, radii)
    for step in (1e-3, 0.1, 1.0, 8.0):
        moved = rng.choice(500, 300, replace=False)
        centers[moved] += step * rng.normal(size=(300, 3))
        radii[moved] *= 2.0 ** rng.normal(size=300)
        tree.move(moved, centers[moved], radii[moved])
        assert len(tree.query_sphere(CENTER, np.inf)) == 500  # sorts, or leaves some waiting
        fresh = Octree(CENTER, HALF, 5, looseness=looseness)
        fresh.insert(np.arange(500), centers, radii)
        np.testing.assert_array_equal(cells_of(tree, 500), cells_of(fresh, 500))
        validate(tree)


@pytest.mark.parametrize("tree_type", (Octree, LeafOctree))
def test_a_sphere_moved_inside_its_cell_stays_and_waits_for_nothing(tree_type):
    tree = tree_type(CENTER, HALF, 3)  # leaves of size 2
    tree.insert([0, 1], [CENTER + 1.0, CENTER - 5.0], [0.1, 0.1])
    before = tree.cell_of(0)
    tree.move([0], [np.add(CENTER, (0.5, 1.5, 1.2))], [0.2])
    assert tree._slot_count - tree._sorted_count == 0  # in the overflow
    assert tree.cell_of(0) == before
    assert tree.query_sphere(np.add(CENTER, (0.5, 1.5, 1.2)), 0.01).tolist() == [0]
    assert len(tree.query_sphere(CENTER + 1.0, 0.2)) == 0
    tree.move([0], [np.add(CENTER, (2.5, 1.5, 1.2))], [0.2])
    assert tree._slot_count - tree._sorted_count == 1  # in the overflow
    assert tree.cell_of(0) == locational_code(3, 5, 4, 4) != before
    validate(tree)


def test_a_sphere_that_leaves_its_cell_and_comes_back_is_where_it_was():
    rng = np.random.default_rng(6)
    tree, spheres = Octree(CENTER, HALF, 5), Spheres()
    centers, radii = some_spheres(rng, 200)
    tree.insert(np.arange(200), centers, radii)
    before, counts = cells_of(tree, 200), tree.cells().counts.tolist()
    for back in (centers, centers):
        tree.move(np.arange(50), centers[:50] + 5.0, radii[:50])
        assert (cells_of(tree, 50) != before[:50]).sum() > 25
        tree.move(np.arange(50), back[:50], radii[:50])
    assert cells_of(tree, 200).tolist() == before.tolist() and tree.cells().counts.tolist() == counts
    spheres.put(np.arange(200), centers, radii)
    check_all_queries(tree, spheres, rng)
    validate(tree)


def test_a_sphere_that_grows_goes_up_and_one_that_shrinks_comes_down():
    tree = Octree(CENTER, HALF, 5)
    tree.insert([0], [CENTER + 0.01], [0.01])
    levels = []
    for radius in (0.24, 0.49, 0.9, 1.9, 3.9, 7.9, 3.9, 1.9, 0.9, 0.49, 0.24):  # leaves' half size is 0.25
        tree.move([0], [CENTER + 0.01], [radius])
        levels.append(int(level_of_code(tree.cell_of(0))))
    assert levels == [5, 4, 3, 2, 1, 0, 1, 2, 3, 4, 5]


# Listing cells.


@pytest.mark.parametrize("way", ({}, {"looseness": 1.0}, {"capacity": 20}))
def test_cells_of_each_level_count_what_is_stored_there_and_below(way):
    tree = Octree(CENTER, HALF, 5, **way)
    centers, radii = some_spheres(np.random.default_rng(7), 800)
    tree.insert(np.arange(800), centers, radii)
    codes = cells_of(tree, 800)
    levels = level_of_code(codes)
    for level in range(6):
        cells = tree.cells(level=level)
        assert (cells.levels == level).all() and (cells.half_sizes == HALF * 0.5**level).all()
        assert cells.counts.sum() == (levels >= level).sum()
        ancestors, expected = np.unique(
            codes[levels >= level] >> 3 * (levels[levels >= level] - level), return_counts=True
        )
        middles = middles_of(level, np.stack(coordinates_of(ancestors), axis=1)) if len(ancestors) else np.empty((0, 3))
        found = dict(zip(map(tuple, cells.centers.tolist()), cells.counts.tolist(), strict=True))
        assert found == dict(zip(map(tuple, middles.tolist()), expected.tolist(), strict=True))
    assert tree.cells().counts.sum() == tree.cells(level=0).counts.sum() == 800


def test_all_cells_of_a_tree_of_three_levels_are_listed_with_their_counts():
    tree = Octree(CENTER, HALF, 3)
    centers, radii = some_spheres(np.random.default_rng(8), 50)
    tree.insert(np.arange(50), centers, radii)
    cells = tree.cells(occupied=False)
    assert len(cells.counts) == 585 and cells.counts.sum() == 50 and (cells.counts == 0).sum() >= 535
    listed = {(level, *middle) for level, middle in zip(cells.levels.tolist(), cells.centers.tolist(), strict=True)}
    assert listed == {(level, *middle) for level in range(4) for middle in middles_of(level, all_cells(level)).tolist()}
    occupied = tree.cells()
    assert occupied.counts.tolist() == cells.counts[cells.counts > 0].tolist()
    assert occupied.centers.tolist() == cells.centers[cells.counts > 0].tolist()
    for level in range(4):
        of_level = tree.cells(occupied=False, level=level)
        assert len(of_level.counts) == 8**level
        assert of_level.counts.sum() == tree.cells(level=level).counts.sum()


@pytest.mark.parametrize("level", (-1, 9, 100))
def test_cells_of_a_level_that_does_not_exist_are_refused(level):
    tree = Octree(CENTER, HALF, 8)
    for occupied in (True, False):
        with pytest.raises(ValueError, match="level"):
            tree.cells(level=level, occupied=occupied)


def test_19_million_cells_are_not_listed_but_those_of_a_level_are():
    tree = Octree(CENTER, HALF, 8)
    with pytest.raises(ValueError, match="19,173,961"):
        tree.cells(occupied=False)
    with pytest.raises(ValueError, match="16,777,216"):
        tree.cells(occupied=False, level=8)
    assert len(tree.cells(occupied=False, level=4).counts) == 4096

"""The octree's answers on a handful of spheres.

Small on purpose: test_without_jit.py runs this file with the kernels interpreted, where a mistake in one raises instead
of reading past an array.
"""

import numpy as np
import pytest

from octoscope.octree import CullStats, Frustum, Octree
from tests.octree.checks import Spheres, check_contents, check_queries, check_raycast
from tests.octree.validate import validate
from tests.oracles import EVERYTHING, orthographic, perspective, random_spheres

pytestmark = pytest.mark.usefixtures("strict_floats")

ALL = Frustum.from_matrix(EVERYTHING)


def row_along_x(split_level: int = 3) -> Octree:
    """Spheres 0 to 7 of radius 0.25 at x = -7, -5, .. 7."""
    tree = Octree((0.0, 0.0, 0.0), 8.0, split_level)
    tree.insert(np.arange(8), [(x, 0.0, 0.0) for x in range(-7, 8, 2)], np.full(8, 0.25))
    return tree


def test_an_empty_tree_answers_every_query_with_empty_arrays():
    tree = Octree((0.0, 0.0, 0.0), 1.0)
    assert len(tree) == 0
    ids = tree.cull(ALL)
    assert ids.shape == (0,) and ids.dtype == np.int32
    ids, t = tree.raycast((0.0, 0.0, 0.0), (1.0, 0.0, 0.0))
    assert ids.shape == t.shape == (0,) and ids.dtype == np.int32 and t.dtype == np.float64
    assert tree.cells().centers.shape == (0, 3)
    assert tree.stats().spheres == tree.stats().occupied == 0
    validate(tree)


def test_a_tree_that_was_emptied_answers_like_one_that_was_never_filled():
    tree = row_along_x()
    tree.cull(ALL)
    tree.remove(np.arange(8))
    assert len(tree) == 0 and 3 not in tree
    assert len(tree.cull(ALL)) == len(tree.raycast((-9.0, 0.0, 0.0), (1.0, 0.0, 0.0))[0]) == 0
    validate(tree)


def test_changing_nothing_is_allowed():
    tree = row_along_x()
    tree.insert([], np.empty((0, 3)), [])
    tree.move([], np.empty((0, 3)), [])
    tree.remove([])
    assert len(tree) == 8
    assert tree.contains([]).shape == (0,)
    validate(tree)


@pytest.mark.parametrize("split_level", range(4))
def test_a_camera_finds_the_spheres_inside_and_those_that_its_planes_cut(split_level):
    tree = row_along_x(split_level)
    # Sees x from -3.2 to 3.2: cuts spheres 1 (none), and holds -3 to 3; -3.2 cuts no other.
    frustum = Frustum.from_matrix(orthographic(half_height=3.2, aspect=1.0, near=-9.0, far=9.0))
    assert sorted(tree.cull(frustum)) == [2, 3, 4, 5]
    cutting = Frustum.from_matrix(orthographic(half_height=4.8, aspect=1.0, near=-9.0, far=9.0))
    assert sorted(tree.cull(cutting)) == [1, 2, 3, 4, 5, 6]


def test_a_camera_inside_a_sphere_finds_it_though_its_centre_lies_behind():
    tree = Octree((0.0, 0.0, 0.0), 8.0, 3)
    tree.insert([5, 6], [(0.0, 0.0, 1.0), (0.0, 0.0, 7.0)], [2.0, 0.5])
    looking_along_minus_z = Frustum.from_matrix(perspective(1.0, 1.0, 0.1, 100.0))
    assert tree.cull(looking_along_minus_z).tolist() == [5]


def test_a_ray_gives_every_sphere_on_it_nearest_first():
    tree = row_along_x()
    ids, t = tree.raycast((-8.0, 0.0, 0.0), (1.0, 0.0, 0.0))
    assert ids.tolist() == list(range(8))
    np.testing.assert_allclose(t, np.arange(8) * 2.0 + 0.75, atol=1e-4)
    ids, t = tree.raycast((8.0, 0.1, 0.0), (-1.0, 0.0, 0.0))
    assert ids.tolist() == list(range(7, -1, -1))


def test_a_ray_does_not_look_behind_itself():
    ids, _ = row_along_x().raycast((0.0, 0.0, 0.0), (1.0, 0.0, 0.0))
    assert ids.tolist() == [4, 5, 6, 7]


def test_a_ray_that_begins_inside_a_sphere_enters_it_at_zero():
    ids, t = row_along_x().raycast((1.1, 0.0, 0.0), (1.0, 0.0, 0.0))
    assert ids.tolist() == [4, 5, 6, 7]
    assert t[0] == 0.0 and t[1] > 1.0


def test_a_ray_ends_at_t_max():
    tree = row_along_x()
    ids, t = tree.raycast((-8.0, 0.0, 0.0), (1.0, 0.0, 0.0), t_max=4.0)
    assert ids.tolist() == [0, 1] and (t <= 4.0).all()
    ids, _ = tree.raycast((-8.0, 0.0, 0.0), (1.0, 0.0, 0.0), t_max=5.0)  # ends inside sphere 2
    assert ids.tolist() == [0, 1, 2]
    ids, t = tree.raycast((1.0, 0.0, 0.0), (1.0, 0.0, 0.0), t_max=0.0)
    assert ids.tolist() == [4] and t.tolist() == [0.0]


def test_a_moved_sphere_is_found_where_it_is_and_not_where_it_was():
    tree = row_along_x()
    tree.raycast((0.0, 5.0, 0.0), (0.0, 1.0, 0.0))  # the others are sorted by now
    tree.move([3], [(-1.0, 6.0, 0.0)], [0.5])
    assert tree.raycast((-1.0, 8.0, 0.0), (0.0, -1.0, 0.0))[0].tolist() == [3]
    assert tree.raycast((-1.0, -8.0, 0.0), (0.0, 1.0, 0.0), t_max=10.0)[0].tolist() == []
    validate(tree)


def test_a_removed_id_can_be_used_again_for_another_sphere():
    tree = row_along_x()
    tree.remove([3])
    assert 3 not in tree and len(tree) == 7
    tree.insert([3], [(0.0, 0.0, 5.0)], [1.0])
    assert 3 in tree and len(tree) == 8
    assert tree.raycast((0.0, 0.0, 9.0), (0.0, 0.0, -1.0), t_max=5.0)[0].tolist() == [3]
    assert sorted(tree.cull(ALL)) == list(range(8))
    validate(tree)


def test_all_spheres_at_one_point_with_radius_zero_are_found():
    tree = Octree((0.0, 0.0, 0.0), 1.0, 4)
    tree.insert(np.arange(40), np.full((40, 3), 0.3), np.zeros(40))
    assert sorted(tree.cull(ALL)) == list(range(40))
    ids, t = tree.raycast((0.3, 0.3, -2.0), (0.0, 0.0, 1.0))
    assert sorted(ids) == list(range(40))
    np.testing.assert_allclose(t, 2.3, atol=1e-5)


def test_spheres_outside_the_root_or_larger_than_it_are_kept_at_the_root():
    tree = Octree((0.0, 0.0, 0.0), 1.0, 3)
    tree.insert([0, 1, 2], [(50.0, 0.0, 0.0), (0.2, 0.0, 0.0), (0.5, 0.5, 0.5)], [0.1, 100.0, 0.01])
    assert tree.stats().at_root == 2
    assert tree.raycast((50.0, -5.0, 0.0), (0.0, 1.0, 0.0), t_max=10.0)[0].tolist() == [1, 0]
    validate(tree)


def test_cells_stand_around_their_spheres_and_count_them():
    tree = row_along_x(split_level=3)  # leaves of half size 1: each sphere in the middle of the x range of its own
    cells = tree.cells()
    order = np.argsort(cells.centers[:, 0])
    np.testing.assert_allclose(cells.centers[order, 0], np.arange(-7, 8, 2))
    assert cells.counts.tolist() == [1] * 8
    assert cells.levels.tolist() == [3] * 8
    np.testing.assert_allclose(cells.half_sizes, 1.0)


def test_facts_about_a_tree_are_those_of_its_spheres():
    stats = row_along_x(split_level=3).stats()
    assert (stats.split_level, stats.cells, stats.occupied, stats.spheres) == (3, 1 + 8 + 64 + 512, 8, 8)
    assert (stats.center, stats.half_size, stats.at_root) == ((0.0, 0.0, 0.0), 8.0, 0)


def test_a_statistic_is_added_to_by_each_query():
    tree, stats = row_along_x(), CullStats()
    tree.cull(ALL, stats=stats)
    assert stats.spheres_tested + stats.copied_untested == 8
    tree.cull(ALL, stats=stats)
    assert stats.spheres_tested + stats.copied_untested == 16


@pytest.mark.parametrize("looseness", (1.1, 2.0, 4.0))
@pytest.mark.parametrize("split_level", (0, 1, 4))
def test_after_each_of_a_few_changes_queries_agree_with_brute_force(split_level, looseness):
    rng = np.random.default_rng(split_level)
    tree, spheres = Octree((3.0, -2.0, 1.0), 5.0, split_level, looseness=looseness), Spheres()
    for change in (tree.insert, tree.move, None, tree.move, None):
        ids = np.arange(150) if change == tree.insert else rng.choice(spheres.ids, 70, replace=False)
        if change is None:
            ids = ids[:40]
            tree.remove(ids)
            spheres.drop(ids)
        else:
            centers, radii = random_spheres(rng, len(ids), tree.center, tree.half_size)
            change(ids, centers, radii)
            spheres.put(ids, centers, radii)
        validate(tree)
        check_contents(tree, spheres)
        check_queries(tree, spheres, rng, 4)


def test_a_ray_in_the_face_between_two_cells_finds_spheres_on_both_sides():
    tree, spheres = Octree((0.0, 0.0, 0.0), 4.0, 2), Spheres()
    # Two spheres touch the plane x = 0 from either side all along y; each side has cells of its own.
    centers = np.array([(side * 0.25, y, 1.0) for side in (-1.0, 1.0) for y in (-3.0, -1.0, 1.0, 3.0)])
    ids, radii = np.arange(8), np.full(8, 0.25)
    tree.insert(ids, centers, radii)
    spheres.put(ids, centers, radii)
    found = check_raycast(tree, spheres, np.array((0.0, -10.0, 1.0)), np.array((0.0, 1.0, 0.0)))
    assert sorted(found) == list(range(8))


def test_a_change_of_no_spheres_calls_no_kernel(monkeypatch):
    tree = row_along_x()
    for kernel in ("link_appended", "commit_moves", "remove_spheres", "first_repeated"):
        monkeypatch.setattr(f"octoscope.octree.building.edit.{kernel}", None)
    monkeypatch.setattr("octoscope.octree.building.placement.place_spheres", None)
    nothing = np.empty(0, dtype=np.int32), np.empty((0, 3)), np.empty(0)
    tree.insert(*nothing)
    tree.move(*nothing)
    tree.remove(nothing[0])
    assert len(tree) == 8

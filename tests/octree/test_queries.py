"""Queries by box, ball, ray and pair, of every kind of tree: what they find, and what they leave alone."""

from itertools import product

import numpy as np
import pytest

from octoscope.octree import Frustum, LeafOctree
from tests.octree.checks import (
    check_ball,
    check_box,
    check_hit,
    check_nearest_object,
    check_pairs,
    check_queries,
    check_raycast,
)
from tests.octree.query_checks import (
    INFINITE,
    OCTREES,
    a_few_kinds,
    all_answers,
    asked_on_x_axis,
    build,
    every_kind,
    every_octree,
    filled,
    on_x_axis,
)
from tests.octree.validate import validate
from tests.oracles import EVERYTHING, random_ray, random_spheres

pytestmark = pytest.mark.usefixtures("strict_floats")


@every_kind
def test_an_empty_tree_answers_every_query_with_nothing(kind):
    tree, _ = build(kind, np.empty((0, 3)), [])
    ray = (0.0, 0.0, 0.0), (1.0, 0.0, 0.0)
    found = [
        tree.query_box(-INFINITE, INFINITE),
        tree.query_sphere((0.0, 0.0, 0.0), np.inf),
        tree.raycast(*ray)[0],
        tree.cull(Frustum.from_matrix(EVERYTHING)),
    ]
    assert all(ids.shape == (0,) and ids.dtype == np.int32 for ids in found)
    pairs = tree.pairs()
    assert pairs.shape == (0, 2) and pairs.dtype == np.int32
    assert tree.raycast_nearest(*ray) is None
    assert tree.raycast_nearest(*ray, lambda ids: pytest.fail(f"asked about {ids}")) is None


@every_kind
def test_random_queries_agree_with_brute_force(kind):
    tree, spheres = filled(kind)
    check_queries(tree, spheres, np.random.default_rng(1), 20)


@every_octree
def test_queries_agree_with_brute_force_after_moves_and_removals(kind):
    tree, spheres = filled(kind, seed=2)
    rng = np.random.default_rng(2)
    for _ in range(3):
        moved = rng.choice(spheres.ids, 40, replace=False)
        centers, radii = random_spheres(rng, 40, np.zeros(3), 8.0)
        tree.move(moved, centers, radii * 0.2)
        spheres.put(moved, centers, radii * 0.2)
        check_queries(tree, spheres, rng, 2)
        removed = rng.choice(spheres.ids, 30, replace=False)
        tree.remove(removed)
        spheres.drop(removed)
        check_queries(tree, spheres, rng, 2)


# Box and ball.


@every_kind
def test_a_box_or_a_ball_without_end_finds_everything(kind):
    tree, spheres = filled(kind)
    everything = np.sort(spheres.ids)
    np.testing.assert_array_equal(np.sort(tree.query_box(-INFINITE, INFINITE)), everything)
    np.testing.assert_array_equal(np.sort(tree.query_sphere((1.0, 2.0, 3.0), np.inf)), everything)
    np.testing.assert_array_equal(np.sort(tree.query_sphere((1e6, 0.0, 0.0), 1e9)), everything)


@every_kind
@pytest.mark.parametrize("axis", range(3))
def test_a_box_with_one_finite_face_finds_half_of_space(kind, axis):
    tree, spheres = filled(kind)
    middle = INFINITE.copy()
    middle[axis] = 0.5
    assert len(check_box(tree, spheres, -INFINITE, middle)) > 50
    assert len(check_box(tree, spheres, -middle, INFINITE)) > 50


@every_kind
def test_a_box_or_a_ball_that_is_a_point_finds_the_spheres_around_it(kind):
    tree, spheres = build(kind, [(1.0, 1.0, 1.0), (1.0, 1.0, 1.5), (1.0, 1.0, 2.0), (-7.0, 0.0, 0.0)], [0.0, 1, 0.5, 1])
    for find in (lambda point: tree.query_box(point, point), lambda point: tree.query_sphere(point, 0.0)):
        assert sorted(find((1.0, 1.0, 1.0))) == [0, 1]
        assert sorted(find((1.0, 1.0, 2.0))) == [1, 2]
        assert sorted(find((1.0, 0.9, 1.0))) == [1]
        assert sorted(find((-1.0, -1.0, -1.0))) == []
    for point in spheres.centers:
        check_box(tree, spheres, point, point)
        check_ball(tree, spheres, point, 0.0)


@every_kind
def test_touching_exactly_counts_and_touching_almost_does_not(kind):
    # Across a face of the box -1 .. 1, an edge (3-4-5) and a corner (2-3-6, 7); and the ball of radius 3 on an axis.
    touching = [((3.0, 0.0, 0.0), 2.0), ((0.5, -4.0, 5.0), 5.0), ((3.0, -4.0, 7.0), 7.0), ((0.0, 5.0, 0.0), 2.0)]
    centers, radii = [center for center, _ in touching], np.array([radius for _, radius in touching])
    tree, _ = build(kind, centers * 2, np.append(radii, radii - 1e-3))
    box = tree.query_box((-1.0, -1.0, -1.0), (1.0, 1.0, 1.0))
    assert {0, 1, 2} <= set(box.tolist()) and not {4, 5, 6} & set(box.tolist())
    ball = tree.query_sphere((0.0, 0.0, 0.0), 3.0)
    assert 3 in ball and 7 not in ball
    assert sorted(set(tree.query_sphere((3.0, 12.0, 0.0), 10.0).tolist()) & {0, 4}) == [0]  # 12 = 10 + 2
    assert tree.query_box((5.0, 0.0, 0.0), (9.0, 0.0, 0.0)).tolist().count(0) == 1


# Rays.


@every_kind
def test_rays_along_axes_in_faces_of_cells_and_from_inside_spheres(kind):
    tree, spheres = filled(kind, seed=3)
    rng = np.random.default_rng(3)
    for axis, sign in product(range(3), (-1.0, 1.0)):
        direction = np.zeros(3)
        direction[axis] = sign
        for origin in (np.zeros(3), np.full(3, 2.0), np.roll((-9.0 * sign, 2.0, -4.0), axis), rng.normal(size=3)):
            check_raycast(tree, spheres, origin, direction)
            check_nearest_object(tree, spheres, origin, direction, rng)
    for place in np.flatnonzero(spheres.radii > 1e-3)[:20]:
        hit = tree.raycast_nearest(spheres.centers[place], (0.0, 3.0, -4.0))
        assert hit.t == 0.0 and check_raycast(tree, spheres, spheres.centers[place], np.array((0.0, 0.6, -0.8))).size


@every_kind
def test_the_nearest_is_the_first_on_the_ray(kind):
    tree, _ = filled(kind, seed=4)
    rng = np.random.default_rng(4)
    hits = 0
    for _ in range(50):
        ray = random_ray(rng, np.zeros(3), 8.0)
        ids, t = tree.raycast(*ray)
        for hit in (
            tree.raycast_nearest(*ray),
            tree.raycast_nearest(*ray, lambda batch, t=t, ids=ids: [t[ids == i][0] for i in batch]),
        ):
            hits += hit is not None
            assert hit is None if len(ids) == 0 else hit.t == t[0] and hit.id in ids[t == t[0]]
    assert hits > 10


@every_kind
def test_a_hit_says_where_and_in_which_cell_the_object_is(kind):
    centers = [(x, 1.0, 1.0) for x in range(-7, 8, 2)]
    tree, _ = build(kind, centers, np.full(8, 0.5))
    tree.pairs()  # sorts all of them into their cells
    for origin, direction, expected, t, point, normal in (
        ((-9.0, 1.0, 1.0), (4.0, 0.0, 0.0), 0, 1.5, (-7.5, 1.0, 1.0), (-1.0, 0.0, 0.0)),
        ((5.0, 1.0, 9.0), (0.0, 0.0, -0.1), 6, 7.5, (5.0, 1.0, 1.5), (0.0, 0.0, 1.0)),
        ((1.0, 1.25, 1.0), (0.0, -1.0, 0.0), 4, 0.0, (1.0, 1.25, 1.0), (0.0, 1.0, 0.0)),
        ((3.0, 1.0, 1.0), (0.0, 2.0, 0.0), 5, 0.0, (3.0, 1.0, 1.0), (0.0, -1.0, 0.0)),  # from the centre
    ):
        hit = tree.raycast_nearest(origin, direction)
        check_hit(hit, origin, direction)
        assert hit.id == expected
        np.testing.assert_allclose(hit.t, t, atol=1e-4)
        np.testing.assert_allclose(hit.point, point, atol=1e-4)
        np.testing.assert_allclose(hit.normal, normal, atol=1e-4)
        if kind in OCTREES and not isinstance(tree, LeafOctree):
            assert hit.cell == tree.cell_of(hit.id)
    hit = tree.raycast_nearest((-9.0, 1.0, 1.0), (1.0, 0.0, 0.0), lambda ids: np.where(ids == 2, 6.25, np.nan))
    check_hit(hit, (-9.0, 1.0, 1.0), (1.0, 0.0, 0.0))
    assert (hit.id, hit.t) == (2, 6.25)
    np.testing.assert_allclose(hit.normal, (1.0, 0.0, 0.0), atol=1e-6)  # 0.25 behind the centre


@every_kind
def test_the_nearest_ends_at_t_max(kind):
    tree, _ = build(kind, [(4.0, 0.0, 0.0)], [1.0])
    ray = (0.0, 0.0, 0.0), (1.0, 0.0, 0.0)
    assert tree.raycast_nearest(*ray, t_max=2.9) is None and tree.raycast_nearest(*ray, t_max=3.1).id == 0
    for t_max, t, expected in ((3.5, 3.5, 3.5), (3.5, 3.75, None), (np.inf, 3.75, 3.75)):
        hit = tree.raycast_nearest(*ray, lambda ids, t=t: np.full(len(ids), t), t_max=t_max)
        assert (None if hit is None else hit.t) == expected


@every_kind
@pytest.mark.parametrize("best", (0.0, 1.0, 9.99))
@pytest.mark.parametrize("count", (20, 500))
def test_a_test_is_asked_front_to_back_and_once_each_until_nothing_nearer_can_follow(kind, count, best):
    batches = asked_on_x_axis(kind, count, best)
    assert all(begins[0] <= nearest for begins, nearest in batches)


@every_kind
def test_a_test_is_not_asked_about_spheres_that_begin_beyond_what_an_earlier_batch_found(kind):
    for best in (1.0, 3.0, 7.0):
        assert all((begins <= nearest).all() for begins, nearest in asked_on_x_axis(kind, 500, best))


@every_kind
@pytest.mark.parametrize("miss", (np.inf, np.nan))
def test_infinity_and_nan_mean_that_the_object_is_missed(kind, miss):
    tree, ray = on_x_axis(kind, 100), ((-9.0, 0.0, 0.0), (1.0, 0.0, 0.0))
    assert tree.raycast_nearest(*ray, lambda ids: np.full(len(ids), miss)) is None
    assert tree.raycast_nearest(*ray, lambda ids: np.full(len(ids), miss), t_max=8.0) is None
    hit = tree.raycast_nearest(*ray, lambda ids: [9.5 if identifier == 50 else miss for identifier in ids])
    assert (hit.id, hit.t) == (50, 9.5)


@a_few_kinds
@pytest.mark.parametrize("answer", (lambda n: 1.0, lambda n: np.ones(n + 1), lambda n: np.ones((n, 1)), lambda n: []))
def test_a_test_that_answers_in_another_shape_is_refused(kind, answer):
    tree, ray = on_x_axis(kind, 40), ((-9.0, 0.0, 0.0), (1.0, 0.0, 0.0))
    before = all_answers(tree)
    with pytest.raises(ValueError, match="shape"):
        tree.raycast_nearest(*ray, lambda ids: answer(len(ids)))
    assert all_answers(tree) == before


@every_kind
def test_an_exception_from_a_test_reaches_the_caller_and_leaves_the_tree_usable(kind):
    tree, ray = on_x_axis(kind, 40), ((-9.0, 0.0, 0.0), (1.0, 0.0, 0.0))
    before = all_answers(tree)
    with pytest.raises(KeyError, match="mine"):
        tree.raycast_nearest(*ray, lambda ids: {}["mine"])
    assert all_answers(tree) == before
    if kind in OCTREES:
        validate(tree)


@every_kind
def test_a_test_may_ask_the_tree_itself(kind):
    tree, ray = on_x_axis(kind, 200), ((-9.0, 0.0, 0.0), (1.0, 0.0, 0.0))
    ids, t = tree.raycast(*ray)

    def test(batch):
        again, t_again = tree.raycast(*ray)
        all_answers(tree)
        return np.where(batch < 150, np.inf, [t_again[again == identifier][0] for identifier in batch])

    hit = tree.raycast_nearest(*ray, test)
    assert hit.id == 150 and hit.t == t[ids == 150][0]


# Pairs.


@every_kind
def test_each_pair_comes_once_with_the_lower_id_first(kind):
    tree, spheres = filled(kind, count=500, seed=5)
    assert len(check_pairs(tree, spheres)) > 1000


@every_kind
@pytest.mark.parametrize("radius", (0.0, 0.01))
def test_spheres_that_coincide_by_the_hundred_are_all_pairs(kind, radius):
    tree, _ = build(kind, np.full((600, 3), 1.7), np.full(600, radius))
    pairs = tree.pairs()
    assert pairs.shape == (600 * 599 // 2, 2)
    expected = np.column_stack(np.triu_indices(600, 1))
    np.testing.assert_array_equal(pairs[np.lexsort(pairs.T[::-1])], expected)


@every_kind
def test_spheres_that_coincide_in_the_corner_of_cells_are_all_pairs(kind):
    tree, spheres = build(kind, np.zeros((100, 3)), np.full(100, 0.5))
    assert len(check_pairs(tree, spheres)) == 100 * 99 // 2


@every_kind
def test_spheres_that_touch_exactly_are_a_pair(kind):
    tree, _ = build(kind, [(0.0, 0.0, 0.0), (3.0, 4.0, 0.0), (-3.0, 0.0, 0.0), (0.0, -3.01, 0.0)], [2.0, 3.0, 1.0, 1.0])
    assert sorted(map(tuple, tree.pairs().tolist())) == [(0, 1), (0, 2)]


@every_kind
def test_contacts_are_the_pairs_with_what_a_solver_needs(kind):
    tree, spheres = filled(kind, count=300, seed=11)
    contacts = tree.contacts()
    order, pairs = np.lexsort(contacts.ids.T), tree.pairs()
    np.testing.assert_array_equal(contacts.ids[order], pairs[np.lexsort(pairs.T)])
    assert len(pairs) > 100
    centers, radii = (
        np.array([[getattr(spheres.by_id[i], name) for i in ids] for ids in contacts.ids.tolist()])
        for name in ("center", "radius")
    )
    between = centers[:, 1] - centers[:, 0]
    distances = np.linalg.norm(between, axis=1)
    np.testing.assert_allclose(np.linalg.norm(contacts.normals, axis=1), 1.0, rtol=0.0, atol=1e-12)
    np.testing.assert_allclose(contacts.normals * distances[:, None], between, rtol=0.0, atol=1e-3)
    np.testing.assert_allclose(contacts.depths, radii.sum(axis=1) - distances, rtol=0.0, atol=1e-3)
    away = np.linalg.norm(contacts.points[:, None] - centers, axis=2)
    assert (away - radii).max() < 1e-3, "in both"


@every_kind
def test_contacts_of_spheres_that_touch_coincide_or_lie_in_each_other(kind):
    tree, _ = build(kind, [(0.0, 0.0, 0.0), (3.0, 0.0, 0.0), (20.0, 0.0, 0.0), (20.0, 0.0, 0.0)], [2.0, 1.0, 1.0, 2.0])
    touching, same = sorted(range(2), key=tree.contacts().ids[:, 0].tolist().__getitem__)
    contacts = tree.contacts()
    np.testing.assert_allclose(contacts.depths[[touching, same]], (0.0, 3.0), atol=1e-4)
    np.testing.assert_allclose(contacts.points[[touching, same]], ((2.0, 0.0, 0.0), (20.0, 0.0, 0.0)), atol=1e-4)
    np.testing.assert_allclose(contacts.normals, ((1.0, 0.0, 0.0),) * 2)
    tree, _ = build(kind, [(0.0, 0.0, 0.0), (1.0, 0.0, 0.0)], [4.0, 1.0])
    np.testing.assert_allclose((tree.contacts().depths[0], tree.contacts().points[0, 0]), (4.0, 1.0), atol=1e-4)


# What stays as it is.


@every_kind
def test_queries_change_nothing_that_a_caller_can_see(kind):
    tree, spheres = filled(kind, seed=6)
    before = all_answers(tree)
    assert all(before)
    check_queries(tree, spheres, np.random.default_rng(6), 5)
    facts = kind in OCTREES and tree.stats()
    check_queries(tree, spheres, np.random.default_rng(7), 5)
    assert all_answers(tree) == before
    assert len(tree) == len(spheres.by_id)
    if kind in OCTREES:
        after = tree.stats()
        for name in (
            "spheres",
            "occupied",
            "at_root",
            "outside_root",
            "divided",
            "divisions",
            "collapses",
            "half_size",
        ):
            assert getattr(after, name) == getattr(facts, name)
        validate(tree)


@every_kind
def test_results_are_the_callers_own_to_write_into(kind):
    tree, _ = filled(kind, seed=7)
    before = all_answers(tree)
    ray = (-9.0, 0.5, 0.5), (1.0, 0.0, 0.0)
    ask = (
        lambda: tree.query_box(-INFINITE, INFINITE),
        lambda: tree.query_sphere((1.0, 2.0, 3.0), 3.0),
        lambda: tree.raycast(*ray)[0],
        lambda: tree.raycast(*ray)[1],
        tree.pairs,
        lambda: tree.raycast_nearest(*ray).point,
        lambda: tree.raycast_nearest(*ray).normal,
    )
    answers = [query() for query in ask]
    copies = [answer.copy() for answer in answers]
    for query in ask:
        query()[:] = 77
    for answer, copy in zip(answers, copies, strict=True):
        np.testing.assert_array_equal(answer, copy)
    assert all_answers(tree) == before


@every_kind
def test_what_lies_far_beyond_all_spheres_finds_none(kind):
    tree, _ = build(kind, [(0.0, 0.0, 0.0), (3.0, 3.0, 3.0)], [1.0, 1.0])
    for distance in (1e10, 1e20, 1e25, 1e27, 1e37, 1e100, 1e300):
        point = (distance, 0.0, -distance / 2.0)
        assert tree.query_sphere(point, 1.0).tolist() == [], distance
        assert tree.query_sphere(point, distance / 100.0).tolist() == [], distance
        assert tree.query_box(point, point).tolist() == [], distance
        assert sorted(tree.query_sphere(point, distance * 2.0).tolist()) == [0, 1], distance


@every_kind
def test_a_box_at_infinity_finds_none_and_one_as_large_as_float64_finds_everything(kind):
    tree, _ = build(kind, [(0.0, 0.0, 0.0), (3.0, 3.0, 3.0)], [1.0, 1.0])
    assert tree.query_box(INFINITE, INFINITE).tolist() == tree.query_box(-INFINITE, -INFINITE).tolist() == []
    largest = np.full(3, np.finfo(np.float64).max)
    assert sorted(tree.query_box(-largest, largest).tolist()) == [0, 1]

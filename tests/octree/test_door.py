"""Refused arguments: the message names the offender and the tree stays exactly as it was. Ownership of arrays."""

import numpy as np
import pytest

from octoscope.octree import Frustum, Octree
from octoscope.octree.arguments import checked_ray, checked_rays
from tests.octree.validate import validate
from tests.oracles import EVERYTHING, random_camera, random_ray, random_spheres

pytestmark = pytest.mark.usefixtures("strict_floats")

PRESENT, ABSENT = 10, 777


@pytest.fixture
def tree() -> Octree:
    """500 spheres, ids 0 to 499, some sorted, some waiting in the overflow, some dead."""
    rng = np.random.default_rng(0)
    tree = Octree((1.0, 2.0, 3.0), 10.0, 4)
    tree.insert(np.arange(540), *random_spheres(rng, 540, tree.center, tree.half_size))
    tree.cull(Frustum.from_matrix(EVERYTHING))
    tree.remove(np.arange(500, 540))
    tree.move(np.arange(0, 20, 2), *random_spheres(rng, 10, tree.center, tree.half_size))
    return tree


def everything_it_says(tree: Octree) -> list:
    rng = np.random.default_rng(1)
    said = [len(tree), tree.contains(np.arange(1000)).tolist()]
    for _ in range(5):
        said.append(sorted(tree.cull(Frustum.from_matrix(random_camera(rng, tree.center, tree.half_size))).tolist()))
        ids, t = tree.raycast(*random_ray(rng, tree.center, tree.half_size))
        said += [ids.tolist(), t.tolist()]
    cells = tree.cells()
    said += [column.tolist() for column in (cells.centers, cells.half_sizes, cells.levels, cells.counts)]
    return said


def assert_refused(tree: Octree, error: type[Exception], message: str, method: str, *arguments) -> None:
    before = everything_it_says(tree)
    with pytest.raises(error, match=message):
        getattr(tree, method)(*arguments)
    validate(tree)
    assert everything_it_says(tree) == before


BAD_SPHERES = {
    "a centre of NaN": ((0.0, np.nan, 0.0), 1.0),
    "a centre at infinity": ((0.0, 0.0, np.inf), 1.0),
    "a centre at minus infinity": ((-np.inf, 0.0, 0.0), 1.0),
    "a centre that float32 cannot hold": ((1e39, 0.0, 0.0), 1.0),
    "a radius of NaN": ((0.0, 0.0, 0.0), np.nan),
    "an infinite radius": ((0.0, 0.0, 0.0), np.inf),
    "a negative radius": ((0.0, 0.0, 0.0), -1e-9),
    "a radius that float32 cannot hold": ((0.0, 0.0, 0.0), 1e39),
}


@pytest.mark.parametrize("name", BAD_SPHERES)
def test_inserting_a_bad_sphere_among_good_ones_is_refused(tree, name):
    center, radius = BAD_SPHERES[name]
    ids, centers, radii = [ABSENT + 1, ABSENT, ABSENT + 2], np.zeros((3, 3)), np.ones(3)
    centers[1], radii[1] = center, radius
    assert_refused(tree, ValueError, rf"\b{ABSENT}\b", "insert", ids, centers, radii)


@pytest.mark.parametrize("name", BAD_SPHERES)
def test_moving_to_a_bad_sphere_among_good_ones_is_refused(tree, name):
    center, radius = BAD_SPHERES[name]
    ids, centers, radii = [PRESENT + 1, PRESENT, PRESENT + 2], np.zeros((3, 3)), np.ones(3)
    centers[1], radii[1] = center, radius
    assert_refused(tree, ValueError, rf"\b{PRESENT}\b", "move", ids, centers, radii)


def test_only_the_bad_ids_of_a_batch_are_named(tree):
    with pytest.raises(ValueError, match=rf"\b{ABSENT}\b") as refused:
        tree.insert([ABSENT - 1, ABSENT], [(0.0, 0.0, 0.0), (np.nan, 0.0, 0.0)], [1.0, 1.0])
    assert str(ABSENT - 1) not in str(refused.value)


def test_inserting_an_id_that_is_in_the_tree_is_refused(tree):
    ids = [ABSENT, PRESENT, ABSENT + 1]
    assert_refused(tree, ValueError, rf"\b{PRESENT}\b.*already", "insert", ids, np.zeros((3, 3)), np.ones(3))


def test_inserting_an_id_twice_in_one_call_is_refused(tree):
    ids = [ABSENT + 1, ABSENT, ABSENT + 2, ABSENT]
    assert_refused(tree, ValueError, rf"\b{ABSENT}\b.*twice", "insert", ids, np.zeros((4, 3)), np.ones(4))


def test_moving_an_id_twice_in_one_call_is_refused(tree):
    ids = [PRESENT + 1, PRESENT, PRESENT]
    assert_refused(tree, ValueError, rf"\b{PRESENT}\b", "move", ids, np.zeros((3, 3)), np.ones(3))


def test_removing_an_id_twice_in_one_call_is_refused(tree):
    assert_refused(tree, ValueError, rf"\b{PRESENT}\b", "remove", [PRESENT + 1, PRESENT, PRESENT])


def test_moving_an_unknown_id_is_refused(tree):
    ids = [PRESENT, ABSENT]
    assert_refused(tree, KeyError, rf"\b{ABSENT}\b", "move", ids, np.zeros((2, 3)), np.ones(2))


@pytest.mark.parametrize("unknown", (ABSENT, 510, 2_000_000))  # 510 was removed
def test_removing_an_unknown_id_is_refused(tree, unknown):
    assert_refused(tree, KeyError, rf"\b{unknown}\b", "remove", [PRESENT, unknown])


@pytest.mark.parametrize("method", ("insert", "move"))
@pytest.mark.parametrize("identifier", (-1, 2**31 - 1, 2**40))
def test_an_id_that_int32_cannot_hold_is_refused(tree, method, identifier):
    assert_refused(tree, ValueError, rf"{identifier}\b", method, [identifier], np.zeros((1, 3)), np.ones(1))


@pytest.mark.parametrize("ids", ([1.0], ["1"], [True], [[1]], 1))
def test_ids_that_are_no_row_of_integers_are_refused(tree, ids):
    assert_refused(tree, ValueError, "integers", "remove", ids)


@pytest.mark.parametrize(
    ("centers", "radii"),
    [((1, 3), (2,)), ((2, 3), (1,)), ((2, 2), (2,)), ((2, 4), (2,)), ((3,), (2,)), ((2, 3), (2, 1)), ((2, 3), ())],
)
@pytest.mark.parametrize("method", ("insert", "move"))
def test_centers_and_radii_that_do_not_match_the_ids_are_refused(tree, method, centers, radii):
    ids = [ABSENT, ABSENT + 1] if method == "insert" else [0, 1]
    assert_refused(tree, ValueError, "shape", method, ids, np.zeros(centers), np.ones(radii))


@pytest.mark.parametrize(
    ("origin", "direction"),
    [
        ((0, 0, 0), (0, 0, 0)),
        ((0, 0, 0), (np.nan, 0, 1)),
        ((0, 0, 0), (np.inf, 0, 0)),
        ((np.nan, 0, 0), (1, 0, 0)),
        ((0, np.inf, 0), (1, 0, 0)),
        ((0, 0), (1, 0)),
        ((0, 0, 0, 1), (1, 0, 0, 0)),
    ],
)
def test_a_ray_without_a_line_is_refused(tree, origin, direction):
    assert_refused(tree, ValueError, "ray", "raycast", origin, direction)


def test_a_ray_alone_has_the_direction_that_it_has_among_others_to_the_bit():
    rng = np.random.default_rng(0)
    directions = rng.normal(size=(2000, 3)) * 10.0 ** rng.uniform(-300.0, 300.0, (2000, 1))
    _, together = checked_rays(np.zeros((2000, 3)), directions, np.inf)
    alone = [checked_ray(np.zeros(3), direction, np.inf)[1] for direction in directions]
    assert np.array_equal(together, alone)


def test_a_ray_of_length_nan_is_refused(tree):
    with pytest.raises(ValueError, match="t_max"):
        tree.raycast((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), t_max=np.nan)


@pytest.mark.parametrize(
    ("problem", "center", "half_size", "options"),
    [
        ("center", (0.0, np.nan, 0.0), 1.0, {}),
        ("center", (0.0, 0.0), 1.0, {}),
        ("half_size", (0.0, 0.0, 0.0), 0.0, {}),
        ("half_size", (0.0, 0.0, 0.0), -1.0, {}),
        ("half_size", (0.0, 0.0, 0.0), np.inf, {}),
        ("half_size", (0.0, 0.0, 0.0), np.nan, {}),
        ("split_level", (0.0, 0.0, 0.0), 1.0, {"split_level": -1}),
        ("split_level", (0.0, 0.0, 0.0), 1.0, {"split_level": 20}),
        ("looseness", (0.0, 0.0, 0.0), 1.0, {"looseness": 0.999}),
        ("looseness", (0.0, 0.0, 0.0), 1.0, {"looseness": np.nan}),
        ("looseness", (0.0, 0.0, 0.0), 1.0, {"looseness": np.inf}),
        ("capacity", (0.0, 0.0, 0.0), 1.0, {"capacity": -1}),
        ("capacity", (0.0, 0.0, 0.0), 1.0, {"capacity": 1.5}),
    ],
)
def test_a_root_that_makes_no_sense_is_refused(problem, center, half_size, options):
    with pytest.raises(ValueError, match=problem):
        Octree(center, half_size, **options)


@pytest.mark.parametrize("dtype", (np.uint8, np.int16, np.int64, np.uint64))
def test_ids_of_every_integer_type_are_taken(dtype):
    tree = Octree((0.0, 0.0, 0.0), 1.0, 2)
    tree.insert(np.arange(3, dtype=dtype), np.zeros((3, 3), dtype=np.float32), np.ones(3, dtype=np.int64))
    tree.move(np.arange(3, dtype=dtype), np.zeros((3, 3)), np.ones(3))
    tree.remove(np.array([1], dtype=dtype))
    assert sorted(tree.cull(Frustum.from_matrix(EVERYTHING))) == [0, 2]


def test_an_array_that_a_query_returned_is_not_overwritten_by_the_next(tree):
    rng = np.random.default_rng(2)
    seen = tree.cull(Frustum.from_matrix(EVERYTHING))
    ids, t = tree.raycast((1.0, 2.0, 30.0), (0.0, 0.0, -1.0))
    copies = seen.copy(), ids.copy(), t.copy()
    assert len(seen) == 500 and len(ids) > 10
    for _ in range(10):
        tree.cull(Frustum.from_matrix(random_camera(rng, tree.center, tree.half_size)))
        tree.raycast(*random_ray(rng, tree.center, tree.half_size))
    tree.remove(np.arange(0, 500, 2))
    tree.cull(Frustum.from_matrix(EVERYTHING))
    for array, copy in zip((seen, ids, t), copies, strict=True):
        np.testing.assert_array_equal(array, copy)


def test_a_caller_who_writes_into_results_does_not_change_the_tree(tree):
    before = everything_it_says(tree)
    tree.cull(Frustum.from_matrix(EVERYTHING))[:] = -5
    for array in (*tree.raycast((1.0, 2.0, 30.0), (0.0, 0.0, -1.0)), tree.cells().counts):
        array[:] = 0
    validate(tree)
    assert everything_it_says(tree) == before


def test_a_caller_who_writes_into_arrays_after_an_edit_does_not_change_the_tree():
    tree = Octree(center := np.zeros(3), 8.0, 3)
    ids, centers, radii = np.array([0, 1], dtype=np.int32), np.array([(1.0, 1, 1), (5.0, 5, 5)]), np.array([0.5, 0.5])
    tree.insert(ids, centers, radii)
    tree.move(ids, centers, radii)
    before = everything_it_says(tree)
    center[:], ids[:], centers[:], radii[:] = 3.0, 7, -1.0, 100.0
    assert everything_it_says(tree) == before
    validate(tree)


def test_edits_and_queries_leave_their_arguments_alone(tree):
    ids, centers, radii = np.array([ABSENT]), np.array([(1.0, 2.0, 3.0)]), np.array([0.5])
    origin, direction = np.array((0.0, 1.0, 2.0)), np.array((0.0, 3.0, 4.0))
    frustum = Frustum.from_matrix(EVERYTHING)
    arguments = (ids, centers, radii, origin, direction, frustum.planes)
    copies = [argument.copy() for argument in arguments]
    tree.insert(ids, centers, radii)
    tree.move(ids, centers, radii)
    tree.raycast(origin, direction)
    tree.cull(frustum)
    tree.remove(ids)
    for argument, copy in zip(arguments, copies, strict=True):
        np.testing.assert_array_equal(argument, copy)


def test_asking_twice_gives_the_same_answer(tree):
    assert everything_it_says(tree) == everything_it_says(tree)


def test_rays_reach_kernels_in_one_order_of_memory_whatever_the_order_they_are_given_in() -> None:
    """A wheel has machine code for arrays in C order that can be written to, and no other."""
    rows = np.random.default_rng(0).normal(size=(5, 3))
    fixed = rows.copy()
    fixed.flags.writeable = False
    for given in (rows, fixed, np.asfortranarray(rows), np.broadcast_to(rows[0], (5, 3)), np.tile(rows, 2)[:, ::2]):
        for array, wanted in zip(checked_rays(given, given, 1.0), (given, None), strict=True):
            assert array.flags.c_contiguous and array.flags.writeable
            assert wanted is None or np.array_equal(array, wanted)

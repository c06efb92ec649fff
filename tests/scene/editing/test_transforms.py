"""Moving nodes in the world: what is asked for is what happens, under whatever parents."""

import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from octoscope.scene import EditError, Scene, apply, change_nodes, editing, inverse
from octoscope.scene.editing import Transformation, local_transforms, move_up, reparent, set_world, transform
from octoscope.scene.editing.chosen import topmost
from octoscope.scene.nodes.hierarchy import subtrees
from tests.oracles import local_matrix, random_affine, random_quaternion, random_rotation
from tests.scene.builders import add_random_nodes, below, box, random_scales
from tests.scene.editing.walks import assert_same_state, state, translation_of

SEEDS = st.integers(0, 2**32 - 1)
HALF = np.sqrt(0.5)


def even_scene(seed: int, count: int = 30) -> Scene:
    """Trees whose parents are turned and scaled evenly, some mirrored: below them nothing shears."""
    rng = np.random.default_rng(seed)
    scene = Scene()
    scene.meshes.add(box())
    add_random_nodes(scene, rng, count, zeros=0.0)
    scene.set_parents(np.arange(count), np.array([rng.integers(-1, node) if node else -1 for node in range(count)]))
    scene.set_scales(np.arange(count), rng.uniform(0.5, 2.0, (count, 1)) * np.ones(3))
    scene.update_world()
    return scene


def worlds(scene: Scene) -> np.ndarray:
    scene.update_world()
    return scene.world_from_local.copy()


def assert_close(found: np.ndarray, expected: np.ndarray, *, error: float = 1e-9) -> None:
    size = np.maximum(np.abs(expected).max(axis=(-2, -1), keepdims=True), 1.0)
    assert (np.abs(found - expected) <= error * size).all()


@given(seed=SEEDS)
def test_what_was_chosen_and_all_below_goes_through_the_matrix_once(seed):
    rng = np.random.default_rng(seed)
    scene = even_scene(seed)
    ids = rng.choice(len(scene), rng.integers(1, 8), replace=False)
    matrix = translation_of(rng.normal(size=3))
    matrix[:3, :3] = random_rotation(rng) * rng.uniform(0.5, 2.0)
    pivot = rng.normal(size=3)
    about = translation_of(pivot) @ matrix @ translation_of(-pivot)
    before = worlds(scene)
    edit = transform(scene, ids, matrix, pivot=pivot)
    assert edit.notes == ()
    apply(scene, edit)
    moves = np.isin(np.arange(len(scene)), list(below(scene, set(ids.tolist()))))
    after = worlds(scene)
    assert_close(after[moves], about @ before[moves])
    np.testing.assert_array_equal(after[~moves], before[~moves])


@given(seed=SEEDS)
def test_any_affine_matrix_brings_origins_where_it_says_and_is_exact_or_says_that_it_would_shear(seed):
    rng = np.random.default_rng(seed)
    scene = Scene()
    scene.add_node("parent", translation=rng.normal(size=3), rotation=random_quaternion(rng), scale=(1.0, 3.0, 0.5))
    scene.add_node("child", parent=0, rotation=random_quaternion(rng), scale=random_scales(rng, 1, zeros=0.0)[0])
    matrix = random_affine(rng)
    before = worlds(scene)
    edit = transform(scene, [1], matrix)
    apply(scene, edit)
    assert edit.notes and "shear" in edit.notes[0]
    assert_close(worlds(scene)[1][:3, 3:], (matrix @ before[1])[:3, 3:])


@given(seed=SEEDS)
def test_a_scale_along_its_own_axes_is_exact_and_keeps_the_signs_that_it_has(seed):
    rng = np.random.default_rng(seed)
    scene = Scene()
    rotation = random_quaternion(rng)
    scale = random_scales(rng, 1, zeros=0.0)[0]
    scene.add_node("a", translation=rng.normal(size=3), rotation=rotation, scale=scale)
    axes = local_matrix(np.zeros(3), rotation, np.ones(3))
    factors = rng.uniform(0.5, 2.0, 3)
    edit = transform(scene, [0], axes @ np.diag((*factors, 1.0)) @ axes.T, pivot=scene.translations[0])
    apply(scene, edit)
    assert edit.notes == ()
    np.testing.assert_allclose(scene.scales[0], scale * factors, rtol=1e-12)
    assert abs(scene.rotations[0] @ rotation) == pytest.approx(1.0, abs=1e-12)


def test_moving_changes_no_bit_of_turns_and_scales():
    scene = even_scene(5)
    edit = transform(scene, np.arange(len(scene)), translation_of(np.array((1.0, 2.0, 3.0))))
    assert {change.column for change in edit.changes} == {"translation"}


def test_a_turn_keeps_scales_of_zero_and_of_either_sign():
    scene = Scene()
    scene.add_node("a", scale=(0.0, -2.0, 0.0))
    quarter = np.diag((0.0, 0.0, 1.0, 1.0))
    quarter[0, 1], quarter[1, 0] = -1.0, 1.0
    apply(scene, transform(scene, [0], quarter))
    assert scene.scales[0].tolist() == [0.0, -2.0, 0.0]
    np.testing.assert_allclose(scene.rotations[0], (0.0, 0.0, HALF, HALF), atol=1e-15)


def test_the_smallest_turn_is_not_lost():
    scene = Scene()
    scene.add_node("a")
    matrix = np.eye(4)
    matrix[0, 1], matrix[1, 0] = -1e-9, 1e-9
    apply(scene, transform(scene, [0], matrix))
    assert scene.rotations[0, 2] == pytest.approx(5e-10)


def test_each_about_its_own_origin():
    scene = even_scene(2)
    nodes = Transformation(scene, np.arange(len(scene)))
    before = worlds(scene)
    matrix = np.diag((2.0, 2.0, 2.0, 1.0))
    apply(scene, nodes.by(matrix, pivot=before[nodes.ids, :3, 3]))
    after = worlds(scene)
    np.testing.assert_allclose(after[nodes.ids, :3, 3], before[nodes.ids, :3, 3], atol=1e-12)
    np.testing.assert_allclose(after[nodes.ids, :3, :3], 2.0 * before[nodes.ids, :3, :3], atol=1e-12)


def test_each_step_of_a_drag_leads_from_where_it_began():
    scene = even_scene(3)
    before = state(scene)
    nodes = Transformation(scene, [1, 2, 5])
    far, near = (nodes.by(translation_of(np.array((x, 0.0, 0.0)))) for x in (100.0, 1.0))
    apply(scene, far)
    again = nodes.by(translation_of(np.array((1.0, 0.0, 0.0))))
    np.testing.assert_array_equal(again.changes[0].before, near.changes[0].before)
    np.testing.assert_array_equal(again.changes[0].after, near.changes[0].after)
    apply(scene, inverse(far))
    assert_same_state(state(scene), before)


def test_what_hangs_below_nothing_is_not_moved_in_the_world():
    scene = Scene()
    scene.add_nodes(["flat", "below"], parent=[-1, 0], scale=[(1.0, 0.0, 1.0), (1.0, 1.0, 1.0)])
    with pytest.raises(EditError, match="scaled to zero"):
        transform(scene, [1], translation_of(np.ones(3)))
    apply(scene, transform(scene, [0, 1], translation_of(np.ones(3))))
    assert scene.translations.tolist() == [[1, 1, 1], [0, 0, 0]]


def test_what_no_number_reaches_is_refused():
    scene = Scene()
    scene.add_nodes(["a"], translation=(1e308, 0.0, 0.0))
    with pytest.raises(EditError, match="number"):
        transform(scene, [0], np.diag((1e10, 1.0, 1.0, 1.0)))
    with pytest.raises(ValueError):
        transform(scene, [0], np.full((4, 4), np.nan))
    with pytest.raises(EditError, match="nothing is selected"):
        transform(scene, [], np.eye(4))
    with pytest.raises(IndexError):
        transform(scene, [1], np.eye(4))


@given(seed=SEEDS)
def test_world_values_are_those_typed_even_for_a_node_below_another_of_them(seed):
    rng = np.random.default_rng(seed)
    scene = even_scene(seed, 12)
    ids = rng.choice(12, 6, replace=False)
    before = worlds(scene)
    apply(scene, edit := set_world(scene, ids, translation=(1.0, 2.0, 3.0)))
    after = worlds(scene)
    np.testing.assert_allclose(after[ids, :3, 3], np.tile((1.0, 2.0, 3.0), (6, 1)), atol=1e-9)
    np.testing.assert_allclose(after[ids, :3, :3], before[ids, :3, :3], atol=1e-9)
    assert all(change.column == "translation" for change in edit.changes)
    rotation = random_quaternion(rng)
    apply(scene, set_world(scene, ids, rotation=3.0 * rotation, scale=(2.0, 2.0, 2.0)))
    expected = local_matrix(np.array((1.0, 2.0, 3.0)), rotation, np.full(3, 2.0))
    assert_close(worlds(scene)[ids], np.tile(expected, (6, 1, 1)))


@given(seed=SEEDS)
def test_hung_elsewhere_nodes_stay_where_they_are(seed):
    rng = np.random.default_rng(seed)
    scene = even_scene(seed)
    ids = rng.choice(len(scene), 4, replace=False)
    parent = int(rng.integers(-1, len(scene)))
    if parent in below(scene, set(ids.tolist())):
        with pytest.raises(EditError, match="its own ancestor"):
            reparent(scene, ids, parent)
        return
    before = worlds(scene)
    edit = reparent(scene, ids, parent)
    apply(scene, edit)
    assert edit.notes == ()
    assert (scene.parents[topmost(scene, ids)] == parent).all()
    assert_close(worlds(scene), before)


@given(seed=SEEDS)
def test_what_is_moved_up_hangs_beside_what_it_hung_below_and_stays_where_it_is(seed):
    rng = np.random.default_rng(seed)
    scene = even_scene(seed, 20)
    ids = rng.choice(20, 4, replace=False)
    tops = [node for node in topmost(scene, ids).tolist() if scene.parents[node] >= 0]
    if not tops:
        with pytest.raises(EditError, match="no parent"):
            move_up(scene, ids)
        return
    before, first = worlds(scene), state(scene)
    expected = scene.parents.copy()
    expected[tops] = scene.parents[scene.parents[tops]]
    edit = move_up(scene, ids)
    apply(scene, edit)
    assert edit.notes == ()
    np.testing.assert_array_equal(scene.parents, expected)
    assert_close(worlds(scene), before)
    apply(scene, inverse(edit))
    assert_same_state(state(scene), first)


def test_hung_below_an_uneven_scale_a_turned_node_says_that_it_would_shear_and_keeps_its_place():
    scene = Scene()
    scene.add_nodes(["wide", "turned"], scale=[(3.0, 1.0, 1.0), (1.0, 1.0, 1.0)], translation=[(0, 0, 0), (3, 4, 5)])
    scene.set_rotations(1, (0.0, 0.0, np.sin(0.3), np.cos(0.3)))
    edit = reparent(scene, [1], 0)
    assert edit.notes == (
        "an object would need shear, which no transform can hold; the nearest rotation and scale are used",
    )
    apply(scene, edit)
    np.testing.assert_allclose(worlds(scene)[1, :3, 3], (3.0, 4.0, 5.0))
    apply(scene, reparent(scene, [1], -1, keep_world=False))
    assert scene.parents[1] == -1 and scene.translations[1, 0] == 1.0


def test_reparenting_between_equal_frames_changes_no_other_bit():
    scene = Scene()
    scene.add_nodes(["a", "b", "c"], parent=[-1, -1, 0], rotation=[(0, 0, 0, 1), (0, 0, 0, 1), (0.1, 0.2, 0.3, 0.4)])
    (change,) = reparent(scene, [2], 1).changes
    assert change.column == "parent"
    assert reparent(scene, [2], 0).changes == ()


def test_a_chain_of_ten_thousand_is_moved_without_recursion():
    scene = Scene()
    scene.add_nodes([""] * 10_000, parent=np.arange(-1, 9_999))
    apply(scene, transform(scene, np.arange(10_000), translation_of(np.ones(3))))
    assert scene.translations[0].tolist() == [1, 1, 1] and not scene.translations[1:].any()
    apply(scene, change_nodes(scene, subtrees(scene, np.array([5_000])), alive=False))
    assert len(scene) == 5_000


@pytest.mark.parametrize("length", (5e-324, 1e-200, 1e200, 1e308))
def test_a_rotation_in_the_world_may_have_any_length(length):
    scene = even_scene(0)
    apply(scene, set_world(scene, [0], rotation=(0.0, length, 0.0, 0.0)))
    np.testing.assert_array_equal(np.abs(scene.rotations[0]), (0.0, 1.0, 0.0, 0.0))


@pytest.mark.parametrize("size", [1e155, 1e200, 1.5e308])
@pytest.mark.parametrize("column", ["translation", "scale"])
def test_edits_of_what_is_hardly_a_number_any_more_are_done_or_refused_without_a_warning(size, column):
    turn = np.eye(4)
    turn[:2, :2] = (0.6, -0.8), (0.8, 0.6)
    operations = (
        lambda scene: editing.transform(scene, [1, 2], turn),
        lambda scene: editing.align(scene, [1, 2], x="min"),
        lambda scene: editing.distribute(scene, [1, 2, 3], axis=0),
        lambda scene: editing.radial_array(scene, [1, 2], 5),
        lambda scene: editing.array_along(scene, [1, 2], scene.translations[1:], 3),
        lambda scene: editing.scatter(scene, [1, 2], 3, 3, aligned=True),
        lambda scene: editing.group(scene, [1, 2]),
        lambda scene: editing.ungroup(scene, [0]),
        lambda scene: editing.reparent(scene, [1, 2], 3),
        lambda scene: editing.merge(scene, [1, 2]),
        lambda scene: editing.drop(scene, [1, 2]),
        lambda scene: editing.drop_to_ground(scene, [1, 2]),
    )
    refused = []
    for operation in operations:
        scene = Scene()
        mesh = scene.meshes.add(box())
        scene.add_nodes(["group", "a", "b", "c"], parent=[-1, 0, 0, -1], mesh=[-1, mesh, mesh, mesh])
        scene.update_world()
        apply(scene, change_nodes(scene, [1, 2], **{column: [(size, -size, size), (-size, size, 1.0)]}))
        scene.update_world()
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            try:
                apply(scene, operation(scene))
            except ValueError as error:
                refused.append(str(error))
    assert not any("half_size" in line or "\n" in line for line in refused)


def test_equal_and_different_matrices_are_inverted():
    rng = np.random.default_rng(0)
    matrices = np.stack([random_affine(rng) for _ in range(6)])[rng.integers(6, size=50)]
    matrices[:, :3, 3] = rng.normal(size=(50, 3))
    matrices[3, :3, :3] = np.eye(3)
    assert_close(local_transforms.inverses(matrices) @ matrices, np.broadcast_to(np.eye(4), (50, 4, 4)))

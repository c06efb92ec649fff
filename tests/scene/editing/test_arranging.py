"""Objects in line, in rows and in rings."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from octoscope.scene import EditError, Scene, apply
from octoscope.scene.editing import align, array, cost_of_copies, distribute, radial_array, structure
from octoscope.scene.editing.chosen import topmost
from octoscope.scene.nodes.bounds import world_boxes
from tests.oracles import transformed
from tests.scene.builders import below, box, random_scene

SEEDS = st.integers(0, 2**32 - 1)


def box_of(scene: Scene, node: int) -> np.ndarray:
    """(2, 3) by every vertex of everything below."""
    scene.update_world()
    points = [
        transformed(scene.world_from_local[each], scene.meshes.mesh(int(scene.mesh_ids[each])).positions)
        for each in below(scene, {node})
        if scene.mesh_ids[each] >= 0
    ]
    points = np.concatenate(points) if points else scene.world_from_local[node, None, :3, 3]
    return np.stack([points.min(axis=0), points.max(axis=0)])


def row_of_boxes(places: list[float], sizes: list[float]) -> Scene:
    scene = Scene()
    mesh = scene.meshes.add(box())
    places = np.array([(x, 0.0, 0.0) for x in places])
    scene.add_nodes([""] * len(places), mesh=mesh, translation=places, scale=np.array(sizes)[:, None] / 2.0)
    scene.update_world()
    return scene


@given(seed=SEEDS)
def test_world_boxes_are_those_of_all_vertices(seed):
    scene = random_scene(seed, 20)
    scene.update_world()
    ids = topmost(scene, np.random.default_rng(seed).choice(20, 5, replace=False))
    boxes = world_boxes(scene, ids)
    for node, found in zip(ids.tolist(), boxes, strict=True):
        np.testing.assert_allclose(found, box_of(scene, node), rtol=1e-12, atol=1e-9)


@pytest.mark.parametrize("target", (None, (1.0, 2.0, 3.0), ((1.0, 2.0, 3.0), (4.0, 4.0, 9.0))))
@pytest.mark.parametrize(("to", "corner"), (("min", 0), ("max", 1), ("centre", None)))
@given(seed=SEEDS)
def test_objects_are_aligned_along_the_axes_given(to, corner, target, seed):
    scene = random_scene(seed, 20, zeros=0.0)
    ids = topmost(scene, np.random.default_rng(seed).choice(20, 5, replace=False))
    before = [box_of(scene, node) for node in ids]
    apply(scene, align(scene, ids, x=to, z=to, to=target))
    after = np.array([box_of(scene, node) for node in ids])
    whole = np.stack([np.min(before, axis=0)[0], np.max(before, axis=0)[1]])
    if target is not None:
        whole = np.broadcast_to(target, (2, 3))
    expected = whole.mean(axis=0) if corner is None else whole[corner]
    found = after.mean(axis=1) if corner is None else after[:, corner]
    np.testing.assert_allclose(found[:, [0, 2]], np.tile(expected[[0, 2]], (len(ids), 1)), rtol=1e-7, atol=1e-7)
    np.testing.assert_allclose(after[:, :, 1], np.array(before)[:, :, 1], rtol=1e-7, atol=1e-7)


@pytest.mark.parametrize("shape", ((), (1, 1), (2, 1), (1, 3), (3, 4)))
def test_objects_are_aligned_to_a_point_or_a_box_alone(shape):
    with pytest.raises(ValueError, match=r"^to must be of shape"):
        align(row_of_boxes([0.0, 20.0], [2.0, 4.0]), [0, 1], x="min", to=np.zeros(shape))


def test_gaps_become_equal_and_the_ends_stay():
    scene = row_of_boxes([0.0, 20.0, 3.0, 5.0], [2.0, 4.0, 1.0, 3.0])
    apply(scene, distribute(scene, [0, 1, 2, 3], 0))
    boxes = np.array([box_of(scene, node)[:, 0] for node in (0, 2, 3, 1)])
    gaps = boxes[1:, 0] - boxes[:-1, 1]
    np.testing.assert_allclose(gaps, np.full(3, (18.0 - 1.0 - 4.0) / 3.0))
    assert scene.translations[[0, 1], 0].tolist() == [0.0, 20.0]


def test_centres_become_evenly_spaced():
    scene = row_of_boxes([0.0, 20.0, 3.0, 5.0], [2.0, 4.0, 1.0, 3.0])
    apply(scene, distribute(scene, [0, 1, 2, 3], 0, by="centres"))
    np.testing.assert_allclose(scene.translations[[0, 2, 3, 1], 0], np.linspace(0.0, 20.0, 4))


def test_two_objects_cannot_be_spaced():
    with pytest.raises(EditError, match="three"):
        distribute(row_of_boxes([0.0, 1.0], [1.0, 1.0]), [0, 1], 0)


def test_an_array_stands_in_a_row_in_the_world_whatever_the_parent():
    scene = row_of_boxes([0.0], [2.0])
    scene.add_node("parent", rotation=(0.0, 0.0, 0.3, 1.0), scale=(2.0, 3.0, 4.0))
    scene.set_parents([0], [1])
    scene.add_node("child", parent=0, translation=(0.0, 1.0, 0.0))
    scene.update_world()
    before = scene.world_from_local.copy()
    edit = array(scene, [0, 2], 4, (10.0, 0.0, 1.0))
    apply(scene, edit)
    scene.update_world()
    assert len(scene) == 3 + 3 * 2 and len(scene.meshes) == 1 and edit.selects[0] == 0
    for number, top in enumerate(edit.selects[1:].tolist(), start=1):
        for original, copy in ((0, top), (2, top + 1)):
            expected = before[original].copy()
            expected[:3, 3] += number * np.array((10.0, 0.0, 1.0))
            np.testing.assert_allclose(scene.world_from_local[copy], expected, atol=1e-12)
        assert scene.parents[[top, top + 1]].tolist() == [1, top]
        np.testing.assert_array_equal(scene.rotations[top], scene.rotations[0])


@pytest.mark.parametrize("relative", (False, True))
def test_a_grid_stands_along_each_direction_in_world_units_or_in_sizes(relative):
    scene = row_of_boxes([5.0], [2.0])
    scene.add_node("below", parent=0, mesh=0, translation=(0.0, 1.0, 0.0), scale=(1.0, 1.0, 2.0))
    scene.update_world()
    size = np.array((2.0, 3.0, 4.0))
    steps = np.array([(1.5, 0.0, 0.0), (0.0, 0.0, -1.0), (0.0, 2.0, 0.0)])
    edit = array(scene, [0], (3, 1, 2), steps if relative else steps * size, relative=relative)
    apply(scene, edit)
    scene.update_world()
    found = scene.world_from_local[edit.selects, :3, 3]
    expected = [(5.0 + 3.0 * x, 6.0 * z, 0.0) for x in range(3) for z in range(2)]
    np.testing.assert_allclose(sorted(found.tolist()), sorted(expected), atol=1e-12)
    assert len(scene) == 12 and len(scene.meshes) == 1


def test_every_second_row_of_a_staggered_grid_is_offset_by_half_a_step():
    scene = row_of_boxes([5.0], [2.0])
    apply(scene, array(scene, [0], (2, 1, 3), np.diag([4.0, 1.0, 3.0]), staggered=True))
    expected = [(5.0 + 4.0 * x + 2.0 * (z % 2), 0.0, 3.0 * z) for x in range(2) for z in range(3)]
    np.testing.assert_array_equal(scene.translations, expected)


@pytest.mark.parametrize("turned", (True, False))
def test_copies_with_meshes_of_their_own_share_within_one_copy_alone(turned):
    scene = row_of_boxes([2.0, 4.0], [1.0, 1.0])
    mesh = scene.meshes.mesh(0).positions.copy()
    edit = radial_array(scene, [0, 1], 3, copy_meshes=True, turned=turned)
    apply(scene, edit)
    pairs = scene.mesh_ids.reshape(3, 2)
    assert (pairs[:, 0] == pairs[:, 1]).all() and len(set(pairs[:, 0].tolist())) == len(scene.meshes) == 3
    for each in range(3):
        np.testing.assert_array_equal(scene.meshes.mesh(each).positions, mesh)


def test_a_ring_of_copies_that_are_not_turned_keeps_their_turns():
    scene = row_of_boxes([5.0, 3.0], [1.0, 1.0])
    scene.set_rotations([0], (0.0, 0.6, 0.0, 0.8))
    scene.update_world()
    apply(scene, radial_array(scene, [0, 1], 4, center=(1.0, 0.0, 0.0), turned=False))
    expected = [(5, 0, 0), (3, 0, 0), (1, 0, -4), (1, 0, -2), (-3, 0, 0), (-1, 0, 0), (1, 0, 4), (1, 0, 2)]
    np.testing.assert_allclose(scene.translations, expected, atol=1e-12)
    np.testing.assert_array_equal(scene.rotations, np.tile([(0.0, 0.6, 0.0, 0.8), (0.0, 0.0, 0.0, 1.0)], (4, 1)))


def test_what_there_is_no_room_for_is_refused_in_a_line_before_anything_is_made(monkeypatch):
    scene = row_of_boxes([0.0], [1.0])
    with pytest.raises(EditError, match="999,999,999 more objects are too many"):
        array(scene, [0], (1000, 1000, 1000), np.eye(3))
    cost = cost_of_copies(scene, np.array([0]), 1000)
    own = cost_of_copies(scene, np.array([0]), 1000, copy_meshes=True)
    assert cost.nodes == own.nodes == 1000 and cost.nbytes < own.nbytes
    monkeypatch.setattr(structure, "free_memory_bytes", lambda: 2 * cost.nbytes)
    array(scene, [0], 1000, (1, 0, 0))
    rows, meshes = scene.row_count, len(scene.meshes)
    with pytest.raises(EditError, match="of memory"):
        array(scene, [0], 1000, (1, 0, 0), copy_meshes=True)
    assert (scene.row_count, len(scene.meshes)) == (rows, meshes)


def test_a_ring_closes_and_its_objects_turn_with_it():
    scene = row_of_boxes([5.0], [1.0])
    edit = radial_array(scene, [0], 4, center=(1.0, 0.0, 0.0))
    apply(scene, edit)
    np.testing.assert_allclose(scene.translations, [(5, 0, 0), (1, 0, -4), (-3, 0, 0), (1, 0, 4)], atol=1e-12)
    np.testing.assert_allclose(scene.rotations[2], (0.0, 1.0, 0.0, 0.0), atol=1e-12)
    np.testing.assert_allclose(scene.scales, np.full((4, 3), 0.5))


@pytest.mark.parametrize("count", (1, 0, -3, 10**9))
def test_a_number_of_copies_that_cannot_be_is_refused(count):
    scene = row_of_boxes([0.0], [1.0])
    for make in (lambda: array(scene, [0], count, (1, 0, 0)), lambda: radial_array(scene, [0], count)):
        with pytest.raises(EditError):
            make()
    assert scene.row_count == 1


@pytest.mark.parametrize("length", (5e-324, 1e-200, 1e200, 1e308))
def test_an_axis_of_any_length_turns_a_ring(length):
    scene = row_of_boxes([2.0], [1.0])
    apply(scene, radial_array(scene, [0], 4, axis=(0.0, length, 0.0)))
    expected = [(2.0, 0.0, 0.0), (0.0, 0.0, -2.0), (-2.0, 0.0, 0.0), (0.0, 0.0, 2.0)]
    np.testing.assert_allclose(scene.translations, expected, atol=1e-12)


def test_a_ring_needs_finite_numbers():
    scene = row_of_boxes([2.0], [1.0])
    for bad in ({"center": (np.inf, 0, 0)}, {"axis": (0, np.nan, 0)}, {"axis": (0, 0, 0)}, {"angle_rad": np.inf}):
        with pytest.raises(EditError):
            radial_array(scene, [0], 4, **bad)

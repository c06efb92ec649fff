"""FrameData: what the renderer is told, without a graphics card."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from octoscope.octree import Frustum
from octoscope.scene import History, Material, Scene, editing
from octoscope.viewer.camera.camera import Camera
from octoscope.viewer.frame.frame import INDICES_OF, DrawList
from octoscope.viewer.frame.frame_builder import FrameBuilder
from octoscope.viewer.frame.instances import high_low
from octoscope.viewer.frame.view import View
from octoscope.viewer.frame.view_settings import ViewSettings
from tests.scene.builders import box
from tests.viewer.scenes import (
    BOX_POSITIONS,
    BOX_TRIANGLES,
    add_box_mesh,
    add_mesh,
    box_scene,
    crowd,
    sketches,
    view_of,
)

SIZE = (320, 200)


def drawn_by(scene: Scene, draws: DrawList, element: str) -> list[list[tuple[int, int]]]:
    """(mesh, node) for every mesh that each command draws, found as the shader finds the node, in order."""
    rows = scene.meshes.rows
    firsts, counts = (INDICES_OF[element] * rows[name] for name in (f"first_{element}", f"{element}_count"))
    drawn = []
    for index_count, instance_count, first_index, base_vertex, first_instance in draws.commands[element].tolist():
        drawn.append([])
        assert base_vertex == 0
        meshes = np.flatnonzero((firsts >= first_index) & (firsts < first_index + index_count) & (counts > 0))
        assert counts[meshes].sum() == index_count, "whole meshes"
        for mesh in meshes.tolist():
            shown_by = np.flatnonzero(scene.mesh_ids == mesh).tolist()
            for i in range(instance_count):
                node = int(draws.nodes[first_instance + i])
                drawn[-1].append((mesh, shown_by[0] if len(shown_by) == 1 else node))
            assert len(shown_by) > 1 or instance_count == 1
    return drawn


def test_instances_of_a_mesh_are_one_command() -> None:
    scene = Scene()
    meshes = [add_box_mesh(scene), add_box_mesh(scene)]
    scene.add_nodes([f"n{i}" for i in range(10)], mesh=[meshes[i % 2] for i in range(10)])
    scene.update_world()
    builder = FrameBuilder(scene)
    for ids, commands in (
        (range(10), [[36, 5, 0, 0, 0], [36, 5, 36, 0, 5]]),
        ([1, 3], [[36, 2, 36, 0, 0]]),
        ([], []),
    ):
        assert builder.lists.draw_list(np.array(ids, dtype=np.int32)).commands["triangle"].tolist() == commands


def test_neighbours_in_the_pool_that_one_node_each_shows_are_one_command() -> None:
    scene = Scene()
    meshes = [add_box_mesh(scene) for _ in range(8)]
    scene.add_nodes([f"n{i}" for i in range(9)], mesh=[*meshes, meshes[3]])
    builder = FrameBuilder(scene)
    everything, gap = np.arange(9, dtype=np.int32), np.array([0, 1, 5, 6, 7], dtype=np.int32)
    assert builder.lists.draw_list(everything).commands["triangle"].tolist() == [
        [3 * 36, 1, 0, 0, 0],
        [36, 2, 3 * 36, 0, 3],
        [4 * 36, 1, 4 * 36, 0, 5],
    ]
    assert builder.lists.draw_list(gap).commands["triangle"].tolist() == [
        [2 * 36, 1, 0, 0, 0],
        [3 * 36, 1, 5 * 36, 0, 2],
    ]
    scene.set_alive([8], False)
    assert builder.lists.draw_list(everything).commands["triangle"].tolist() == [[8 * 36, 1, 0, 0, 0]]


@given(st.integers(0, 2**32 - 1))
@settings(max_examples=30, deadline=None)
def test_every_node_is_drawn_once_with_all_that_its_mesh_has(seed: int) -> None:
    rng = np.random.default_rng(seed)
    scene = Scene()
    glass = scene.add_material(Material("glass", opacity=0.5))
    lines, points = np.array([(0, 7), (1, 6)]), np.array([3, 4, 5])
    none = np.empty((0, 2), dtype=int), np.empty(0, dtype=int)
    for _ in range(8):
        chosen = rng.random(3) < 0.5
        chosen[rng.integers(3)] = True
        add_mesh(
            scene,
            BOX_POSITIONS,
            triangles=BOX_TRIANGLES[: 12 if chosen[0] else 0],
            lines=lines if chosen[1] else none[0],
            points=points if chosen[2] else none[1],
        )
    count = int(rng.integers(1, 14))
    scene.add_nodes(
        [str(i) for i in range(count)],
        mesh=rng.integers(-1, 8, count),
        material=np.where(rng.random(count) < 0.3, glass, -1),
    )
    builder = FrameBuilder(scene)
    for _ in range(3):
        ids = np.flatnonzero(rng.random(count) < 0.8).astype(np.int32)
        draws = builder.lists.draw_list(rng.permutation(ids))
        shown = ids[scene.mesh_ids[ids] >= 0]
        order = sorted(
            shown.tolist(), key=lambda node: (scene.material_overrides[node] >= 0, scene.mesh_ids[node], node)
        )
        assert draws.nodes.tolist() == order, seed
        assert draws.opaque_count == np.count_nonzero(scene.material_overrides[shown] < 0)
        for element in draws.commands:
            has = scene.meshes.rows[f"{element}_count"][scene.mesh_ids[order]] > 0
            expected = [(int(scene.mesh_ids[node]), node) for node, there in zip(order, has, strict=True) if there]
            drawn = drawn_by(scene, draws, element)
            assert [pair for pairs in drawn for pair in pairs] == expected
            for pairs in drawn:
                kinds = {int(scene.material_overrides[node]) for _, node in pairs}
                assert len(kinds) == 1, "no command mixes opaque and translucent nodes"
        scene.set_alive(rng.integers(0, count, 1), bool(rng.random() < 0.3))


def test_each_element_of_a_mesh_has_its_own_command_over_the_same_instances() -> None:
    scene = Scene()
    lines, points = np.array([(0, 7), (1, 6)]), np.array([3, 4, 5])
    meshes = [
        add_box_mesh(scene),
        add_mesh(scene, BOX_POSITIONS, lines=lines),
        add_mesh(scene, BOX_POSITIONS, lines=lines[:1], points=points),
    ]
    scene.add_nodes([str(i) for i in range(6)], mesh=[meshes[i % 3] for i in range(6)])
    scene.update_world()
    builder, ids = FrameBuilder(scene), np.arange(6, dtype=np.int32)
    commands = {name: part.tolist() for name, part in builder.lists.draw_list(ids).commands.items()}
    assert commands == {
        "triangle": [[36, 2, 0, 0, 0]],
        "line": [[4, 2, 0, 0, 2], [2, 2, 4, 0, 4]],
        "point": [[3, 2, 0, 0, 4]],
    }
    draws = builder.lists.draw_list(ids[::3])
    assert [draws.drawn(element) for element in ("triangle", "line", "point", "edge")] == [24, 0, 0, 0]


def test_a_scene_of_triangles_has_no_other_commands() -> None:
    scene = box_scene()
    builder, ids = FrameBuilder(scene), np.arange(3, dtype=np.int32)
    assert set(builder.lists.draw_list(ids).commands) == {"triangle"}
    frame = builder.build(Camera(np.zeros(3)), SIZE, ids, ViewSettings(show_edges=True))
    assert set(frame.visible.commands) == {"triangle", "edge"} and frame.visible.drawn("edge") == 3 * 18
    assert frame.outlined.selected.drawn("edge") == 0


def test_what_is_moved_nearer_stays_where_it_is_in_the_picture() -> None:
    scene, points = box_scene(), np.random.default_rng(12).normal(size=(50, 3))
    for orthographic in (False, True):
        camera = Camera(np.zeros(3), distance=9.0, orthographic=orthographic)
        for size in (SIZE, (30, 4)):
            frame = FrameBuilder(scene).build(camera, size, np.arange(3, dtype=np.int32))
            relative = np.append(points - camera.position, np.ones((50, 1)), axis=1)
            clip, nearer = (
                relative @ matrix.T.astype(float)
                for matrix in (frame.camera.clip_from_relative, frame.camera.clip_from_relative_nearer)
            )
            clip, nearer = clip[:, :3] / clip[:, 3:], nearer[:, :3] / nearer[:, 3:]
            assert np.allclose(clip[:, :2], nearer[:, :2], atol=1e-5)
            assert (nearer[:, 2] > clip[:, 2]).all()


def test_the_draw_list_does_not_depend_on_the_order_of_the_visible_ids() -> None:
    scene = crowd(300, seed=1)
    ids = np.flatnonzero(scene.mesh_ids >= 0).astype(np.int32)[::3]
    builder = FrameBuilder(scene)
    expected = builder.lists.draw_list(ids)
    shuffled = builder.lists.draw_list(np.random.default_rng(2).permutation(ids))
    assert np.array_equal(expected.commands["triangle"], shuffled.commands["triangle"])
    assert np.array_equal(expected.nodes, shuffled.nodes)


def test_instances_place_the_meshs_centre_relative_to_the_camera_far_from_the_origin() -> None:
    offset, camera = np.array((3e7, -2e7, 1e7)), np.array((0.3, 0.2, 7.0))
    relative = []
    for place in (np.zeros(3), offset):
        frame = view_of(box_scene(tuple(place)), pivot=place).build_frames(SIZE)[0].frame
        rows = frame.scene.instances.packed(0, 3).reshape(3, 4, 4)
        high, low = high_low(camera + place)
        relative.append((rows[:, :3, 3] - high) + (rows[:, 3, :3] - low))  # in float32, as the shader does
        assert relative[-1].dtype == np.float32 and np.array_equal(rows[:, :3, :3], np.tile(np.eye(3), (3, 1, 1)))
    assert np.allclose(relative[0], np.array([(x, 0.0, 0.0) for x in (-2.0, 0.0, 2.0)]) - camera, atol=1e-6)
    assert np.allclose(relative[1], relative[0], atol=1e-6)


@given(st.floats(-1e17, 1e17), st.floats(-1e3, 1e3))
def test_two_float32_hold_a_place_to_48_bits(place: float, offset: float) -> None:
    there, camera = np.array([place + offset]), np.array([place])
    (high, low), (camera_high, camera_low) = high_low(there), high_low(camera)
    relative = float(((high - camera_high) + (low - camera_low))[0])
    expected = float((there - camera)[0])
    assert relative == pytest.approx(expected, rel=2.0**-22, abs=2.0**-46 * abs(place) + 1e-30)


def test_instances_follow_edits_and_send_only_the_rows_that_changed() -> None:
    scene = crowd(1000, seed=5)
    view = view_of(scene, distance=20.0)
    instances = view.build_frames(SIZE)[0].frame.scene.instances
    revision = instances.revision
    view.camera = replace(view.camera, yaw_rad=2.0)
    assert (
        view.build_frames(SIZE)[0].frame.scene.instances is instances
        and len(instances.scene.changed_since(revision)) == 0
    )
    scene.set_translations([40, 700], [(1.0, 2.0, 3.0), (4.0, 5.0, 6.0)])
    scene.set_materials([90], [0])
    view.build_frames(SIZE)
    assert sorted(instances.scene.changed_since(revision).tolist()) == [40, 90, 700]
    rows = instances.packed(0, scene.row_count).reshape(-1, 4, 4)
    assert np.allclose(rows[:, :3, 3].astype(float) + rows[:, 3, :3], scene.world_spheres[:, :3], rtol=1e-13)
    assert np.array_equal(rows[:, :3, :3], scene.world_from_local[:, :3, :3].astype(np.float32))
    assert np.array_equal(rows[:, 3, 3], scene.material_overrides)


def test_new_nodes_are_drawn_and_counted() -> None:
    scene = box_scene()
    view = View(scene)
    view.camera = Camera(np.zeros(3), distance=20.0)
    assert view.build_frames(SIZE)[0].frame.visible.count == 3
    scene.add_node("late", mesh=0, translation=(0.0, 2.0, 0.0))
    frame = view.build_frames(SIZE)[0].frame
    assert frame.visible.count == 4 and frame.visible.drawn("triangle") == 48
    assert (view.stats.objects, view.stats.drawn) == (4, 4)


def test_only_what_the_octree_returned_is_drawn() -> None:
    scene = crowd(500, seed=3)
    view = View(scene)
    view.camera = Camera(np.zeros(3), distance=3.0)
    frame = view.build_frames(SIZE)[0].frame
    visible = view.index.cull(Frustum.from_matrix(view.camera.clip_from_world(SIZE[0] / SIZE[1])))
    assert 0 < frame.visible.count == len(visible) < 500
    view.settings.culling = False
    assert view.build_frames(SIZE)[0].frame.visible.count == 500


def test_a_frozen_frustum_keeps_culling_while_the_camera_flies_on() -> None:
    scene = crowd(500, seed=4)
    view = View(scene)
    view.camera = Camera(np.zeros(3), distance=3.0)
    before = view.build_frames(SIZE)[0].frame
    view.visibility.toggle_freeze(view.snapshot.frustum)
    view.camera = Camera(np.full(3, 40.0), distance=90.0)
    frozen = view.build_frames(SIZE)[0].frame
    assert frozen.visible.count == before.visible.count and len(frozen.helpers.frozen_frustum) == 8
    view.visibility.toggle_freeze(view.snapshot.frustum)
    assert len(view.build_frames(SIZE)[0].frame.helpers.frozen_frustum) == 0


def test_the_grid_stays_put_far_from_the_origin() -> None:
    scene = box_scene()
    view = View(scene)
    view.camera = Camera(np.array((123456.7, 0.0, -98765.4)), distance=5.0)
    grid = view.build_frames(SIZE)[0].frame.grid
    eye = view.camera.position
    for phase, coordinate in zip(grid.phase, (eye[0], eye[2]), strict=True):
        lines = (coordinate - phase) / (10.0 * grid.cell_size)
        assert lines == pytest.approx(round(lines), abs=1e-6) and abs(phase) <= 10.0 * grid.cell_size
    assert grid.height == pytest.approx(-0.5 - eye[1])


def test_an_empty_scene_makes_a_frame_of_its_ground_alone() -> None:
    scene = Scene()
    frame = View(scene).build_frames(SIZE)[0].frame
    assert frame.visible.count == 0 and len(frame.visible.commands) == 0 and frame.grid is not None


def pixel_of(view: View, point: tuple[float, float, float]) -> tuple[float, float]:
    """Fractions of the picture at which a world point appears."""
    clip = view.camera.clip_from_world(SIZE[0] / SIZE[1]) @ (*point, 1.0)
    return tuple(((clip[:2] / clip[3]) * (1, -1) + 1.0) / 2.0)


def test_what_is_picked_is_what_was_seen_though_the_camera_moved_on() -> None:
    scene = box_scene()
    view = View(scene)
    view.camera = Camera(np.zeros(3), distance=9.0)
    view.build_frames(SIZE)
    points = {name: pixel_of(view, (x, 0.0, 0.0)) for name, x in (("red", -2.0), ("green", 0.0), ("blue", 2.0))}
    view.camera = Camera(np.full(3, 100.0), distance=1.0)
    for name, point in points.items():
        assert view.snapshot.pick(point).node.name == name


def test_what_was_culled_cannot_be_picked() -> None:
    scene = box_scene()
    view = View(scene)
    view.camera = Camera(np.array((-2.0, 0.0, 0.0)), yaw_rad=0.0, pitch_rad=0.0, distance=2.0)
    view.build_frames(SIZE)
    view.visibility.toggle_freeze(view.snapshot.frustum)
    view.camera = Camera(np.zeros(3), yaw_rad=0.0, pitch_rad=0.0, distance=12.0)
    frame = view.build_frames(SIZE)[0].frame
    assert frame.visible.count == 1
    assert view.snapshot.pick(pixel_of(view, (-2.0, 0.0, 0.5))).node.name == "red"
    assert view.snapshot.pick(pixel_of(view, (2.0, 0.0, 0.5))) is None


def test_freezing_takes_what_the_last_picture_saw_not_what_the_camera_does_next() -> None:
    scene = box_scene()
    view = View(scene)
    view.camera = Camera(np.zeros(3), distance=12.0)
    view.build_frames(SIZE)
    view.camera = Camera(np.full(3, 1e6), distance=1.0)
    view.visibility.toggle_freeze(view.snapshot.frustum)
    assert view.build_frames(SIZE)[0].frame.visible.count == 3


def test_a_group_can_be_selected_without_outlining_a_stranger() -> None:
    scene = box_scene()
    group = scene.add_node("group")
    view = View(scene)
    view.selection.ids = np.array([group.id], dtype=np.int32)
    assert view.build_frames(SIZE)[0].frame.outlined.selected.count == 0


def test_framing_all_forgets_where_things_once_were() -> None:
    scene = box_scene()
    view = View(scene)
    view.layout.resize(SIZE)
    view.framing.frame_nodes(None)
    expected = view.camera.distance
    for y in (1e6, 0.0):
        scene.set_translations(1, (0.0, y, 0.0))
        view.update()
    view.layout.resize(SIZE)
    view.framing.frame_nodes(None)
    assert view.camera.distance == expected


@pytest.mark.parametrize("orthographic", [False, True])
@pytest.mark.parametrize("far", [1e9, 1e16, 9e16])
def test_what_lies_beyond_what_numbers_can_tell_apart_is_drawn_all_the_same(far: float, orthographic: bool) -> None:
    view = View(scene := box_scene())
    view.camera = Camera(np.zeros(3), orthographic=orthographic)
    scene.set_translations([1], (far, -far, 0.5 * far))
    view.update()
    for ids in (np.array([1]), np.array([0]), None):
        view.layout.resize((640, 480))
        view.framing.frame_nodes(ids)
        view.build_frames((640, 480))
        shown = [1] if ids is None else ids.tolist()
        assert set(shown) <= set(view.snapshot.visible_ids.tolist())
        for point in ((0.5, 0.5), (0.1, 0.9)):
            view.snapshot.pick(point)
            view.snapshot.pick_through(point)
        view.snapshot.pick_box((0.2, 0.2), (0.8, 0.8), wholly=False)


@pytest.mark.parametrize("orthographic", (False, True))
def test_the_depths_of_a_picture_do_not_follow_from_what_it_showed_before(orthographic: bool) -> None:
    """Also where everything was deleted: an empty scene has a ground."""
    scene = Scene()
    view, camera = View(scene), Camera(np.zeros(3), distance=30.0, orthographic=orthographic)
    view.camera = camera
    history = History(scene)
    for step in (
        lambda: history.do(editing.add_mesh(scene, "far", box(), translation=(1e5, 0.0, 0.0))),
        lambda: history.do(editing.add_mesh(scene, "near", box())),
        lambda: history.do(editing.delete(scene, [0])),
        lambda: history.do(editing.delete(scene, [1])),
        history.undo,
        history.undo,
        lambda: history.do(editing.delete(scene, [0, 1])),
    ):
        step()
        view.build_frames((64, 48))
        anew = Scene()
        mesh = anew.meshes.add(box())
        for node in scene:
            anew.add_node(node.name, mesh=mesh, translation=node.translation)
        other = View(anew)
        other.camera = camera
        other.build_frames((64, 48))
        assert view.camera.depth_range == other.camera.depth_range
    assert len(scene) == 0


def test_pieces_of_a_list_draw_the_same_in_the_same_order() -> None:
    scene = sketches(60, seed=4)
    lone = [add_box_mesh(scene) for _ in range(30)]  # neighbours in the pool: one draw
    scene.add_nodes(["lone"] * 30, mesh=lone)
    scene.set_materials(scene.ids[:9], [scene.add_material(Material("glass", opacity=0.5))] * 9)
    scene.update_world()
    builder = FrameBuilder(scene)
    whole = builder.lists.draw_list(scene.ids[scene.mesh_ids[scene.ids] >= 0].astype(np.int32))

    def drawn(draws: DrawList) -> list[tuple[int, int]]:
        """Return the indices of an element in drawing order, with the place of the instance that each is drawn for."""
        return [
            (index, place if count > 1 else first)
            for indices, count, first_index, _, first in draws.commands.get("triangle", np.empty((0, 5), int)).tolist()
            for place in range(first, first + count)
            for index in range(first_index, first_index + indices)
        ]

    for most in (1, 7, 12, 50, 333, 10**6):
        *before, last = whole.in_pieces(most)
        assert [pair for each in (*before, last) for pair in drawn(each)] == drawn(whole)
        assert all(set(each.commands) == {"triangle"} and each.drawn("triangle") < max(2 * most, 13) for each in before)
        assert {name: last.drawn(name) for name in ("line", "point")} == {
            name: whole.drawn(name) for name in ("line", "point")
        }
    assert len(whole.in_pieces(10**6)) == 1 and len(whole.in_pieces(50)) > 10
    nothing = builder.lists.draw_list(np.empty(0, dtype=np.int32))
    assert len(nothing.in_pieces(10)) == 1

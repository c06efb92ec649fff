"""Meshes that only dropped entries of the history know are released; every other is as it was."""

from __future__ import annotations

import numpy as np
import pytest

from octoscope.scene import History, Recorder, Scene, open_project, save_project
from octoscope.scene.editing import duplicate, merge, smooth_by_angle
from octoscope.scene.mesh.pool import Meshes
from octoscope.scene.nodes import unused_meshes
from tests.cases import quick
from tests.scene.builders import ball, box
from tests.scene.editing.walks import assert_derived_is_right, random_operation, state, walking_scene
from tests.scene.project.journals import killed


def of_large_meshes() -> Scene:
    scene = Scene()
    for name in ("left", "right"):
        scene.add_node(name, mesh=scene.meshes.add(ball(24, 48)))
    return scene


@pytest.fixture
def releases_soon(monkeypatch):
    monkeypatch.setattr(unused_meshes, "FREED_BYTES", 0)


def test_what_is_done_and_undone_again_and_again_takes_no_more_memory(releases_soon):
    scene = of_large_meshes()
    history = History(scene)
    sizes = []
    for _ in range(30):
        history.do(smooth_by_angle(scene, [0, 1]))
        sizes.append(scene.meshes.nbytes)
        history.undo()
    assert max(sizes) < 4 * sizes[0]
    for step in (history.redo, history.undo):
        step()
        counts = scene.meshes.rows["triangle_count"]
        assert (counts[scene.mesh_ids] == len(ball(24, 48).triangles)).all()


def test_entries_count_their_meshes_and_the_oldest_are_dropped_with_these(releases_soon):
    scene = of_large_meshes()
    one = scene.meshes.nbytes
    history = History(scene, memory_cap_bytes=4 * one)
    history.do(smooth_by_angle(scene, [0, 1]))
    assert history.nbytes > 0.9 * one
    for degrees in range(20):
        history.do(smooth_by_angle(scene, [0, 1], degrees=float(degrees)))
    assert history.nbytes <= 4 * one + 2**14 and history.forgotten > 10
    assert scene.meshes.nbytes < 12 * one
    shapes = [scene.meshes.mesh(mesh).positions.tolist() for mesh in scene.mesh_ids.tolist()]
    position = history.position
    history.go_to(0)
    assert (scene.meshes.rows["triangle_count"][scene.mesh_ids] > 1000).all()
    history.go_to(position)
    assert [scene.meshes.mesh(mesh).positions.tolist() for mesh in scene.mesh_ids.tolist()] == shapes


@pytest.mark.usefixtures("releases_soon")
@pytest.mark.parametrize("seed", quick(range(3), 1))
def test_random_operations_are_undone_and_done_again_to_the_bit_with_little_memory(seed, monkeypatch):
    """As the random walk without a limit; what is released is looked for in everything that is undone."""
    released = []
    whole = Meshes.without_geometry_of
    monkeypatch.setattr(
        Meshes, "without_geometry_of", lambda pool, ids: released.extend(ids.tolist()) or whole(pool, ids)
    )
    monkeypatch.setattr(Meshes, "nbytes", 0)  # so that each drop releases
    rng = np.random.default_rng(seed)
    scene = walking_scene(seed)
    history = History(scene, memory_cap_bytes=20_000)
    seen = {}

    def shown() -> list[object]:
        batch = scene.meshes.batch(scene.mesh_ids[scene.mesh_ids >= 0])
        return [batch.positions.tolist(), batch.triangles.tolist(), batch.normals.tolist(), state(scene)]

    for _ in range(80):
        dice = rng.random()
        if dice < 0.3:
            history.undo()
        else:
            edit = smooth_by_angle(scene, with_mesh(scene)[:2]) if dice < 0.6 else random_operation(scene, rng)
            if edit is not None:
                history.do(edit)
        seen = {place: seen[place] for place in seen if place < history.forgotten + history.position}
        seen[history.forgotten + history.position] = repr(shown())
    assert_derived_is_right(scene, scene.index)
    for position in reversed(range(history.position)):
        history.go_to(position)
        if history.forgotten + position in seen:
            assert repr(shown()) == seen[history.forgotten + position]
    assert len(released) > 3


def with_mesh(scene: Scene) -> np.ndarray:
    return np.flatnonzero(scene.mesh_ids >= 0)


@pytest.mark.usefixtures("releases_soon")
def test_a_project_and_its_journal_hold_what_is_shown(tmp_path):
    scene = of_large_meshes()
    path = tmp_path / "a.octo.json"
    save_project(scene, path)
    scene = open_project(path)
    recorder = Recorder(scene)
    history = History(scene, recorder)
    for _ in range(6):
        history.do(smooth_by_angle(scene, [0]))
        history.do(duplicate(scene, [1], copy_meshes=True))
        history.undo()
        history.undo()
    history.do(merge(scene, [0, 1]))
    killed(recorder)
    again = open_project(path)
    merged, replayed = (each.meshes.mesh(int(each.mesh_ids[each.ids[0]])).positions for each in (scene, again))
    np.testing.assert_array_equal(merged, replayed)


def test_a_pool_keeps_its_other_meshes_and_all_ids():
    pool = Meshes()
    for mesh in (ball(), box(), ball(4, 5), box()):
        pool.add(mesh)
    made = pool.without_geometry_of(np.array([0, 2]))
    for kept in (1, 3):
        np.testing.assert_array_equal(made.mesh(kept).positions, pool.mesh(kept).positions)
        np.testing.assert_array_equal(made.mesh(kept).triangles, pool.mesh(kept).triangles)
    for gone in (0, 2):
        mesh = made.mesh(gone)
        assert (len(mesh.positions), len(mesh.triangles), mesh.points.tolist()) == (1, 0, [0])
    assert made.nbytes < pool.nbytes and made.version > pool.version and len(made) == 4
    assert made.add(box()) == 4
    assert pool.nbytes_of(np.arange(4)) == pool.nbytes

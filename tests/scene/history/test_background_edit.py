"""Nodes and meshes that are added on another thread: the scene has them at once, or not at all."""

from __future__ import annotations

from pathlib import Path
from threading import Thread

import numpy as np
import pytest

from octoscope.scene import Edit, EditError, History, Scene, change_nodes, editing
from octoscope.scene.history.background_edit import BackgroundEdit
from octoscope.scene.system.report import Problem
from tests.scene.editing.walks import assert_same_state, state
from tests.viewer.scenes import add_box_mesh


@pytest.fixture
def scene() -> Scene:
    scene = Scene()
    mesh = add_box_mesh(scene)
    scene.add_nodes(["a", "b"], parent=[-1, 0], mesh=[-1, mesh], translation=[(1, 2, 3), (0, 0, 0)])
    _ = scene.index
    return scene


def extended(scene: Scene, operation, *, on_thread: bool = True) -> History:
    background, history = BackgroundEdit(scene, operation), History(scene)
    before = state(scene)
    thread = Thread(target=background.prepare)
    thread.start()
    thread.join()
    assert_same_state(state(scene), before)
    history.join(background)
    return history


@pytest.mark.parametrize("copy_meshes", [False, True])
def test_the_scene_is_as_if_the_edit_had_been_made_in_it(scene, copy_meshes):
    def operation(scene: Scene):
        return editing.array(scene, [0], [3, 2], np.diag((4.0, 5.0, 6.0))[:2], copy_meshes=copy_meshes)

    before = state(scene)
    history = extended(scene, operation)
    other = Scene()
    mesh = add_box_mesh(other)
    other.add_nodes(["a", "b"], parent=[-1, 0], mesh=[-1, mesh], translation=[(1, 2, 3), (0, 0, 0)])
    other_history = History(other)
    other_history.do(operation(other))
    assert_same_state(state(scene), state(other))
    assert len(scene) == 12 and len(scene.meshes) == len(other.meshes)
    shown = scene.index.all_ids()
    assert np.array_equal(scene.world_spheres[shown], other.world_spheres[shown])
    assert np.array_equal(scene.index.all_ids(), other.index.all_ids())
    assert history.selection.ids.tolist() == other_history.selection.ids.tolist()
    hit, expected = (each.raycast((9.0, 7.0, 50.0), (0.0, 0.0, -1.0)) for each in (scene, other))
    assert (None if hit is None else hit.node.id) == (None if expected is None else expected.node.id)
    history.undo()
    assert len(scene) == 2 and scene.index.all_ids().tolist() == [1]
    assert_same_state(state(scene), before)
    history.redo()
    assert_same_state(state(scene), state(other))


def test_a_scene_that_was_changed_meanwhile_stays_as_it_is(scene):
    background = BackgroundEdit(scene, lambda copy: editing.duplicate(copy, [1]))
    background.prepare()
    scene.set_names([1], "renamed")
    with pytest.raises(EditError, match="changed meanwhile"):
        background.join()
    assert len(scene) == 2 and scene.names[1] == "renamed"


def test_what_stops_it_leaves_the_scene_as_it_was(scene):
    def stop(done: int, total: int) -> None:
        if done == 2:
            raise KeyboardInterrupt

    before = state(scene)
    background = BackgroundEdit(scene, lambda copy: editing.duplicate(copy, [1], copy_meshes=True))
    with pytest.raises(KeyboardInterrupt):
        background.prepare(stop)
    assert_same_state(state(scene), before)
    assert scene.row_count == 2 and len(scene.meshes) == 1
    with pytest.raises(ValueError, match="not prepared"):
        background.join()


def test_what_is_reported_while_an_edit_is_made_beside_stays_as_does_what_the_edit_reports(scene):
    solved, stays, of_edit, meanwhile = (Problem(name, None, "kind", "what", "done") for name in "abcd")
    scene.report.problems = [stays, solved, stays]

    def operation(copy: Scene) -> Edit:
        copy.report.problems = [problem for problem in copy.report.problems if problem is not solved]
        copy.report.problems.append(of_edit)
        copy.report.vertex_count += 5
        return change_nodes(copy, [1], name="renamed")

    background = BackgroundEdit(scene, operation)
    background.prepare()
    scene.report.problems.append(meanwhile)
    scene.report.vertex_count += 7
    scene.report.opened.append(Path("opened"))
    background.join()
    assert scene.names[1] == "renamed"
    assert [problem.file for problem in scene.report.problems] == ["b", "b", "d", "c"]
    assert scene.report.vertex_count == 12 and scene.report.opened == [Path("opened")]

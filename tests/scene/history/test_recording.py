"""Recordings: whatever is done to a scene meanwhile is one entry, undone and done again to the bit."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from octoscope.scene import History, Scene, open_project, save_project
from octoscope.scene.editing import duplicate
from octoscope.scene.project.recorder import Recorder
from tests.scene.editing.walks import assert_same_state, random_operation, state, walking_scene

TRIANGLE = [(0, 0, 0), (1, 0, 0), (0, 1, 0)], [(0, 1, 2)]


def assign_at_random(scene: Scene, rng: np.random.Generator) -> None:
    """Do to a scene what scripts do, without any edit."""
    if len(scene) == 0:
        return
    node = scene[int(rng.choice(scene.ids))]
    match rng.integers(8):
        case 0:
            node.translation += (0, 1, 0)
        case 1:
            scene.delete(node)
        case 2:
            scene.add_mesh("new", *TRIANGLE, color="orange", parent=node)
        case 3 if node.mesh is not None:
            node.color = tuple(rng.uniform(size=3))
        case 4 if node.mesh is not None:
            scene.set_vertices(node, node.mesh.vertices * 2.0)
        case 5:
            node.name, node.hidden = f"renamed {rng.integers(100)}", True
        case 6:
            group = scene.add_node("group")
            scene.set_parents(np.setdiff1d(np.flatnonzero(scene.alive & (scene.parents < 0)), [group.id]), group)
        case 7:
            scene.up_axis = "z" if scene.up_axis == "y" else "y"


@given(seed=st.integers(0, 2**32 - 1))
def test_assignments_and_edits_are_one_entry_that_is_undone_to_the_bit(seed):
    rng = np.random.default_rng(seed)
    scene = walking_scene(seed, 12)
    history = History(scene)
    states = {0: (state(scene), scene.up_axis)}  # by the number of entries
    for number in range(4):
        recording = history.record_changes(f"input {number}")
        for _ in range(2):  # as steps of a slider
            with recording:
                for _ in range(2):
                    assign_at_random(scene, rng)
                if (edit := random_operation(scene, rng)) is not None:
                    history.do(edit)
        recording.commit()
        assert history.position in (len(states) - 1, len(states))
        states[history.position] = state(scene), scene.up_axis
    positions = (*range(len(history.entries), -1, -1), *range(len(history.entries) + 1))
    for position in positions:
        history.go_to(position)
        assert_same_state(state(scene), states[position][0])
        assert scene.up_axis == states[position][1]


def test_an_undo_inside_ends_it_and_what_came_before_is_an_entry():
    scene = walking_scene(1, 5)
    history = History(scene)
    with history.record_changes("first") as recording:
        scene[0].name = "a"
        history.select([0, 1])
        history.do(duplicate(scene, [0]))
        history.undo()
        assert str(scene.names[0]) != "a"
    assert [entry.label for entry in history.entries] == ["first"]
    assert history.position == 0
    assert len(history.selection.ids) == 0
    assert history.transaction is None
    history.redo()
    assert str(scene.names[0]) == "a"
    assert history.selection.ids.tolist() == history.entries[0].edit.selects.tolist() == [4]
    assert not recording.is_running


def test_the_journal_has_what_was_assigned(tmp_path):
    scene, path = walking_scene(2, 6), tmp_path / "walk.octo.json"
    save_project(scene, path)
    recorder = Recorder(scene)
    history = History(scene, recorder)
    with history.record_changes("input") as recording:
        scene[1].translation = (7, 8, 9)
        new = scene.add_mesh("new", *TRIANGLE)
        scene.set_vertices(new, new.mesh.vertices + 1.0)
    recording.commit()
    recorder.close()
    opened = open_project(path)
    assert opened[1].translation.tolist() == [7, 8, 9]
    assert opened["new"].mesh.vertices.max() == 2.0

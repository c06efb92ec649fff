"""Edits that are made beside the scene: their line in the journal is made there too, and says the same."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from octoscope.scene import Edit, History, Recorder, Scene, change_nodes, editing, open_project, save_project
from octoscope.scene.history.background_edit import BackgroundEdit
from octoscope.scene.project.journal import journal_path
from tests.cases import quick
from tests.scene.editing.walks import random_operation, walking_scene
from tests.scene.project.journals import killed
from tests.scene.project.test_journal_history import assert_replayed, kinds_of


def beside(history: History, operation, *arguments: object, **options: object) -> Edit:
    """Do an operation as a window does one on many objects."""
    background = BackgroundEdit(history.scene, lambda copy: operation(copy, *arguments, **options), history.recorder)
    background.prepare()
    return history.join(background)


def opened(path: Path, seed: int = 0) -> tuple[Scene, History]:
    save_project(walking_scene(seed, 16), path)
    scene = open_project(path)
    return scene, History(scene, Recorder(scene))


@pytest.mark.parametrize("seed", quick(range(6), 2))
def test_a_random_walk_writes_the_same_journal_beside_the_scene_as_in_it(tmp_path, seed):
    journals = []
    for is_beside in (False, True):
        path = tmp_path / str(is_beside) / "scene.octo.json"
        path.parent.mkdir()
        scene, history = opened(path, seed)
        rng = np.random.default_rng(seed)
        for _ in range(25):
            dice = rng.random()
            if dice < 0.2:
                history.undo()
                continue
            if dice < 0.35:
                history.redo()
                continue
            state = rng.bit_generator.state

            def operation(copy: Scene, rng=rng, state=state) -> Edit:
                rng.bit_generator.state = state
                return random_operation(copy, rng, importing=False) or Edit("", ())

            if is_beside:
                beside(history, operation)
            else:
                history.do(operation(scene))
        killed(history.recorder)
        assert_replayed(path, scene)
        journals.append([line.split(b" ", 1)[1] for line in journal_path(path).read_bytes().splitlines()[1:]])
    assert journals[0] == journals[1] and len(journals[0]) > 5


def test_what_was_made_beside_the_scene_is_taken_back_by_a_step(tmp_path):
    path = tmp_path / "scene.octo.json"
    scene, history = opened(path)
    before = open_project(path)
    beside(history, editing.duplicate, scene.ids[:3])
    history.undo()
    history.redo()
    history.undo()
    assert kinds_of(path) == ["edit", "undo", "redo", "undo"]
    killed(history.recorder)
    assert len(open_project(path)) == len(before)


def test_a_save_that_came_meanwhile_makes_the_prepared_record_anew(tmp_path):
    """The save changes the file ids, as the first save of a scene does."""
    path = tmp_path / "scene.octo.json"
    scene, history = opened(path)
    history.do(editing.delete(scene, scene.ids[:1]))
    background = BackgroundEdit(scene, lambda copy: editing.duplicate(copy, copy.ids[:3]), history.recorder)
    background.prepare()
    save_project(scene, path, recorder=history.recorder)
    history.join(background)
    history.undo()
    history.redo()
    killed(history.recorder)
    assert_replayed(path, scene)


def test_what_a_script_has_set_goes_with_an_edit_that_was_made_beside_the_scene(tmp_path):
    path = tmp_path / "scene.octo.json"
    scene, history = opened(path)
    scene.set_translations(scene.ids[:1], (1.0, 2.0, 3.0))
    beside(history, change_nodes, scene.ids[:5], translation=(5.0, 5.0, 5.0))
    history.undo()
    assert kinds_of(path) == ["edit", "edit"]
    killed(history.recorder)
    assert open_project(path).translations[0].tolist() == [1.0, 2.0, 3.0]

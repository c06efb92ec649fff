"""Edits that are made beside the scene: their line in the journal is made there too, and says the same."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from scene import Edit, History, Scene, change_nodes, editing, open_project, save_project, start_journal
from scene.history.background_edit import Extending
from scene.project.journal import journal_path
from tests.scene.editing.walks import random_operation, walking_scene
from tests.scene.project.journals import killed
from tests.scene.project.test_journal_undo import assert_replayed, kinds_of


def beside(history: History, operation, *arguments: object, **options: object) -> Edit:
    """Do an operation as a window does one on many objects."""
    extending = Extending(history.scene)
    extending.prepare(lambda copy: operation(copy, *arguments, **options), lambda done, total: None)
    return history.join(extending)


def opened(path: Path, seed: int = 0) -> tuple[Scene, History]:
    save_project(walking_scene(seed, 16), path)
    scene = open_project(path)
    start_journal(scene)
    return scene, History(scene)


@pytest.mark.parametrize("seed", range(6))
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
        killed(scene)
        assert_replayed(path, scene)
        journals.append([line.split(b" ", 1)[1] for line in journal_path(path).read_bytes().splitlines()[1:]])
    assert journals[0] == journals[1] and len(journals[0]) > 5


def test_what_was_made_beside_the_scene_is_taken_back_by_name(tmp_path):
    path = tmp_path / "scene.octo.json"
    scene, history = opened(path)
    before = open_project(path)
    beside(history, editing.duplicate, scene.ids[:3])
    history.undo()
    history.redo()
    history.undo()
    assert kinds_of(path) == ["add", "undo", "redo", "undo"]
    killed(scene)
    assert len(open_project(path)) == len(before)


def test_a_record_that_came_meanwhile_makes_the_prepared_one_anew(tmp_path):
    """As when the first copy of a scene that was never saved is done: places in the journal are others by then."""
    path = tmp_path / "scene.octo.json"
    scene, history = opened(path)
    extending = Extending(scene)
    extending.prepare(lambda copy: editing.duplicate(copy, copy.ids[:3]), lambda done, total: None)
    save_project(scene, path)
    assert not extending.record.is_sound
    history.join(extending)
    history.undo()
    history.redo()
    killed(scene)
    assert_replayed(path, scene)


def test_a_scene_whose_edits_were_not_all_recorded_names_nothing(tmp_path):
    path = tmp_path / "scene.octo.json"
    scene, history = opened(path)
    scene.set_translations(scene.ids[:1], (1.0, 2.0, 3.0))  # by a script
    beside(history, change_nodes, scene.ids[:5], translation=(5.0, 5.0, 5.0))
    history.undo()
    assert kinds_of(path) == ["set", "set"]
    killed(scene)
    assert open_project(path).translations[0].tolist() == [1.0, 2.0, 3.0]

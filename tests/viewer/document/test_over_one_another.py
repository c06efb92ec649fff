"""Several files that lie over one another are laid out in a grid, if the user wants that; one question, one undo."""

from __future__ import annotations

import time
from pathlib import Path

import numpy as np
import pytest

from octoscope.scene import Scene
from octoscope.scene.nodes.bounds import world_boxes
from tests.viewer.documents import Person


def files_at(folder: Path, *places: float) -> list[Path]:
    """Files of a square each, whose middles have these X."""
    paths = []
    for number, x in enumerate(places):
        paths.append(folder / f"part{number}.obj")
        corners = [(x + dx, 0.0, dz) for dx, dz in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
        paths[-1].write_text("".join("v {} {} {}\n".format(*corner) for corner in corners) + "f 1 2 3 4\n")
    return paths


def read(person: Person) -> None:
    deadline = time.monotonic() + 30.0
    while person.document.files.reading:
        assert time.monotonic() < deadline
        person.document.files.add()
        person.turn()
    person.turn()


def middles(scene: Scene) -> np.ndarray:
    tops = np.flatnonzero(scene.alive & (scene.parents < 0))
    return world_boxes(scene, tops).mean(axis=1)


@pytest.fixture
def person(tmp_path: Path) -> Person:
    return Person(Scene(), tmp_path)


def test_they_are_laid_out_if_that_is_wanted_and_undo_puts_them_back(person, tmp_path):
    person.document.files.open(files_at(tmp_path, 0.0, 0.1, 0.0, -0.1))
    read(person)
    assert "The 4 files lie over one another" in person.document.question.text
    assert len(person.editor.selected_ids) == 4, "all that came"
    assert (person.scene.mesh_ids[person.editor.selected_ids] >= 0).all(), "their objects, whose Location then tells"
    before = middles(person.scene)
    person.answer("Lay out in grid")
    assert person.scene.translations[person.editor.selected_ids].any(axis=1).all()
    after = middles(person.scene)
    assert len(np.unique(after.round(2), axis=0)) == 4 and np.ptp(after[:, 0]) > 2.0
    person.editor.undo()
    np.testing.assert_array_equal(middles(person.scene), before)
    person.document.files.open(files_at(tmp_path, 0.0))
    read(person)
    assert person.document.question is None, "of the new file alone"


def test_they_stay_as_they_are_if_that_is_wanted(person, tmp_path):
    person.document.files.open(files_at(tmp_path, 0.0, 0.0, 0.0))
    read(person)
    person.answer("Leave as they are")
    assert not middles(person.scene).any() and person.editor.history.position == 3 + 1  # all are selected


def test_parts_that_lie_side_by_side_are_not_asked_about(person, tmp_path):
    person.document.files.open(files_at(tmp_path, 0.0, 3.0, 6.0, 9.0))
    read(person)
    assert person.document.question is None


def test_the_question_waits_until_the_user_has_left_the_box_for_files(open_app, tmp_path):
    app = open_app(Scene())
    app.files.open(files_at(tmp_path, 0.0, 0.0, 0.0))
    app.document.ask_open()
    deadline = time.monotonic() + 30.0
    while app.files.reading:
        assert time.monotonic() < deadline
        app.frame()
    app.settle()
    assert app.shell.boxes.path.is_open and app.document.question is None, "Esc would answer it unseen"
    app.press("Escape")
    app.settle()
    assert not app.shell.boxes.path.is_open and "The 3 files" in app.document.question.text

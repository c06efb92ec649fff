"""Select > Overlaps > Find overlaps, on an editor without a window."""

from __future__ import annotations

import pytest

from octoscope.scene import Scene, editing
from octoscope.viewer.commands.menus import select
from octoscope.viewer.commands.table import CommandTable
from octoscope.viewer.editing.editor import Editor
from octoscope.viewer.editing.log import Log
from octoscope.viewer.features.overlaps.feature import command
from octoscope.viewer.features.overlaps.overlap_list import OverlapList
from octoscope.viewer.frame.view import View
from tests.scene.builders import box
from tests.viewer.contexts import context_of
from tests.viewer.editing.test_jobs import wait_for


@pytest.fixture
def editor() -> Editor:
    """On four boxes in a row, of which the first two overlap and the third stands against the second."""
    scene = Scene()
    mesh = scene.meshes.add(box())
    for x in (0.0, 1.5, 3.5, 9.0):
        scene.add_node(f"at {x}", mesh=mesh, translation=(x, 0.0, 0.0))
    return Editor(View(scene), Log())


def run(editor: Editor, command_id: str) -> None:
    context = context_of(editor)
    table = CommandTable([*select.command.bound_to(context), *command.bound_to(OverlapList(context))])
    table.run(table[command_id])


def test_what_overlaps_is_selected_and_what_only_touches_is_told(editor):
    run(editor, "select.overlapping")
    wait_for(editor.jobs)
    assert editor.selected_ids.tolist() == [0, 1]
    assert editor.log.entries[-1].text == "overlaps found: 1 pair; only touching: 1 pair"


def test_overlaps_of_what_is_selected_with_all_that_is_shown(editor):
    editor.select([1])
    run(editor, "select.overlapping")
    wait_for(editor.jobs)
    assert editor.selected_ids.tolist() == [0, 1]
    assert editor.log.entries[-1].text == "overlaps found in 1 selected object: 1 pair; only touching: 1 pair"
    editor.select([2, 3])
    run(editor, "select.overlapping")
    wait_for(editor.jobs)
    assert editor.selected_ids.tolist() == [2, 3]
    editor.select([0])
    run(editor, "select.hide")
    run(editor, "select.overlapping")
    wait_for(editor.jobs)
    assert editor.selected_ids.tolist() == []
    editor.undo()
    run(editor, "select.none")
    run(editor, "select.overlapping")
    wait_for(editor.jobs)
    assert editor.selected_ids.tolist() == [0, 1]


def test_what_was_deleted_while_overlaps_were_looked_for_is_neither_selected_nor_counted(editor):
    run(editor, "select.overlapping")
    editor.run(editing.delete, [1])
    wait_for(editor.jobs)
    assert editor.selected_ids.tolist() == []
    assert editor.log.entries[-1].text == "no objects overlap"

"""Select similar, Select by size and by distance: what their forms select."""

from __future__ import annotations

import numpy as np

from octoscope.scene import Scene
from octoscope.viewer.commands.forms import Form
from octoscope.viewer.commands.menus import select
from octoscope.viewer.commands.table import CommandTable
from octoscope.viewer.editing.editor import Editor
from octoscope.viewer.editing.log import Log
from octoscope.viewer.frame.view import View
from tests.scene.builders import box
from tests.viewer.contexts import context_of


def test_forms_select_what_is_alike_and_what_has_a_size():
    scene = Scene()
    mesh = scene.meshes.add(box())
    for scale in (1.0, 1.02, 1.5, 4.0):
        scene.add_node(f"{scale}", mesh=mesh, scale=(scale,) * 3)
    editor = Editor(View(scene), Log())
    editor.view.update()
    context, forms = context_of(editor), list[Form]()
    context.ask = forms.append
    table = CommandTable(select.command.bound_to(context))
    editor.select([2, 0])
    table.run(table["select.similar"])
    forms[0].submit({"tolerance": 5.0})
    assert editor.selected_ids.tolist() == [1, 0], "the active one stays active"
    table.run(table["select.by_size"])
    forms[1].submit({"least": 2.5, "most": 100.0})
    assert editor.selected_ids.tolist() == [2, 3]
    assert editor.log.entries[-1].text == "selected by size: 2 objects"


def test_what_is_near_is_selected_by_the_gap_between_boxes():
    scene = Scene()
    mesh = scene.meshes.add(box())
    for x in (0.0, 3.0, 6.0, 10.0):
        scene.add_node("", mesh=mesh, translation=(x, 0.0, 0.0))
    editor = Editor(View(scene), Log())
    editor.view.update()
    context, forms = context_of(editor), list[Form]()
    context.ask = forms.append
    table = CommandTable(select.command.bound_to(context))
    assert not table["select.by_distance"].enabled()
    editor.select([1])
    table.run(table["select.by_distance"])
    forms[0].submit({"distance": 1.0, "of": "active"})
    assert editor.selected_ids.tolist() == [0, 2, 1], "the active one stays active"
    editor.scene.cursor = np.array((5.0, 6.0, 8.0))  # a gap of (0, 5, 7) to the nearest
    for distance, found in ((74**0.5 - 0.001, []), (74**0.5 + 0.001, [2])):
        table.run(table["select.by_distance"])
        forms[-1].submit({"distance": distance, "of": "cursor"})
        assert editor.selected_ids.tolist() == found

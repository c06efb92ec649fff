"""Rows of the properties that files state of objects."""

from __future__ import annotations

from octoscope.scene import Scene
from octoscope.scene.sources import NO_SOURCE
from octoscope.viewer.editing.editor import Editor
from octoscope.viewer.editing.log import Log
from octoscope.viewer.editing.memo import state_of
from octoscope.viewer.editing.object_properties import ObjectProperties
from octoscope.viewer.frame.view import View
from tests.viewer.scenes import add_box_mesh
from tests.viewer.stated import with_properties


def test_what_is_said_of_a_click_stays_while_the_object_moves():
    scene = Scene()
    scene.add_nodes(["box", "other"], mesh=add_box_mesh(scene))
    editor = Editor(View(with_properties(scene)), Log())
    properties = ObjectProperties(editor)
    editor.select([0, 1])
    assert properties.rows(editor.selected_ids, state_of(scene)) == [], "of several objects"
    editor.select([0])
    editor.clicked_hit = scene.raycast((0.25, 5.0, 0.0), (0.0, -1.0, 0.0))
    for place in (0.0, -9.0):
        scene.set_translations([0], (place, 0.0, 0.0))
        assert properties.rows(editor.selected_ids, state_of(scene))[-1] == ("side", "right")
        # A file is not read again for each step of a drag.
        scene.loaded_sources[NO_SOURCE].properties.properties_at = None

"""The words over the picture."""

from __future__ import annotations

import numpy as np

from scene import Scene
from tests.viewer.scenes import BOX_POSITIONS, add_box_mesh, add_mesh
from viewer.captions import status_of
from viewer.commands import CommandTable
from viewer.ui.figures import figures_of
from viewer.view import View
from viewer.view_commands import view_commands


def test_lines_and_points_are_counted_where_there_are_some() -> None:
    scene = Scene()
    ends, places = np.array([(0, 1), (1, 2)]), np.array([0, 1, 2])
    scene.add_nodes(["box", "group"], mesh=[add_box_mesh(scene), -1])
    view = View(scene)
    table = CommandTable(view_commands(view, lambda: (64.0, 48.0)))
    view.build_frame((64, 48))
    assert [name for name, _ in figures_of(view, 1, table).counts if name in ("lines", "points")] == []
    scene.add_nodes(["sketch", "twin"], mesh=add_mesh(scene, BOX_POSITIONS, lines=ends, points=places))
    view.frame_box_of(None, (64, 48))
    view.build_frame((64, 48))
    counts = dict(figures_of(view, 1, table).counts)
    assert (counts["triangles"], counts["lines"], counts["points"]) == ("12", "4", "6")
    texts = []
    for node in range(3):
        view.selected_ids = np.array([node], dtype=np.int32)
        texts.append(status_of(view).split("    ")[1])
    assert texts == ["12 triangles", "0 objects, 0 triangles", "0 triangles, 2 lines, 3 points"]


def test_a_group_is_told_with_all_that_is_below_it() -> None:
    scene = Scene()
    box = add_box_mesh(scene)
    line = add_mesh(scene, BOX_POSITIONS, lines=np.array([(0, 1)]))
    scene.add_nodes(["town", "street", "house", "path"], parent=[-1, 0, 1, 0], mesh=[-1, -1, box, line])
    view = View(scene)
    view.selected_ids = np.array([0], dtype=np.int32)
    assert status_of(view) == "town    2 objects, 12 triangles, 1 line"
    view.selected_ids = np.array([1], dtype=np.int32)
    assert status_of(view) == "town/street    1 object, 12 triangles"

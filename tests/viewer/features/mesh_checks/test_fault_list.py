"""The list of faults of meshes: kinds, next, ignore, marks, mends meanwhile, and its panel."""

from __future__ import annotations

import numpy as np
import pytest

from octoscope.scene import Scene, editing
from octoscope.scene.nodes.bounds import own_boxes
from octoscope.viewer.editing.jobs import JobKind
from octoscope.viewer.features.mesh_checks.decoration import FaultMarks
from octoscope.viewer.features.mesh_checks.fault_list import FaultList
from octoscope.viewer.features.mesh_checks.panel import MeshChecksPanel
from tests.scene.builders import box, mesh_of, quad
from tests.viewer.headless_app import HeadlessApp


@pytest.fixture
def app(open_app) -> HeadlessApp:
    """On a box without fault but for normals, one with a hole, a sheet, and one that is inside out."""
    scene = Scene()
    shape = box()
    meshes = [
        shape,
        mesh_of(shape.positions, shape.triangles[1:]),
        quad(),
        mesh_of(shape.positions, shape.triangles[:, ::-1]),
    ]
    for number, mesh in enumerate(meshes):
        scene.add_node(f"mesh {number}", mesh=scene.meshes.add(mesh), translation=(5.0 * number, 0.0, 0.0))
    app = open_app(scene)
    app.view.update()
    app.settle()
    return app


def found(app: HeadlessApp) -> FaultList:
    run(app, "check_meshes")
    app.wait_for_work()
    (panel,) = (each for each in app.shell.panels if isinstance(each, MeshChecksPanel))
    app.settle()
    assert app.shell.is_open(panel), "what was found is listed at once"
    return panel._faults


def run(app: HeadlessApp, name: str) -> None:
    app.table.run(app.table[f"select.{name}"])
    app.settle()


def listed(faults: FaultList) -> list[tuple[int, str]]:
    kinds = faults.faults.kinds[faults.places].tolist()
    return list(zip(faults.nodes[:, 0].tolist(), kinds, strict=True))


def test_commands_go_round_the_faults_and_mark_them(app):
    assert not app.table["select.next_fault"].enabled()
    faults = found(app)
    shaped = [(3, "inverted faces"), (2, "open edges"), (1, "open edges")]
    assert listed(faults) == [*shaped, *((node, "no normals") for node in range(4))]
    assert "1 with inverted faces, 2 with open edges, 4 with no normals" in app.editor.log.entries[-1].text
    marks = app.view.decoration(FaultMarks)
    for (node, _), count in zip(shaped, (0, 4, 3), strict=True):
        if count:  # the first one is shown at once
            run(app, "next_fault")
        assert app.selected == [node] and len(marks.segments) == count
        assert len(app.view.build_frames((96, 64))[0].frame.annotations.segments) == count
        where = (
            marks.segments.reshape(-1, 3).mean(axis=0)
            if count
            else own_boxes(app.view.scene, np.array([node]))[0].mean(axis=0)
        )
        (pixel,) = app.view.layout.projection_of(app.view.active).pixels(where[None])
        np.testing.assert_allclose(app.view.layout.area().point(pixel), (0.5, 0.5), atol=0.15)
    run(app, "previous_fault")
    assert app.selected == [2]
    app.editor.select([1])
    faults = found(app)  # two of one object
    for kind, count in (("open edges", 3), ("no normals", 0), ("open edges", 3)):
        assert app.selected == [1] and faults.shown_kind == kind and len(marks.segments) == count
        run(app, "next_fault")


def test_one_kind_is_listed_selected_and_ignored(app):
    faults = found(app)
    faults.kind = "open edges"
    app.settle()
    assert listed(faults) == [(2, "open edges"), (1, "open edges")]
    faults.select_all()
    assert app.selected == [1, 2]
    run(app, "next_fault")
    run(app, "ignore_fault")
    assert listed(faults) == [(1, "open edges")] and app.selected == [1]
    assert faults.kind_counts == {"inverted faces": 1, "open edges": 1, "no normals": 4}
    faults.show_ignored()
    app.settle()
    assert len(faults.nodes) == 2


def check_again(app: HeadlessApp) -> None:
    app.settle()
    app.editor.jobs.wait(JobKind.MEASURE)
    app.settle()


def test_what_was_mended_leaves_the_list_and_comes_back_with_undo(app):
    faults = found(app)
    before = listed(faults)
    app.table.run(app.table["object.face_outward"])
    check_again(app)
    assert app.editor.log.entries[-1].text == "Face outward mesh 3: 12 of 12 faces turned over"
    assert listed(faults) == [each for each in before if each != (3, "inverted faces")], "its other faults stay"
    assert faults.place == 0 and app.selected == [2] and app.editor.chosen_ids.tolist() == [], "the next one is shown"
    app.table.run(app.table["edit.undo"])
    check_again(app)
    assert listed(faults) == before
    app.editor.run(editing.flip_faces, [0])
    check_again(app)
    assert listed(faults) == [(0, "inverted faces"), *before] and faults.place == 2, "one is new; that shown stays"
    faults.select_kind("inverted faces")
    app.table.run(app.table["object.face_outward"])
    check_again(app)
    assert listed(faults) == before[1:]
    app.table.run(app.table["edit.undo"])
    check_again(app)
    app.editor.run(editing.delete, [3])
    app.settle()
    assert not any(node == 3 for node, _ in listed(faults))
    faults.step(1)
    assert app.editor.chosen_ids.tolist() == []
    app.editor.select(app.selected)
    assert app.editor.chosen_ids.tolist() == app.selected, "a click on what the list has selected chooses it"


def test_where_was_checked_is_said_unless_it_was_everything(app):
    for choice, scope in (([], ""), ([1, 2], " in 2 selected objects"), ([3], " in 1 selected object")):
        app.editor.select(choice)
        assert found(app).scope == scope and f"meshes checked{scope}: " in app.editor.log.entries[-1].text
    app.view.visibility.isolated_ids = np.array([0, 1])
    app.editor.select([])
    assert found(app).scope == " in 2 shown objects"


def test_marks_follow_the_object(app):
    found(app)
    run(app, "next_fault")
    marks = app.view.decoration(FaultMarks)
    before = marks.segments.copy()
    app.view.scene.set_translations([2], (0.0, 3.0, 0.0))
    app.view.update()  # before the list takes that in: as in a drag
    np.testing.assert_allclose(marks.segments, before + np.array((-10.0, 3.0, 0.0)))

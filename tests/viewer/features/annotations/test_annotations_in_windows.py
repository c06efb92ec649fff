"""Measurements and labels as a person uses them: tool, panel, table; each change is undone by one step."""

from __future__ import annotations

import csv
import webbrowser
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from octoscope.scene.annotations.labels import Label
from octoscope.scene.annotations.measurement import Anchor, Measurement
from octoscope.viewer.camera.bookmark_pose import bookmark_of
from octoscope.viewer.document.table_file import write_table
from octoscope.viewer.editing.editor import Editor
from octoscope.viewer.editing.log import Log
from octoscope.viewer.features.annotations.annotation_list import AnnotationList
from octoscope.viewer.features.annotations.decoration import Labels
from octoscope.viewer.features.annotations.panel import AnnotationsPanel
from octoscope.viewer.features.annotations.tool import LabelTool
from octoscope.viewer.frame.view import View
from octoscope.viewer.settings.config import WindowState
from octoscope.viewer.tools.intents import Click, RightClick
from octoscope.viewer.tools.tool import Hand
from tests.viewer.headless_app import HeadlessApp
from tests.viewer.scenes import box_scene, place_at, view_of

SIZE = (640, 480)
MIDDLE = (0.5, 0.5)  # of the picture: the green box


@pytest.fixture
def view() -> View:
    view = view_of(box_scene(), yaw_rad=0.0, pitch_rad=0.0, distance=9.0)
    view.build_frames(SIZE)
    return view


@pytest.fixture
def annotations(view: View) -> AnnotationList:
    return AnnotationList(Editor(view, Log()))


def tool_of(annotations: AnnotationList) -> LabelTool:
    return LabelTool(annotations, Hand(), lambda: None)


def gap() -> Measurement:
    return Measurement("distance", (Anchor(0, (0.5, 0.0, 0.0)), Anchor(2, (-0.5, 0.0, 0.0))))


def test_a_click_and_a_text_make_a_label_of_the_camera_there(view, annotations):
    tool, scene = tool_of(annotations), view.scene
    assert not tool.follow(Click(place_at(view, MIDDLE))), "the tool is off, and there is no label"
    tool.toggle()
    assert tool.follow(Click(place_at(view, MIDDLE)))
    tool.finish("  **a** ")
    tool.follow(Click(place_at(view, (0.01, 0.01))))
    tool.finish("nothing was hit")
    tool.follow(Click(place_at(view, MIDDLE)))
    tool.finish("  ")
    (label,) = scene.labels
    assert (label.text, label.anchor.node) == ("**a**", 1) and label.camera == bookmark_of(view.camera)
    np.testing.assert_allclose(label.anchor.point, (0.0, 0.0, 0.5), atol=0.02)
    annotations.editor.undo()
    assert not scene.labels
    annotations.editor.redo()
    assert list(scene.labels) == [label]
    assert tool.follow(RightClick(place_at(view, MIDDLE))) and not tool.is_on


def test_a_click_on_a_link_opens_it_and_elsewhere_on_the_box_one_looks_from_its_camera(view, annotations, monkeypatch):
    opened: list[str] = []
    monkeypatch.setattr(webbrowser, "open", opened.append)
    away = replace(view.camera, distance=20.0)
    text = "see [plan](https://example.org) [file](file:///x)"
    view.scene.labels = [Label(text, Anchor(1, (0.0, 0.0, 0.5)), bookmark_of(away))]
    tool = tool_of(annotations)
    (placed,) = view.decoration(Labels).placed(view.active, SIZE, 13)
    height, width = placed.picture.image.shape[:2]
    ((left, top, right, bottom), _), *others = placed.picture.links
    assert not others
    for x, y in ((left + right) / 2.0, (top + bottom) / 2.0), (width - 8.0, height / 2.0), (-5.0, -5.0):
        pixel = tuple((placed.corner + np.array((x, y))).tolist())
        assert tool.follow(Click(view.locate(pixel))) == (x > 0.0)
    assert opened == ["https://example.org"]
    assert view.camera.distance == pytest.approx(20.0)


def test_all_are_renamed_hidden_removed_and_undone(view, annotations):
    scene, editor = view.scene, annotations.editor
    scene.measurements, scene.labels = [gap(), gap()], [Label("a", Anchor(1, (0.0, 0.0, 0.0)))] * 2
    assert [annotations.kind(each) for each in annotations.all] == ["distance"] * 2 + ["label"] * 2
    assert annotations.value(annotations.all[0]) == "3.000" and annotations.bare(annotations.all[2]) == "a"
    annotations.rename(annotations.all[0], " door ")
    annotations.rename(annotations.all[3], "b")
    annotations.rename(annotations.all[3], " ")
    annotations.set_shown(annotations.all[3], is_shown=False)
    assert scene.measurements[0].name == "door"
    assert [(label.text, label.is_shown) for label in scene.labels][1] == ("b", False)
    annotations.remove(annotations.all[0])
    assert [each.name for each in scene.measurements] == [""]
    for _ in range(4):
        editor.undo()
    assert list(scene.measurements) == [gap(), gap()] and {label.text for label in scene.labels} == {"a"}
    scene.delete(scene[1])
    assert len(annotations.all) == 2


def test_going_to_one_frames_its_points_or_takes_its_camera(view, annotations):
    scene = view.scene
    scene.measurements = [gap()]
    scene.labels = [Label("a", Anchor(2, (0.5, 0.5, 0.5)))]
    annotations.go(annotations.all[0])
    assert view.framing.is_framed((np.array([-1.5, 0.0, 0.0]), np.array([1.5, 0.0, 0.0])))
    annotations.go(annotations.all[1])
    np.testing.assert_allclose(view.camera.pivot, (2.5, 0.5, 0.5), atol=1e-9)
    annotations.set_camera(annotations.all[1])
    kept = view.camera
    view.camera = replace(kept, distance=50.0)
    annotations.go(annotations.all[1])
    assert view.camera.distance == pytest.approx(kept.distance)


def test_the_table_has_figures_as_plain_numbers(view, annotations, tmp_path: Path):
    view.scene.measurements, view.scene.length_unit = [replace(gap(), name="a, b")], "mm"
    view.scene.labels = [Label("**x** [y](http://z)", Anchor(1, (0.0, 0.0, 0.5)), is_shown=False)]
    path = tmp_path / "all.csv"
    write_table(annotations.table(), view.scene, path, progress=lambda fraction: None)
    first, second = csv.DictReader(path.open(encoding="utf-8"))
    assert (first["kind"], first["name"], first["figure"], first["value"]) == ("distance", "a, b", "distance", "3")
    assert first["objects"] == "red, blue" and (first["unit"], second["unit"]) == ("mm", "mm")
    assert first["points"] == "(-1.5 0.0 0.0) (1.5 0.0 0.0)"
    assert (second["kind"], second["name"], second["figure"], second["shown"]) == ("label", "x y", "", "False")
    assert [float(second[axis]) for axis in "xyz"] == pytest.approx([0.0, 0.0, 0.5])


@pytest.fixture
def app(ctx) -> Iterator[HeadlessApp]:
    scene = box_scene()
    scene.measurements = [gap()]
    scene.labels = [Label(f"label {number}", Anchor(1, (0.0, 0.0, 0.5))) for number in range(10_000)]
    app = HeadlessApp(ctx, scene, state=WindowState(open={AnnotationsPanel.id: True}))
    yield app
    app.close()


def test_the_panel_renames_where_the_camera_stays_and_hides_copies_and_removes(app):
    scene, first, second = app.view.scene, 485, 513  # the rows' pixels
    camera = app.view.camera
    app.click((838, first))
    app.type("door")
    app.press("Enter")
    app.click((838, second))
    app.type("hut")
    app.press("Shift+Enter")
    app.type("roof")
    app.press("Enter")
    texts = [label.text for label in scene.labels[:2]]
    assert scene.measurements[0].name == "door" and texts == ["hut\nroof", "label 1"]
    assert app.view.camera == camera
    app.click((800, first))
    assert not scene.measurements[0].is_shown
    app.click((916, second))
    assert [label.text for label in scene.labels[:2]] == ["label 1", "label 2"] and len(scene.labels) == 9_999
    app.press("Ctrl+Z", "Ctrl+Z", "Ctrl+Z", "Ctrl+Z")
    assert list(scene.measurements) == [gap()] and scene.labels[0].text == "label 0" and len(scene.labels) == 10_000


def test_a_text_that_is_being_typed_is_kept_by_a_click_elsewhere_and_dropped_by_esc(app):
    view, picture = app.view, app.shell.picture
    view.scene.labels = []
    app.settle()
    view.build_frames(view.layout.last_size)
    app.press("Shift+T")
    points = np.array([(-2.0, 0.0, 0.0), (2.0, 0.0, 0.0), (0.0, 0.0, 0.0)])
    pixels = view.layout.projection_of(view.active).pixels(points)
    for text, pixel in zip(("left", "right", "dropped"), pixels, strict=True):
        app.click(tuple(np.add(pixel, (picture.left, picture.top))))
        app.type(text)
    app.press("Esc")
    assert [label.text for label in view.scene.labels] == ["left", "right"] and app.tools.hand.tool is not None

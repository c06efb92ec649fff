"""Labels: their markup; that they stay on their nodes, are undone, and come back from projects, journals and glTF."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import octoscope
from octoscope.scene import (
    Bookmark,
    History,
    Recorder,
    Scene,
    apply,
    change_scene,
    editing,
    load,
    open_project,
    save_project,
)
from octoscope.scene.annotations.labels import Label, Span, plain_text, spans_of
from octoscope.scene.annotations.measurement import IN_WORLD, Anchor, Measurement
from octoscope.scene.formats.readers import read_file
from octoscope.scene.loading.reload import FileReload
from octoscope.scene.measuring.measurements import figure_of, shown_labels, world_points
from octoscope.scene.mesh.primitives import PRIMITIVES
from tests.scene.project.projects import change_document, kinds

CAMERA = Bookmark((1.0, 2.0, 3.0), (0.0, 0.6, 0.0, 0.8), distance=4.0)


@pytest.fixture
def scene() -> Scene:
    scene = Scene()
    mesh = scene.meshes.add(PRIMITIVES["cube"]())
    for number, name in enumerate(("a", "b", "c")):
        scene.add_node(name, mesh=mesh, translation=(5.0 * number, 0.0, 0.0), scale=(1.0, 2.0, 1.0))
    scene.update_world()
    scene.labels = labels_at(0, 1, IN_WORLD)
    return scene


def labels_at(*nodes: int) -> list[Label]:
    return [
        Label("**Gate**: see [the plan](https://example.org/plan)", Anchor(nodes[0], (0.5, 0.5, 1 / 3)), CAMERA),
        Label("hidden", Anchor(nodes[1], (0.0, 1.0, 0.0)), is_shown=False),
        Label("äöü ✓ \n two", Anchor(nodes[2], (7.0, 8.0, 9.0))),
    ]


def names_shown(scene: Scene) -> list[str]:
    shown = shown_labels(scene, np.array([label.anchor.node for label in scene.labels], dtype=np.int64))
    return [label.text for label, is_shown in zip(scene.labels, shown, strict=True) if is_shown and label.is_shown]


@pytest.mark.parametrize(
    ("text", "spans"),
    [
        ("plain", [Span("plain")]),
        ("a **b** c", [Span("a "), Span("b", True), Span(" c")]),
        ("[x](http://a.b/c?d=1#e)", [Span("x", False, "http://a.b/c?d=1#e")]),
        ("[x](HTTPS://a)!", [Span("x", False, "HTTPS://a"), Span("!")]),
        ("**a****b**", [Span("a", True), Span("b", True)]),
        *(
            (text, [Span(text)])
            for text in ("[x](file:///etc)", "[x](javascript:a())", "**", "2 * 3 * 4", "[](http://a)", "[x] (http://a)")
        ),
    ],
)
def test_bold_words_and_links_of_the_web_are_markup_and_nothing_else_is(text, spans):
    assert spans_of(text) == spans


@pytest.mark.parametrize("text", ["", " \n"])
def test_a_label_needs_a_text(text):
    with pytest.raises(ValueError, match="a text"):
        Label(text, Anchor(0, (0.0, 0.0, 0.0)))


def test_a_deleted_object_takes_its_labels_away_and_undo_brings_them_back(scene):
    history = History(scene)
    before = names_shown(scene)
    history.do(editing.delete(scene, [0]))
    assert names_shown(scene) == before[1:]
    history.undo()
    assert names_shown(scene) == before
    history.do(change_scene(scene, labels=[]))
    history.undo()
    assert list(scene.labels) == labels_at(0, 1, IN_WORLD)


def test_copies_of_an_object_have_no_label(scene):
    count = len(scene.labels)
    History(scene).do(editing.duplicate(scene, [0]))
    assert len(scene.labels) == count


def test_a_project_and_its_journal_keep_all_of_it(scene, tmp_path):
    path = tmp_path / "scene.octo.json"
    save_project(scene, path)
    assert open_project(path).labels == scene.labels
    recorder = Recorder(scene)
    edit = change_scene(scene, labels=[*scene.labels, Label("new", Anchor(2, (0.0, 0.0, 0.5)))], label="Add label")
    apply(scene, edit)
    recorder.record(edit)
    recorder.close()
    again = open_project(path)
    assert again.labels == scene.labels and again.labels[-1].text == "new"


@pytest.mark.parametrize(
    "wrong",
    [
        {"text": 5},
        {"text": ""},
        {"node": 17},
        {"node": -1},
        {"node": True},
        {"point": [1, 2]},
        {"point": [1, 2, "x"]},
        {"point": None},
    ],
)
def test_what_is_no_label_is_left_out_and_said(scene, tmp_path, wrong):
    path = tmp_path / "scene.octo.json"
    save_project(scene, path)
    change_document(path, lambda document: document["labels"][0].update(wrong))
    again = open_project(path)
    assert len(again.labels) == 2 and kinds(again) == {"label": 1}


def document_of(path: Path) -> dict:
    data = path.read_bytes()
    return json.loads(data[20 : 20 + int.from_bytes(data[12:16], "little")])


@pytest.mark.parametrize("up", ["y", "z"])
def test_gltf_keeps_labels_and_measurements_at_their_places(scene, tmp_path, up):
    scene.up_axis = up
    group = scene.add_node("group", translation=(0.0, 3.0, 0.0))
    scene[1].parent = group
    scene.measurements = [
        Measurement("distance", (Anchor(1, (0.5, 0.5, 0.5)), Anchor(IN_WORLD, (1.0, 2.0, 3.0))), "gap", False)
    ]
    scene.update_world()
    path = tmp_path / "scene.glb"
    scene.length_unit = "mm"
    assert len(octoscope.save(scene, path)) == 1, "a word about metres"
    (written,) = document_of(path)["scenes"][0]["extras"]["octoscope_measurements"]
    figure = figure_of("distance", world_points(scene, scene.measurements[0].anchors))
    assert (written["value"], written["unit"]) == (pytest.approx(figure / 1000.0, rel=1e-12), "m")
    scene.length_unit = ""
    assert octoscope.save(scene, path) == []
    again = load(path, up_axis=up)
    assert [each.text for each in again.labels] == [each.text for each in scene.labels]
    assert [each.is_shown for each in again.labels] == [each.is_shown for each in scene.labels]
    for old, new in ((scene.labels, again.labels), (scene.measurements, again.measurements)):
        for one, other in zip(old, new, strict=True):
            np.testing.assert_allclose(world_points(again, other.anchors), world_points(scene, one.anchors), atol=1e-12)
    assert (again.measurements[0].name, again.measurements[0].is_shown) == ("gap", False)
    assert again.labels[0].camera.position == pytest.approx(CAMERA.position)
    assert again.labels[2].anchor.node == IN_WORLD
    notes = octoscope.save(scene, tmp_path / "scene.obj")
    assert any("1 measurement and 3 labels are left out" in note for note in notes)


def test_hostile_extras_of_gltf_are_left_out(scene, tmp_path):
    path = tmp_path / "scene.gltf"
    octoscope.save(scene, tmp_path / "scene.glb")
    data, document = (tmp_path / "scene.glb").read_bytes(), document_of(tmp_path / "scene.glb")
    (tmp_path / "scene.bin").write_bytes(data[28 + int.from_bytes(data[12:16], "little") :])
    document["buffers"][0]["uri"] = "scene.bin"
    for wrong in (5, "x", [5], [{}], [{"text": "a", "node": 99, "point": [0, 0, 0]}], {"a": 1}):
        document["scenes"][0]["extras"] = {"octoscope_labels": wrong, "octoscope_measurements": wrong}
        path.write_text(json.dumps(document))
        again = load(path)
        assert len(again.labels) == len(again.measurements) == 0 and len(again.objects) == 3


def test_ten_thousand_labels_are_saved_and_read(scene, tmp_path):
    scene.labels = [Label(f"label {i}", Anchor(i % 3, (0.1, 0.2, float(i)))) for i in range(10_000)]
    for name in ("scene.octo.json", "scene.glb"):
        octoscope.save(scene, tmp_path / name)
        assert [label.text for label in load(tmp_path / name).labels] == [label.text for label in scene.labels]


def test_text_without_markup_is_one_line():
    assert plain_text("**a**\n[b](http://c)  d") == "a b d"


def test_reading_a_file_again_keeps_labels_on_its_objects(tmp_path: Path):
    path = tmp_path / "boxes.obj"
    square = "v 0 0 {z}\nv 1 0 {z}\nv 1 1 {z}\n"
    path.write_text("".join(f"o {name}\n{square.format(z=z)}f -3 -2 -1\n" for z, name in enumerate("ab")))
    scene = load(path)
    label = Label("b's", Anchor(scene["b"].id, (1.0, 0.0, 1.0)))
    scene.labels = [label]
    path.write_text(path.read_text().replace("o a", "o new").replace("v 1 1 1", "v 2 2 1"))
    FileReload(scene, 0, read_file(path)).join()
    assert list(scene.labels) == [label] and names_shown(scene) == ["b's"]
    assert str(scene.names[label.anchor.node]) == "b"
    np.testing.assert_allclose(world_points(scene, label.anchors), [(1.0, 0.0, 1.0)])

"""The files that a project refers to: gone, changed, unreadable; nodes stay, and what they refer to is given back."""

import json
import os

import numpy as np
import pytest

from octoscope.scene import History, Recorder, Scene, open_project, save_project
from octoscope.scene.editing import duplicate
from octoscope.scene.formats.readers import read_file
from octoscope.scene.history.background_edit import BackgroundEdit
from octoscope.scene.loading.reload import FileReload
from tests.scene.project.journals import killed
from tests.scene.project.projects import VILLAGE, change_document, kinds, varied_scene, village, write_village


@pytest.fixture
def project(tmp_path):
    """scene.octo.json: the village, moved, and one of its houses a second time."""
    scene = village(tmp_path / "parts")
    scene.set_translations([1, 2], [(1.0, 2.0, 3.0), (4.0, 5.0, 6.0)])
    scene.add_node("copy", mesh=int(scene.mesh_ids[1]), parent=2)
    save_project(scene, tmp_path / "scene.octo.json")
    return tmp_path / "scene.octo.json"


def assert_given_back(scene: Scene, path) -> None:
    before = path.read_bytes()
    save_project(scene, path)
    assert path.read_bytes() == before


def test_objects_of_a_missing_file_are_empty_nodes_and_given_back(project):
    (project.parent / "parts" / "village.obj").unlink()
    scene = open_project(project)
    (problem,) = scene.report.problems
    assert (problem.kind, problem.count) == ("source-missing", 5)
    assert str(problem).startswith(str(project.parent / "parts" / "village.obj: no such file"))
    assert "\n" not in str(problem)
    assert (scene.mesh_ids == -1).all()
    assert scene.names.tolist() == ["village.obj", "house", "tree", "house", "tree", "copy"]
    np.testing.assert_array_equal(scene.translations[1], (1.0, 2.0, 3.0))
    np.testing.assert_array_equal(scene.world_from_local[5, :3, 3], (4.0, 5.0, 6.0))
    assert_given_back(scene, project)


def test_a_missing_file_that_comes_back_is_shown_again(project):
    obj = project.parent / "parts" / "village.obj"
    obj.rename(obj.with_suffix(".away"))
    scene = open_project(project)
    scene["tree"].translation = (9.0, 9.0, 9.0)
    save_project(scene, project)
    obj.with_suffix(".away").rename(obj)
    scene = open_project(project)
    assert scene.report.problems == []
    assert (scene.mesh_ids >= 0).sum() == 5
    np.testing.assert_array_equal(scene["tree"].translation, (9.0, 9.0, 9.0))


@pytest.mark.parametrize("way", ("saved", "beside the scene", "killed", "reloaded"))
def test_copies_of_a_node_whose_file_is_gone_show_what_it_does_once_the_file_is_back(project, way):
    obj = project.parent / "parts" / "village.obj"
    obj.rename(obj.with_suffix(".away"))
    scene = open_project(project)
    recorder = Recorder(scene)
    history = History(scene, recorder)
    house, tree = scene["house"].id, scene["tree"].id
    if way == "beside the scene":
        background = BackgroundEdit(scene, lambda copy: duplicate(copy, [house, tree]), recorder)
        background.prepare()
        history.join(background)
    else:
        history.do(duplicate(scene, [house, tree]))
    history.do(duplicate(scene, history.selection.ids))
    if way == "reloaded":
        history.undo()
    assert (scene.mesh_ids == -1).all()
    if way not in ("killed", "reloaded"):
        save_project(scene, project, recorder=recorder)
    if way != "reloaded":
        killed(recorder)
    obj.with_suffix(".away").rename(obj)
    if way == "reloaded":
        FileReload(scene, 0, read_file(obj)).join()
        history.redo()
    else:
        scene = open_project(project)
    meshes = {}
    for node in scene:
        meshes.setdefault(node.name.partition(".")[0], []).append(node.mesh_id)
    assert {name: len(ids) for name, ids in meshes.items()} == {"village": 1, "house": 4, "tree": 4, "copy": 3}
    for name, ids in meshes.items():
        assert min(ids) >= 0 or name == "village"


@pytest.mark.parametrize("state", ("a folder", "empty", "binary", "without permission"))
def test_a_file_that_cannot_be_read_is_as_if_it_were_missing(project, state):
    obj = project.parent / "parts" / "village.obj"
    obj.unlink()
    if state == "a folder":
        obj.mkdir()
    elif state == "without permission":
        if os.geteuid() == 0:
            pytest.skip("root may read anything")
        obj.touch(mode=0)
    else:
        obj.write_bytes(b"" if state == "empty" else b"\0\1\2" * 100)
    scene = open_project(project)
    assert kinds(scene) == {"source-missing": 5}
    assert_given_back(scene, project)


def test_an_object_that_was_renamed_is_an_empty_node_and_the_others_are_shown(project):
    obj = project.parent / "parts" / "village.obj"
    obj.write_text(VILLAGE.replace("o tree", "o bush", 1))
    scene = open_project(project)
    (problem,) = scene.report.problems
    assert (problem.kind, problem.count, problem.file) == ("source-object", 1, str(obj))
    assert "'tree'" in problem.what
    assert (scene.mesh_ids >= 0).tolist() == [False, True, True, True, False, True]
    assert_given_back(scene, project)


def test_objects_are_found_again_wherever_they_stand_in_a_changed_file(project):
    head, *objects = VILLAGE.split("o ")
    (project.parent / "parts" / "village.obj").write_text(
        "o ".join([head, "new\nf 1 3 4\n", *objects[1::2], *objects[::2]])
    )
    scene = open_project(project)
    assert scene.report.problems == []
    names = scene.meshes.rows["name"][scene.mesh_ids[1:]]
    assert names.tolist() == ["house", "tree", "house", "tree", "house"]
    assert scene.meshes.rows["occurrence"][scene.mesh_ids[1:]].tolist() == [0, 0, 1, 1, 0]


def test_each_file_that_is_missing_is_said_once(tmp_path):
    scene = Scene()
    for number in range(3):
        obj = write_village(tmp_path / str(number))
        opened = village(tmp_path / str(number))
        scene.add_source(obj)
        scene.meshes.rows.append(1, source=number, name="house", vertex_count=3)
        scene.add_nodes(["a"] * 10, mesh=number)
        assert len(opened)
    save_project(scene, tmp_path / "scene.octo.json")
    for number in (0, 2):
        (tmp_path / str(number) / "village.obj").unlink()
    problems = open_project(tmp_path / "scene.octo.json").report.problems
    assert [(problem.kind, problem.count) for problem in problems] == [("source-missing", 10)] * 2


@pytest.mark.parametrize(
    "written",
    (
        "gone.obj",
        "../../../x//./y.obj",
        "C:\\parts\\village.obj",
        "/nowhere/village.obj",
        "",
        ".",
        "nul\0byte.obj",
        "half \udc80 \ud800.obj",
        "scene.octo.json",
        "x" * 10_000,
        "line\nbreak.obj",
    ),
)
def test_paths_that_lead_nowhere_are_given_back(tmp_path, written):
    path = tmp_path / "scene.octo.json"
    document = {
        "octoscope": {"version": 1},
        "files": [{"path": written}],
        "nodes": [{"name": "a", "mesh": {"file": 0, "object": "b"}}],
    }
    path.write_text(json.dumps(document))
    scene = open_project(path)
    assert kinds(scene) == {"source-missing": 1}
    assert all("\n" not in line for line in scene.report.warnings)
    save_project(scene, path)
    assert json.loads(path.read_text()) == {**document, "materials": []}
    (tmp_path / "other").mkdir()
    save_project(scene, tmp_path / "other" / "scene.octo.json")
    assert kinds(open_project(tmp_path / "other" / "scene.octo.json")) == {"source-missing": 1}


def test_files_that_no_node_refers_to_are_not_read_and_stay(project):
    change_document(project, lambda document: document["files"].append({"path": "gone.obj"}))
    scene = open_project(project)
    assert scene.report.problems == []
    save_project(scene, project)
    assert json.loads(project.read_text())["files"] == [{"path": "parts/village.obj"}, {"path": "gone.obj"}]


def test_a_project_does_not_refer_to_itself(project):
    change_document(project, lambda document: document["files"][0].update(path="scene.octo.json"))
    scene = open_project(project)
    (problem,) = scene.report.problems
    assert problem.kind == "source-missing" and problem.what.startswith("a project")


def test_problems_of_the_files_are_said_too(project):
    (project.parent / "parts" / "village.mtl").unlink()
    assert any("village.mtl" in line for line in open_project(project).report.warnings)


def test_all_kinds_of_nodes_survive_a_missing_file(tmp_path):
    scene = varied_scene(3, tmp_path / "parts")
    path = tmp_path / "scene.octo.json"
    save_project(scene, path)
    (tmp_path / "parts" / "village.obj").unlink()
    again = open_project(path)
    sources = scene.meshes.rows["source"][scene.mesh_ids]
    np.testing.assert_array_equal(again.mesh_ids >= 0, (scene.mesh_ids >= 0) & (sources < 0))
    assert_given_back(again, path)

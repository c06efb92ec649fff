"""Nodes whose file is not where it was get their meshes from where it is now."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from octoscope.scene import EditError, History, Recorder, Scene, load, open_project, save_project
from octoscope.scene.history.background_edit import BackgroundEdit
from octoscope.scene.loading.relinking import relink
from tests.scene.project.journals import killed

TRIANGLE = "v 0 0 0\nv 1 0 0\nv 0 1 0\n"


def write(path: Path, *names: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(TRIANGLE + "".join(f"o {name}\nf 1 2 3\n" for name in names))
    return path


@pytest.fixture
def project(tmp_path) -> Path:
    """A project of three files, which were moved to another folder."""
    names = {"house.obj": ("wall", "roof", "wall"), "deep/tree.obj": ("crown",), "rock.obj": ("rock",)}
    scene = load([write(tmp_path / "old" / name, *objects) for name, objects in names.items()])
    scene["roof"].translation = (1.0, 2.0, 3.0)
    save_project(scene, tmp_path / "scene.octo.json")
    (tmp_path / "old").rename(tmp_path / "new")
    return tmp_path / "scene.octo.json"


def shown(scene: Scene) -> list[str]:
    return sorted(scene.path_of(node.id) for node in scene if node.mesh_id >= 0)


ALL = ["house.obj/roof", "house.obj/wall", "house.obj/wall", "rock.obj/rock", "tree.obj/crown"]


@pytest.mark.parametrize("way", ["at once", "beside the scene"])
def test_a_chosen_file_and_those_that_lie_beside_it_as_before_are_found(project, way):
    scene = open_project(project)
    history = History(scene)
    assert shown(scene) == []
    house = project.parent / "new" / "house.obj"
    if way == "at once":
        history.do(relink(scene, 0, house))
    else:
        background = BackgroundEdit(scene, lambda copy: relink(copy, 0, house))
        background.prepare()
        history.join(background)
    assert history.undo_label == "Relink 5 objects to 3 files"
    assert shown(scene) == ALL and scene["roof"].translation.tolist() == [1.0, 2.0, 3.0]
    assert scene.report.problems == []
    history.undo()
    assert shown(scene) == []
    history.redo()
    assert shown(scene) == ALL


@pytest.mark.parametrize("way", ["saved", "killed", "undone, and saved", "undone, and killed"])
def test_it_is_in_the_project_by_relative_paths_and_in_the_journal(project, way):
    scene = open_project(project)
    recorder = Recorder(scene)
    history = History(scene, recorder)
    history.do(relink(scene, 0, project.parent / "new" / "house.obj"))
    if "undone" in way:
        history.undo()
    if "saved" in way:
        save_project(scene, project, recorder=recorder)
    killed(recorder)
    if "undone" in way:
        (project.parent / "new").rename(project.parent / "old")
    elif "saved" in way:
        paths = [file["path"] for file in json.loads(project.read_text())["files"]]
        assert paths[3:] == ["new/house.obj", "new/deep/tree.obj", "new/rock.obj"]
    assert shown(open_project(project)) == ALL


def test_objects_that_are_not_in_the_file_go_on_waiting_and_are_told(project):
    scene = open_project(project)
    write(project.parent / "new" / "house.obj", "wall", "roof")
    edit = relink(scene, 0, project.parent / "new" / "house.obj")
    assert edit.notes == ("1 of what waited for it is not in it",)
    History(scene).do(edit)
    assert shown(scene) == sorted(set(ALL))


def test_an_object_that_was_called_as_its_file_is_found_under_the_files_new_name(tmp_path):
    path = tmp_path / "house.obj"
    path.write_text(TRIANGLE + "f 1 2 3\n")
    save_project(load(path), tmp_path / "scene.octo.json")
    moved = path.rename(tmp_path / "villa.obj")
    scene = open_project(tmp_path / "scene.octo.json")
    History(scene).do(relink(scene, 0, moved))
    assert shown(scene) == ["house.obj/house"]


def test_what_cannot_be_had_of_a_file_is_told_in_a_line(project, tmp_path):
    scene = open_project(project)
    with pytest.raises(EditError, match="no such file"):
        relink(scene, 0, tmp_path / "gone.obj")
    with pytest.raises(EditError, match="no longer in it"):
        relink(scene, 0, write(tmp_path / "other.obj", "other"))
    with pytest.raises(EditError, match="no object waits"):
        relink(load(tmp_path / "other.obj"), 0, tmp_path / "other.obj")
    assert shown(scene) == []

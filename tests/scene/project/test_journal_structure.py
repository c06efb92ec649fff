"""The journal of edits that add and delete: nodes, meshes and files come back, whatever was saved in between."""

import json
import random
import zlib
from pathlib import Path

import numpy as np
import pytest

from octoscope.scene import History, Recorder, Scene, change_nodes, load, open_project, save_project
from octoscope.scene.editing import add_primitive, apply_transform, delete, duplicate, group, import_content, merge
from octoscope.scene.formats.readers import read_file
from octoscope.scene.loading.file_import import add_file
from octoscope.scene.project.journal import journal_path
from tests.cases import quick
from tests.scene.editing.walks import random_operation, walking_scene
from tests.scene.project.journals import killed
from tests.scene.project.projects import (
    assert_same_scene,
    change_document,
    kinds,
    saved,
    spots,
    varied_scene,
    village,
    write_village,
)


def compact(scene: Scene) -> Scene:
    """A scene of the nodes that there are, numbered without gaps: what a file can hold."""
    ids = scene.ids
    places = np.full(scene.row_count + 1, -1)
    places[ids] = np.arange(len(ids))
    anew = Scene()
    anew.meshes, anew.materials, anew.sources = scene.meshes, scene.materials, scene.sources
    rows = anew.add_nodes(
        scene.names[ids],
        mesh=scene.mesh_ids[ids],
        material=scene.material_overrides[ids],
        translation=scene.translations[ids],
        rotation=scene.rotations[ids],
        scale=scene.scales[ids],
        hidden=scene.hidden[ids],
        unselectable=scene.unselectable[ids],
        order=scene.orders[ids],
        file_root=scene.file_roots[ids],
    )
    anew.set_parents(np.array(rows), places[scene.parents[ids]])
    anew.update_world()
    return anew


def assert_same(again: Scene, scene: Scene) -> None:
    """The same nodes, but for their order: the journal adds at the end what was brought back after a save."""
    mine, theirs = compact(again), compact(scene)
    order = sorted(range(len(mine)), key=lambda node: mine.path_of(node))
    expected = sorted(range(len(theirs)), key=lambda node: theirs.path_of(node))
    assert [mine.path_of(node) for node in order] == [theirs.path_of(node) for node in expected]


def opened(scene: Scene, path: Path) -> tuple[Scene, History]:
    """Return the scene as a project, being edited."""
    save_project(scene, path)
    scene = open_project(path)
    return scene, History(scene, Recorder(scene))


def test_what_was_added_and_deleted_comes_back_bit_for_bit(tmp_path, path):
    scene, history = opened(varied_scene(0, tmp_path), path)
    history.do(add_primitive(scene, "torus", translation=(1.0, 2.0, 3.0), material=2))
    history.do(duplicate(scene, history.selection.ids))
    history.do(group(scene, [3, 7, len(scene) - 1]))
    history.do(delete(scene, [2, 5]))
    history.do(duplicate(scene, [1], copy_meshes=True))
    history.undo()
    history.redo()
    shown = np.flatnonzero(scene.mesh_ids >= 0)
    history.do(apply_transform(scene, shown[5:9]))
    history.do(import_content(scene, read_file(write_village(tmp_path / "other")), tmp_path / "other" / "village.obj"))
    history.do(change_nodes(scene, [scene["tree"].id], material=1, name="last"))
    scene.update_world()
    killed(history.recorder)
    again = open_project(path)
    assert kinds(again) == {"unsaved-changes": 8}
    assert_same_scene(compact(again), compact(scene))
    assert len(again.sources) == 2
    assert_same_scene(saved(again, tmp_path / "third.octo.json"), compact(scene))


def test_what_is_deleted_is_not_saved_and_places_are_those_of_the_file(tmp_path, path):
    scene, history = opened(varied_scene(1, tmp_path), path)
    history.do(delete(scene, [1, 8]))
    save_project(scene, path, recorder=history.recorder)
    last = int(scene.ids[-1])
    history.do(change_nodes(scene, [last], name="renamed after the save", parent=-1))
    history.do(change_nodes(scene, [int(scene.ids[2])], parent=last))
    scene.update_world()
    killed(history.recorder)
    again = open_project(path)
    assert kinds(again) == {"unsaved-changes": 2}
    assert again.row_count == len(again) == len(scene) < scene.row_count
    assert_same_scene(again, compact(scene))


def test_what_is_brought_back_after_a_save_that_left_it_out_is_recorded(tmp_path, path):
    scene, history = opened(varied_scene(2, tmp_path), path)
    history.do(delete(scene, [3, 9, 20]))
    history.do(add_primitive(scene, "cube"))
    history.undo()
    save_project(scene, path, recorder=history.recorder)
    history.undo()
    history.do(add_primitive(scene, "cone"))
    scene.update_world()
    killed(history.recorder)
    again = open_project(path)
    assert kinds(again) == {"unsaved-changes": 2}
    assert len(again) == len(scene)
    assert_same(again, scene)
    assert again.element_count("triangle") == scene.element_count("triangle")
    assert again.bounds()[0].tolist() == scene.bounds()[0].tolist()


def test_what_joined_the_scene_by_no_edit_is_recorded_with_the_next(tmp_path, path):
    scene, history = opened(village(tmp_path), path)
    scene.add_node("by a script", parent=1, translation=(4.0, 5.0, 6.0))
    other = write_village(tmp_path / "other")
    add_file(scene, other, read_file(other))
    history.do(change_nodes(scene, [0], name="new"))
    scene.update_world()
    killed(history.recorder)
    again = open_project(path)
    assert kinds(again) == {"unsaved-changes": 1}
    assert_same_scene(again, scene)


def test_objects_of_a_file_that_is_gone_come_back_as_empty_nodes_that_keep_their_reference(tmp_path, path):
    scene, history = opened(Scene(), path)
    other = write_village(tmp_path / "other")
    history.do(import_content(scene, read_file(other), other))
    killed(history.recorder)
    text = other.read_text()
    other.unlink()
    again = open_project(path)
    assert len(again) == 5 and (again.mesh_ids == -1).all()
    assert kinds(again)["source-missing"] == 4
    save_project(again, path)
    other.write_text(text)
    assert (open_project(path).mesh_ids >= 0).sum() == 4


def test_a_mesh_is_written_once_however_often_it_is_shown(tmp_path, path):
    scene, history = opened(Scene(), path)
    history.do(add_primitive(scene, "sphere"))
    size = journal_path(path).stat().st_size
    for _ in range(5):
        history.do(duplicate(scene, [0]))
    assert journal_path(path).stat().st_size < size + 5 * 2000
    killed(history.recorder)
    again = open_project(path)
    assert len(again) == 6 and len(again.meshes) == 1


def test_merged_objects_come_back_as_one_with_their_materials(tmp_path, path):
    scene, history = opened(village(tmp_path), path)
    history.do(merge(scene, np.flatnonzero(scene.mesh_ids >= 0)))
    scene.update_world()
    killed(history.recorder)
    assert_same_scene(compact(open_project(path)), compact(scene))


def test_a_reloaded_file_does_not_bring_back_what_was_deleted(tmp_path, path):
    from octoscope.scene.loading.reload import FileReload

    scene = load(write_village(tmp_path))
    history = History(scene)
    history.do(delete(scene, [scene["tree"].id]))
    told = FileReload(scene, 0, read_file(tmp_path / "village.obj")).join()
    assert (told.new, told.gone) == (0, 0) and len(scene) == 4
    history.undo()
    assert scene["tree"].mesh_id >= 0
    scene = saved(scene, path)
    History(scene).do(delete(scene, [1]))
    save_project(scene, path)
    assert len(open_project(path)) == 4


@pytest.mark.parametrize("seed", quick(range(4), 1))
def test_a_random_walk_with_saves_and_kills_comes_back(tmp_path, seed):
    path = tmp_path / "scene.octo.json"
    rng = np.random.default_rng(seed)
    scene, history = opened(walking_scene(seed, 20), path)
    for step in range(60):
        dice = rng.random()
        if dice < 0.2:
            history.undo()
        elif dice < 0.3:
            history.redo()
        elif (edit := random_operation(scene, rng, largest=40, importing=False)) is not None:
            history.do(edit)
        if dice > 0.95:
            save_project(scene, path, recorder=history.recorder)
        if step % 10 == 9:
            scene.update_world()
            killed(history.recorder)
            again = open_project(path)
            assert not any("kept" in line for line in again.report.warnings)
            assert_same(again, scene)
            np.testing.assert_allclose(again.bounds() or 0.0, scene.bounds() or 0.0, rtol=1e-12)
            scene, history = again, History(again, Recorder(again))


def test_a_record_that_was_tampered_with_adds_nothing_and_never_ends_the_program(tmp_path, path):
    scene, history = opened(village(tmp_path), path)
    history.do(add_primitive(scene, "cube", material=1))
    history.do(duplicate(scene, [1]))
    killed(history.recorder)
    journal = journal_path(path)
    lines = journal.read_bytes().splitlines()
    rng = random.Random(0)
    for trial in range(60):
        record = json.loads(lines[1 + trial % 2].split(b" ", 1)[1])
        holder, key = rng.choice(spots(record))
        holder[key] = rng.choice((None, -1, 2**40, "x", [], {}, [1], {"type": "int32"}, 0.5, True))
        text = json.dumps(record, separators=(",", ":")).encode()
        changed = [lines[0], *([lines[1]] if trial % 2 else []), b"%08x %s" % (zlib.crc32(text), text)]
        journal.write_bytes(b"\n".join(changed) + b"\n")
        again = open_project(path)
        again.update_world()
        assert len(again) in (5, 6, 7)
        if any("cannot be done again" in line or "kept" in line for line in again.report.warnings):
            assert len(again) == 5 + trial % 2
            save_project(again, tmp_path / "copy.octo.json")


def test_a_document_that_is_changed_by_another_program_has_its_own_places(tmp_path, path):
    scene, history = opened(village(tmp_path), path)
    killed(history.recorder)
    journal_path(path).unlink()
    change_document(path, lambda document: document["nodes"].append({"name": "added elsewhere"}))
    scene = open_project(path)
    recorder = Recorder(scene)
    History(scene, recorder).do(delete(scene, [1]))
    killed(recorder)
    assert [node.name for node in open_project(path)] == ["village.obj", "tree", "house", "tree", "added elsewhere"]

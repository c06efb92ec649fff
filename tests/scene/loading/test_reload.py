"""A file that changed on disk takes its old place; what was edited meanwhile stays."""

from __future__ import annotations

from threading import Thread

import numpy as np
import pytest

from octoscope.scene import History, Material, Scene, load, open_project, save_project
from octoscope.scene.editing import delete
from octoscope.scene.formats.readers import read_file
from octoscope.scene.loading.reload import FileReload, ReloadCounts

VERTICES = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n"


@pytest.fixture
def scene(tmp_path) -> Scene:
    """Two files: first.obj with a and b (twice), second.obj with c."""
    (tmp_path / "first.obj").write_text(f"{VERTICES}o a\nf 1 2 3\no b\nf 1 3 4\no b\nf 2 3 4\n")
    (tmp_path / "second.obj").write_text(f"{VERTICES}o c\nf 1 2 3 4\n")
    return load([tmp_path / "first.obj", tmp_path / "second.obj"])


def changed(scene: Scene, text: str, source: int = 0) -> ReloadCounts:
    scene.sources[source].write_text(text)
    return FileReload(scene, source, read_file(scene.sources[source])).join()


def shown(scene: Scene) -> dict[str, list[list[float]]]:
    """The corners of each node's first triangle, by the node's path."""
    return {
        scene.path_of(node.id): scene.meshes.mesh(node.mesh_id)
        .positions[scene.meshes.mesh(node.mesh_id).triangles[0]]
        .tolist()
        for node in scene
        if node.mesh_id >= 0
    }


def test_the_meshes_are_the_new_ones_and_all_else_stays(scene):
    scene["a"].translation = (5.0, 0.0, 0.0)
    scene["a"].name = "renamed"
    before = shown(scene)
    told = changed(scene, f"{VERTICES}v 9 9 9\no a\nf 1 2 5\no b\nf 1 3 5\no b\nf 2 3 5\n")
    assert told == ReloadCounts(kept=3, gone=0, new=0)
    after = shown(scene)
    assert after.keys() == before.keys()
    assert after["first.obj/renamed"] == [[0, 0, 0], [1, 0, 0], [9, 9, 9]]
    assert after["second.obj/c"] == before["second.obj/c"]
    assert scene["renamed"].translation.tolist() == [5, 0, 0]
    assert len(scene.meshes) == 4


def test_objects_are_known_again_by_name_and_occurrence_whatever_their_order(scene):
    changed(scene, f"{VERTICES}v 7 0 0\nv 8 0 0\no b\nf 1 2 5\no new\nf 1 2 3\no b\nf 1 2 6\no a\nf 2 3 4\n")
    second = [node for node in scene if node.name == "b"]
    corners = [scene.meshes.mesh(node.mesh_id).positions[:, 0].max() for node in second]
    assert corners == [7.0, 8.0]


def test_a_new_object_gets_a_node_under_its_files(scene):
    assert changed(scene, f"{VERTICES}o a\nf 1 2 3\no b\nf 1 3 4\no b\nf 2 3 4\no d\nf 1 2 4\n").new == 1
    assert scene.path_of(scene["d"].id) == "first.obj/d"
    assert "first.obj/d" in shown(scene)


def test_an_object_that_is_gone_leaves_its_node_empty_until_it_is_there_again(scene):
    scene["a"].translation = (5.0, 0.0, 0.0)
    text = scene.sources[0].read_text()
    assert len(scene.index) == 4
    assert changed(scene, f"{VERTICES}o b\nf 1 3 4\no b\nf 2 3 4\n").gone == 1
    assert scene["a"].mesh_id == -1 and len(scene.index) == 3
    assert scene.raycast((5.9, 0.1, 5.0), (0.0, 0.0, -1.0)) is None
    assert changed(scene, text) == ReloadCounts(kept=3, gone=0, new=0)
    assert shown(scene)["first.obj/a"] and scene["a"].translation.tolist() == [5, 0, 0]


@pytest.mark.parametrize("is_reopened", [False, True])
def test_a_node_that_was_deleted_while_its_object_was_gone_comes_back_with_it(scene, tmp_path, is_reopened):
    text = scene.sources[0].read_text()
    changed(scene, f"{VERTICES}o b\nf 1 3 4\no b\nf 2 3 4\n")
    if is_reopened:
        save_project(scene, tmp_path / "scene.octo.json")
        scene = open_project(tmp_path / "scene.octo.json")
    history = History(scene)
    count = len(scene)
    history.do(delete(scene, [scene["a"].id]))
    assert changed(scene, text) == ReloadCounts(kept=2, gone=0, new=0)
    assert len(scene) == count - 1, "what was deleted does not come back by itself"
    history.undo()
    assert shown(scene)["first.obj/a"] == [[0, 0, 0], [1, 0, 0], [1, 1, 0]]
    assert len(scene.index) == 4
    changed(scene, f"{VERTICES}v 9 9 9\no a\nf 1 2 5\no b\nf 1 3 4\no b\nf 2 3 4\n")
    assert shown(scene)["first.obj/a"][2] == [9, 9, 9]


def test_an_object_that_is_gone_is_still_saved(scene, tmp_path):
    changed(scene, f"{VERTICES}o b\nf 1 3 4\no b\nf 2 3 4\n")
    save_project(scene, tmp_path / "scene.octo.json")
    scene.sources[0].write_text(f"{VERTICES}o a\nf 1 2 3\no b\nf 1 3 4\no b\nf 2 3 4\n")
    assert "first.obj/a" in shown(open_project(tmp_path / "scene.octo.json"))


def test_a_picked_point_follows_the_new_mesh(scene):
    assert len(scene.index) == 4
    changed(scene, VERTICES.replace("0\n", "-3\n") + "o a\nf 1 2 3 4\no b\nf 1 2 3\no b\nf 1 2 3\n")
    hit = scene.raycast((0.25, 0.2, -1.0), (0.0, 0.0, -1.0))
    assert hit.point[2] == pytest.approx(-3.0)
    assert scene.bounds()[0][2] == -3.0


def test_materials_are_read_again(scene, tmp_path):
    (tmp_path / "m.mtl").write_text("newmtl m\nKd 1 0 0\n")
    changed(scene, f"mtllib m.mtl\n{VERTICES}o a\nusemtl m\nf 1 2 3\n")
    (tmp_path / "m.mtl").write_text("newmtl m\nKd 0 1 0\n")
    changed(scene, scene.sources[0].read_text())
    material = scene.meshes.mesh(scene["a"].mesh_id).material_ids[0]
    assert scene.materials[material].base_color == (0.0, 1.0, 0.0)


def test_meshes_that_are_no_longer_used_do_not_pile_up(scene):
    text = scene.sources[0].read_text()
    for _ in range(5):
        changed(scene, text)
    assert (len(scene.meshes), len(scene.meshes.vertices)) == (4, 3 + 3 + 3 + 4)
    np.testing.assert_array_equal(np.unique(scene.mesh_ids), [-1, 0, 1, 2, 3])


@pytest.mark.parametrize("meanwhile", ["nothing", "edits", "deletes", "adds a mesh", "adds a material"])
def test_what_was_prepared_on_a_thread_fits_the_scene_as_it_is_when_it_joins(scene, monkeypatch, meanwhile):
    monkeypatch.setattr("octoscope.scene.loading.reload.WORTH_A_THREAD", 0)
    scene.sources[0].write_text(f"{VERTICES}v 9 9 9\no b\nf 1 3 5\no new\nusemtl late\nf 1 2 3\no a\nf 1 2 5\n")
    reloading = FileReload(scene, 0, read_file(scene.sources[0]))
    thread = Thread(target=reloading.prepare)
    thread.start()
    match meanwhile:
        case "edits":
            scene["a"].translation = (5.0, 0.0, 0.0)
        case "deletes":
            scene.set_alive([scene["a"].id], False)
        case "adds a mesh":
            first = scene.meshes.mesh(scene["c"].mesh_id)
            scene.add_node("d", mesh=scene.meshes.add(first))
        case "adds a material":
            scene.add_material(Material(name="early"))
    thread.join()
    told = reloading.join()
    assert told == ReloadCounts(kept=2 - (meanwhile == "deletes"), gone=1, new=1)
    after = shown(scene)
    assert after["first.obj/b"] == [[0, 0, 0], [1, 1, 0], [9, 9, 9]]
    if meanwhile == "edits":
        assert scene["a"].translation.tolist() == [5, 0, 0]
    if meanwhile == "adds a mesh":
        assert after["d"] == after["second.obj/c"]
    new = scene.meshes.mesh(scene["new"].mesh_id)
    assert {scene.materials[material].name for material in new.material_ids.tolist()} == {"late"}


def test_where_in_the_file_a_mesh_begins_is_as_it_is_now(scene):
    def lines() -> list[tuple[str, int]]:
        rows = scene.meshes.rows
        return [
            (str(rows["name"][node.mesh_id]), int(rows["source_line"][node.mesh_id]))
            for node in scene
            if node.mesh_id >= 0
        ]

    assert lines() == [("a", 5), ("b", 7), ("b", 9), ("c", 5)]
    changed(scene, f"# new\n{VERTICES}o new\nf 1 2 3\no a\nf 1 2 3\no b\nf 1 3 4\n")
    assert lines() == [("a", 8), ("b", 10), ("c", 5), ("new", 6)]

"""Nodes as text: what is pasted is what was copied, wherever it is pasted; what is no such text is refused."""

from __future__ import annotations

import numpy as np
import pytest

from octoscope.scene import EditError, History, Material, Recorder, Scene, apply, load, open_project, save_project
from octoscope.scene.editing.edits import inverse
from octoscope.scene.geometry.forest import depths_of
from octoscope.scene.nodes.bounds import world_bounds
from octoscope.scene.project import clipboard
from octoscope.scene.project.clipboard import is_text_of_nodes, paste, text_of
from tests.scene.builders import box, quad
from tests.scene.project.projects import (
    assert_same_mesh,
    assert_same_scene,
    bits,
    material_of,
    varied_scene,
    village,
)


def assert_copies(scene: Scene, rows: np.ndarray, other: Scene, ids: np.ndarray) -> None:
    """Nodes of a scene are what nodes of another are, but for names, and the parents of the topmost."""
    np.testing.assert_array_equal(np.isin(scene.parents[rows], rows), np.isin(other.parents[ids], ids))
    inner = np.isin(other.parents[ids], ids)
    place = {int(node): number for number, node in enumerate(ids)}
    parents = [rows[place[int(parent)]] for parent in other.parents[ids[inner]]]
    assert scene.parents[rows[inner]].tolist() == parents
    for column in ("translations", "rotations", "scales", "hidden", "unselectable", "file_roots"):
        np.testing.assert_array_equal(bits(getattr(scene, column)[rows]), bits(getattr(other, column)[ids]))
    for row, node in zip(rows.tolist(), ids.tolist(), strict=True):
        mine, theirs = int(scene.material_overrides[row]), int(other.material_overrides[node])
        assert material_of(scene, mine) == material_of(other, theirs)
        assert (scene.mesh_ids[row] >= 0) == (other.mesh_ids[node] >= 0)
        if scene.mesh_ids[row] >= 0:
            assert_same_mesh(scene, int(scene.mesh_ids[row]), other, int(other.mesh_ids[node]))


def tops(scene: Scene) -> np.ndarray:
    return scene.ids[scene.parents[scene.ids] < 0]


def in_order(scene: Scene) -> np.ndarray:
    """The nodes as they are pasted: parents before their children."""
    return scene.ids[np.argsort(depths_of(scene.parents)[scene.ids], kind="stable")]


@pytest.mark.parametrize("seed", range(4))
def test_what_is_pasted_is_what_was_copied_in_an_empty_scene_another_one_and_its_own(tmp_path, seed):
    scene = varied_scene(seed, tmp_path)
    text = text_of(scene, tops(scene))
    assert is_text_of_nodes(text)
    for target in (Scene(), load(tmp_path / "village.obj"), scene.copy()):
        count, materials, meshes = target.row_count, len(target.materials), len(target.meshes)
        before = target.copy()
        edit = paste(target, text)
        apply(target, edit)
        rows = np.arange(count, target.row_count)
        assert_copies(target, rows, scene, in_order(scene))
        np.testing.assert_array_equal(edit.selects, rows[target.parents[rows] < 0])
        added = target.meshes.rows["source"][meshes:] >= 0
        assert added.any() == (count == 0), "a file that is there is not read again"
        if len(target.names) == 2 * count:
            assert len(target.materials) == materials, "nor are its materials added"
        assert not set(target.names[rows].tolist()) & set(before.names.tolist()) - {""}
        if count == 0:
            assert target.names.tolist() == scene.names[in_order(scene)].tolist()
        apply(target, inverse(edit))
        assert target.ids.tolist() == before.ids.tolist()


def test_a_name_that_is_taken_gets_the_lowest_free_number():
    scene = Scene()
    for name in ("tower", "tower.001", "door"):
        scene.add_node(name, mesh=scene.meshes.add(quad()))
    text = text_of(scene, scene.ids)
    scene.delete(scene["tower.001"])
    apply(scene, paste(scene, text))
    assert scene.names[scene.ids].tolist() == ["tower", "door", "tower.002", "tower.001", "door.001"]


def test_the_place_in_the_world_stays_below_a_parent_that_is_turned_and_scaled_with_another_up_axis_or_unit():
    scene = Scene()
    scene.length_unit = "mm"
    group = scene.add_node("group", translation=(1, 2, 3), rotation=(0, 0.6, 0, 0.8), scale=2.0)
    node = scene.add_node("box", mesh=scene.meshes.add(box()), parent=group, translation=(0, 5, 0))
    text = text_of(scene, [node])
    for up_axis, unit, scale in (("y", "", 1.0), ("z", "cm", 0.1)):
        target = Scene(up_axis=up_axis)
        target.length_unit = unit
        parent = target.add_node("parent", translation=(-4, 0, 9), rotation=(0.6, 0, 0, 0.8), scale=0.5)
        apply(target, paste(target, text, parent.id))
        (row,) = target.objects
        assert row.parent == parent
        lower, upper = scene.bounds(node)
        if up_axis == "z":
            lower, upper = (lower[0], -upper[2], lower[1]), (upper[0], -lower[2], upper[1])
        np.testing.assert_allclose(target.bounds(row), np.array((lower, upper)) * scale, atol=1e-12)


def test_a_group_stands_on_the_point_that_is_given_with_one_edit():
    scene = Scene()
    group = scene.add_node("group", translation=(7, 7, 7))
    for place in ((0, 0, 0), (4, 1, 0)):
        scene.add_node("box", mesh=scene.meshes.add(box()), parent=group, translation=place)
    edit = paste(scene, text_of(scene, [group]), at=np.array((10.0, 20.0, 30.0)))
    assert scene.ids.tolist() == [0, 1, 2]
    apply(scene, edit)
    lower, upper = world_bounds(scene, scene.ids[3:])
    np.testing.assert_allclose(lower, (7, 20, 29))
    np.testing.assert_allclose(upper, (13, 23, 31))
    apply(scene, inverse(edit))
    assert scene.ids.tolist() == [0, 1, 2]


def test_scalars_keep_their_scale():
    scene = Scene()
    node = scene.add_mesh("heat", box().positions, box().triangles, scalars=np.arange(8.0), title="°C")
    target = Scene()
    apply(target, paste(target, text_of(scene, [node])))
    (scale,) = target.color_scales.values()
    assert scale.title == "°C"
    np.testing.assert_array_equal(target["heat"].mesh.colors, node.mesh.colors)
    apply(target, paste(target, text_of(target, [target["heat"]])))
    assert len(target.color_scales) == 2, "of a mesh of its own"


def test_files_that_nobody_shows_are_not_named_and_one_that_is_gone_is_told(tmp_path):
    scene = village(tmp_path / "a")
    lone = scene.add_mesh("lone", box().positions, box().triangles)
    assert str(tmp_path) not in text_of(scene, [lone])
    house = scene.objects[0]
    text = text_of(scene, [house])
    assert (tmp_path / "a" / "village.obj").as_posix() in text
    (tmp_path / "a" / "village.obj").unlink()
    target = Scene()
    edit = paste(target, text)
    assert any("village.obj" in note for note in edit.notes)
    apply(target, edit)
    again = Scene()
    apply(again, paste(again, text_of(target, target.ids)))
    assert len(again) == 1 and again.project.unresolved_meshes["name"].tolist() == ["house"], "its reference stays"


def test_pasting_is_in_the_journal_and_in_the_project(tmp_path):
    text = text_of(varied_scene(1, tmp_path), np.arange(6))
    scene = Scene()
    scene.add_node("first")
    save_project(scene, tmp_path / "x.octo.json")
    recorder = Recorder(scene)
    history = History(scene, recorder=recorder)
    history.do(paste(scene, text, 0))
    assert_same_scene(open_project(tmp_path / "x.octo.json"), scene)
    save_project(scene, tmp_path / "x.octo.json", recorder=recorder)
    assert_same_scene(open_project(tmp_path / "x.octo.json"), scene)
    history.undo()
    recorder.close()
    assert scene.names[scene.ids].tolist() == ["first"]


def test_what_is_too_large_or_damaged_is_refused_in_a_line(monkeypatch):
    scene = Scene()
    scene.add_node("box", mesh=scene.meshes.add(box()))
    text, state = text_of(scene, [0]), (scene.row_count, len(scene.meshes), scene.materials, scene.sources)
    for wrong in ("", "{}", text[:-30], text.replace('"version":1', '"version":99'), '{"octoscope": 1}', "[1]"):
        with pytest.raises(EditError, match="damaged"):
            paste(scene, wrong)
        assert (scene.row_count, len(scene.meshes), scene.materials, scene.sources) == state
    monkeypatch.setattr(clipboard, "LARGEST_BYTES", 100)
    with pytest.raises(EditError, match="as text, and a clipboard holds"):
        text_of(scene, [0])


def test_ten_thousand_objects_are_copied_and_pasted():
    scene = Scene()
    mesh, red = scene.meshes.add(box()), scene.add_material(Material("red", (1, 0, 0)))
    group = scene.add_node("group")
    count = 10_001
    places = np.random.default_rng(1).normal(size=(count, 3))
    scene.add_nodes([f"b{n}" for n in range(count)], mesh=mesh, material=red, parent=group, translation=places)
    text = text_of(scene, [group])
    apply(scene, paste(scene, text))
    assert len(scene) == 2 * (count + 1) and len(scene.meshes) == 2
    np.testing.assert_array_equal(scene.translations[-count:], places)
    assert scene.names[-1] == "b10000.001"

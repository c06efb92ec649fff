"""The list of a scene's materials: who shows them, giving one to objects, and keeping those that nobody shows."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
from PIL import Image

from octoscope.scene import History, Material, Recorder, Scene, apply, change_scene, open_project, save_project
from octoscope.scene.editing.material_list import (
    assign_material,
    free_material_names,
    give_materials,
    material_rows,
    material_titles,
    rename_material,
)
from octoscope.scene.material_use import MaterialUse
from octoscope.scene.mesh.images import read_texture
from octoscope.scene.mesh.primitives import cube
from tests.scene.editing.test_material_use import add_triangle
from tests.scene.project.journals import killed, record

RED, BLUE, GOLD = Material("red", base_color="red"), Material("blue", base_color="blue"), Material("Gold", metallic=1)


def listed(scene: Scene) -> list[tuple[str, int, int]]:
    return [(row.material.name, row.whole, row.parts) for row in material_rows(scene, MaterialUse(scene))]


def painted() -> Scene:
    """Nodes of red, red, blue, and one of both; `Gold` is there twice, as from two files."""
    scene = Scene()
    red, blue, gold, same = scene.add_materials([RED, BLUE, GOLD, GOLD])
    meshes = [add_triangle(scene, *each) for each in ((red,), (red,), (blue,), (red, blue), (gold,), (same,), (0,))]
    scene.add_nodes(list("abcdefg"), mesh=meshes)
    return scene


def test_equal_materials_are_one_row_and_the_default_one_is_none():
    scene = painted()
    assert listed(scene) == [("blue", 1, 1), ("Gold", 2, 0), ("red", 2, 1)]
    scene.unused_materials = [Material("zinc"), RED]
    assert listed(scene) == [("blue", 1, 1), ("Gold", 2, 0), ("red", 2, 1), ("zinc", 0, 0)]
    scene.set_scalars(scene["a"], np.arange(3.0))
    assert listed(scene)[2] == ("red", 1, 1), "a colour bar is no material"


def test_equal_materials_have_their_users_in_common_and_different_ones_of_a_name_are_numbered():
    scene = painted()
    use, (other,) = MaterialUse(scene), scene.add_materials([replace(GOLD, metallic=0.5)])
    assert use.users(np.array([3])).tolist() == [4, 5]
    scene.set_materials([0], other)
    assert material_titles(scene, use)[GOLD] == "Gold (2)" and material_titles(scene, use)[scene.materials[5]] == "Gold"
    assert [row.title for row in material_rows(scene, use)] == ["blue", "Gold", "Gold (2)", "red"]
    (new,) = scene.add_materials([replace(GOLD, base_color="green")])
    apply(scene, give_materials(scene, use, np.array([4]), {3: new}, for_all=True, label="Give"))
    assert use.users(np.array([new])).tolist() == [4, 5]
    assert material_titles(scene, use)[scene.materials[new]] == "Gold (2)", "an edit leaves the numbers"
    scene.set_scalars(scene["e"], np.arange(3.0))
    assert use.users(np.array([new])).tolist() == [5], "a colour bar is no material"
    scene.unused_materials = dict.fromkeys(replace(GOLD, name=name, metallic=0.7) for name in ("Gold", "Gold (2)"))
    titles = list(material_titles(scene, use).values())
    assert len(set(titles)) == len(titles)


def test_a_copy_takes_no_title_from_another_and_titles_are_the_same_after_reopening(tmp_path: Path):
    scene = Scene()
    looks = [replace(RED, metallic=level) for level in (0.9, 0.5, 0.1)]
    plain, first, second, third = scene.add_materials([BLUE, *looks])
    for name, shown in (("a", (plain, third)), ("b", (plain, second)), ("c", (first,))):
        scene.add_node(name, mesh=add_triangle(scene, *shown))
    titles = [row.title for row in material_rows(scene, MaterialUse(scene))]
    assert titles == ["blue", "red", "red (2)", "red (3)"]
    assert free_material_names(scene, MaterialUse(scene)).take("red") == "red (4)"
    of_levels = [(row.title, row.material.metallic) for row in material_rows(scene, MaterialUse(scene))]
    assert of_levels[1:] == [("red", 0.1), ("red (2)", 0.5), ("red (3)", 0.9)], "by the objects, shown on a part too"
    save_project(scene, tmp_path / "a.octo.json")
    again = open_project(tmp_path / "a.octo.json")
    assert [(row.title, row.material.metallic) for row in material_rows(again, MaterialUse(again))] == of_levels


def test_what_the_last_object_gives_up_is_kept_until_undo():
    scene = painted()
    history = History(scene)
    history.do(assign_material(scene, scene.objects[[2, 3, 6]], RED))
    assert listed(scene) == [("blue", 0, 0), ("Gold", 2, 0), ("red", 5, 0)]
    assert scene.unused_materials == (BLUE,)
    history.do(assign_material(scene, scene.objects[:1], BLUE))
    assert (scene.unused_materials, scene["a"].material) == ((), BLUE)
    history.undo()
    history.undo()
    assert listed(scene) == [("blue", 1, 1), ("Gold", 2, 0), ("red", 2, 1)] and scene.unused_materials == ()


def test_a_renamed_material_has_its_name_on_parts_copies_and_in_the_list_until_undo(tmp_path: Path):
    scene = painted()
    scene.unused_materials = [RED, BLUE]
    scene.add_node("also both", mesh=scene["d"].mesh_id)
    colors = [scene.nodes[node].color for node in scene.objects.ids.tolist()]
    history = History(scene)
    history.do(rename_material(scene, RED, "rust"))
    assert listed(scene) == [("blue", 1, 2), ("Gold", 2, 0), ("rust", 2, 2)]
    assert scene["d"].mesh_id == scene["also both"].mesh_id
    assert [scene.nodes[node].color for node in scene.objects.ids.tolist()] == colors
    save_project(scene, tmp_path / "a.octo.json")
    assert listed(open_project(tmp_path / "a.octo.json")) == listed(scene)
    history.undo()
    assert listed(scene) == [("blue", 1, 2), ("Gold", 2, 0), ("red", 2, 2)] and RED in scene.unused_materials


def test_a_project_and_its_journal_keep_unused_materials_wherever_they_are_moved(tmp_path: Path):
    folder = tmp_path / "here"
    folder.mkdir()
    Image.new("RGB", (4, 4), "orange").save(folder / "wood.png")
    oak = Material("oak", base_color_texture=read_texture(folder / "wood.png"))
    scene = Scene()
    scene.add_node("cube", mesh=scene.meshes.add(cube(), first_material=0))
    scene.unused_materials = [oak]
    save_project(scene, folder / "a.octo.json")
    recorder = Recorder(open_project(folder / "a.octo.json"))
    record(recorder, change_scene(recorder.scene, unused_materials=[*recorder.scene.unused_materials, GOLD, oak]))
    killed(recorder)
    shutil.move(folder, tmp_path / "there")
    again = open_project(tmp_path / "there" / "a.octo.json")
    assert [each.name for each in again.unused_materials] == ["oak", "Gold", "oak"]
    for each in again.unused_materials[::2]:
        assert each.base_color_texture.path == tmp_path / "there" / "wood.png"

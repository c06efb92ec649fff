"""Values of materials are changed; what belongs to the first material belongs to its copy."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
from PIL import Image

from octoscope.scene import DEFAULT_MATERIAL, Material, Scene, load, open_project, save_project, write_obj
from octoscope.viewer.editing.material_editing import MaterialEditing
from tests.viewer.headless_app import HeadlessApp


def test_undo_of_a_colour_leaves_no_material_behind(open_app: Callable[..., HeadlessApp]) -> None:
    scene = Scene()
    box = scene.add_mesh("box", np.eye(3), [(0, 1, 2)])
    app = open_app(scene)
    editing = MaterialEditing(app.editor)

    def names() -> list[str]:
        return sorted(material.name for material in scene.used_materials)

    assert names() == []
    for color in ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0)):
        editing.change(np.array([box.id]), base_color=color)
        assert names() == ["material"], "the name that an undone edit used is free again"
        app.press("Ctrl+Z")
        assert names() == []
    app.press("Ctrl+Y")
    assert names() == ["material"]
    assert scene.materials[int(scene.material_overrides[box.id])].base_color == (0.0, 1.0, 0.0)


def test_a_face_group_is_edited_without_the_others_and_without_other_objects(
    open_app: Callable[..., HeadlessApp], tmp_path: Path
) -> None:
    faces = "\n".join(f"usemtl {name}\nf {n} {n + 1} {n + 2}" for n, name in ((1, "red"), (2, "blue")))
    (tmp_path / "a.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nmtllib a.mtl\no both\n" + faces + "\n")
    (tmp_path / "a.mtl").write_text("newmtl red\nKd 1 0 0\nmap_Kd gone.png\nnewmtl blue\nKd 0 0 1\n")
    scene = load(tmp_path / "a.obj")
    both = scene["both"]
    (twin,) = scene.add_nodes(["twin"], mesh=both.mesh_id)
    editing = MaterialEditing(open_app(scene).editor)

    def looks(node: int) -> dict[str, tuple[float, ...]]:
        materials = [
            scene.materials[number] for number in np.unique(scene.meshes.mesh(int(scene.mesh_ids[node])).material_ids)
        ]
        return {material.name: (*material.base_color, material.metallic) for material in materials}

    editing.change(np.array([both.id]), only="red", base_color=(0.0, 1.0, 0.0))
    assert looks(both.id) == {"red": (0.0, 1.0, 0.0, 0.0), "blue": (0.0, 0.0, 1.0, 0.0)}
    editing.change(np.array([both.id]), metallic=1.0)
    assert looks(both.id) == {"red": (0.0, 1.0, 0.0, 1.0), "blue": (0.0, 0.0, 1.0, 1.0)}
    assert looks(twin) == {"red": (1.0, 0.0, 0.0, 0.0), "blue": (0.0, 0.0, 1.0, 0.0)}
    save_project(scene, tmp_path / "a.octo.json")
    scene = open_project(tmp_path / "a.octo.json")
    assert looks(scene["both"].id)["red"] == (0.0, 1.0, 0.0, 1.0)
    write_obj(scene, tmp_path / "again.obj")  # the map without an image is a map again
    assert (tmp_path / "again.mtl").read_text().count("map_Kd gone.png") == 2


def test_one_of_several_materials_of_one_name_or_of_none_is_edited_again_and_again(
    open_app: Callable[..., HeadlessApp], tmp_path: Path
) -> None:
    scene = Scene()
    colors = {"first": (1.0, 0.0, 0.0), "second": (0.5, 0.0, 0.0), "plain": None}
    nodes = [
        scene.add_mesh(name, np.eye(3), [(0, 1, 2)], material=color and Material("red", base_color=color))
        for name, color in colors.items()
    ]
    ids = np.array([node.id for node in nodes])
    app = open_app(scene)
    editing = MaterialEditing(app.editor)
    for title, last in (("red (2)", "red (2)"), (DEFAULT_MATERIAL.name, "material")):
        only: str | None = title
        for metallic in (0.5, 1.0):
            only = editing.change(ids, only=only, metallic=metallic)
        assert only == last
    assert [node.material.metallic for node in nodes] == [0.0, 1.0, 1.0]
    Image.new("RGB", (2, 2)).save(tmp_path / "a.png")
    editing.set_texture(ids, tmp_path / "a.png", only="red (2)")  # and another is chosen before the image is there
    app.wait_for_work()
    assert [node.material.base_color_texture is not None for node in nodes] == [False, True, False]

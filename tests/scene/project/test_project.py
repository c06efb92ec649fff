"""Projects come back as they were saved: every node, bit for bit, and what this release does not know."""

import json
import re
import shutil
from dataclasses import fields, replace
from pathlib import Path

import numpy as np
import pytest
import trimesh
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PIL import Image

import octoscope.scene as scene_package
from octoscope.scene import (
    Material,
    ReadError,
    Recorder,
    Scene,
    Texture,
    apply,
    change_scene,
    load,
    open_project,
    public_names,
    save_project,
    write_glb,
)
from octoscope.scene.editing.material_list import assign_material
from octoscope.scene.mesh.images import read_texture
from octoscope.scene.project import writer
from octoscope.scene.project.meshes import FIELDS as MESH_FIELDS
from octoscope.scene.project.nodes import NODE_FIELDS
from tests.scene.builders import box, quad
from tests.scene.project.journals import killed, record
from tests.scene.project.projects import (
    assert_same_mesh,
    assert_same_scene,
    change_document,
    kinds,
    saved,
    varied_scene,
    village,
    write_village,
)

ODD_NAMES = [
    "",
    "屋根 🙂",
    'a","b',
    '","',
    "back\\slash\\",
    "\x00\x1f\x7f\u2028\u2029",
    "]\n}],[",
    "\ufeff\uffff\ud7ff",
    "á" + "\u0301" * 50,
    "x" * 1_000_000,
    "node",
    "node",
]


@pytest.mark.parametrize("most_lines", (0, 10_000), ids=("packed", "lines"))
@settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(seed=st.integers(0, 2**32 - 1), count=st.integers(2, 60))
def test_a_scene_comes_back_bit_for_bit(tmp_path, monkeypatch, most_lines, seed, count):
    monkeypatch.setattr(writer, "MOST_LINES", most_lines)
    scene = varied_scene(seed, tmp_path, count=count)
    path = tmp_path / "scene.octo.json"
    again = saved(scene, path)
    assert again.report.problems == []
    assert_same_scene(again, scene)
    first = path.read_bytes()
    save_project(again, path)
    assert path.read_bytes() == first
    assert_same_scene(open_project(path), scene)


@settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(names=st.lists(st.text(), min_size=1, max_size=5))
def test_names_in_any_script_come_back(tmp_path, names):
    scene = Scene()
    scene.add_nodes(names)
    assert saved(scene, tmp_path / "scene.octo.json").names.tolist() == names


def test_odd_names_come_back(tmp_path):
    scene = Scene()
    scene.add_nodes(ODD_NAMES, mesh=[scene.meshes.add(quad())] * len(ODD_NAMES))
    again = saved(scene, tmp_path / "scene.octo.json")
    assert again.names.tolist() == ODD_NAMES
    assert again.report.problems == []


def test_an_empty_scene_comes_back(tmp_path):
    assert len(saved(Scene(), tmp_path / "scene.octo.json")) == 0


def test_nodes_without_names_or_transforms_are_short(tmp_path):
    scene = Scene()
    scene.add_nodes(["", "b"], parent=[-1, 0])
    save_project(scene, tmp_path / "scene.octo.json")
    nodes = json.loads((tmp_path / "scene.octo.json").read_text())["nodes"]
    assert nodes == [{"children": [1]}, {"name": "b"}]


def test_a_node_is_a_line(tmp_path):
    scene = village(tmp_path)
    save_project(scene, tmp_path / "scene.octo.json")
    lines = (tmp_path / "scene.octo.json").read_text().split("\n")
    assert '{"name":"house","mesh":{"file":0,"object":"house","occurrence":1}},' in lines


def test_very_many_nodes_are_packed(tmp_path):
    for count in (writer.MOST_LINES, writer.MOST_LINES + 1):
        scene = Scene()
        ids = np.arange(count)
        scene.add_nodes(
            ids.astype(np.dtypes.StringDType()), parent=ids // 2 - 1, translation=np.stack([ids] * 3, axis=1)
        )
        again = saved(scene, tmp_path / f"{count}.octo.json")
        scene.update_world()
        assert_same_scene(again, scene)
        document = json.loads((tmp_path / f"{count}.octo.json").read_text())
        packed = count > writer.MOST_LINES
        assert isinstance(document["nodes"], dict) == packed and document["octoscope"]["version"] == 1 + packed


def test_ten_thousand_nodes_that_hang_below_each_other_come_back(tmp_path):
    count = 10_000
    scene = Scene()
    scene.add_nodes([""] * count)
    scene.set_parents(np.arange(count), np.append(np.arange(1, count), -1))
    scene.update_world()
    assert_same_scene(saved(scene, tmp_path / "scene.octo.json"), scene)


def test_a_mesh_that_many_nodes_show_is_written_once(tmp_path):
    scene = Scene()
    scene.add_nodes(["a"] * 500, mesh=scene.meshes.add(box()))
    again = saved(scene, tmp_path / "scene.octo.json")
    assert len(again.meshes) == 1 and (again.mesh_ids == 0).all()
    assert again.report.vertex_count == 8


def test_a_mesh_that_no_node_shows_is_not_written(tmp_path):
    scene = Scene()
    scene.meshes.add(box())
    scene.add_node("a", mesh=scene.meshes.add(quad()))
    again = saved(scene, tmp_path / "scene.octo.json")
    assert len(again.meshes) == 1
    assert_same_mesh(again, 0, scene, 1)


def test_files_are_read_once_and_not_written_into_the_project(tmp_path):
    scene = village(tmp_path)
    again = saved(scene, tmp_path / "scene.octo.json")
    assert len(again.meshes) == 4
    document = json.loads((tmp_path / "scene.octo.json").read_text())
    assert document["files"] == [{"path": "village.obj"}]
    assert "meshes" not in document


def test_old_projects_know_the_nodes_of_files_by_their_names(tmp_path):
    write_village(tmp_path)
    scene = village(tmp_path)
    path = tmp_path / "a.octo.json"
    save_project(scene, path)
    change_document(path, lambda document: [node.pop("file_root", None) for node in document["nodes"]])
    assert scene.file_roots.any() and open_project(path).file_roots.tolist() == scene.file_roots.tolist()


def test_a_file_that_was_opened_twice_is_read_once(tmp_path):
    scene = load([village(tmp_path).sources[0]] * 2)
    again = saved(scene, tmp_path / "scene.octo.json")
    assert len(scene.meshes) == len(again.meshes) == 4
    assert again.mesh_ids.tolist() == [-1, 0, 1, 2, 3, -1, 0, 1, 2, 3]
    save_project(again, tmp_path / "scene.octo.json")
    assert open_project(tmp_path / "scene.octo.json").mesh_ids.tolist() == again.mesh_ids.tolist()


def test_every_field_of_a_material_comes_back(tmp_path):
    texture = next(filter(None, (material.base_color_texture for material in village(tmp_path).materials)))
    changed = Material("all of it")
    for column in fields(Material)[1:]:
        value = getattr(changed, column.name)
        if column.name in ("unread_textures", "missing_textures"):
            continue
        if isinstance(value, tuple):
            value = (0.25, 0.5, 0.75)[: len(value)]
        elif isinstance(value, bool):
            value = not value
        elif column.name.endswith("_placement"):
            value = (0.25, 0.5, 0.125, 0.75, 2.0)
        elif column.name.endswith("texture"):
            value = texture
        else:
            value = "Ps 0.5" if column.name == "kept_mtl" else 0.625
        changed = replace(changed, **{column.name: value})
    scene = Scene()
    scene.add_node("a", material=scene.add_material(changed))
    again = saved(scene, tmp_path / "scene.octo.json")
    assert again.materials[again.material_overrides[0]] == changed


def test_a_texture_that_is_gone_is_said_and_saved_as_it_was(tmp_path):
    scene = varied_scene(0, tmp_path)
    path = tmp_path / "scene.octo.json"
    save_project(scene, path)
    before = path.read_bytes()
    assert b'"base_color_texture":{"path":"brick.png"}' in before
    (tmp_path / "brick.png").unlink()
    again = open_project(path)
    assert kinds(again)["texture"] >= 1
    save_project(again, path)
    assert path.read_bytes() == before


def test_an_unused_material_keeps_a_texture_that_is_gone_in_files_journals_copies_and_other_folders(tmp_path):
    picture, path = tmp_path / "bark.png", tmp_path / "scene.octo.json"
    Image.new("RGB", (2, 2), "red").save(picture)
    scene = village(tmp_path)
    save_project(scene, path)
    spare = Material("spare", base_color_texture=read_texture(picture).wrapped(("clamp", "clamp")))
    recorder = Recorder(scene)
    record(recorder, change_scene(scene, unused_materials=[spare]))
    killed(recorder)
    picture.rename(tmp_path / "gone.png")
    journaled = load(path)
    (lacking,) = journaled.unused_materials
    assert kinds(journaled)["texture"] == 1 and lacking.missing_textures == ("bark.png",)
    assert lacking != Material("spare") and lacking.base_color_texture is None
    with_mesh = np.flatnonzero(journaled.mesh_ids >= 0)[:1]
    apply(journaled, assign_material(journaled, with_mesh, replace(lacking, opacity=0.5)))
    (tmp_path / "other").mkdir()
    save_project(journaled, tmp_path / "other/scene.octo.json")
    (tmp_path / "gone.png").rename(picture)
    again = load(tmp_path / "other/scene.octo.json")
    shown = [each for each in (*again.unused_materials, *again.materials) if each.name == "spare"]
    assert [each.base_color_texture.wrap for each in shown] == [("clamp", "clamp")] * 2


def test_the_first_file_of_a_project_is_told_without_reading_the_rest(tmp_path):
    path, scene = tmp_path / "scene.octo.json", village(tmp_path / "parts")
    scene.project.fields = dict.fromkeys("abcdefg", 1)
    save_project(scene, path)
    assert writer.first_file(path) == tmp_path / "parts" / "village.obj"
    save_project(Scene(), path)
    assert writer.first_file(path) is None and writer.first_file(tmp_path / "none") is None


def test_fields_at_the_top_that_this_release_does_not_know_are_kept_and_others_reported(tmp_path):
    scene = varied_scene(1, tmp_path)
    path = tmp_path / "scene.octo.json"
    save_project(scene, path)
    plain = json.loads(path.read_text())
    extras = {"a": [1, None, {"b": "\ud800"}], "ü": 1e300}

    def add_fields(document: dict) -> None:
        document["lens"] = extras
        document["octoscope"]["made by"] = "another"
        for field in ("files", "materials", "nodes"):
            document[field][-1]["extras"] = document[field][0]["extras"] = extras
        document["meshes"]["extras"] = extras
        document["bookmarks"] = [{"name": "gate", "extras": extras}]
        document["measurements"] = [{"kind": "distance", "points": [[0, 0, 0], [1, 0, 0]], "extras": extras}]
        with_mesh = [node for node in document["nodes"] if "mesh" in node]
        with_mesh[0]["mesh"]["submesh"] = with_mesh[-1]["mesh"]["submesh"] = 3

    change_document(path, add_fields)
    again = open_project(path)
    # octoscope, the one file, two materials, two nodes, meshes, a bookmark, a measurement, two references
    assert kinds(again) == {"unknown-field": 1 + 1 + 2 + 2 + 1 + 1 + 1 + 2}
    save_project(again, path)
    saved_again = json.loads(path.read_text())
    assert saved_again.pop("lens") == extras
    assert "extras" not in json.dumps(saved_again) and {key: saved_again[key] for key in plain} == plain


def test_materials_that_nothing_uses_stay_in_the_file(tmp_path):
    path = tmp_path / "scene.octo.json"
    path.write_text('{"octoscope": {"version": 1}, "materials": [{"name": "spare", "opacity": 0.5}]}')
    save_project(open_project(path), path)
    assert json.loads(path.read_text())["materials"] == [{"name": "spare", "opacity": 0.5}]


def test_a_project_moves_with_its_files(tmp_path):
    scene = varied_scene(2, tmp_path / "here" / "parts")
    save_project(scene, tmp_path / "here" / "scene.octo.json")
    shutil.move(tmp_path / "here", tmp_path / "there")
    again = open_project(tmp_path / "there" / "scene.octo.json")
    assert again.report.problems == []
    np.testing.assert_array_equal(again.mesh_ids >= 0, scene.mesh_ids >= 0)
    assert again.sources == (tmp_path / "there" / "parts" / "village.obj",)


def test_a_project_saved_elsewhere_still_finds_its_files(tmp_path):
    scene = village(tmp_path / "parts")
    (tmp_path / "deep" / "er").mkdir(parents=True)
    once = saved(scene, tmp_path / "deep" / "er" / "scene.octo.json")
    twice = saved(once, tmp_path / "scene.octo.json")
    assert json.loads((tmp_path / "scene.octo.json").read_text())["files"] == [{"path": "parts/village.obj"}]
    assert_same_scene(twice, scene)


def test_files_behind_links_are_named_by_the_shorter_way(tmp_path, monkeypatch):
    scene_folder = tmp_path / "real"
    scene = village(scene_folder)
    (tmp_path / "link").symlink_to(scene_folder)
    (scene_folder / "assets").symlink_to(tmp_path / "elsewhere")
    village(tmp_path / "elsewhere")
    scene = load([tmp_path / "link" / "village.obj", scene_folder / "assets" / "village.obj"])
    save_project(scene, tmp_path / "link" / "scene.octo.json")
    document = json.loads((scene_folder / "scene.octo.json").read_text())
    assert document["files"] == [{"path": "village.obj"}, {"path": "assets/village.obj"}]
    monkeypatch.chdir(tmp_path)
    assert_same_scene(open_project("link/scene.octo.json"), scene)


def test_file_names_that_are_no_text_come_back(tmp_path):
    folder = tmp_path / b"caf\xe9".decode("utf-8", "surrogateescape")
    scene = village(folder)
    again = saved(scene, tmp_path / "scene.octo.json")
    assert again.report.problems == []
    assert_same_scene(again, scene)


def test_load_opens_a_project_by_its_name_and_adds_files_to_it(tmp_path):
    scene = village(tmp_path / "parts")
    path = tmp_path / "Scene.OCTO.json"
    save_project(scene, path)
    assert_same_scene(load(path), scene)
    both = load([path, tmp_path / "parts" / "village.obj"])
    assert both.project.path == path and len(both) == 2 * len(scene)
    assert both.report.opened == [path, tmp_path / "parts" / "village.obj"]


def test_a_project_is_not_added_to_other_files(tmp_path):
    scene = village(tmp_path)
    save_project(scene, tmp_path / "scene.octo.json")
    both = load([tmp_path / "village.obj", tmp_path / "scene.octo.json"])
    assert len(both) == len(scene) and len(both.report.errors) == 1
    with pytest.raises(ReadError, match=r"gone\.octo\.json: no such file"):
        load(tmp_path / "gone.octo.json")


def test_what_the_page_about_projects_shows_opens(tmp_path, monkeypatch):
    page = (Path(scene_package.__file__).parent / "PROJECT.md").read_text()
    (document,) = re.findall(r"```json\n(.+?)```", page, flags=re.DOTALL)
    (example,) = re.findall(r"```python\n(.+?)```", page, flags=re.DOTALL)
    write_village(tmp_path / "parts")
    (tmp_path / "scene.octo.json").write_text(document)
    monkeypatch.chdir(tmp_path)
    names: dict = {}
    exec(example, names)
    names["recorder"].close()
    again = open_project("scene.octo.json")
    assert again.report.problems == []
    assert again.meshes.rows["occurrence"][again.mesh_ids[1:]].tolist() == [1, 0]
    expected = json.loads(document)
    expected["nodes"][1]["translation"] = [0, 5, 0]
    assert json.loads((tmp_path / "scene.octo.json").read_text()) == expected


def test_the_page_about_projects_names_every_field():
    page = (Path(scene_package.__file__).parent / "PROJECT.md").read_text()
    for field in {*MESH_FIELDS, *NODE_FIELDS}:
        assert f"`{field}`" in page or f"`nodes[].{field}`" in page


def test_saving_says_in_the_words_of_an_export_that_an_image_without_a_file_loses_pixels(tmp_path):
    def texture(**facts: object) -> Texture:
        return Texture(Path("inside"), np.zeros((512, 1024, 4), dtype=np.uint8), is_file=False, **facts)

    scene = Scene()
    shrunk, whole = texture(read_size=(4096, 2048)), texture()
    number = scene.add_material(Material("a", base_color_texture=shrunk, emission_texture=whole))
    scene.add_material(Material("of nothing", base_color_texture=texture(read_size=(9999, 9999))))
    scene.add_node("box", mesh=scene.meshes.add(box()), material=number)
    path = tmp_path / "a.octo.json"
    notes = save_project(scene, path)
    assert notes == ["a texture is written as shown, at most 1,024 pixels a side; it is 4,096 x 2,048"]
    assert notes == write_glb(scene, tmp_path / "a.glb") == save_project(scene, path)
    assert save_project(open_project(path), path) == []


CHANGES_FROM_PYTHON = {
    "set_scalars": lambda scene, node: scene.set_scalars(node, np.arange(len(node.mesh.vertices))),
    "set_scalars to None": lambda scene, node: [
        scene.set_scalars(node, each) for each in (node.mesh.vertices[:, 0], None)
    ],
    "set_vertices": lambda scene, node: scene.set_vertices(node, node.mesh.vertices * 2),
    "mesh": lambda scene, node: setattr(node, "mesh", trimesh.creation.box()),
    "set_colors": lambda scene, node: scene.set_colors(node, "orange"),
    "color": lambda scene, node: setattr(node, "color", (0.2, 0.4, 0.6)),
    "set_materials": lambda scene, node: scene.set_materials(node, scene.add_material(Material("other"))),
    "set_meshes": lambda scene, node: scene.set_meshes(node, scene.meshes.add(quad())),
    "set_names": lambda scene, node: scene.set_names(node, "other"),
    "set_parents": lambda scene, node: scene.set_parents(node, scene.add_node("group")),
    "set_translations": lambda scene, node: scene.set_translations(node, (1, 2, 3)),
    "set_rotations": lambda scene, node: scene.set_rotations(node, (0, 1, 0, 0)),
    "set_scales": lambda scene, node: scene.set_scales(node, (1, 2, 3)),
    "set_world_from_local": lambda scene, node: scene.set_world_from_local(node, np.diag([1, 2, 3, 1])),
    "set_hidden": lambda scene, node: scene.set_hidden(node, True),
    "set_unselectable": lambda scene, node: scene.set_unselectable(node, True),
    "set_file_roots": lambda scene, node: scene.set_file_roots(node, True),
    "add_mesh": lambda scene, node: scene.add_mesh("more", [(0, 0, 0), (1, 0, 0), (0, 1, 0)], scalars=[1, 2, 3]),
    "add_instances": lambda scene, node: scene.add_instances("copy", node, [(1, 0, 0), (2, 0, 0)]),
}


def test_every_method_that_changes_a_scene_is_among_the_changes():
    changing = {name for name in public_names.SCENE if name.startswith(("set_", "add_", "delete"))}
    assert changing - CHANGES_FROM_PYTHON.keys() == {"add_material", "add_node", "add_nodes", "delete"}


@pytest.mark.parametrize("name", CHANGES_FROM_PYTHON)
def test_what_python_changes_of_a_files_object_is_kept(tmp_path, name):
    scene = village(tmp_path)
    CHANGES_FROM_PYTHON[name](scene, scene["tree"])
    path = tmp_path / "scene.octo.json"
    assert save_project(scene, path) == []
    again = open_project(path)
    assert_same_scene(again, scene)
    scales = [[each.color_scales[number] for number in sorted(each.color_scales)] for each in (again, scene)]
    assert scales[0] == scales[1]

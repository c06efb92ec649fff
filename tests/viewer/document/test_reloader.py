"""Files that change on disk: whatever is done to them, the scene ends as if the last of them had been opened anew."""

from __future__ import annotations

import json
import os
import time
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from octoscope.scene import Scene, change_nodes, load, open_project, save_project
from octoscope.viewer.document.reloader import Reloader
from octoscope.viewer.editing.editor import Editor
from octoscope.viewer.editing.jobs import JobKind
from octoscope.viewer.editing.log import Log
from octoscope.viewer.editing.material_editing import MaterialEditing
from octoscope.viewer.frame.view import View
from tests.scene.formats.gltf.files import CORNERS, Gltf
from tests.viewer.walk.files import Changed

OBJECTS = (("", "a", 0.0), ("", "b", 1.0), ("g", "c in g", 2.0))  # group, name, height
COLORS = {"red": (255, 0, 0), "green": (0, 255, 0), "blue": (0, 0, 255)}


class Shown:
    """A scene in a window that watches its files; `watcher` is told which of them changed."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self.editor = Editor(View(scene), Log())
        self.notes: dict[str, tuple[str, str]] = {}
        self.watcher = Changed()
        self.reloader = Reloader(self.editor, self.notes, self.watcher)

    def change(self, *paths: Path) -> None:
        """These files are as they are now; until all of that is in the scene."""
        self.watcher.paths += [path.resolve() for path in paths]
        deadline = time.monotonic() + 40.0
        self.reloader.poll()
        while self.reloader.busy:
            assert time.monotonic() < deadline
            time.sleep(0.0005)  # the reader's turn
            self.reloader.poll()

    def move(self, name: str) -> None:
        node = self.scene[name].id
        self.editor.do(change_nodes(self.scene, [node], translation=(1.0, 2.0, 3.0), label="Move"))


def look(scene: Scene) -> dict[str, list[tuple]]:
    """Return, by path, the shown triangles' corners, and each material's colour and a pixel of its texture."""
    shown: dict[str, list[tuple]] = {}
    for node in scene:
        if node.mesh_id >= 0:
            mesh = scene.meshes.mesh(node.mesh_id)
            override = scene.material_overrides[node.id]
            used = mesh.material_ids[mesh.triangles].ravel() if override < 0 else np.array([override])
            materials = [scene.materials[number] for number in used.tolist()]
            looks = [(each.base_color, [t.pixels[0, 0].tolist() for t in each.textures]) for each in materials]
            shape = mesh.positions[mesh.triangles].tolist()
            shown.setdefault(scene.path_of(node.id), []).append((shape, looks))
    return {path: sorted(values, key=repr) for path, values in shown.items()}


def image(path: Path, color: str) -> None:
    """An image of one colour, which has another time of change than the one before."""
    before = path.stat().st_mtime_ns if path.exists() else 0
    Image.new("RGB", (2, 2), COLORS[color]).save(path)
    os.utime(path, ns=(before + 10**9,) * 2)


@dataclass
class Files:
    """An OBJ file with its .mtl and an image; objects by name in groups."""

    folder: Path
    objects: list[tuple[str, str, float]] = field(default_factory=lambda: list(OBJECTS))
    kd: float = 0.5
    color: str = "red"
    is_broken: bool = False
    is_textured: bool = True

    @property
    def obj(self) -> Path:
        return self.folder / "scene.obj"

    @property
    def mtl(self) -> Path:
        return self.folder / "scene.mtl"

    @property
    def png(self) -> Path:
        return self.folder / "map.png"

    def write_obj(self) -> Path:
        lines = ["mtllib scene.mtl"]
        for number, (group, name, height) in enumerate(self.objects):
            lines += [f"o {group}\ng {name}" if group else f"o {name}"]
            lines += [f"v {x} {y} {height}" for x, y in ((0, 0), (1, 0), (number, 1))]
            lines += ["vt 0 0", f"usemtl {'textured' if number % 2 else 'plain'}", "f -3/-1 -2/-1 -1/-1"]
        self.obj.write_text("\n".join(lines) + "\n" if not self.is_broken else "v 0 0\nf 1 2\n")
        return self.obj

    def write_mtl(self) -> Path:
        texture = "map_Kd map.png\n" if self.is_textured else ""
        self.mtl.write_text(f"newmtl plain\nKd {self.kd} 0 0\nnewmtl textured\nKd 1 1 {self.kd}\n{texture}")
        return self.mtl

    def write_png(self) -> Path:
        image(self.png, self.color)
        return self.png

    def write(self) -> Files:
        self.write_mtl()
        self.write_png()
        self.write_obj()
        return self


@pytest.fixture
def files(tmp_path) -> Files:
    return Files(tmp_path).write()


NAMES = st.sampled_from(("a", "b", "c", "d", "e"))
ACTS = st.one_of(
    st.tuples(st.just("rename"), NAMES, NAMES),
    st.tuples(st.just("delete"), NAMES),
    st.tuples(st.just("add"), st.sampled_from(("", "g", "h")), NAMES),
    st.tuples(st.just("move"), NAMES, st.integers(0, 9)),
    st.tuples(st.just("break")),
    st.tuples(st.just("mend")),
    st.tuples(st.just("touch mtl"), st.integers(0, 4)),
    st.tuples(st.just("texture or not")),
    st.tuples(st.just("touch texture"), st.sampled_from(sorted(COLORS))),
    st.tuples(st.just("edit"), NAMES),
)


@settings(max_examples=25)
@given(acts=st.lists(ACTS, min_size=1, max_size=12))
def test_whatever_is_done_to_the_files_the_scene_is_as_if_the_last_of_them_were_opened_anew(acts, tmp_path_factory):
    files = Files(tmp_path_factory.mktemp("files")).write()
    shown = Shown(load(files.obj))
    begun_with = set(shown.scene.ids.tolist())
    edited = set()
    for act, *values in acts:
        objects = files.objects
        match act, *values:
            case "rename", old, new:
                files.objects = [
                    (group, new + name[1:] if name[0] == old else name, height) for group, name, height in objects
                ]
            case "delete", name:
                files.objects = [each for each in objects if each[1][0] != name] or objects
            case "add", group, name:
                # An object is known by its name, in whatever group it is.
                files.objects = [*objects, (group, f"{name} in {group}" if group else name, 7.0)]
            case "move", name, height:
                files.objects = [(group, each, height if each[0] == name else old) for group, each, old in objects]
            case ("break",):
                files.is_broken = True
            case ("mend",):
                files.is_broken = False
            case "touch mtl", value:
                files.kd = value / 4.0
            case ("texture or not",):
                files.is_textured = not files.is_textured
            case "touch texture", color:
                files.color = color
            case "edit", name:
                nodes = [node for node in shown.scene if node.name == name and node.mesh_id >= 0]
                if nodes:
                    edit = change_nodes(shown.scene, [nodes[0].id], translation=(1.0, 0.0, 0.0), label="Move")
                    assert shown.editor.do(edit)
                    edited.add(nodes[0].id)
                continue
        match act:
            case "touch mtl" | "texture or not":
                shown.change(files.write_mtl())
            case "touch texture":
                shown.change(files.write_png())
            case _:
                shown.change(files.write_obj())
        level = shown.notes[str(files.obj)][0] if str(files.obj) in shown.notes else "info"
        assert (level == "error") == files.is_broken
    files.is_broken = False
    shown.change(files.write_obj())
    anew = load(files.obj)
    assert look(shown.scene) == look(anew)
    scene = shown.scene
    for node in scene:
        if node.mesh_id < 0 and node.id not in begun_with | edited:
            assert (scene.parents == node.id)[scene.alive].any(), f"{scene.path_of(node.id)} is debris"
        assert (node.id in edited) == bool(node.translation[0]), "edits stay on their objects"
    assert {scene.names[node] for node in scene.ids if scene.parents[node] < 0} == {"scene.obj"}
    while shown.editor.history.position:
        shown.editor.undo()
    assert not np.any(scene.translations[scene.ids]) and shown.editor.log.entries == []


def test_a_material_that_was_edited_stays_the_persons_and_shows_the_image_as_it_is_now(files):
    shown = Shown(load(files.obj))
    count = len(shown.scene.materials)
    editing = MaterialEditing(shown.editor)
    editing.change(np.array([shown.scene["b"].id]), roughness=0.25)
    files.kd, files.color = 0.0, "blue"
    shown.change(files.write_mtl(), files.write_png())
    scene = shown.scene
    mine = scene.materials[scene.material_overrides[scene["b"].id]]
    assert (mine.roughness, mine.base_color) == (0.25, (1.0, 1.0, 0.5))
    assert mine.base_color_texture.pixels[0, 0].tolist() == [0, 0, 255, 255]
    shown.editor.undo()
    assert look(scene) == look(load(files.obj))
    assert len(scene.materials) == count + 1, "the file's materials have their old places"


def test_an_image_that_was_chosen_for_a_material_is_shown_as_it_is_now(files, tmp_path):
    chosen = tmp_path / "chosen.png"
    image(chosen, "red")
    shown = Shown(load(files.obj))
    MaterialEditing(shown.editor).set_texture(np.array([shown.scene["a"].id]), chosen)
    shown.editor.jobs.wait(JobKind.EDIT)
    shown.editor.poll()
    image(chosen, "green")
    shown.change(chosen)
    scene = shown.scene
    assert scene.materials[scene.material_overrides[scene["a"].id]].textures[0].pixels[0, 0].tolist() == [
        0,
        255,
        0,
        255,
    ]
    assert shown.notes[str(chosen)][0] == "info"


def test_an_image_that_is_broken_leaves_what_was_there_until_it_is_mended(files):
    shown = Shown(load(files.obj))
    before = look(shown.scene)
    files.png.write_bytes(files.png.read_bytes()[:40])
    shown.change(files.png)
    level, text = shown.notes[str(files.png)]
    assert level == "error" and "cannot be read as a texture" in text and look(shown.scene) == before
    files.color = "green"
    shown.change(files.write_png())
    assert shown.notes[str(files.png)][0] == "info"
    assert look(shown.scene) == look(load(files.obj)) != before


def test_a_material_file_and_an_image_that_were_missing_are_read_when_they_are_there(files):
    files.mtl.unlink()
    files.png.unlink()
    shown = Shown(load(files.obj))
    assert shown.scene.report.problems
    shown.change(files.write_mtl())
    assert [problem.kind for problem in shown.scene.report.problems] == ["texture-missing"]
    shown.change(files.write_png())
    assert shown.scene.report.problems == [] and look(shown.scene) == look(load(files.obj))


def test_many_files_that_name_one_material_file_follow_it_and_their_meshes_are_not_read_again(files, monkeypatch):
    paths = [files.folder / f"{number}.obj" for number in range(40)]
    for path in paths:
        path.write_text(files.obj.read_text())
    shown = Shown(load(paths))
    monkeypatch.setattr("octoscope.viewer.document.reloader.read_file", None)
    files.kd = 0.25
    shown.change(files.write_mtl())
    assert look(shown.scene) == look(load(paths))
    assert list(shown.notes) == [str(files.mtl)], "one line tells of it"


def test_buffers_and_images_of_a_gltf_are_read_again(tmp_path):
    def gltf(height: float) -> Gltf:
        made = Gltf()
        shape = made.primitive(CORNERS + np.float32(height), TEXCOORD_0=made.accessor(CORNERS[:, :2]), material=0)
        made.node(name="square", mesh=made.mesh(shape, name="square"))
        return made

    buffer, picture, path = tmp_path / "data.bin", tmp_path / "map.png", tmp_path / "scene.gltf"
    made = gltf(0.0)
    buffer.write_bytes(made.data)
    image(picture, "red")
    surface = {"pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}}
    buffers = [{"byteLength": len(made.data), "uri": "data.bin"}]
    images = [{"uri": "map.png"}]
    path.write_text(
        json.dumps(made.document(buffers=buffers, materials=[surface], textures=[{"source": 0}], images=images))
    )
    shown = Shown(load(path))
    before = look(shown.scene)
    buffer.write_bytes(gltf(3.0).data)
    shown.change(buffer)
    moved = look(shown.scene)
    assert moved == look(load(path)) != before
    image(picture, "blue")
    shown.change(picture)
    assert look(shown.scene) == look(load(path)) != moved


def test_a_missing_file_of_a_project_is_shown_when_it_is_there_and_brings_no_objects_that_were_deleted(files):
    scene = load(files.obj)
    scene.set_alive([scene["b"].id], False)
    scene["a"].translation = (5.0, 0.0, 0.0)
    project = files.folder / "scene.octo.json"
    save_project(scene, project)
    files.obj.rename(files.folder / "away")
    shown = Shown(open_project(project))
    assert look(shown.scene) == {} and [problem.kind for problem in shown.scene.report.problems] == ["source-missing"]
    (files.folder / "away").rename(files.obj)
    shown.change(files.obj)
    assert look(shown.scene) == look(scene) and shown.scene["a"].translation[0] == 5.0
    assert shown.scene.report.problems == []
    files.objects.append(("", "new", 3.0))
    shown.change(files.write_obj())
    assert "scene.obj/new" in look(shown.scene), "from now on it is a file like others"


def test_an_object_that_is_renamed_and_back_leaves_nothing_and_is_undone_as_before(tmp_path):
    path = tmp_path / "one.obj"
    text = "v 0 0 0\nv 1 0 0\nv 1 1 0\no {}\nf 1 2 3\n"
    path.write_text(text.format("a"))
    shown = Shown(load(path))
    shown.move("a")
    before = look(shown.scene), len(shown.scene), shown.scene.names.tolist()
    for name in ("b", "c", "b"):
        path.write_text(text.format(name))
        shown.change(path)
        assert [shown.scene.path_of(node.id) for node in shown.scene] == ["one.obj", "one.obj/a", f"one.obj/{name}"]
    shown.editor.select([shown.scene["b"].id])
    path.write_text(text.format("a"))
    shown.change(path)
    assert (look(shown.scene), len(shown.scene), shown.scene.names[shown.scene.ids].tolist()) == before
    assert shown.editor.selected_ids.tolist() == []
    shown.editor.undo()
    shown.editor.redo()
    assert shown.editor.selected_ids.tolist() == [], "it is not there"
    path.write_text(text.format("b"))
    shown.change(path)
    shown.move("b")
    shown.editor.undo()
    path.write_text(text.format("a"))
    shown.change(path)
    assert "b" in shown.scene.names[shown.scene.ids], "what was moved may be moved again"
    shown.editor.redo()
    path.write_text(text.format("b"))
    shown.change(path)
    assert shown.scene["b"].translation.tolist() == [1.0, 2.0, 3.0]

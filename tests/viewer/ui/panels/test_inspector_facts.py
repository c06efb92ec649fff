"""The inspector's lines on objects, groups and meshes, and its links."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from imgui_bundle import imgui

from octoscope.scene import Scene, editing, load, open_project, save_project
from octoscope.viewer.ui.panels.inspector import mesh, rows
from octoscope.viewer.ui.panels.inspector import scene as scene_foldout
from tests.viewer.headless_app import HeadlessApp
from tests.viewer.scenes import add_box_mesh, add_mesh, crowd

L_SHAPE = """
o bracket
v 0 0 0
v 2 0 0
v 2 1 0
v 1 1 0
v 1 2 0
v 0 2 0
f 1 2 3 4 5 6
o square
v 0 0 3
v 1 0 3
v 1 1 3
v 0 1 3
f -4 -3 -2 -1
"""


@pytest.fixture
def said(monkeypatch) -> dict[str, str]:
    """The texts of the last frame by their labels, as the panel drew them."""
    said: dict[str, str] = {}

    def listen(module: object, name: str) -> None:
        original = getattr(rows, name)

        def speak(theme: object, label: str, text: str, *more: object) -> object:
            said[label] = text
            return original(theme, label, text, *more)

        monkeypatch.setattr(module, name, speak)

    for module in (mesh, scene_foldout, rows):
        listen(module, "fact")
    listen(mesh, "link")
    return said


@pytest.fixture
def places_of_links(monkeypatch, said) -> dict[str, tuple[float, float]]:
    """The middle of each link that was drawn, by its label."""
    where: dict[str, tuple[float, float]] = {}
    listening = mesh.link

    def link(theme: object, label: str, *more: object) -> bool:
        clicked = listening(theme, label, *more)
        middle = np.add(imgui.get_item_rect_min(), imgui.get_item_rect_max()) / 2.0
        where[label] = (float(middle[0]), float(middle[1]))
        return clicked

    monkeypatch.setattr(mesh, "link", link)
    return where


def select(app: HeadlessApp, said: dict[str, str], ids: object) -> dict[str, str]:
    app.editor.select(ids)
    app.settle()
    said.clear()
    app.frame()
    return said


def test_a_group_says_what_is_below_it(open_app, said):
    scene = crowd(400, seed=1)
    app = open_app(scene)
    group = 3
    boxes = np.flatnonzero(scene.parents == group)
    facts = select(app, said, [group])
    assert facts["holds"] == f"{len(boxes)} nodes" and facts["objects"] == str(len(boxes))
    assert facts["shows"] == f"{12 * len(boxes):,} triangles" and facts["vertices"] == f"{8 * len(boxes):,}"
    lower, upper = scene.bounds(boxes)
    np.testing.assert_allclose([float(side) for side in facts["size"].split(" x ")], upper - lower, atol=5.01e-4)
    np.testing.assert_allclose([float(side) for side in facts["centre"].split()], (lower + upper) / 2, atol=5.01e-4)


def test_the_size_of_what_is_turned_is_that_of_its_vertices(open_app, said):
    scene = Scene()
    corners = np.array([(0, 0, 0), (2, 0, 0), (0, 1, 0)])
    flag = add_mesh(scene, corners, triangles=np.array([(0, 1, 2)]))
    scene.add_nodes(["flag", "group"], mesh=[flag, -1], rotation=(0.0, 0.0, np.sin(0.5), np.cos(0.5)))
    scene.set_parents(0, 1)
    app = open_app(scene)
    turned = corners @ scene.world_from_local[0][:3, :3].T
    sides = turned.max(axis=0) - turned.min(axis=0)
    assert np.subtract(*scene.own_bounds([0])[::-1])[0] > sides[0] + 0.1
    for ids in ([0], [1]):
        size = select(app, said, ids)["size"]
        np.testing.assert_allclose([float(side) for side in size.split(" x ")], sides, atol=5.01e-4)


def test_a_group_and_what_it_holds_are_counted_once(open_app, said):
    scene = crowd(50, seed=2)
    app = open_app(scene)
    below = np.flatnonzero(scene.parents == 5)
    facts = select(app, said, [*below[:2], 5])
    assert facts["objects"] == str(len(below)) and facts["holds"] == f"{len(below) - 2} nodes"


def test_what_is_moved_is_measured_where_it_is_from_the_first_frame_on(open_app, said):
    scene = Scene()
    box = add_box_mesh(scene)
    ids = scene.add_nodes([f"box {i}" for i in range(600)], mesh=[box] * 600)
    scene.set_translations(ids, np.arange(600)[:, None] * (2.0, 0.0, 0.0))
    app = open_app(scene)
    assert select(app, said, ids)["size"] == "1,199.000 x 1.000 x 1.000"
    said.clear()
    app.press("Ctrl+D")
    assert len(app.selected) == 600 and app.selected[0] == 600
    assert said["size"] == "1,199.000 x 1.000 x 1.000"
    scene.set_translations(np.arange(600, 1200), (0.0, 0.0, 0.0))
    app.frame()
    assert said["size"] == "1.000 x 1.000 x 1.000"


def test_the_scene_s_size_is_of_what_is_there_and_not_of_what_was_deleted(open_app, said):
    scene = Scene()
    scene.add_nodes(["box", "middle", "far"], mesh=add_box_mesh(scene), translation=np.diag((0.0, 2.0, 50.0)))
    app = open_app(scene)
    assert select(app, said, [])["size"] == "1.000 x 3.000 x 51.000"
    app.editor.run(editing.delete, [2])
    assert select(app, said, [])["size"] == "1.000 x 3.000 x 1.000"
    app.editor.undo()
    assert select(app, said, [])["size"] == "1.000 x 3.000 x 51.000"


def test_a_mesh_says_its_polygons_its_file_and_who_else_shows_it(open_app, said, tmp_path):
    (tmp_path / "shapes.obj").write_text(L_SHAPE)
    scene = load(tmp_path / "shapes.obj")
    bracket = scene["bracket"].id
    scene.add_node("copy", mesh=int(scene.mesh_ids[bracket]), translation=(5.0, 0.0, 0.0))
    app = open_app(scene)
    scene.set_names([bracket], ["renamed"])
    facts = select(app, said, [bracket])
    assert (facts["shows"], facts["polygons"], facts["edges"]) == ("4 triangles", "1", "6")
    assert (facts["area"], facts["volume"]) == ("3.000", "Not closed") and facts["watertight"].startswith("No")
    assert (facts["file"], facts["name in file"]) == ("shapes.obj:2", "bracket")
    assert facts["shown by"] == "2 objects"
    facts = select(app, said, [scene["square"].id])
    assert "shown by" not in facts and facts["file"] == "shapes.obj:10"


def test_file_and_line_are_copied_by_a_click(open_app, said, tmp_path, places_of_links):
    path = tmp_path / "a name.obj"
    path.write_text(L_SHAPE)
    scene = load(path)
    app = open_app(scene)
    copied: list[str] = []
    app.backend.join_clipboard(copied.append, lambda: "")
    select(app, said, [scene["square"].id])
    app.click(places_of_links["file"])
    assert copied == [f"{path}:10"]
    assert app.editor.log.toasts[-1].text == f"copied {path}:10"
    path.write_text("f 1 2 3\nv 0 0 0\nv 1 0 0\nv 0 1 0\n")
    scene = load(path)
    app = open_app(scene)
    assert select(app, said, [1])["file"] == "a name.obj", "no statement begins it"


def test_what_shows_the_same_mesh_is_selected_by_a_click(open_app, said, places_of_links):
    scene = Scene()
    box, other = add_box_mesh(scene), add_box_mesh(scene)
    scene.add_nodes([f"node {i}" for i in range(5)], mesh=[box, other, box, box, -1])
    app = open_app(scene)
    assert select(app, said, [2])["shown by"] == "3 objects"
    app.click(places_of_links["shown by"])
    assert sorted(app.selected) == [0, 2, 3] and app.selected[-1] == 2


def test_large_meshes_are_measured_when_a_person_wants_it(open_app, said, monkeypatch):
    monkeypatch.setattr(mesh, "_QUICKLY_MEASURED", 11)
    scene = Scene()
    scene.add_node("box", mesh=add_box_mesh(scene))
    app = open_app(scene)
    facts = select(app, said, [0])
    assert "area" not in facts and "edges" not in facts
    where: list[tuple[float, float]] = []
    button = imgui.button

    def noted(label: str, *arguments: object) -> bool:
        clicked = button(label, *arguments)
        if label.startswith("Measure"):
            middle = np.add(imgui.get_item_rect_min(), imgui.get_item_rect_max()) / 2.0
            where.append((float(middle[0]), float(middle[1])))
        return clicked

    monkeypatch.setattr(imgui, "button", noted)
    app.frame()
    app.click(where[-1])
    assert said["area"] == "6.000" and said["volume"] == "1.000" and said["watertight"] == "Yes"


def test_many_objects_cost_their_facts_once(open_app, said, monkeypatch):
    scene = crowd(3000, seed=5)
    app = open_app(scene)
    found: list[int] = []
    original: Callable[..., object] = mesh._facts_of
    monkeypatch.setattr(mesh, "_facts_of", lambda *of: found.append(len(of[-1])) or original(*of))
    select(app, said, app.view.index.all_ids())
    app.settle()
    assert found == [3000]
    scene.set_translations([20], (1.0, 2.0, 3.0))
    app.settle()
    assert found == [3000, 3000]


def test_what_a_node_waits_for_is_said_and_relinked_by_a_command(open_app, said, tmp_path):
    path = tmp_path / "parts" / "shapes.obj"
    path.parent.mkdir()
    path.write_text(L_SHAPE)
    project = tmp_path / "scene.octo.json"
    save_project(load(path), project)
    moved = path.rename(tmp_path / "moved.obj")
    app = open_app(open_project(project))
    scene = app.view.scene
    assert select(app, said, [scene["square"].id])["missing"] == "square in parts/shapes.obj"
    assert "missing" not in select(app, said, [scene["shapes.obj"].id]), "a group itself lacks nothing"
    command = app.table["file.relink"]
    assert command.enabled()
    app.table.run(command)
    app.settle()
    request = app.shell.boxes.path.request
    assert request.title == "Find shapes.obj" and request.folder == path.parent
    app.press("Esc")
    request.choose(moved)
    app.wait_for_work()
    assert app.done[-1] == "Relink 2 objects to moved.obj" and not command.enabled()
    assert "missing" not in select(app, said, [scene["square"].id]) and said["file"] == "moved.obj:10"
    app.press("Ctrl+Z", "Ctrl+Z")
    assert command.enabled() and scene["square"].mesh_id < 0

"""Copy, cut and paste by keys: where copies go, one undo for each, files in place of objects, and text fields."""

from __future__ import annotations

import numpy as np
import pytest

from octoscope.scene import Scene, load
from octoscope.scene.project import clipboard
from octoscope.viewer.camera.controls import look_from
from octoscope.viewer.features.clipboard import feature
from octoscope.viewer.features.clipboard.feature import paths_in
from tests.scene.editing.walks import assert_same_state, state
from tests.viewer.headless_app import HeadlessApp
from tests.viewer.scenes import add_box_mesh
from tests.viewer.windows.window_boxes import project

MIDDLE = (640.0, 360.0)


@pytest.fixture
def app(open_app) -> HeadlessApp:
    scene = Scene()
    group = scene.add_node("group", translation=(0, 0, 3), scale=2.0)
    scene.add_node("red", mesh=add_box_mesh(scene), parent=group, translation=(1, 0, 0))
    scene.add_node("blue", mesh=add_box_mesh(scene))
    return open_app(scene)


def select(app: HeadlessApp, *names: str) -> None:
    app.editor.select([app.view.scene[name].id for name in names])
    app.settle()


def path_of(app: HeadlessApp, name: str) -> str:
    return app.view.scene[name].path


def test_copies_go_beside_what_was_copied_into_the_selected_group_or_to_the_top(app):
    scene = app.view.scene
    select(app, "red")
    app.press("Ctrl+C")
    app.press("Ctrl+V")
    assert path_of(app, "red.001") == "group/red.001" and app.selected == [scene["red.001"].id]
    np.testing.assert_allclose(scene.bounds(scene["red.001"]), scene.bounds(scene["red"]))
    app.press("Ctrl+V")
    assert path_of(app, "red.002") == "group/red.002"
    select(app, "blue")
    app.press("Ctrl+C")
    select(app, "group")
    app.press("Ctrl+V")
    assert path_of(app, "blue.001") == "group/blue.001"
    np.testing.assert_allclose(scene.bounds(scene["blue.001"]), scene.bounds(scene["blue"]))
    select(app, "group")
    app.press("Ctrl+C")
    app.press("Ctrl+V")
    assert path_of(app, "group.001") == "group.001", "not into the group that was copied"
    app.press("Ctrl+V")
    assert path_of(app, "group.002") == "group.002"
    assert len(scene["group.002"].children) == len(scene["group"].children)


def test_copies_go_beside_a_file_of_one_object(open_app, tmp_path):
    (tmp_path / "chair.obj").write_text("o seat\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
    app = open_app(load(tmp_path / "chair.obj"))
    for name in ("seat", "chair.obj"):
        select(app, name)
        app.press("Ctrl+C")
        app.press("Ctrl+V")
    tops = [node.name for node in app.view.scene.nodes if node.parent is None]
    assert tops == ["chair.obj", "seat.001", "chair.obj.001"]


@pytest.mark.parametrize("key", ["Ctrl+X", "Ctrl+V", "Ctrl+Shift+V"])
def test_each_is_one_entry_undone_and_done_again(app, key):
    scene = app.view.scene
    app.move(MIDDLE)
    select(app, "group")
    app.press("Ctrl+C")
    before, selected, count = state(scene), app.selected, len(app.editor.history.entries)
    app.press(key)
    after = state(scene)
    assert len(app.editor.history.entries) == count + 1
    app.press("Ctrl+Z")
    assert_same_state(state(scene), before)
    assert app.selected == selected
    app.press("Ctrl+Shift+Z")
    assert_same_state(state(scene), after)
    if key == "Ctrl+X":
        assert scene.names[scene.ids].tolist() == ["blue"] and "Cut group" in app.editor.history.undo_label
        app.press("Ctrl+V")
        assert app.editor.log.toasts[-1].text.startswith("Pasted group in place")
        assert sorted(scene.names[scene.ids].tolist()) == ["blue", "group", "red"]


def test_what_is_pasted_at_the_mouse_stands_under_it(app):
    scene = app.view.scene
    select(app, "blue")
    app.press("Ctrl+C")
    app.editor.select([])
    picture = app.shell.picture
    app.view.layout.resize(tuple(map(round, picture.size)))
    app.view.framing.frame_nodes([scene["red"].id])
    app.view.build_frames(tuple(map(round, picture.size)))
    middle = np.mean(scene.bounds(scene["red"]), axis=0)
    (pixel,) = project(app.view.camera, middle[None], picture.size)
    app.move((picture.left + pixel[0], picture.top + pixel[1]))
    point = app.tools.select.hover.location.world_point()
    app.press("Ctrl+Shift+V")
    lower, upper = scene.bounds(scene["blue.001"])
    red_lower, red_upper = scene.bounds(scene["red"])
    assert (red_lower - 1e-9 <= point).all() and (point <= red_upper + 1e-9).all(), "on the box under the mouse"
    np.testing.assert_allclose(((lower + upper) / 2.0)[[0, 2]], point[[0, 2]], atol=1e-9)
    assert lower[1] == pytest.approx(point[1])
    select(app, "group")
    app.view.camera = look_from(app.view.camera, "top")
    app.view.build_frames(tuple(map(round, picture.size)))
    app.move((picture.left + 5.0, picture.top + 5.0))
    app.press("Ctrl+Shift+V")
    ground = app.view.visibility.ground_height_without(np.array([scene["blue.002"].id]))
    assert scene.bounds(scene["blue.002"])[0][1] == pytest.approx(ground), "on the ground, where there is no object"
    assert scene["blue.002"].parent is None, "not in the selected group"


def test_another_document_takes_them_and_large_ones_in_the_background(app, monkeypatch):
    select(app, "group")
    app.press("Ctrl+C")
    app.show(Scene())
    monkeypatch.setattr(feature, "_LARGE_TEXT", 10)
    app.press("Ctrl+V")
    app.wait_for_work()
    assert app.view.scene.names.tolist() == ["group", "red"]
    app.press("Ctrl+Z")
    assert len(app.view.scene) == 0


def test_other_text_and_what_is_too_large_is_refused_in_a_line(app, monkeypatch):
    before = state(app.view.scene)
    for text, said in (("", "no objects or files"), ("hello", "no objects or files"), ('{"octoscope":', "damaged")):
        app.clipboard = text
        app.press("Ctrl+V")
        assert said in app.editor.log.entries[-1].text and "\n" not in app.editor.log.entries[-1].text
    monkeypatch.setattr(clipboard, "LARGEST_BYTES", 10)
    app.clipboard = "kept"
    select(app, "red")
    for key in ("Ctrl+C", "Ctrl+X"):
        app.press(key)
        assert "save them" in app.editor.log.entries[-1].text and app.clipboard == "kept"
    assert_same_state(state(app.view.scene), before)


def test_copied_files_are_added(app, tmp_path):
    path = tmp_path / "a b.obj"
    path.write_text("o lone\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
    app.clipboard = path.as_uri() + "\n"
    app.press("Ctrl+V")
    while app.files.reading:
        app.frame()
    assert "a b" in app.view.scene


def test_paths_of_file_managers_are_read_and_others_are_not(tmp_path):
    path, other = tmp_path / "ü 1.obj", tmp_path / "b.obj"
    path.touch()
    other.touch()
    assert paths_in(f"# list\r\n{path.as_uri()}\r\n{other}\r\n") == [path, other]
    assert paths_in(f'"{other}"') == [other]
    for text in ("", "b.obj", f"{other}\nand more", str(tmp_path / "gone.obj"), "http://a/b.obj", "file://[", "\0"):
        assert paths_in(text) == []


def test_the_palette_finds_copy_before_duplicate(app):
    select(app, "red")
    assert [command.id for command in app.table.search("copy")[:2]] == ["edit.copy", "edit.duplicate"]


def test_a_text_field_keeps_its_own_keys(app):
    select(app, "red")
    app.press("F2")
    app.type("crimson")
    app.press("Ctrl+A")
    app.press("Ctrl+C")
    app.press("Ctrl+V")
    app.press("Enter")
    assert sorted(app.view.scene.names.tolist()) == ["blue", "crimson", "group"]

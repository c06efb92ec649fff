"""Files of a folder are shown, found, and placed; favourites and recent folders are kept."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from octoscope.scene import Scene, change_scene, open_project, save_project
from octoscope.scene.formats.writers import WRITERS
from octoscope.scene.mesh_references import files_in_use
from octoscope.viewer.document.questions import Choice
from octoscope.viewer.editing.editor import Editor
from octoscope.viewer.editing.jobs import JobKind, Jobs
from octoscope.viewer.editing.log import Log
from octoscope.viewer.features.asset_browser.asset_folder import AssetFolder
from octoscope.viewer.features.asset_browser.overlay import PlacingOverlay
from octoscope.viewer.features.asset_browser.panel import AssetPanel
from octoscope.viewer.features.asset_browser.placing import Asked, Placer
from octoscope.viewer.features.asset_browser.thumbnails import DrawingProcess, Thumbnail, prune, read_thumbnail
from octoscope.viewer.frame.view import View
from octoscope.viewer.frame.viewports import Surface
from octoscope.viewer.settings.config import WindowState
from tests.scene.builders import box
from tests.viewer.contexts import context_of
from tests.viewer.headless_app import HeadlessApp
from tests.viewer.scenes import box_scene

ON_GROUND = Surface(np.array((3.0, 0.0, -2.0)), np.array((0.0, 1.0, 0.0)))
TETRAHEDRON = "v 0 1 0\nv 2 1 0\nv 0 4 0\nv 0 1 6\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n"


@pytest.fixture
def kit(tmp_path: Path) -> Path:
    folder = tmp_path / "kit"
    (folder / "doors").mkdir(parents=True)
    for name in ("arch.obj", "wall10.obj", "wall2.obj"):
        (folder / name).write_text(TETRAHEDRON)
    (folder / "notes.txt").write_text("no mesh")
    return folder


def test_a_folder_is_listed_searched_and_left(kit):
    folder = AssetFolder(lambda: kit, Jobs())
    assert [row.name for row in folder.rows] == ["doors", "arch.obj", "wall10.obj", "wall2.obj"]
    folder.query = "WALL"
    assert [row.name for row in folder.rows] == ["wall10.obj", "wall2.obj"]
    (kit / "wall3.obj").write_text(TETRAHEDRON)
    folder.refresh()
    assert len(folder.rows) == 3
    before = folder.asset(folder.rows[0]).key
    (kit / "wall10.obj").write_text(TETRAHEDRON + "\n")
    folder.refresh()
    assert folder.asset(folder.rows[0]).key != before, "a file that has changed gets another picture"
    folder.go(kit / "doors")
    assert (folder.query, folder.rows) == ("", [])


def test_what_is_looked_for_is_found_in_folders_below_near_ones_first(kit):
    (kit / "doors" / "old").mkdir()
    for name in ("doors/old/wall1.obj", "doors/wall9.obj", "doors/.wall.obj"):
        (kit / name).write_text(TETRAHEDRON)
    (kit / "doors" / "around").symlink_to(kit)
    jobs = Jobs()
    folder = AssetFolder(lambda: kit, jobs)
    folder.query = "Wall*"
    assert [row.name for row in folder.rows] == ["wall10.obj", "wall2.obj"] and folder.is_searching
    jobs.wait(JobKind.LIST)
    jobs.poll()
    below = [os.path.join("doors", "wall9.obj"), os.path.join("doors", "old", "wall1.obj")]
    assert [row.name for row in folder.rows] == ["wall10.obj", "wall2.obj", *below] and not folder.is_searching
    assert folder.asset(folder.rows[3]).path == kit / below[1]
    folder.query = "old"
    assert [row.is_folder for row in folder.rows] == [True]
    folder.go(kit / "doors")
    folder.query = "wall1"
    assert folder.rows == [] and folder.is_searching, "of another folder nothing is known"


def test_favourites_come_and_go_and_recent_folders_are_few(kit):
    folder = AssetFolder(lambda: kit, Jobs())
    folder.toggle_favourite(str(folder.path))
    folder.go(kit / "doors")
    folder.toggle_favourite(str(folder.path))
    assert folder.favourites == [str(kit), str(kit / "doors")]
    folder.toggle_favourite(str(folder.path))
    assert folder.favourites == [str(kit)] and str(folder.path) not in folder.favourites
    for number in [*range(12), 3]:
        folder.note_used(kit / str(number) / "a.obj")
    assert folder.recent[:2] == [str(kit / "3"), str(kit / "11")] and len(folder.recent) == 8


def test_pictures_are_drawn_by_another_process_which_survives_broken_files(kit, tmp_path):
    process = DrawingProcess(tmp_path / "cache")
    broken = kit / "broken.obj"
    broken.write_text("f 1 2 3\n")
    png = tmp_path / "cache" / "a.png"
    assert "broken" in process.draw(broken, png) and read_thumbnail(png) is None
    assert process.draw(kit / "arch.obj", png) == ""
    thumbnail = read_thumbnail(png)
    assert thumbnail.pixels.shape == (160, 160, 4) and 1000 < (thumbnail.pixels[..., 3] > 0).sum() < 160 * 160
    assert thumbnail.facts == {
        "box": [[0.0, 1.0, 0.0], [2.0, 4.0, 6.0]],
        "up_axis": None,
        "length_unit": "",
        "objects": 1,
        "triangles": 4,
    }
    process._process.kill()
    process._process.wait()
    assert process.draw(kit / "arch.obj", png) == "", "another one is started"
    process.close()
    png.write_bytes(png.read_bytes()[:100])
    assert read_thumbnail(png) is None


def test_the_cache_keeps_what_was_looked_at_last(tmp_path):
    for number in range(5):
        (tmp_path / f"{number}.png").write_bytes(bytes(100))
        os.utime(tmp_path / f"{number}.png", (number, 10 - number))
    prune(tmp_path, 250)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["0.png", "1.png"]


def placed_by(placer: Placer, path: Path, on: Surface = ON_GROUND, *, by_origin: bool = False, **keys: bool) -> None:
    placer.by_origin = by_origin
    carried = placer.carry(path)
    carried.show(Asked(on, **keys))
    carried.let_go()
    editor = placer._context.editor
    while editor.jobs.is_busy(JobKind.EDIT):  # read, then added
        editor.jobs.wait(JobKind.EDIT)
        editor.poll()


@pytest.mark.parametrize("up_axis", ["y", "z"])
def test_placed_files_stand_share_meshes_and_are_undone_one_by_one(kit, tmp_path, up_axis):
    scene = Scene(up_axis=up_axis)
    editor = Editor(View(scene), Log())
    placer = Placer(context_of(editor))
    up = "xyz".index(up_axis)
    on = Surface(np.array((3.0, 5.0, -2.0)), np.eye(3)[up])
    placed_by(placer, kit / "arch.obj", on)
    lower, upper = scene.bounds()
    middle = (lower + upper) / 2.0
    middle[up] = lower[up]
    np.testing.assert_allclose(middle, on.point, atol=1e-9)
    assert editor.selected_ids.tolist() == [1]
    placed_by(placer, kit / "arch.obj", Surface(on.point + 10.0, np.array((1.0, 0.0, 0.0))), shift=True)
    np.testing.assert_allclose(scene.bounds()[1][0] - 13.0, 3.0 if up == 1 else 6.0, atol=1e-9)
    assert len(scene.meshes) == 1 and len(scene.objects) == 2
    save_project(scene, tmp_path / "scene.octo.json")
    again = open_project(tmp_path / "scene.octo.json")
    assert len(again.meshes) == 1
    np.testing.assert_allclose(np.array(again.bounds()), np.array(scene.bounds()))
    placed_by(placer, kit / "arch.obj", on, by_origin=True)
    stands = on.point - (0.0, 1.0 if up == 1 else 0.0, 0.0)  # in the file it floats at 1 of Y
    np.testing.assert_allclose(scene.translations[editor.selected_ids[0]], stands, atol=1e-9)
    editor.undo()
    assert len(scene.objects) == 2
    assert files_in_use(scene) == [kit / "arch.obj"]
    editor.undo()
    editor.undo()
    assert len(scene.objects) == 0 and files_in_use(scene) == []
    editor.redo()
    editor.redo()
    np.testing.assert_array_equal(np.array(again.bounds()), np.array(scene.bounds()))


def test_the_one_object_of_a_file_is_what_is_placed_and_selected(kit):
    (kit / "lamp.obj").write_text("o lamp\n" + TETRAHEDRON)
    editor = Editor(View(Scene(up_axis="z")), Log())
    before = editor.view.camera.position
    placed_by(
        Placer(context_of(editor)), kit / "lamp.obj", Surface(np.array((3.0, 5.0, 1.0)), np.array((0.0, 0.0, 1.0)))
    )
    scene, lamp = editor.scene, editor.scene["lamp"]
    np.testing.assert_array_equal(editor.view.camera.position, before, "what the mouse puts down moves no camera")
    assert editor.selected_ids.tolist() == [lamp.id] and lamp.parent.name == "lamp.obj"
    lower, upper = scene.bounds()
    np.testing.assert_allclose([*(lower + upper)[:2] / 2.0, lower[2]], (3.0, 5.0, 1.0), atol=1e-9)
    assert not scene.translations[lamp.parent.id].any(), "the inspector shows the object's"
    assert np.abs(scene.translations[lamp.id]).max() > 2.0
    editor.undo()
    placed_by(Placer(context_of(editor)), kit / "lamp.obj", in_row=True)
    np.testing.assert_allclose(editor.view.camera.pivot, np.mean(scene.bounds(), axis=0), atol=0.2)


@pytest.mark.parametrize("up_axis", ["y", "z"])
def test_what_is_placed_in_a_row_stands_on_what_is_below_and_hangs_nowhere(kit, up_axis):
    """On a table for two or three, then on the floor beside it, whatever was moved in between."""
    rng, up, scene = np.random.default_rng(4), "xyz".index(up_axis), Scene(up_axis=up_axis)
    height, size = rng.uniform(1.0, 3.0), np.full(3, rng.uniform(2.5, 3.5))
    size[up] = height / 2.0
    scene.add_node("table", mesh=scene.meshes.add(box()), scale=size, translation=height / 2.0 * np.eye(3)[up])
    scene.update_world()
    editor = Editor(View(scene), Log())
    editor.view.update()
    placer, on = Placer(context_of(editor)), Surface(height * np.eye(3)[up], np.eye(3)[up])
    feet = []
    for number in range(6):
        placed_by(placer, kit / "arch.obj", on, in_row=True)
        editor.view.update()
        feet.append(scene.bounds(editor.selected_ids)[0][up])
        if number == 4:
            scene.set_translations(editor.selected_ids, scene.translations[editor.selected_ids] + 2.0 * np.eye(3)[up])
            scene.update_world()
    expected = [height] * sum(foot > 0.1 for foot in feet)
    np.testing.assert_allclose(feet, [*expected, *[0.0] * (6 - len(expected))], atol=1e-9)
    assert 1 < len(expected) < 5


def test_what_is_carried_follows_edits_meanwhile_and_the_unit_of_the_scene(kit):
    other, scene = box_scene(), Scene()
    WRITERS[".glb"](other, kit / "box.glb")  # in metres
    editor = Editor(View(scene), Log())
    placer = Placer(context_of(editor))
    carried = placer.carry(kit / "box.glb")
    editor.jobs.wait(JobKind.EDIT)
    editor.poll()
    for unit in ("mm", "cm"):
        carried.show(Asked(ON_GROUND))
        assert carried.is_seen and scene.length_unit == ("m" if unit == "mm" else "mm")
        assert editor.run(lambda scene, unit=unit: change_scene(scene, length_unit=unit)) and not carried.is_seen
    carried.show(Asked(ON_GROUND))
    carried.let_go()
    lower, upper = scene.bounds()
    np.testing.assert_allclose(upper - lower, 100.0 * np.ptp(other.bounds(), axis=0))
    assert lower[1] == pytest.approx(0.0) and len(scene.meshes) == len(other.meshes), "they are shared"
    facts = {"box": [[0, 0, 0], [1, 2, 3]], "up_axis": "z", "length_unit": "mm"}
    np.testing.assert_allclose(placer.box_of(Thumbnail(None, facts)), [(0.0, 0.0, -0.2), (0.1, 0.3, 0.0)])


def test_a_folder_is_placed_as_one_thing_and_may_be_laid_out(kit):
    (kit / "broken.obj").write_text("f 1 2 3\n")
    editor = Editor(View(Scene()), Log())
    context, scene = context_of(editor), editor.scene
    placed_by(Placer(context), kit)
    assert scene.names[editor.selected_ids].tolist() == ["arch", "wall2", "wall10"]
    assert "broken.obj" in editor.log.toasts[-1].text
    lower, upper = scene.bounds()
    np.testing.assert_allclose(((lower + upper) / 2.0)[[0, 2]], (3.0, -2.0), atol=1e-9)
    assert lower[1] == pytest.approx(0.0)
    context.document.answer(Choice.LAY_OUT)
    laid_out = np.array(scene.bounds())
    np.testing.assert_allclose(laid_out.mean(axis=0)[[0, 2]], (3.0, -2.0), atol=1e-9)
    assert laid_out[1, 0] - laid_out[0, 0] > 4.0
    for _ in range(2):
        editor.undo()
    assert len(scene) == 0


def test_what_cannot_be_read_is_told_in_a_line(kit):
    editor = Editor(View(Scene()), Log())
    placed_by(Placer(context_of(editor)), kit / "gone.obj")
    assert "gone.obj: no such file" in editor.log.toasts[-1].text and len(editor.scene) == 0
    (kit / "doors" / "door.obj").write_text(TETRAHEDRON)
    (kit / "doors" / "broken.obj").write_text("f 1 2 3\n")
    carried = Placer(context_of(editor)).carry(kit / "doors")
    editor.jobs.wait(JobKind.EDIT)
    editor.poll()
    carried.show(Asked(ON_GROUND))
    carried.let_go()
    assert "broken.obj" in editor.log.toasts[-1].text and len(editor.scene) > 0
    (kit / "wide.obj").write_text("v -1.7e308 0 0\nv 1.7e308 0 0\nv 0 1.7e308 0\nf 1 2 3\n")
    placed_by(Placer(context_of(editor)), kit / "wide.obj")
    assert "out of the range of numbers" in editor.log.toasts[-1].text


@pytest.fixture
def app(ctx, kit, monkeypatch, tmp_path) -> Iterator[HeadlessApp]:
    monkeypatch.setenv("OCTOSCOPE_CONFIG_DIR", str(tmp_path / "config"))
    settings = {"assets.folder": str(kit), "assets.favourites": [str(kit)], "assets.size": 64.0}
    app = HeadlessApp(ctx, box_scene(), state=WindowState(open={AssetPanel.id: True}, settings=settings))
    app.view.update()
    app.view.framing.frame_nodes(None)
    app.settle()
    yield app
    app.close()


def panel_of(app: HeadlessApp) -> AssetPanel:
    (found,) = (panel for feature in app.session.features for panel in feature.panels if panel.id == AssetPanel.id)
    return found


def test_only_a_folder_that_was_chosen_is_kept_for_the_next_scene(kit):
    folder = AssetFolder(lambda: kit, Jobs())
    assert folder.chosen == ""
    folder.go(kit / "doors")
    assert folder.chosen == str(kit / "doors")
    folders = [None]
    other = AssetFolder(lambda: folders[0], Jobs())
    other.choose("")
    assert other.path == Path.home() and other.chosen == ""
    other.before = str(kit / "doors")
    assert other.path == kit / "doors" and other.chosen == "", "a new scene shows what the last one did"
    folders[0] = kit / "doors"  # once a file is open
    assert other.path == kit / "doors" and all(row.name != "arch.obj" for row in other.rows)


def test_a_path_is_typed_to_its_end(app, kit):
    """Its first "/" alone is a path, to the root."""
    folder = panel_of(app)._folder
    folder.go("/")
    app.settle()
    app.click((app.shell.picture.left + 100.0, app.shell.picture.bottom + 46.0))
    app.type(f"{kit.parent}/")
    app.type("ki")
    assert [row.name for row in folder.rows] == ["kit"] and not folder.is_searching
    app.type("t")
    app.press("Enter")
    assert (folder.path, folder.query) == (kit, "")
    app.type("wall")
    assert folder.query == "wall", "the field has the keyboard still, so that no letter is a command"
    assert app.done == []


def test_the_grid_is_walked_by_arrows_and_enter_places_one_beside_the_other(app, kit):
    panel, scene, picture = panel_of(app), app.view.scene, app.shell.picture
    names = [row.name for row in panel._folder.rows]
    marked = lambda: panel._marked.name  # noqa: E731
    app.click((picture.left + 100.0, picture.bottom + 46.0))
    app.press("Down")
    assert marked() == names[0] and not app.backend.wants_keyboard
    app.press("Right", "Right")
    assert marked() == names[2]
    app.press("Left", *["Down"] * 20)
    assert marked() == names[-1]
    app.press(*["Up"] * 20)
    app.press(*["Right"] * (names.index("arch.obj")))
    assert marked() == "arch.obj" and app.done == [], "the selection is not nudged"
    placed = []
    for _ in range(3):
        app.press("Enter")
        app.wait_for_work()
        placed.append(np.array(scene.bounds(app.editor.selected_ids)))
    assert app.done == ["Import arch.obj"] * 3
    ways = np.diff([box[0] for box in placed], axis=0)
    np.testing.assert_allclose(np.abs(ways).max(axis=1), 1.1 * np.ptp(placed[0], axis=0)[np.abs(ways[0]).argmax()])
    assert (np.count_nonzero(np.abs(ways) > 1e-9, axis=1) == 1).all() and (ways @ app.view.camera.axes[0] > 0.0).all()
    app.editor.select([])
    app.press("Enter")
    app.wait_for_work()
    assert scene.bounds(app.editor.selected_ids)[0][0] < placed[2][0][0], "in the middle again"
    app.move((picture.left + 200.0, picture.top + 200.0))
    app.press("g", "z", "3", "Enter")
    app.wait_for_work()
    assert app.done[-2:] == ["Import arch.obj", "Move arch.003"], "and the Enter that confirms places nothing"


def test_the_panel_is_dragged_from_and_double_clicked(app, kit):
    panel, scene = panel_of(app), app.view.scene
    panel._placer.by_origin = False
    app.feature_tool(PlacingOverlay)
    picture = app.shell.picture
    cell = picture.left + 115.0, picture.bottom + 110.0  # the second: arch.obj
    count, middle = len(scene.objects), ((picture.left + picture.right) / 2.0, (picture.top + picture.bottom) / 2.0)
    with app.mouse_down(cell, middle):
        app.frame()
        assert panel.dragged is not None and panel.dragged.name == "arch.obj"
        app.wait_for_work()
        assert len(scene.objects) == count + 1 and app.done == [], "it is seen already"
        first = np.array(scene.bounds(scene.ids[-1:]))
        for _ in range(3):  # on the box, not on itself
            app.frame()
        np.testing.assert_array_equal(scene.bounds(scene.ids[-1:]), first)
        app.press("R")
        turned = np.array(scene.bounds(scene.ids[-1:]))
        np.testing.assert_allclose(np.ptp(turned, axis=0), np.ptp(first, axis=0)[[2, 1, 0]], atol=1e-9)
        np.testing.assert_allclose(turned.sum(axis=0)[[0, 2]], first.sum(axis=0)[[0, 2]], atol=1e-9)
        app.press("Escape")
        assert panel.dragged is None
    app.wait_for_work()
    assert len(scene.objects) == count and app.tools.gizmo.settings.mode is None, "Esc ends a drag"
    with app.mouse_down(cell, middle):
        app.frame()
        app.wait_for_work()
        app.press("R")
    app.wait_for_work()
    assert len(scene.objects) == count + 1 and panel.dragged is None
    np.testing.assert_allclose(scene.bounds(scene.ids[-1:]), turned, atol=1e-9)
    assert str(scene.names[app.selected[0]]) == "arch"
    app.window.seconds += 1.0  # else the next press would make it a double click
    app.drag(cell, (cell[0] + 60.0, cell[1]))
    app.wait_for_work()
    assert len(scene.objects) == count + 1, "let go over the panel it goes nowhere"
    app.click(cell, times=2)
    app.wait_for_work()
    assert len(scene.objects) == count + 2 and app.done == ["Import arch.obj"] * 2
    app.window.seconds += 1.0
    app.window.move(cell)  # all of a drag between two frames, as where pictures take long
    app.window.button_down()
    app.window.move(middle)
    app.window.button_up()
    app.settle()
    app.wait_for_work()
    assert len(scene.objects) == count + 3 and app.done == ["Import arch.obj"] * 3
    assert scene.names[scene.ids].tolist()[-2:] == ["arch.obj.002", "arch.002"]
    values = app.session.host.preferences.values()
    assert values["assets.recent"] == [str(kit)] and values["assets.favourites"] == [str(kit)]

"""Edits by menus, keys and forms: one entry each, undone to the bit, or a line that says why not."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from threading import Event

import numpy as np
import pytest

from octoscope.scene import Scene, editing
from octoscope.scene.annotations.measurement import IN_WORLD, Anchor, Measurement
from octoscope.scene.nodes.bounds import pivot_points, world_boxes
from octoscope.viewer.commands.table import Command
from octoscope.viewer.editing.jobs import JobKind
from tests.scene.builders import ball
from tests.scene.editing.walks import assert_same_state, state
from tests.viewer.headless_app import HeadlessApp
from tests.viewer.needs import needs
from tests.viewer.scenes import add_box_mesh

TOWN, STREET, FIRST, SECOND, TREE, FLOOR, LAMP = range(7)


def town() -> Scene:
    """A street with two houses, a tree beside it, a floor far below and a lamp with a mesh of its own."""
    scene = Scene()
    mesh = add_box_mesh(scene)
    shape = scene.meshes.mesh(mesh)
    other = scene.meshes.add(replace(shape, positions=shape.positions + 0.1))  # beside its origin
    scene.add_nodes(
        ["town", "street", "house 1", "house 2", "tree", "floor", "lamp"],
        parent=[-1, 0, 1, 1, 0, -1, -1],
        mesh=[-1, -1, mesh, mesh, mesh, mesh, other],
        translation=[(0, 0, 0), (0, 0, 0), (1, 2, 3), (4, 2, 3), (9, 0, 0), (0, -9, 0), (1, 9, 3)],
        scale=[(1, 1, 1)] * 5 + [(100, 1, 100), (0.5, 0.5, 0.5)],
    )
    scene.update_world()
    return scene


@pytest.fixture
def scene() -> Scene:
    return town()


@pytest.fixture
def app(ctx, scene) -> Iterator[HeadlessApp]:
    app = HeadlessApp(ctx, scene)
    yield app
    app.close()


def select(app: HeadlessApp, *ids: int) -> None:
    app.editor.select(ids)
    app.settle()


def run(app: HeadlessApp, command_id: str) -> None:
    app.table.run(app.table[command_id])
    app.settle()


def last_line(app: HeadlessApp) -> tuple[str, str]:
    toast = app.editor.log.toasts[-1]
    return toast.level, toast.text


def check_undone_and_done_again(app: HeadlessApp, scene: Scene, command_id: str, ids: tuple[int, ...]) -> None:
    """Check that a command makes one entry of the history, which is undone and done again to the bit."""
    select(app, *ids)
    before, done = state(scene), app.done
    assert app.table[command_id].enabled()
    run(app, command_id)
    if app.shell.boxes.form.is_open:
        app.press("Enter")
    after = state(scene)
    assert len(app.done) == len(done) + 1
    with pytest.raises(AssertionError):
        assert_same_state(after, before)
    app.press("Ctrl+Z")
    assert_same_state(state(scene), before)
    app.press("Ctrl+Y")
    assert_same_state(state(scene), after)


DONE = {  # command: what it is done to
    "edit.duplicate": (FIRST, TREE),
    "edit.duplicate_meshes": (FIRST, TREE),
    "edit.delete": (STREET, TREE),
    "object.group": (FIRST, TREE),
    "object.ungroup": (STREET,),
    "object.parent": (FIRST, LAMP, TREE),
    "object.unparent": (FIRST, TREE),
    "object.to_root": (FIRST, TREE),
    "object.distribute_x": (FIRST, SECOND, TREE),
    "object.array": (FIRST, TREE),
    "object.radial_array": (FIRST, TREE),
    "object.array_along": (FIRST, TREE, LAMP),
    "object.scatter": (TREE, LAMP, FLOOR),
    "object.apply_transform": (FLOOR, LAMP),
    "object.center_pivot": (LAMP, FIRST),
    "object.base_pivot": (LAMP, FIRST),
    "object.flip_faces": (FIRST, TREE),
    "object.merge": (FIRST, LAMP),
    "object.smooth": (FIRST, TREE),
    "object.share_mesh": (FIRST, SECOND, LAMP),
    "add.cube": (),
}


@pytest.mark.parametrize("command_id", DONE)
def test_every_edit_is_one_entry_undone_and_done_again_to_the_bit(app, scene, command_id):
    check_undone_and_done_again(app, scene, command_id, DONE[command_id])


@pytest.mark.parametrize("up_axis", ["y", "z"])
@pytest.mark.parametrize("kind", ["cube", "sphere", "torus", "plane"])
def test_an_added_shape_stands_on_what_the_middle_of_the_picture_shows(ctx, up_axis, kind):
    scene = Scene()
    up = "xyz".index(up_axis)
    flat = [100.0] * 3
    flat[up] = 1.0
    scene.add_node("floor", mesh=add_box_mesh(scene), scale=flat)
    scene.up_axis = up_axis
    scene.update_world()
    app = HeadlessApp(ctx, scene)
    app.view.camera = replace(app.view.camera, pivot=np.array([1.0, 2.0, 3.0]) - 8.0 * app.view.camera.axes[2])
    app.view.build_frames(app.size)
    run(app, f"add.{kind}")
    (added,) = app.view.selected_ids
    bounds = scene.bounds([added])
    assert bounds[0][up] == pytest.approx(0.5, abs=2e-3), "on the floor's upper side, not in it"
    foot = scene.translations[added].copy()
    foot[up] = bounds[0][up]
    pixel = app.view.camera.clip_from_world(1.0) @ [*foot, 1.0]
    assert abs(pixel[:2] / pixel[3]).max() < 0.1, "and in the middle of the picture"
    app.close()


def test_an_added_shape_in_an_empty_scene_stands_on_the_ground(ctx):
    app = HeadlessApp(ctx, Scene())
    run(app, "add.cube")
    np.testing.assert_allclose(app.view.scene.bounds(), [(-0.5, 0.0, -0.5), (0.5, 1.0, 0.5)], atol=1e-3)
    app.close()


def test_copies_that_lie_where_the_first_do_are_told_of(app):
    select(app, FIRST)
    run(app, "edit.duplicate")
    assert last_line(app) == ("info", "1 object duplicated: in the same place as the original; G moves it")
    select(app, FIRST, TREE)
    run(app, "edit.duplicate_meshes")
    assert last_line(app) == ("info", "2 objects duplicated: in the same places as the originals; G moves them")


@pytest.mark.parametrize(("preset", "shares"), [("octoscope", True), ("blender", False)])
def test_copies_go_with_the_mouse_and_stay_where_they_are_when_that_is_taken_back(open_app, scene, preset, shares):
    app = open_app(scene, preset=preset)
    select(app, LAMP)
    app.move((640.0, 300.0))
    before, place, count = state(scene), scene.translations[LAMP].copy(), len(scene)
    app.press("Shift+D")
    assert app.tools.gizmo.is_running and len(scene) == count + 1
    app.press("Z", "1", "Enter")
    (copy,) = app.view.selected_ids
    assert not app.tools.gizmo.is_running and copy != LAMP
    np.testing.assert_allclose(scene.translations[copy] - place, (0.0, 0.0, 1.0), atol=1e-9)
    assert (scene.mesh_ids[copy] == scene.mesh_ids[LAMP]) == shares
    app.press("Shift+D", "X", "5", "Esc")
    (other,) = app.view.selected_ids
    np.testing.assert_allclose(scene.translations[other], scene.translations[copy])
    app.press("Ctrl+Z", "Ctrl+Z", "Ctrl+Z")
    assert_same_state(state(scene), before)


def of_selection(app: HeadlessApp) -> list[Command]:
    of_others = "edit.paste", "edit.settings"
    ids = "edit.", "object."
    return [each for each in app.table.commands if each.id.startswith(ids) and not each.id.startswith(of_others)]


def test_what_cannot_be_done_is_grey_and_says_what_it_needs(app, scene):
    for command in of_selection(app):
        assert not command.enabled() and command.refusal and command.description, command.id
    app.press("Ctrl+G")
    assert last_line(app) == ("info", "Group: select an object first")
    for ids, command_id, line in (
        ((FIRST,), "object.parent", "Parent to active: select two or more objects"),
        ((FIRST,), "object.ungroup", "Ungroup: select a group"),
        ((LAMP,), "object.unparent", "Unparent: select an object that has a parent"),
        ((STREET,), "object.center_pivot", "Centre origin: select an object with a mesh"),
        ((FIRST, STREET), "object.merge", "Merge: select two or more objects with a mesh"),
        ((FIRST, LAMP, STREET), "object.share_mesh", "Mesh of the active: select two or more objects with a mesh"),
        ((FIRST, LAMP), "object.distribute_x", "Distribute along X: select three or more objects"),
    ):
        select(app, *ids)
        done = app.done
        run(app, command_id)
        assert last_line(app)[1].startswith(line) and app.done == done


def test_an_array_is_typed_and_stands_side_by_side(app, scene):
    select(app, TREE)
    run(app, "object.array")
    app.type("2")
    app.press("Tab", "Tab")
    app.type("3")
    app.press("Tab")
    app.type("1")
    app.press("Tab", "Tab")
    app.type("-2")
    app.press("Enter")
    assert len(scene) == 12 and app.done == ["Select tree", "Array of tree"]
    scene.update_world()
    width = 2.0 * np.abs(scene.meshes.mesh(0).positions).max()
    found = scene.world_from_local[app.selected, :3, 3]
    expected = [(9.0 + x * width, 0.0, -2.0 * z * width) for x in range(2) for z in range(3)]
    np.testing.assert_allclose(sorted(found.tolist()), sorted(expected), atol=1e-9)


def test_copies_of_an_array_have_meshes_of_their_own_and_too_many_are_refused(app, scene):
    select(app, TREE)
    run(app, "object.array")
    app.type("1000000")
    app.press("Tab")
    app.type("1000000")
    app.press("Tab")
    app.type("1000000")  # all three come to more bytes than 64 bits can say
    app.press("Enter")
    assert app.shell.boxes.form.is_open and len(scene) == 7
    app.press("Shift+Tab", "Shift+Tab")
    app.type("2")
    app.press("Tab")
    app.type("1")
    app.press("Tab")
    app.type("1")
    app.press(*["Tab"] * 8, "Space", "Enter")  # the last choice: copies
    assert len(scene) == 8 and len(scene.meshes) == 3 and scene.mesh_ids[app.selected[-1]] == 2


def test_a_form_of_copies_shows_them_while_it_is_filled_in_and_leaves_nothing_when_it_is_cancelled(app, scene):
    select(app, TREE)
    before, done = state(scene), app.done
    run(app, "object.array")
    assert len(scene) == 9 and app.selected == [TREE] and app.done == done
    app.type("5")
    assert len(scene) == 11 and "tree.004" in scene.names[scene.alive]
    app.editor.finish()  # as before another file is written
    assert len(scene) == 7
    app.settle()
    assert len(scene) == 11
    app.type("0000")
    app.settle()
    assert len(scene) == 7 and app.shell.boxes.form.is_open  # too many to be made again and again
    app.press("Esc")
    assert_same_state(state(scene), before)
    assert app.done == done and app.editor.history.transaction is None
    run(app, "object.array")
    app.press("Enter")
    assert len(scene) == 9 and len(app.done) == len(done) + 1


def test_a_path_of_one_place_shows_no_copies_and_is_refused(app, scene):
    select(app, TREE)
    run(app, "edit.duplicate")
    (copy,), count = app.selected, len(scene)
    select(app, TREE, copy, LAMP)
    run(app, "object.array_along")
    app.settle()
    assert app.shell.boxes.form.is_open and len(scene) == count
    app.press("Enter")
    assert len(scene) == count and "two points that are not in the same place" in app.editor.log.entries[-1].text


def test_copies_go_along_a_measured_path_while_only_what_is_copied_is_selected(app, scene):
    path = np.array([(1.0, 2.0, 3.0), (1.0, 2.0, 7.0), (5.0, 2.0, 7.0)])
    scene.measurements = [Measurement("path", tuple(Anchor(IN_WORLD, tuple(point)) for point in path.tolist()))]
    select(app, LAMP)
    run(app, "object.array_along")
    app.type("3")
    app.press("Enter")
    assert len(app.selected) == 3
    np.testing.assert_allclose(pivot_points(scene, np.array(app.selected)), path, atol=1e-9)


@needs("cursor")
def test_the_last_command_is_repeated_for_what_is_selected_now(app, scene):
    app.table.rebind("blender", {})
    select(app, FIRST)
    app.press("Ctrl+G")
    select(app, TREE)
    app.press("Shift+R")
    assert app.done[-1].startswith("Group tree") and app.table["edit.repeat"].label_now == "Repeat Group"
    app.press("Ctrl+Z", "Shift+R")
    assert app.done[-1].startswith("Group tree"), "undo is not repeated"
    for other in ("add.cube", "cursor.to_origin", "cursor.remove"):
        run(app, other)
    assert app.table["edit.repeat"].label_now == "Repeat Group"


def test_objects_are_aligned_along_the_ticked_axes_which_the_form_shows_before(app, scene):
    select(app, FIRST, TREE)
    before = state(scene)
    run(app, "object.align")
    app.press("Enter")
    assert app.shell.boxes.form.is_open, "no axis is ticked"
    app.press("Tab", "Space", "Tab", "Tab", "Space")  # along X and Z
    boxes = world_boxes(scene, np.array([FIRST, TREE]))
    np.testing.assert_allclose(boxes[0].mean(axis=0)[[0, 2]], boxes[1].mean(axis=0)[[0, 2]], atol=1e-9)
    done = len(app.done)
    app.press("Enter")
    np.testing.assert_allclose(world_boxes(scene, np.array([FIRST, TREE])), boxes, atol=1e-9)
    assert len(app.done) == done + 1
    app.press("Ctrl+Z")
    assert_same_state(state(scene), before)
    select(app, TREE, FIRST)
    scene.cursor = (1.0, 2.0, 3.0)
    run(app, "object.align")  # as before, the axes and all
    app.press(*["Tab"] * 10, "Space", "Enter")
    np.testing.assert_allclose(world_boxes(scene, np.array([FIRST, TREE])).mean(axis=1)[:, [0, 2]], [(1, 3)] * 2)


def test_a_ring_about_the_cursor_needs_a_cursor(app, scene):
    select(app, TREE)
    run(app, "object.radial_array")
    app.type("4")
    app.press(*["Tab"] * 8, "Space", "Enter")
    assert app.shell.boxes.form.is_open and len(scene) == 7
    app.press("Esc")
    scene.cursor = np.array((9.0, 0.0, 5.0))
    run(app, "object.radial_array")
    app.type("4")
    app.press(*["Tab"] * 8, "Space", "Enter")
    scene.update_world()
    places = scene.world_from_local[app.selected, :3, 3]
    np.testing.assert_allclose(places, [(9, 0, 0), (4, 0, 5), (9, 0, 10), (14, 0, 5)], atol=1e-9)


def test_a_ring_about_an_axis_through_the_object_says_that_it_is_a_pile(app, scene):
    select(app, TREE)
    for about, is_pile in ((scene.world_from_local[TREE, :3, 3], True), ((90.0, 0.0, 5.0), False)):
        scene.cursor = np.array(about)
        run(app, "object.radial_array")
        app.press(*["Tab"] * 8, "Space")
        assert ("all are in the same place" in app.shell.boxes.form._filling.outcome().text) == is_pile
        app.press("Esc")


def test_objects_hang_below_the_active_one_a_level_up_and_at_the_top_where_they_are(app, scene):
    before = scene.world_from_local.copy()
    select(app, FIRST, LAMP, SECOND)
    app.press("P")
    assert scene.parents[[FIRST, LAMP, SECOND]].tolist() == [SECOND, SECOND, STREET]
    select(app, FIRST)
    app.press("Shift+P")
    assert scene.parents[FIRST] == STREET
    app.press("Shift+P")
    assert scene.parents[FIRST] == TOWN
    select(app, FIRST, SECOND)
    app.press("Alt+P")
    assert scene.parents[[FIRST, SECOND, LAMP]].tolist() == [-1, -1, SECOND]
    scene.update_world()
    np.testing.assert_allclose(scene.world_from_local, before, atol=1e-12)


def test_a_circle_is_refused_in_a_line_and_a_shear_is_told(app, scene):
    select(app, STREET, FIRST)
    done = app.done
    app.press("P")
    assert last_line(app) == ("error", "Reparent: street cannot be its own ancestor") and app.done == done
    scene.set_rotations([TREE], (0.38, 0.0, 0.0, 0.92))
    scene.update_world()
    select(app, TREE, FLOOR)
    app.press("P")
    assert scene.parents[TREE] == FLOOR
    assert last_line(app)[0] == "warning" and "shear" in last_line(app)[1]


def test_meshes_are_replaced_by_that_of_the_active_one_or_of_a_file(app, scene, tmp_path, monkeypatch):
    select(app, FIRST, TREE, LAMP)
    run(app, "object.share_mesh")
    assert scene.mesh_ids[[FIRST, SECOND, TREE, LAMP]].tolist() == [1, 0, 1, 1]
    (tmp_path / "flag.obj").write_text("o flag\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
    (tmp_path / "broken.glb").write_bytes(b"no glTF")
    monkeypatch.chdir(tmp_path)
    before = state(scene)
    for name, meshes in (("broken.glb", 2), ("flag.obj", 3)):
        select(app, FIRST, STREET, TREE)
        run(app, "object.replace_mesh")
        app.type(name)
        app.press("Enter")
        app.editor.jobs.wait(JobKind.EDIT)
        app.editor.jobs.poll()
        app.settle()
        assert len(scene.meshes) == meshes
        if meshes == 2:
            assert last_line(app)[0] == "error" and "broken.glb" in last_line(app)[1]
            assert_same_state(state(scene), before)
    assert scene.mesh_ids[[FIRST, STREET, TREE, LAMP]].tolist() == [2, -1, 2, 1]
    assert [path.name for path in scene.sources] == ["flag.obj"]
    app.press("Ctrl+Z")
    assert_same_state(state(scene), before)


def make_large_array(app: HeadlessApp) -> None:
    select(app, TREE)
    run(app, "object.array")
    app.type("12000")
    app.press("Enter")


def test_a_large_array_is_made_beside_the_window_and_is_one_entry(app, scene):
    before = state(scene)
    make_large_array(app)
    app.wait_for_work()
    assert app.editor.locked is None and app.done == ["Select tree", "Array of tree"]
    assert len(scene) == 7 + 11999 and len(app.selected) == 12000
    assert len(scene.index) == 5 + 11999
    assert scene.raycast((9.0 + 11999 * 1.0, 0.0, 50.0), (0.0, 0.0, -1.0)).node.id == app.selected[-1]
    app.press("Ctrl+Z")
    assert_same_state(state(scene), before)
    assert len(scene.index) == 5
    app.press("Ctrl+Y")
    assert len(scene) == 7 + 11999


def test_a_large_array_that_is_stopped_leaves_all_as_it_was(app, scene, tmp_path):
    before = state(scene)
    select(app, TREE)
    go_on = Event()

    def slowly(scene: Scene):
        go_on.wait(30.0)
        return editing.array(scene, [TREE], [12000], (1.0, 0.0, 0.0))

    app.editor.run_in_background("making copies", slowly)
    app.editor.run_in_background("making copies", slowly)
    assert last_line(app) == ("warning", "Slowly: making copies is still running; try again when it is done")
    app.editor.rename(LAMP, "meanwhile")
    app.press("Ctrl+Z")
    app.document.flows._ask_path = lambda request: request.choose(tmp_path / "meanwhile.octo.json")
    app.document.save_as()
    assert not app.document.is_busy and not (tmp_path / "meanwhile.octo.json").exists()
    assert_same_state(state(scene), before)
    app.editor.jobs.cancel(JobKind.EDIT)
    go_on.set()
    app.wait_for_work()
    assert last_line(app) == ("info", "Slowly: cancelled, nothing was changed") and app.editor.locked is None
    assert_same_state(state(scene), before)
    assert scene.row_count == 7 and app.done == ["Select tree"]


def test_what_cannot_be_made_beside_the_window_says_why(app, scene):
    app.editor.run_in_background("making copies", editing.array, [TREE], [1], (1.0, 0.0, 0.0))
    app.wait_for_work()
    assert last_line(app) == ("error", "Array: the count includes the original: use 2 or more")
    assert app.editor.locked is None


def test_what_was_merged_is_separated_again_beside_the_window_when_it_is_large(app, scene, monkeypatch):
    for most in (100_000, 1):
        monkeypatch.setattr("octoscope.viewer.commands.menus.mending._LARGE_MESHES", most)
        select(app, TREE, LAMP)
        run(app, "object.merge")
        assert len(scene) == 6
        before = state(scene)
        run(app, "object.separate")
        app.wait_for_work()
        assert len(scene) == 7 and scene.names[app.selected].tolist() == ["tree", "tree.001"]
        app.press("Ctrl+Z")
        assert_same_state(state(scene), before)
        run(app, "object.separate")
        app.wait_for_work()
        app.press("Ctrl+Z")
        app.press("Ctrl+Z")
    select(app, TREE)
    run(app, "object.separate")
    app.wait_for_work()
    level, text = last_line(app)
    assert level == "error" and text == "Separate: each mesh is already one connected part"


def test_decimating_shows_its_result_while_the_form_is_filled_in_and_is_one_step(app, scene):
    node = scene.add_node("ball", mesh=scene.meshes.add(ball(20, 30))).id
    select(app, node)
    before = scene.mesh_ids[node]

    def triangles() -> int:
        return int(scene.meshes.rows["triangle_count"][scene.mesh_ids[node]])

    count, done = triangles(), len(app.done)
    run(app, "object.decimate")
    assert 0.2 * count < triangles() <= 0.5 * count and len(app.done) == done
    app.press("Escape")
    assert scene.mesh_ids[node] == before
    run(app, "object.decimate")
    app.press("Enter")
    app.wait_for_work()
    assert triangles() <= 0.5 * count and len(app.done) == done + 1
    app.press("Ctrl+Z")
    assert scene.mesh_ids[node] == before


def test_what_is_added_outside_the_picture_can_be_framed_from_its_message(app, scene):
    app.view.framing.frame_nodes([TREE])
    app.view.build_frames(app.view.layout.size)
    app.editor.run(editing.add_primitive, "cube", translation=scene.world_from_local[TREE, :3, 3])
    assert all(toast.offer is None for toast in app.editor.log.toasts), "it is seen"
    app.editor.run(editing.add_primitive, "cube", translation=(5000.0, 0.0, 0.0))
    app.settle()
    (toast,) = app.editor.log.toasts
    assert toast.text == "Add cube.001: outside the picture" and app.view.framing.is_out_of_sight(app.selected)
    assert toast.offer is not None and app.table[toast.offer[1]].label == "Frame selection"
    picture = app.shell.picture
    tried = ((x, y) for y in np.arange(picture.top + 50.0, picture.top + 90.0, 6.0) for x in (60.0, 90.0, 130.0, 170.0))
    for left, y in tried:
        app.click((picture.right - left, y))
        if not app.editor.log.toasts:
            break
    app.view.build_frames(app.view.layout.size)
    assert not app.view.framing.is_out_of_sight(app.selected)

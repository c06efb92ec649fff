"""What is done to objects by menus, keys and forms: one entry each, undone to the bit, or a line that says why not."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from threading import Event

import numpy as np
import pytest

from scene import Scene, change_nodes, editing
from tests.scene.editing.walks import assert_same_state, state
from tests.viewer.desk import Desk
from tests.viewer.scenes import add_box_mesh
from viewer.commands.table import Command
from viewer.editing.jobs import JobKind

TOWN, STREET, FIRST, SECOND, TREE, FLOOR, LAMP = range(7)


@pytest.fixture
def scene() -> Scene:
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
def desk(ctx, scene) -> Iterator[Desk]:
    desk = Desk(ctx, scene)
    yield desk
    desk.close()


def select(desk: Desk, *ids: int) -> None:
    desk.editor.select(ids)
    desk.settle()


def run(desk: Desk, command_id: str) -> None:
    desk.table.run(desk.table[command_id])
    desk.settle()


def last_line(desk: Desk) -> tuple[str, str]:
    toast = desk.editor.log.toasts[-1]
    return toast.level, toast.text


def bottom(scene: Scene, node: int) -> float:
    scene.update_world()
    mesh = scene.meshes.positions_of(int(scene.mesh_ids[node]))
    matrix = scene.world_from_local[node]
    return float((mesh @ matrix[1, :3] + matrix[1, 3]).min())


DONE = {  # command: what it is done to
    "edit.duplicate": (FIRST, TREE),
    "edit.duplicate_meshes": (FIRST, TREE),
    "edit.delete": (STREET, TREE),
    "object.group": (FIRST, TREE),
    "object.ungroup": (STREET,),
    "object.parent": (FIRST, LAMP, TREE),
    "object.unparent": (FIRST, TREE),
    "object.to_root": (FIRST, TREE),
    "object.drop": (STREET, LAMP),
    "object.drop_onto": (STREET, LAMP),
    "object.drop_as_one": (STREET, LAMP),
    "object.align_y_max": (FIRST, LAMP),
    "object.distribute_x": (FIRST, SECOND, TREE),
    "object.array": (FIRST, TREE),
    "object.radial_array": (FIRST, TREE),
    "object.apply_transform": (FLOOR, LAMP),
    "object.center_pivot": (LAMP, FIRST),
    "object.merge": (FIRST, LAMP),
    "object.share_mesh": (FIRST, SECOND, LAMP),
    "add.cube": (),
}


@pytest.mark.parametrize("command_id", DONE)
def test_every_edit_is_one_entry_undone_and_done_again_to_the_bit(desk, scene, command_id):
    select(desk, *DONE[command_id])
    before, done = state(scene), desk.done
    assert desk.table[command_id].enabled()
    run(desk, command_id)
    if desk.shell.boxes.form.is_open:
        desk.press("Enter")
    after = state(scene)
    assert len(desk.done) == len(done) + 1
    with pytest.raises(AssertionError):
        assert_same_state(after, before)
    desk.press("Ctrl+Z")
    assert_same_state(state(scene), before)
    desk.press("Ctrl+Y")
    assert_same_state(state(scene), after)


def test_copies_that_lie_where_the_first_do_are_told_of(desk):
    select(desk, FIRST)
    run(desk, "edit.duplicate")
    assert last_line(desk) == ("info", "1 object duplicated: in the same place as the original; G moves it")
    select(desk, FIRST, TREE)
    run(desk, "edit.duplicate_meshes")
    assert last_line(desk) == ("info", "2 objects duplicated: in the same places as the originals; G moves them")


@pytest.mark.parametrize(("preset", "shares"), [("default", True), ("blender", False)])
def test_copies_go_with_the_mouse_and_stay_where_they_are_when_that_is_taken_back(desk_over, scene, preset, shares):
    desk = desk_over(scene, draws=False, preset=preset)
    select(desk, LAMP)
    desk.move((640.0, 300.0))
    before, place, count = state(scene), scene.translations[LAMP].copy(), len(scene)
    desk.press("Shift+D")
    assert desk.tools.gizmo.is_running and len(scene) == count + 1
    desk.press("Z", "1", "Enter")
    (copy,) = desk.view.selected_ids
    assert not desk.tools.gizmo.is_running and copy != LAMP
    np.testing.assert_allclose(scene.translations[copy] - place, (0.0, 0.0, 1.0), atol=1e-9)
    assert (scene.mesh_ids[copy] == scene.mesh_ids[LAMP]) == shares
    desk.press("Shift+D", "X", "5", "Esc")
    (other,) = desk.view.selected_ids
    np.testing.assert_allclose(scene.translations[other], scene.translations[copy])
    desk.press("Ctrl+Z", "Ctrl+Z", "Ctrl+Z")
    assert_same_state(state(scene), before)


def of_selection(desk: Desk) -> list[Command]:
    return [command for command in desk.table.commands if command.id.startswith(("edit.", "object."))]


def test_what_cannot_be_done_is_grey_and_says_what_it_needs(desk, scene):
    for command in of_selection(desk):
        assert not command.enabled() and command.refusal and command.description, command.id
    desk.press("Ctrl+G")
    assert last_line(desk) == ("info", "Group: select an object first")
    for ids, command_id, line in (
        ((FIRST,), "object.parent", "Parent to active: select two or more objects"),
        ((FIRST,), "object.ungroup", "Ungroup: select a group"),
        ((LAMP,), "object.unparent", "Unparent: select an object that has a parent"),
        ((STREET,), "object.center_pivot", "Centre origin: select an object with a mesh"),
        ((FIRST, STREET), "object.merge", "Merge: select two or more objects with a mesh"),
        ((FIRST, LAMP, STREET), "object.share_mesh", "Mesh of the active: select two or more objects with a mesh"),
        ((FIRST, LAMP), "object.distribute_x", "Along X: select three or more objects"),
    ):
        select(desk, *ids)
        done = desk.done
        run(desk, command_id)
        assert last_line(desk)[1].startswith(line) and desk.done == done


def test_an_array_is_typed_and_stands_side_by_side(desk, scene):
    select(desk, TREE)
    run(desk, "object.array")
    desk.type("2")
    desk.press("Tab", "Tab")
    desk.type("3")
    desk.press("Tab")
    desk.type("1")
    desk.press("Tab", "Tab")
    desk.type("-2")
    desk.press("Enter")
    assert len(scene) == 12 and desk.done == ["Select tree", "Array of tree"]
    scene.update_world()
    width = 2.0 * np.abs(scene.meshes.positions_of(0)).max()
    found = scene.world_from_local[[TREE, *desk.selected], :3, 3]
    expected = [(9.0 + x * width, 0.0, -2.0 * z * width) for x in range(2) for z in range(3)]
    np.testing.assert_allclose(sorted(found.tolist()), sorted(expected), atol=1e-9)


def test_copies_of_an_array_have_meshes_of_their_own_and_too_many_are_refused(desk, scene):
    select(desk, TREE)
    run(desk, "object.array")
    desk.type("1000000")
    desk.press("Tab")
    desk.type("1000000")
    desk.press("Tab")
    desk.type("1000000")  # all three come to more bytes than 64 bits can say
    desk.press("Enter")
    assert desk.shell.boxes.form.is_open and len(scene) == 7
    desk.press("Shift+Tab", "Shift+Tab")
    desk.type("2")
    desk.press("Tab")
    desk.type("1")
    desk.press("Tab")
    desk.type("1")
    desk.press(*["Tab"] * 7, "Space", "Enter")  # the last choice: copies
    assert len(scene) == 8 and len(scene.meshes) == 3 and scene.mesh_ids[desk.selected[0]] == 2


def test_a_ring_about_the_cursor_needs_a_cursor(desk, scene):
    select(desk, TREE)
    gizmo_at = desk.tools.gizmo
    run(desk, "object.radial_array")
    desk.type("4")
    desk.press(*["Tab"] * 8, "Space", "Enter")
    assert desk.shell.boxes.form.is_open and len(scene) == 7
    desk.press("Esc")
    gizmo_at.cursor = np.array((9.0, 0.0, 5.0))
    run(desk, "object.radial_array")
    desk.type("4")
    desk.press(*["Tab"] * 8, "Space", "Enter")
    scene.update_world()
    places = scene.world_from_local[[TREE, *desk.selected], :3, 3]
    np.testing.assert_allclose(places, [(9, 0, 0), (4, 0, 5), (9, 0, 10), (14, 0, 5)], atol=1e-9)


def test_objects_hang_below_the_active_one_a_level_up_and_at_the_top_where_they_are(desk, scene):
    before = scene.world_from_local.copy()
    select(desk, FIRST, LAMP, SECOND)
    desk.press("P")
    assert scene.parents[[FIRST, LAMP, SECOND]].tolist() == [SECOND, SECOND, STREET]
    select(desk, FIRST)
    desk.press("Shift+P")
    assert scene.parents[FIRST] == STREET
    desk.press("Shift+P")
    assert scene.parents[FIRST] == TOWN
    select(desk, FIRST, SECOND)
    desk.press("Alt+P")
    assert scene.parents[[FIRST, SECOND, LAMP]].tolist() == [-1, -1, SECOND]
    scene.update_world()
    np.testing.assert_allclose(scene.world_from_local, before, atol=1e-12)


def test_a_circle_is_refused_in_a_line_and_a_shear_is_told(desk, scene):
    select(desk, STREET, FIRST)
    done = desk.done
    desk.press("P")
    assert last_line(desk) == ("error", "Reparent: street cannot be its own ancestor") and desk.done == done
    scene.set_rotations([TREE], (0.38, 0.0, 0.0, 0.92))
    scene.update_world()
    select(desk, TREE, FLOOR)
    desk.press("P")
    assert scene.parents[TREE] == FLOOR
    assert last_line(desk)[0] == "warning" and "shear" in last_line(desk)[1]


def test_what_is_dropped_lands_on_what_is_seen_below_it(desk, scene):
    roof = float(np.abs(scene.meshes.positions_of(0)).max())
    for hidden, height in ((False, 2.0 + roof), (True, -9.0 + roof)):
        if hidden:
            select(desk, FIRST)
            desk.press("H")
        select(desk, LAMP)
        before = state(scene)
        desk.press("Shift+End")
        assert bottom(scene, LAMP) == pytest.approx(height, abs=1e-6)
        desk.press("Ctrl+Z")
        assert_same_state(state(scene), before)
    desk.press("End")
    assert bottom(scene, LAMP) == pytest.approx(0.0, abs=1e-9)


def test_what_is_left_out_by_isolation_holds_nothing(desk, scene):
    select(desk, LAMP, FLOOR)
    desk.press("/")
    select(desk, LAMP)
    desk.press("Shift+End")
    roof = float(np.abs(scene.meshes.positions_of(0)).max())
    assert bottom(scene, LAMP) == pytest.approx(-9.0 + roof, abs=1e-6)


def test_meshes_are_replaced_by_that_of_the_active_one_or_of_a_file(desk, scene, tmp_path, monkeypatch):
    select(desk, FIRST, TREE, LAMP)
    run(desk, "object.share_mesh")
    assert scene.mesh_ids[[FIRST, SECOND, TREE, LAMP]].tolist() == [1, 0, 1, 1]
    (tmp_path / "flag.obj").write_text("o flag\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
    (tmp_path / "broken.glb").write_bytes(b"no glTF")
    monkeypatch.chdir(tmp_path)
    before = state(scene)
    for name, meshes in (("broken.glb", 2), ("flag.obj", 3)):
        select(desk, FIRST, STREET, TREE)
        run(desk, "object.replace_mesh")
        desk.type(name)
        desk.press("Enter")
        desk.editor.jobs.wait(JobKind.EDIT)
        desk.editor.jobs.poll()
        desk.settle()
        assert len(scene.meshes) == meshes
        if meshes == 2:
            assert last_line(desk)[0] == "error" and "broken.glb" in last_line(desk)[1]
            assert_same_state(state(scene), before)
    assert scene.mesh_ids[[FIRST, STREET, TREE, LAMP]].tolist() == [2, -1, 2, 1]
    assert [path.name for path in scene.sources] == ["flag.obj"]
    desk.press("Ctrl+Z")
    assert_same_state(state(scene), before)


def make_large_array(desk: Desk) -> None:
    select(desk, TREE)
    run(desk, "object.array")
    desk.type("12000")
    desk.press("Enter")


def test_a_large_array_is_made_beside_the_window_and_is_one_entry(desk, scene):
    before = state(scene)
    make_large_array(desk)
    desk.wait_for_work()
    assert desk.editor.locked is None and desk.done == ["Select tree", "Array of tree"]
    assert len(scene) == 7 + 11999 and len(desk.selected) == 11999
    assert len(scene.index) == 5 + 11999
    assert scene.raycast((9.0 + 11999 * 1.1, 0.0, 50.0), (0.0, 0.0, -1.0)).node.id == desk.selected[-1]
    desk.press("Ctrl+Z")
    assert_same_state(state(scene), before)
    assert len(scene.index) == 5
    desk.press("Ctrl+Y")
    assert len(scene) == 7 + 11999


def test_a_large_array_that_is_stopped_leaves_all_as_it_was(desk, scene, tmp_path):
    before = state(scene)
    select(desk, TREE)
    go_on = Event()

    def slowly(scene: Scene):
        go_on.wait(30.0)
        return editing.array(scene, [TREE], [12000], (1.0, 0.0, 0.0))

    desk.editor.run_in_background("making copies", slowly)
    desk.editor.run_in_background("making copies", slowly)
    assert last_line(desk) == ("warning", "Slowly: making copies is still running; try again when it is done")
    desk.editor.rename(LAMP, "meanwhile")
    desk.press("Ctrl+Z")
    desk.document.flows._ask_path = lambda request: request.choose(tmp_path / "meanwhile.octo.json")
    desk.document.save_as()
    assert not desk.document.is_busy and not (tmp_path / "meanwhile.octo.json").exists()
    assert_same_state(state(scene), before)
    desk.editor.jobs.cancel(JobKind.EDIT)
    go_on.set()
    desk.wait_for_work()
    assert last_line(desk) == ("info", "Slowly: cancelled, nothing was changed") and desk.editor.locked is None
    assert_same_state(state(scene), before)
    assert scene.row_count == 7 and desk.done == ["Select tree"]


def test_what_cannot_be_made_beside_the_window_says_why(desk, scene):
    desk.editor.run_in_background("making copies", editing.array, [TREE], [1], (1.0, 0.0, 0.0))
    desk.wait_for_work()
    assert last_line(desk) == ("error", "Array: the count includes the original: use 2 or more")
    assert desk.editor.locked is None


def test_many_objects_fall_beside_the_window(desk, scene):
    make_large_array(desk)
    desk.wait_for_work()
    desk.editor.do(change_nodes(scene, desk.selected, translation=scene.translations[desk.selected] + (0.0, 7.0, 0.0)))
    copies = desk.selected
    run(desk, "object.drop_onto")
    desk.wait_for_work()
    assert desk.done[-1] == "Drop 11,999 objects"
    scene.update_world()
    assert abs(bottom(scene, int(copies[-1]))) < 1e-6


def test_what_was_merged_is_separated_again_beside_the_window_when_it_is_large(desk, scene, monkeypatch):
    for most in (100_000, 1):
        monkeypatch.setattr("viewer.commands.objects._LARGE_MESH", most)
        select(desk, TREE, LAMP)
        run(desk, "object.merge")
        assert len(scene) == 6
        before = state(scene)
        run(desk, "object.separate")
        desk.wait_for_work()
        assert len(scene) == 7 and scene.names[desk.selected].tolist() == ["tree", "tree.001"]
        desk.press("Ctrl+Z")
        assert_same_state(state(scene), before)
        run(desk, "object.separate")
        desk.wait_for_work()
        desk.press("Ctrl+Z")
        desk.press("Ctrl+Z")
    select(desk, TREE)
    run(desk, "object.separate")
    desk.wait_for_work()
    level, text = last_line(desk)
    assert level == "error" and text == "Separate: each mesh is already one connected part"

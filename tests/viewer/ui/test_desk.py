"""Panels, menus and palette under mouse and keys, and what comes of it in the scene and its history."""

from __future__ import annotations

import time

import numpy as np
import pytest

from scene import Scene, load
from tests.viewer.desk import SIZE, Desk
from tests.viewer.scenes import box_scene, street
from tests.viewer.windows.window_boxes import project, write_boxes
from viewer.camera.camera import box_corners
from viewer.settings.config import WindowState


@pytest.fixture
def scene() -> Scene:
    return street()


@pytest.fixture
def desk(desk_over, scene) -> Desk:
    return desk_over(scene)


# The outliner.


def test_rows_are_opened_and_selected_with_the_mouse(desk):
    assert desk.outliner.rows.ids.tolist() == [0, 1, 4]
    _x, y = desk.row_of(1)
    desk.click((32.0, y))  # the street's arrow
    assert desk.outliner.rows.ids.tolist() == [0, 1, 2, 3, 4]
    assert desk.selected == []
    desk.click(desk.row_of(2))
    assert desk.selected == [2]
    desk.click(desk.row_of(4), held="ctrl")
    assert desk.selected == [2, 4]
    desk.click(desk.row_of(2), held="ctrl")
    assert desk.selected == [4]
    desk.click(desk.row_of(4))
    desk.click(desk.row_of(1), held="shift")
    assert sorted(desk.selected) == [1, 2, 3, 4] and desk.selected[-1] == 1
    desk.press("Down")
    assert desk.selected == [2]
    desk.press("Up", "Left")
    assert desk.selected == [1] and desk.outliner.rows.ids.tolist() == [0, 1, 4]


def test_the_active_one_of_the_selected_rows_is_the_strongest(desk):
    def has_pending_uploads(color: np.ndarray, node: int) -> bool:
        x, y = map(round, desk.row_of(node))
        row = desk.picture()[y, x - 60 : x + 60]
        return np.mean(np.abs(row - color).max(axis=1) <= 4.0) > 0.5

    desk.editor.select([2, 4, 3])
    for active in (3, 4):
        desk.settle()
        for node in (2, 3, 4):
            assert has_pending_uploads(desk.chosen_color(also=node != active), node), (active, node)
        desk.editor.select([2, 3, 4])


def test_what_is_selected_elsewhere_is_opened_to_and_shown(desk):
    desk.editor.select([3])
    desk.settle()
    assert desk.outliner.rows.ids.tolist() == [0, 1, 2, 3, 4]
    assert desk.outliner.rows.row_of(3) == 3


def test_a_double_click_frames_what_it_hits(desk):
    desk.click(desk.row_of(4), times=2)
    assert desk.selected == [4]
    np.testing.assert_allclose(desk.view.camera.pivot, (9.0, 0.0, 0.0), atol=0.1)


def test_finding_by_name_leaves_what_matches_and_what_is_above_it(desk):
    desk.press("Ctrl+F")
    desk.type("HOUSE 2")
    assert desk.outliner.rows.ids.tolist() == [0, 1, 3]
    desk.click(desk.row(2))
    assert desk.selected == [3]


def test_enter_selects_all_that_fit_a_name_or_a_pattern(desk):
    for query, selected in (("HOUSE", [2, 3]), ("*ouse ?", [2, 3]), ("TR?E", [4]), ("tree", [1, 4])):
        desk.press("Ctrl+F", "Ctrl+A")
        desk.type(query)
        desk.press("Enter")
        assert desk.selected == selected


def test_what_is_looked_for_next_takes_the_place_of_what_was(desk):
    rows = desk.outliner.rows
    desk.press("Ctrl+F")
    desk.type("house 2")
    desk.press("Enter", "Ctrl+F")
    desk.type("tree")
    assert rows.query == "tree" and rows.ids.tolist() == [0, 1, 4]
    desk.press("Escape")
    assert rows.query == "" and desk.selected == [3]
    assert rows.ids.tolist() == [0, 1, 2, 3, 4], "what was found is not to be seen"
    desk.type("lamp")
    assert not len(rows)
    desk.click((228.0, 66.0))  # the cross
    assert rows.query == "" and len(rows) == 5


def test_escape_closes_a_menu_and_nothing_else(desk):
    desk.click(desk.row_of(4))
    desk.click((24.0, 11.0))
    assert desk.shell.covers((640.0, 600.0))
    desk.press("Escape")
    assert not desk.shell.covers((640.0, 600.0)) and desk.selected == [4]
    desk.click(desk.row_of(4), button=1)
    assert desk.shell.covers((640.0, 600.0))
    desk.press("Escape")
    assert not desk.shell.covers((640.0, 600.0)) and desk.selected == [4]
    desk.press("Escape")
    assert desk.selected == []


def test_a_right_click_in_the_picture_opens_the_menu_of_what_is_there(desk, scene):
    picture = desk.shell.picture

    def pixel_of(node_id: int) -> tuple[float, float]:
        (point,) = project(desk.view.camera, scene.world_from_local[node_id, None, :3, 3], picture.size)
        return picture.left + point[0], picture.top + point[1]

    desk.view.resize(tuple(map(round, picture.size)))
    desk.view.frame_nodes(None, every=True)
    desk.view.build_frame(tuple(map(round, picture.size)))
    desk.editor.select([2, 3])
    for node_id, selected in ((3, [2, 3]), (4, [4])):  # one of several leaves the others selected
        desk.click(pixel_of(node_id), button=1)
        assert desk.selected == selected and desk.shell.covers((640.0, 690.0))
        desk.press("Escape")
        assert desk.selected == selected and not desk.shell.covers((640.0, 690.0))
    desk.click(pixel_of(3), button=1)
    desk.click((picture.left + 5.0, picture.bottom - 5.0))  # beside it: only the menu goes
    assert desk.selected == [3] and not desk.shell.covers((640.0, 690.0))


@pytest.mark.parametrize("state", [WindowState(), WindowState(panels=False), WindowState(open={"history": True})])
def test_home_and_f_centre_in_the_part_of_the_window_that_the_panels_leave(desk_over, scene, state):
    desk = desk_over(scene, state=state, size=(1100, 500))
    for key, ids in (("Home", None), ("F", [2])):
        desk.editor.select(ids or [])
        desk.press(key)
        size = np.array(desk.shell.picture.size)
        corners = project(desk.view.camera, box_corners(*scene.bounds(ids)), size)
        lower, upper = corners.min(axis=0), corners.max(axis=0)
        assert (lower >= 0.0).all() and (upper <= size).all() and ((upper - lower) > 0.8 * size).any()
        assert np.abs((lower + upper - size) / 2.0).max() < 1.0


def test_f2_renames_in_the_row_and_undo_takes_it_back(desk, scene):
    desk.click(desk.row_of(4))
    desk.press("F2")
    desk.type("oak")
    desk.press("Enter")
    assert scene.names[4] == "oak"
    assert desk.done == ["Select tree", "Rename tree to oak"]
    desk.press("Ctrl+Z")
    assert scene.names[4] == "tree"
    desk.press("F2")
    desk.type("never")
    desk.press("Esc")
    assert scene.names[4] == "tree" and desk.done == ["Select tree"]


def test_renaming_does_not_move_the_rows_below(desk):
    desk.editor.select([1])
    desk.settle()
    before = desk.picture()[desk.picture().shape[0] // 5 :, :250]
    desk.press("F2")
    below = desk.picture()[desk.picture().shape[0] // 5 :, :250]
    np.testing.assert_array_equal(before, below)


def test_a_row_dragged_onto_another_hangs_below_it_where_it_was(desk, scene):
    scene.set_translations([1], (0.0, 5.0, 0.0))
    scene.update_world()
    before = scene.world_from_local[4].copy()
    desk.drag(desk.row_of(4), desk.row_of(1))
    assert scene.parents[4] == 1
    np.testing.assert_array_equal(scene.world_from_local[4], before)
    assert desk.done == ["Reparent tree"]
    desk.press("Ctrl+Z")
    assert scene.parents[4] == 0


def test_a_row_dragged_below_itself_is_told_and_changes_nothing(desk, scene):
    desk.editor.select([2])
    desk.settle()
    desk.drag(desk.row_of(1), desk.row_of(2))
    assert scene.parents.tolist() == [-1, 0, 1, 1, 0]
    assert "own ancestor" in desk.editor.log.toasts[-1].text


def test_the_eye_hides_with_all_below_and_the_lock_lets_clicks_through(desk, scene):
    eye, lock = 237.0, 217.0
    desk.click((eye, desk.row_of(1)[1]))
    assert scene.hidden.tolist() == [False, True, False, False, False]
    assert desk.view.index.shown_ids().tolist() == [4]
    desk.click((lock, desk.row_of(4)[1]))
    assert scene.unselectable[4] and desk.selected == []
    desk.click((eye, desk.row_of(1)[1]))
    assert not scene.hidden.any()
    assert desk.done == ["Hide street", "Lock tree", "Show street"]


# The rest.


@pytest.mark.parametrize("keys", ("Ctrl+O", "Ctrl+S"))
def test_a_name_longer_than_the_system_takes_is_told_and_ends_nothing(desk, tmp_path, monkeypatch, keys):
    monkeypatch.chdir(tmp_path)
    desk.press(keys)
    desk.type("x" * 300)
    desk.press("Enter")
    deadline = time.monotonic() + 60.0
    while not any("too long" in entry.text for entry in desk.editor.log.entries):
        assert time.monotonic() < deadline, [entry.text for entry in desk.editor.log.entries]
        desk.frame()
    assert list(tmp_path.glob("x*")) == []


def test_a_file_is_imported_by_typing_a_part_of_its_name(desk, tmp_path, monkeypatch):
    (tmp_path / "scenes").mkdir()
    corners = "vertex 0 0 0 vertex 1 0 0 vertex 0 1 0"
    for name in ("first.stl", "second.stl", "second.txt"):
        text = f"solid flag facet normal 0 0 1 outer loop {corners} endloop endfacet endsolid flag"
        (tmp_path / "scenes" / name).write_text(text.replace(" vertex", "\nvertex").replace(" end", "\nend"))
    monkeypatch.chdir(tmp_path)
    desk.press("Ctrl+Shift+O", "Enter")  # into the only folder there is
    desk.type("sec")
    desk.press("Enter")
    assert not desk.shell.covers((640.0, 300.0)), "the box is still there"
    deadline = time.monotonic() + 60.0
    while desk.files.reading:
        desk.files.add()
        assert time.monotonic() < deadline
        time.sleep(0.01)
    desk.settle()
    assert "second.stl" in desk.view.scene.names.tolist()
    desk.press("Ctrl+O")
    desk.type("no such thing")
    desk.press("Esc")
    assert not desk.shell.covers((640.0, 300.0))


def test_the_box_that_names_files_is_worked_by_the_mouse_alone(desk, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    take, leave = (865.0, 560.0), (922.0, 560.0)
    for button in (leave, take):
        assert not list(tmp_path.iterdir())
        desk.press("Ctrl+S")
        assert desk.shell.covers((640.0, 300.0))
        desk.click(button)
        assert not desk.shell.covers((640.0, 300.0)), "the box is still there"
    while desk.document.is_busy:
        desk.frame()
    assert (tmp_path / "scene.octo.json").exists()


def test_files_are_looked_for_beside_the_scenes_own_and_a_folder_that_is_not_there_costs_no_typing(
    desk_over, tmp_path, monkeypatch
):
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    boxes = write_boxes(tmp_path)
    monkeypatch.chdir(elsewhere)
    desk = desk_over(load(boxes), draws=False)
    box = desk.shell.boxes.path
    for command in ("file.open", "file.import"):
        desk.table.run(desk.table[command])
        desk.settle()
        assert box._listed_folder == tmp_path, command
        desk.press("Esc")
    desk.press("Ctrl+S", "Ctrl+A")
    desk.type("new/room")
    desk.press("Enter")
    assert box.is_open and box._text == "new/room"
    (tmp_path / "new").mkdir()
    desk.press("Enter")
    while desk.document.is_busy:
        desk.frame()
    assert not box.is_open and (tmp_path / "new" / "room.octo.json").exists()


def test_the_enter_that_chooses_to_export_names_no_file(desk, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    desk.press("Ctrl+P")
    desk.type("export obj")
    desk.press("Enter")
    assert desk.shell.covers((640.0, 300.0)), "the box is not there"
    assert not list(tmp_path.iterdir())


def test_the_palette_runs_what_it_finds(desk):
    desk.press("Ctrl+P")
    desk.type("theme light")
    desk.press("Enter")
    assert not desk.shell.theme.is_dark
    desk.press("Ctrl+P")
    desk.type("frame")
    desk.press("Esc")
    desk.press("Ctrl+P", "Ctrl+P")
    assert not desk.shell.covers((640.0, 300.0)), "the palette is still there"


def test_the_key_sheet_finds_and_keeps_keys_to_itself(desk):
    grid = desk.view.show_grid
    desk.press("F1")
    desk.type("g")
    assert desk.view.show_grid == grid
    assert desk.shell.covers((640.0, 300.0))
    assert 0 < len(desk.shell.key_sheet.rows(desk.table)) < len(desk.table.commands)
    desk.press("F1")
    assert not desk.shell.covers((640.0, 300.0))
    desk.press("Shift+G")
    assert desk.view.show_grid != grid


def test_panels_about_the_picture_leave_it_the_middle(desk):
    picture = desk.shell.picture
    assert 200 < picture.left < 300 and 950 < picture.right < 1060 and picture.top > 15 and picture.bottom < 710
    assert not desk.shell.covers((640.0, 300.0))
    for point in ((100.0, 300.0), (1200.0, 300.0), (640.0, 5.0), (640.0, 715.0)):
        assert desk.shell.covers(point)
    desk.press("Ctrl+Space")
    assert desk.shell.picture.size == SIZE
    assert not desk.shell.covers((100.0, 300.0))
    desk.press("Ctrl+Space")
    assert desk.shell.picture == picture


def test_a_layout_that_was_kept_is_found_again(desk_over):
    first = desk_over(box_scene())
    edge = first.shell.picture.left
    first.drag((edge - 2.0, 400.0), (edge + 88.0, 400.0))
    first.press("Ctrl+3")
    kept = first.shell.state
    moved = first.shell.picture
    assert moved.left > edge + 50.0 and moved.bottom < 600.0
    again = desk_over(box_scene(), state=kept)
    assert again.shell.picture == moved
    again.table.run(again.table["view.reset_layout"])
    again.settle()
    assert again.shell.picture.left == edge


@pytest.mark.parametrize(
    "layout", ("nonsense", "\ud800", "[Docking][Data]\nDockNode ID=0x1 Parent=0x1\n", "[Window][x]\nPos=a\n")
)
def test_a_layout_that_is_none_is_passed_over(desk_over, layout):
    desk = desk_over(box_scene(), state=WindowState(layout=layout))
    assert desk.shell.picture.size[0] > 300.0


@pytest.mark.parametrize("ratio", (1.25, 2.0))
def test_the_picture_covers_whole_pixels_at_any_ratio(desk_over, ratio):
    desk = desk_over(box_scene(), pixel_ratio=ratio)
    picture = desk.shell.picture
    for side in (picture.left, picture.top, picture.right, picture.bottom):
        assert side * ratio == pytest.approx(round(side * ratio), abs=1e-6)


def test_in_a_small_window_the_picture_has_the_room(desk_over):
    desk = desk_over(box_scene(), size=(480, 320))
    assert desk.shell.picture.size[0] == 480.0


def test_what_is_done_to_objects_is_done_by_keys_and_undone_in_the_history(desk, scene):
    desk.editor.select([2, 3])
    desk.settle()
    desk.press("Ctrl+D")
    assert len(scene) == 7
    desk.press("Del")
    assert len(scene) == 5
    desk.press("Ctrl+4")
    desk.editor.go_to(0)
    desk.settle()
    assert len(scene) == 5 and desk.done == []
    desk.press("Ctrl+Y", "Ctrl+Y")
    assert len(scene) == 7


def test_what_asks_for_more_says_so_in_its_label(desk):
    desk.editor.select(range(5))
    desk.settle()
    asking = [command for command in desk.table.commands if command.asks]
    assert {command.menu.partition("/")[0] for command in asking} == {"File", "Object"}
    for command in asking:
        if not command.enabled():  # no file of this scene is missing
            assert command.id == "file.relink"
            continue
        desk.table.run(command)
        desk.settle()
        assert desk.shell.boxes.path.is_open or desk.shell.boxes.form.is_open, command.id
        assert command.label_now.endswith("…")
        desk.press("Escape")
        assert not (desk.shell.boxes.path.is_open or desk.shell.boxes.form.is_open), command.id
    assert not desk.table["object.drop"].label_now.endswith("…")

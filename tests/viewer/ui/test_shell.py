"""Panels, menus and palette under mouse and keys, and what comes of it in the scene and its history."""

from __future__ import annotations

import time

import numpy as np
import pytest

from octoscope.scene import Scene, load
from octoscope.viewer.camera.camera import box_corners
from octoscope.viewer.settings.config import WindowState
from tests.viewer.headless_app import SIZE, HeadlessApp
from tests.viewer.needs import needs
from tests.viewer.scenes import box_scene, street
from tests.viewer.windows.window_boxes import project, write_boxes


@pytest.fixture
def scene() -> Scene:
    return street()


@pytest.fixture
def app(open_app, scene) -> HeadlessApp:
    return open_app(scene)


# The outliner.


def test_rows_are_opened_and_selected_with_the_mouse(app):
    assert app.outliner.rows.ids.tolist() == [0, 1, 4]
    _x, y = app.row_of(1)
    app.click((32.0, y))  # the street's arrow
    assert app.outliner.rows.ids.tolist() == [0, 1, 2, 3, 4]
    assert app.selected == []
    app.click(app.row_of(2))
    assert app.selected == [2]
    app.click(app.row_of(4), held="ctrl")
    assert app.selected == [2, 4]
    app.click(app.row_of(2), held="ctrl")
    assert app.selected == [4]
    app.click(app.row_of(4))
    app.click(app.row_of(1), held="shift")
    assert sorted(app.selected) == [1, 2, 3, 4] and app.selected[-1] == 1
    app.press("Down")
    assert app.selected == [2]
    app.press("Up", "Left")
    assert app.selected == [1] and app.outliner.rows.ids.tolist() == [0, 1, 4]


def test_rows_change_places_by_a_drag_between_others_and_by_keys(app, scene):
    rows = app.outliner.rows
    app.editor.select([3])
    app.settle()
    assert rows.ids.tolist() == [0, 1, 2, 3, 4]
    x, y = app.row_of(2)
    app.drag(app.row_of(4), (x, y), (x, y - 7.0))
    assert rows.ids.tolist() == [0, 1, 4, 2, 3] and scene.parents[4] == 1
    app.press("Ctrl+Z", "Ctrl+Up")
    assert rows.ids.tolist() == [0, 1, 3, 2, 4] and app.done[-1].startswith("Move up")
    app.press("Ctrl+Down")
    assert rows.ids.tolist() == [0, 1, 2, 3, 4]
    before = app.done
    app.click(app.row_of(2))
    app.press("Down", "Right")
    assert app.selected == [3] and not any("Nudge" in label for label in app.done), "arrows are the outliner's"
    app.move((SIZE[0] / 2.0, SIZE[1] / 2.0))
    app.press("Right", "Down")
    assert app.done[-1].startswith("Nudge") and app.selected == [3], "but not with the mouse over the picture"
    app.click((SIZE[0] / 2.0, SIZE[1] / 2.0))
    app.editor.select([3])
    app.press("Right")
    assert app.done[-1].startswith("Nudge") and len(app.done) > len(before)


@needs("history")
def test_the_command_of_a_panel_behind_another_tab_raises_it_and_closes_it_only_then(app):
    panels = {panel.id: panel for panel in app.shell.panels}

    def run(panel_id: str) -> bool:
        app.table.run(app.table[f"panel.{panel_id}"])
        app.settle()
        return app.shell.is_open(panels[panel_id])

    assert run("messages") and run("history")
    assert run("messages"), "it was behind: now it is in front"
    assert not run("messages")


def test_the_active_one_of_the_selected_rows_is_the_strongest(app):
    def has_pending_uploads(color: np.ndarray, node: int) -> bool:
        x, y = map(round, app.row_of(node))
        row = app.picture()[y, x - 60 : x + 60]
        return np.mean(np.abs(row - color).max(axis=1) <= 4.0) > 0.5

    app.editor.select([2, 4, 3])
    for active in (3, 4):
        app.settle()
        for node in (2, 3, 4):
            assert has_pending_uploads(app.chosen_color(also=node != active), node), (active, node)
        app.editor.select([2, 3, 4])


def test_what_is_selected_elsewhere_is_opened_to_and_shown(app):
    app.editor.select([3])
    app.settle()
    assert app.outliner.rows.ids.tolist() == [0, 1, 2, 3, 4]
    assert app.outliner.rows.row_of(3) == 3


def test_a_double_click_frames_what_it_hits(app):
    app.click(app.row_of(4), times=2)
    assert app.selected == [4]
    np.testing.assert_allclose(app.view.camera.pivot, (9.0, 0.0, 0.0), atol=0.1)
    app.click((app.row_of(4)[0] - 55.0, app.row_of(4)[1]), times=2)
    app.type("shed")
    app.press("Enter")
    assert app.view.scene.names[4] == "shed", "on its name it changes that"


def test_finding_by_name_leaves_what_matches_and_what_is_above_it(app):
    app.press("Ctrl+F")
    app.type("HOUSE 2")
    assert app.outliner.rows.ids.tolist() == [0, 1, 3]
    app.click(app.row(2))
    assert app.selected == [3]


def test_enter_selects_all_that_fit_a_name_or_a_pattern(app):
    for query, selected in (("HOUSE", [2, 3]), ("*ouse ?", [2, 3]), ("TR?E", [4]), ("tree", [1, 4])):
        app.press("Ctrl+F", "Ctrl+A")
        app.type(query)
        app.press("Enter")
        assert app.selected == selected


def test_what_is_looked_for_next_takes_the_place_of_what_was(app):
    rows = app.outliner.rows
    app.press("Ctrl+F")
    app.type("house 2")
    app.press("Enter", "Ctrl+F")
    app.type("tree")
    assert rows.query == "tree" and rows.ids.tolist() == [0, 1, 4]
    app.press("Escape")
    assert rows.query == "" and app.selected == [3]
    assert rows.ids.tolist() == [0, 1, 2, 3, 4], "what was found is not to be seen"
    app.type("lamp")
    assert not len(rows)
    app.click((228.0, 66.0))  # the cross
    assert rows.query == "" and len(rows) == 5


def test_escape_closes_a_menu_and_nothing_else(app):
    app.click(app.row_of(4))
    app.click((24.0, 11.0))
    assert app.shell.covers((640.0, 600.0))
    app.press("Escape")
    assert not app.shell.covers((640.0, 600.0)) and app.selected == [4]
    app.click(app.row_of(4), button=1)
    assert app.shell.covers((640.0, 600.0))
    app.press("Escape")
    assert not app.shell.covers((640.0, 600.0)) and app.selected == [4]
    app.press("Escape")
    assert app.selected == []


def test_a_right_click_in_the_picture_opens_the_menu_of_what_is_there(app, scene):
    picture = app.shell.picture

    def pixel_of(node_id: int) -> tuple[float, float]:
        (point,) = project(app.view.camera, scene.world_from_local[node_id, None, :3, 3], picture.size)
        return picture.left + point[0], picture.top + point[1]

    app.view.layout.resize(tuple(map(round, picture.size)))
    app.view.framing.frame_nodes(None, every=True)
    app.view.build_frames(tuple(map(round, picture.size)))
    app.editor.select([2, 3])
    for node_id, selected in ((3, [2, 3]), (4, [4])):  # one of several leaves the others selected
        app.click(pixel_of(node_id), button=1)
        assert app.selected == selected and app.shell.covers((640.0, 690.0))
        app.press("Escape")
        assert app.selected == selected and not app.shell.covers((640.0, 690.0))
    app.click(pixel_of(3), button=1)
    app.click((picture.left + 5.0, picture.bottom - 5.0))  # beside it: only the menu goes
    assert app.selected == [3] and not app.shell.covers((640.0, 690.0))


@pytest.mark.parametrize("state", [WindowState(), WindowState(panels=False), WindowState(open={"history": True})])
def test_home_and_f_centre_in_the_part_of_the_window_that_the_panels_leave(open_app, scene, state):
    app = open_app(scene, state=state, size=(1100, 500))
    for key, ids in (("Home", None), ("F", [2])):
        app.editor.select(ids or [])
        app.press(key)
        size = np.array(app.shell.picture.size)
        corners = project(app.view.camera, box_corners(*scene.bounds(ids)), size)
        lower, upper = corners.min(axis=0), corners.max(axis=0)
        assert (lower >= 0.0).all() and (upper <= size).all() and ((upper - lower) > 0.8 * size).any()
        assert np.abs((lower + upper - size) / 2.0).max() < 1.0


def test_f2_renames_in_the_row_and_undo_takes_it_back(app, scene):
    app.click(app.row_of(4))
    app.press("F2")
    app.type("oak")
    app.press("Enter")
    assert scene.names[4] == "oak"
    assert app.done == ["Select tree", "Rename tree to oak"]
    app.press("Ctrl+Z")
    assert scene.names[4] == "tree"
    app.press("F2")
    app.type("never")
    app.press("Esc")
    assert scene.names[4] == "tree" and app.done == ["Select tree"]


def test_renaming_does_not_move_the_rows_below(app):
    app.editor.select([1])
    app.settle()
    before = app.picture()[app.picture().shape[0] // 5 :, :250]
    app.press("F2")
    below = app.picture()[app.picture().shape[0] // 5 :, :250]
    np.testing.assert_array_equal(before, below)


def test_a_row_dragged_onto_another_hangs_below_it_where_it_was(app, scene):
    scene.set_translations([1], (0.0, 5.0, 0.0))
    scene.update_world()
    before = scene.world_from_local[4].copy()
    app.drag(app.row_of(4), app.row_of(1))
    assert scene.parents[4] == 1
    np.testing.assert_array_equal(scene.world_from_local[4], before)
    assert app.done == ["Reparent tree"]
    app.press("Ctrl+Z")
    assert scene.parents[4] == 0


def test_a_row_dragged_below_itself_is_told_and_changes_nothing(app, scene):
    app.editor.select([2])
    app.settle()
    app.drag(app.row_of(1), app.row_of(2))
    assert scene.parents.tolist() == [-1, 0, 1, 1, 0]
    assert "own ancestor" in app.editor.log.toasts[-1].text


def test_the_eye_hides_with_all_below_and_the_lock_lets_clicks_through(app, scene):
    eye, lock = 237.0, 217.0
    app.click((eye, app.row_of(1)[1]))
    assert scene.hidden.tolist() == [False, True, False, False, False]
    assert app.view.index.shown_ids().tolist() == [4]
    app.click((lock, app.row_of(4)[1]))
    assert scene.unselectable[4] and app.selected == []
    app.click((eye, app.row_of(1)[1]))
    assert not scene.hidden.any()
    assert app.done == ["Hide street", "Lock tree", "Show street"]


# The rest.


@pytest.mark.parametrize("keys", ("Ctrl+O", "Ctrl+S"))
def test_a_name_longer_than_the_system_takes_is_told_and_ends_nothing(app, tmp_path, monkeypatch, keys):
    monkeypatch.chdir(tmp_path)
    app.press(keys)
    app.type("x" * 300)
    app.press("Enter")
    deadline = time.monotonic() + 60.0
    while not any("too long" in entry.text for entry in app.editor.log.entries):
        assert time.monotonic() < deadline, [entry.text for entry in app.editor.log.entries]
        app.frame()
    assert list(tmp_path.glob("x*")) == []


def test_a_file_is_imported_by_typing_a_part_of_its_name(app, tmp_path, monkeypatch):
    (tmp_path / "scenes").mkdir()
    corners = "vertex 0 0 0 vertex 1 0 0 vertex 0 1 0"
    for name in ("first.stl", "second.stl", "second.txt"):
        text = f"solid flag facet normal 0 0 1 outer loop {corners} endloop endfacet endsolid flag"
        (tmp_path / "scenes" / name).write_text(text.replace(" vertex", "\nvertex").replace(" end", "\nend"))
    monkeypatch.chdir(tmp_path)
    app.press("Ctrl+Shift+O", "Enter")  # into the only folder there is
    app.type("sec")
    app.press("Enter")
    assert not app.shell.covers((640.0, 300.0)), "the box is still there"
    deadline = time.monotonic() + 60.0
    while app.files.reading:
        app.files.add()
        assert time.monotonic() < deadline
        time.sleep(0.01)
    app.settle()
    assert "second.stl" in app.view.scene.names.tolist()
    app.press("Ctrl+O")
    app.type("no such thing")
    app.press("Esc")
    assert not app.shell.covers((640.0, 300.0))


def test_the_box_that_names_files_is_worked_by_the_mouse_alone(app, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    take, leave = (865.0, 560.0), (922.0, 560.0)
    for button in (leave, take):
        assert not list(tmp_path.iterdir())
        app.press("Ctrl+S")
        assert app.shell.covers((640.0, 300.0))
        app.click(button)
        assert not app.shell.covers((640.0, 300.0)), "the box is still there"
    while app.document.is_busy:
        app.frame()
    assert (tmp_path / "scene.octo.json").exists()


def test_files_are_looked_for_beside_the_scenes_own_and_a_folder_that_is_not_there_costs_no_typing(
    open_app, tmp_path, monkeypatch
):
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    boxes = write_boxes(tmp_path)
    monkeypatch.chdir(elsewhere)
    app = open_app(load(boxes))
    box = app.shell.boxes.path
    for command in ("file.open", "file.import"):
        app.table.run(app.table[command])
        app.settle()
        assert box._listed_folder == tmp_path, command
        app.press("Esc")
    app.press("Ctrl+S", "Ctrl+A")
    app.type("new/room")
    app.press("Enter")
    assert box.is_open and box._text == "new/room"
    (tmp_path / "new").mkdir()
    app.press("Enter")
    while app.document.is_busy:
        app.frame()
    assert not box.is_open and (tmp_path / "new" / "room.octo.json").exists()


def test_the_enter_that_chooses_to_export_names_no_file(app, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    app.press("Ctrl+P")
    app.type("export obj")
    app.press("Enter")
    assert app.shell.covers((640.0, 300.0)), "the box is not there"
    assert not list(tmp_path.iterdir())


def test_the_palette_runs_what_it_finds(app):
    app.press("Ctrl+P")
    app.type("theme light")
    app.press("Enter")
    assert not app.shell.theme.is_dark
    app.press("Ctrl+P")
    app.type("frame")
    app.press("Esc")
    app.press("Ctrl+P", "Ctrl+P")
    assert not app.shell.covers((640.0, 300.0)), "the palette is still there"


def test_the_key_sheet_finds_and_keeps_keys_to_itself(app):
    grid = app.view.settings.show_grid
    app.press("F1")
    app.type("g")
    assert app.view.settings.show_grid == grid
    assert app.shell.covers((640.0, 300.0))
    assert 0 < len(app.shell.key_sheet.rows(app.table)) < len(app.table.commands)
    app.press("F1")
    assert not app.shell.covers((640.0, 300.0))
    app.press("Shift+G")
    assert app.view.settings.show_grid != grid


def test_panels_about_the_picture_leave_it_the_middle(app):
    picture = app.shell.picture
    assert 200 < picture.left < 300 and 950 < picture.right < 1060 and picture.top > 15 and picture.bottom < 710
    assert not app.shell.covers((640.0, 300.0))
    for point in ((100.0, 300.0), (1200.0, 300.0), (640.0, 5.0), (640.0, 715.0)):
        assert app.shell.covers(point)
    app.press("Ctrl+Space")
    assert app.shell.picture.size == SIZE
    assert not app.shell.covers((100.0, 300.0))
    app.press("Ctrl+Space")
    assert app.shell.picture == picture


def test_a_layout_that_was_kept_is_found_again(open_app):
    first = open_app(box_scene())
    edge = first.shell.picture.left
    first.drag((edge - 2.0, 400.0), (edge + 88.0, 400.0))
    for panel_id in [each.id for each in first.shell.panels if each.place in ("middle", "bottom")][::-1]:
        first.shell.show_panel(panel_id)
        first.settle()
    kept = first.shell.state
    moved = first.shell.picture
    assert moved.left > edge + 50.0 and moved.bottom < 600.0
    again = open_app(box_scene(), state=kept)
    assert again.shell.picture == moved and again.shell.is_in_front("messages")
    assert not any(each.place == "middle" and again.shell.is_open(each) for each in again.shell.panels)
    again.table.run(again.table["view.reset_layout"])
    again.settle()
    assert again.shell.picture.left == edge


@pytest.mark.parametrize(
    "layout", ("nonsense", "\ud800", "[Docking][Data]\nDockNode ID=0x1 Parent=0x1\n", "[Window][x]\nPos=a\n")
)
def test_a_layout_that_is_none_is_passed_over(open_app, layout):
    app = open_app(box_scene(), state=WindowState(layout=layout))
    assert app.shell.picture.size[0] > 300.0


@pytest.mark.parametrize("ratio", (1.25, 2.0))
def test_the_picture_covers_whole_pixels_at_any_ratio(open_app, ratio):
    app = open_app(box_scene(), pixel_ratio=ratio)
    picture = app.shell.picture
    for side in (picture.left, picture.top, picture.right, picture.bottom):
        assert side * ratio == pytest.approx(round(side * ratio), abs=1e-6)


def test_in_a_small_window_the_picture_has_the_room(open_app):
    app = open_app(box_scene(), size=(480, 320))
    assert app.shell.picture.size[0] == 480.0


def test_what_is_done_to_objects_is_done_by_keys_and_undone_in_the_history(app, scene):
    app.editor.select([2, 3])
    app.settle()
    app.press("Ctrl+D")
    assert len(scene) == 7
    app.press("Del")
    assert len(scene) == 5
    app.press("Ctrl+4")
    app.editor.go_to(0)
    app.settle()
    assert len(scene) == 5 and app.done == []
    app.press("Ctrl+Y")
    assert len(scene) == 7


def test_what_asks_for_more_says_so_in_its_label(app):
    app.editor.select(range(5))
    app.settle()
    asking = [command for command in app.table.commands if command.asks]
    assert {command.menu.partition("/")[0] for command in asking} >= {"File", "Object"}
    for command in asking:
        if not command.enabled():  # such as where no file of the scene is missing
            assert command.refusal, command.id
            continue
        app.table.run(command)
        app.settle()
        assert app.shell.boxes.path.is_open or app.shell.boxes.form.is_open, command.id
        assert command.label_now.endswith("…")
        app.press("Escape")
        assert not (app.shell.boxes.path.is_open or app.shell.boxes.form.is_open), command.id
    assert not app.table["object.group"].label_now.endswith("…")

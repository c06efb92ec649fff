"""The inspector's name, place, turn and scale under mouse and keys, and what comes of it in the scene and history."""

from __future__ import annotations

import numpy as np
import pytest

from octoscope.scene import Scene
from octoscope.scene.geometry.pyrr_transforms import quaternions_of_degrees
from octoscope.viewer.editing.euler import degrees_of
from octoscope.viewer.editing.jobs import JobKind
from octoscope.viewer.ui.panels.inspector import transform
from tests.viewer.headless_app import HeadlessApp
from tests.viewer.scenes import add_box_mesh

X, Y, Z = 1125.0, 1183.0, 1240.0  # the columns of fields, in the window of a HeadlessApp
LOCATION, ROTATION, SCALE, DIMENSIONS = 170.0, 198.0, 226.0, 254.0  # the rows, for an object with a parent's line
LINE = 28.0  # what several objects, which have no parent's line, are higher up
NAME = (1140.0, 66.0)
LOCAL, WORLD = (1078.0, 142.0), (1207.0, 142.0)
LOCK, RESET = 1066.0, 1087.0


@pytest.fixture
def scene() -> Scene:
    """A street, turned and scaled, with two houses, and a tree beside it."""
    scene = Scene()
    mesh = add_box_mesh(scene)
    scene.add_nodes(
        ["town", "street", "house 1", "house 2", "tree"], parent=[-1, 0, 1, 1, 0], mesh=[-1, -1, mesh, mesh, mesh]
    )
    scene.set_translations([1, 2, 3, 4], [(10.0, 0.0, 0.0), (1.0, 2.0, 3.0), (4.0, 2.0, 3.0), (9.0, 0.0, 0.0)])
    scene.set_rotations([1], quaternions_of_degrees(np.array([(0.0, 90.0, 0.0)])))
    scene.set_scales([1], (2.0, 2.0, 2.0))
    scene.update_world()
    return scene


@pytest.fixture
def app(open_app, scene) -> HeadlessApp:
    return open_app(scene)


def select(app: HeadlessApp, *ids: int) -> None:
    app.editor.select(ids)
    app.settle()


def enter(app: HeadlessApp, point: tuple[float, float], text: str, key: str = "Enter") -> None:
    app.click(point)
    app.type(text)
    app.press(key)


def test_a_typed_number_is_one_entry_and_exact(app, scene):
    select(app, 4)
    enter(app, (Y, LOCATION), "1234567.8901")
    assert scene.translations[4].tolist() == [9.0, 1234567.8901, 0.0]
    assert app.done == ["Select tree", "Move tree"]
    app.click((Y, LOCATION), times=2)
    app.type("7")
    app.press("Enter")
    assert scene.translations[4].tolist() == [9.0, 7.0, 0.0], "a double click chooses all of the text"


def test_a_text_that_nothing_is_typed_into_leaves_every_bit(app, scene):
    scene.set_translations([4], (0.1 + 0.2, 1.0 / 3.0, 1e300))
    before = scene.translations[4].copy()
    select(app, 4)
    for x in (X, Y, Z):
        app.click((x, LOCATION))
        app.press("Enter")
    assert scene.translations[4].tobytes() == before.tobytes()
    assert app.done == ["Select tree"]


def test_sums_are_typed_and_what_is_there_is_added_to(app, scene):
    select(app, 4)
    enter(app, (X, LOCATION), "90/4")
    enter(app, (Y, LOCATION), "2*(3+1)")
    enter(app, (X, LOCATION), "+=0.5")
    assert scene.translations[4].tolist() == [23.0, 8.0, 0.0]
    enter(app, (Z, LOCATION), "4/")
    assert scene.translations[4].tolist() == [23.0, 8.0, 0.0]
    assert app.editor.log.toasts[-1].text == "Location z: '4/' is not a number"
    enter(app, (Z, LOCATION), "4/2")
    assert scene.translations[4].tolist() == [23.0, 8.0, 2.0] and not app.editor.log.toasts, "it is mended"
    select(app, 2, 3)
    enter(app, (X, LOCATION - LINE), "*=3")
    assert scene.translations[[2, 3], 0].tolist() == [3.0, 12.0]


def test_a_unit_is_typed_in_the_frame_of_a_parent_unless_that_is_scaled(app, scene):
    scene.length_unit = "m"
    select(app, 4)
    enter(app, (X, LOCATION), "12 in")
    assert scene.translations[4, 0] == pytest.approx(0.3048)
    select(app, 2)
    enter(app, (X, LOCATION), "12 in")
    assert scene.translations[2, 0] == 1.0 and "no unit goes here" in app.editor.log.toasts[-1].text
    app.click(WORLD)
    enter(app, (X, LOCATION), "12 in")
    assert scene.world_from_local[2, 0, 3] == pytest.approx(0.3048)


def test_tab_goes_on_to_the_next_number_though_what_was_typed_before_it_takes_many_frames(app, scene):
    select(app, 4)
    app.click((X, ROTATION))
    app.window.press("2", "7", ".", "5", "Tab", "2", "Tab")
    app.settle()
    np.testing.assert_allclose(degrees_of(scene.rotations[4]), (27.5, 2.0, 0.0), atol=1e-12)


def test_tab_goes_on_to_the_next_field_and_back(app, scene):
    select(app, 4)
    app.click((X, LOCATION))
    for text in ("1", "2", "3", "10"):
        app.type(text)
        app.press("Tab")
    app.press("Shift+Tab", "Shift+Tab")
    app.type("30")
    app.press("Esc")
    assert scene.translations[4].tolist() == [1.0, 2.0, 3.0]
    np.testing.assert_allclose(degrees_of(scene.rotations[4]), (10.0, 0.0, 0.0), atol=1e-12)
    assert app.done == ["Select tree", *["Move tree"] * 3, "Rotate tree"]
    app.click((Z, SCALE))
    app.type("4")
    app.press("Shift+Tab")
    app.type("5")
    app.press("Enter")
    assert scene.scales[4].tolist() == [1.0, 5.0, 4.0]


def test_what_is_typed_is_for_those_that_were_selected_when_it_began(app, scene):
    select(app, 4)
    app.click((X, LOCATION))
    app.type("77")
    select(app, 2)
    app.press("Enter")
    assert 77.0 not in scene.translations


def test_a_drag_is_one_entry_and_is_undone_as_one(app, scene):
    select(app, 4)
    app.drag((Z, SCALE), (Z + 30.0, SCALE), (Z + 60.0, SCALE))
    assert scene.scales[4].tolist() == [1.0, 1.0, 1.3]
    assert app.done == ["Select tree", "Scale tree"]
    app.press("Ctrl+Z")
    assert scene.scales[4].tolist() == [1.0, 1.0, 1.0]


def test_a_drag_is_finer_with_shift_and_in_steps_with_ctrl(app, scene):
    select(app, 4)
    with app.held("shift"):
        app.drag((X, SCALE), (X + 5.0, SCALE), (X + 55.0, SCALE))
    fine = scene.scales[4, 0] - 1.0
    assert 0.02 < fine < 0.06
    with app.held("ctrl"):
        app.drag((Y, SCALE), (Y + 64.0, SCALE))
        app.drag((Z, ROTATION), (Z + 50.0, ROTATION))
    assert scene.scales[4, 1] == 1.3
    np.testing.assert_allclose(degrees_of(scene.rotations[4])[2], 30.0)


def test_esc_takes_a_drag_back_and_lets_go(app, scene):
    select(app, 4)
    with app.mouse_down((X, LOCATION), (X + 60.0, LOCATION)):
        assert scene.translations[4, 0] != 9.0
        app.press("Esc")
        assert scene.translations[4, 0] == 9.0
        app.move((X + 90.0, LOCATION))
        app.move((X + 120.0, LOCATION))
    assert scene.translations[4, 0] == 9.0
    assert app.done == ["Select tree"] and app.selected == [4]
    app.drag((X, LOCATION), (X + 60.0, LOCATION))
    assert scene.translations[4, 0] != 9.0


def test_several_objects_get_what_is_typed_and_keep_what_differs(app, scene):
    select(app, 2, 3)
    enter(app, (Y, LOCATION - LINE), "7")
    assert scene.translations[[2, 3]].tolist() == [[1.0, 7.0, 3.0], [4.0, 7.0, 3.0]]
    app.drag((X, LOCATION - LINE), (X + 40.0, LOCATION - LINE))
    first, second = scene.translations[[2, 3], 0]
    assert first > 1.0 and second - first == pytest.approx(3.0)
    assert app.done == ["Select 2 objects", "Move 2 objects", "Move 2 objects"]


def test_a_typed_angle_stays_as_it_was_typed(app, scene):
    select(app, 4)
    for x, degrees in ((Y, "90"), (X, "30"), (Z, "200")):
        enter(app, (x, ROTATION), degrees)
    expected = quaternions_of_degrees(np.array([(30.0, 90.0, 200.0)]))[0]
    assert abs(expected @ scene.rotations[4]) == pytest.approx(1.0)


def test_the_world_is_typed_in_below_a_parent_that_is_turned_and_scaled(app, scene):
    select(app, 2)
    app.click(WORLD)
    enter(app, (X, LOCATION), "100")
    scene.update_world()
    np.testing.assert_allclose(scene.world_from_local[2, :3, 3], (100.0, 4.0, -2.0), atol=1e-12)
    enter(app, (Z, ROTATION), "45")
    enter(app, (Y, SCALE), "6")
    scene.update_world()
    linear = scene.world_from_local[2, :3, :3]
    about_y = np.array(((0.0, 0.0, 1.0), (0.0, 1.0, 0.0), (-1.0, 0.0, 0.0)))  # a quarter
    about_z = np.array(((1.0, -1.0, 0.0), (1.0, 1.0, 0.0), (0.0, 0.0, np.sqrt(2.0)))) / np.sqrt(2.0)  # an eighth
    turn = about_z @ about_y
    np.testing.assert_allclose(linear, turn * (2.0, 6.0, 2.0), atol=1e-12)
    assert app.done == ["Select house 1", "Move house 1", "Rotate house 1", "Scale house 1"]
    app.press("Ctrl+Z", "Ctrl+Z", "Ctrl+Z")
    assert scene.translations[2].tolist() == [1.0, 2.0, 3.0]


def test_the_object_of_a_file_is_placed_in_the_parent_that_the_outliner_shows(app, scene):
    (file,) = scene.add_nodes(["hut.obj"], parent=0, translation=(-5.0, 0.0, 0.0), file_root=True)
    hut = scene.add_node("hut", parent=file, mesh=int(scene.mesh_ids[2]), translation=(5.0, 0.0, 1.0)).id
    scene.update_world()
    select(app, hut)
    enter(app, (X, LOCATION), "+=3")
    scene.update_world()
    assert scene.world_from_local[hut, :3, 3].tolist() == [3.0, 0.0, 1.0]
    enter(app, (X, LOCATION), "0")
    assert scene.translations[hut].tolist() == [5.0, 0.0, 1.0] and scene.translations[file, 0] == -5.0


def test_the_world_of_many_is_typed_in_and_done_beside_the_window(app, scene, monkeypatch):
    monkeypatch.setattr(transform, "LARGE", 1)
    app.editor.select([2, 3])
    app.settle()
    app.click((WORLD[0], WORLD[1] - LINE))
    enter(app, (X, LOCATION - LINE), "100")
    app.editor.jobs.wait(JobKind.EDIT)
    app.settle()
    scene.update_world()
    np.testing.assert_allclose(scene.world_from_local[[2, 3], 0, 3], 100.0, atol=1e-12)
    assert app.done == ["Select 2 objects", "Move 2 objects"] and app.editor.locked is None


def test_the_world_of_what_is_scaled_to_nothing_is_told_and_changes_nothing(app, scene):
    scene.set_scales([1], (0.0, 2.0, 2.0))
    scene.update_world()
    before = scene.translations.copy()
    select(app, 2)
    app.click(WORLD)
    enter(app, (X, LOCATION), "100")
    assert "scaled to zero" in app.editor.log.toasts[-1].text
    np.testing.assert_array_equal(scene.translations, before)


def test_a_locked_scale_keeps_its_proportions(app, scene):
    scene.set_scales([4], (1.0, 2.0, 3.0))
    select(app, 4)
    app.click((LOCK, SCALE))
    enter(app, (Y, SCALE), "4")
    assert scene.scales[4].tolist() == [2.0, 4.0, 6.0]
    enter(app, (X, SCALE), "0")
    assert scene.scales[4].tolist() == [0.0, 0.0, 0.0]
    enter(app, (X, SCALE), "5")
    assert scene.scales[4].tolist() == [5.0, 5.0, 5.0], "from nothing all are alike"


def test_reset_takes_everything_off(app, scene):
    scene.set_rotations([4], quaternions_of_degrees(np.array([(10.0, 20.0, 30.0)])))
    scene.set_scales([4], (1.0, 2.0, 3.0))
    select(app, 4)
    for y in (LOCATION, ROTATION, SCALE):
        app.click((RESET, y))
    assert scene.translations[4].tolist() == [0.0] * 3 and scene.scales[4].tolist() == [1.0] * 3
    assert scene.rotations[4].tolist() == [0.0, 0.0, 0.0, 1.0]
    assert app.done == ["Select tree", "Move tree", "Rotate tree", "Scale tree"]
    app.click((RESET, SCALE))
    assert len(app.done) == 4, "nothing is left to take off"
    scene.set_scales([4], (1.0, 1.0 + 1e-15, 1.0 - 1e-7))
    select(app, 4)
    app.click((RESET, SCALE))
    assert len(app.done) == 4, "nor is rounding"


def test_a_name_is_typed_in_the_inspector_too(app, scene):
    select(app, 4)
    app.click(NAME, times=2)
    app.press("Ctrl+A")
    app.type("elm")
    app.press("Enter")
    assert scene.names[4] == "elm"


def test_dimensions_are_typed_with_units_and_scale_the_object_along_its_axes(app, scene):
    scene.length_unit = "m"
    select(app, 2)  # below a street that is turned and twice as large
    enter(app, (X, DIMENSIONS), "300 cm")
    scene.update_world()
    lower, upper = scene.bounds([2])
    np.testing.assert_allclose(upper - lower, (2.0, 2.0, 3.0), atol=1e-9)  # its x axis lies along z
    assert scene.scales[2].tolist() == [1.5, 1.0, 1.0] and app.done[-1] == "Scale house 1"
    enter(app, (Y, DIMENSIONS), "0")
    assert scene.scales[2].tolist() == [1.5, 1.0, 1.0]
    assert "a dimension is a number above 0" in app.editor.log.toasts[-1].text
    app.click((LOCK, SCALE))
    enter(app, (Y, DIMENSIONS), "1")
    np.testing.assert_allclose(scene.scales[2], (0.75, 0.5, 0.5))
    app.press("Ctrl+Z", "Ctrl+Z")
    assert scene.scales[2].tolist() == [1.0, 1.0, 1.0]

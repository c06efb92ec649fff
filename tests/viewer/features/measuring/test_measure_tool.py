"""The measuring tool without a window: hovering, clicking, taking back, figures and what is copied."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from octoscope.scene import Scene, apply
from octoscope.scene.measuring.measurements import figure_of, figures_of, world_points
from octoscope.scene.mesh.primitives import PRIMITIVES
from octoscope.viewer.features.measuring.decoration import MeasurementPreview, Measurements
from octoscope.viewer.features.measuring.tool import MeasureTool
from octoscope.viewer.frame.projection import ViewProjection
from octoscope.viewer.frame.view import View
from octoscope.viewer.frame.viewports import PointerLocation
from octoscope.viewer.tools.intents import Click, DoubleClick, KeyPress, RightClick, Steering
from octoscope.viewer.tools.tool import Hand
from octoscope.viewer.window.drags import PAN
from octoscope.viewer.window.keys import Chord
from tests.viewer.features.measuring.test_annotations import annotations_of
from tests.viewer.scenes import add_mesh, box_scene, place_at, view_of
from tests.viewer.tools.test_tools_in_viewports import seen_at

SIZE = (640, 480)


class MeasureToolDriver:
    """A tool on three boxes, seen from the front, with what it copied and did."""

    def __init__(self) -> None:
        self.view: View = view_of(box_scene(), yaw_rad=0.0, pitch_rad=0.0, distance=9.0)
        self.view.settings.show_grid = False
        self.view.build_frames(SIZE)
        self.copied: list[str] = []
        self.labels: list[str] = []
        self.hand = Hand()
        self.tool = MeasureTool(self.view, self._do, self.copied.append, self.hand)

    def _do(self, edit) -> None:
        apply(self.view.scene, edit)
        self.labels.append(edit.label)

    def at(self, point: tuple[float, float, float], dx: float = 0.0, dy: float = 0.0) -> PointerLocation:
        """Return the location in the picture of a world point, moved by some pixels."""
        camera = self.view.snapshot.camera
        x, y, _, w = ViewProjection.of_size(camera, SIZE).pixels_from_relative @ (*(point - camera.position), 1.0)
        return self.view.locate((x / w + dx, y / w + dy))

    def free(self) -> list[tuple[float, float]]:
        """Return the points that the box of rows leaves free."""
        return list(self.tool.corner_box().free)

    def rows(self) -> dict[str, str]:
        return dict(self.tool.rows())


@pytest.fixture
def driver() -> MeasureToolDriver:
    return MeasureToolDriver()


RED, BLUE = (-1.5, 0.5, 0.5), (2.5, -0.5, 0.5)  # corners that are seen


def test_two_clicks_make_a_distance(driver):
    driver.tool.toggle("distance")
    driver.tool.hover(driver.at(RED, -3, 3))
    assert driver.tool.measurements.preview.snapped_to == "vertex" and (
        driver.rows()["vertex"],
        driver.rows()["object"],
    ) == ("-1.500  0.500  0.500", "red")
    driver.tool.add_point(driver.at(RED, -3, 3))
    driver.tool.hover(driver.at(RED, -4, 3))
    np.testing.assert_array_equal(driver.tool.measurements.preview.points, (RED,))
    assert driver.tool.measurements.preview.snapped_to == "vertex", "its marker stays, and no figure covers it"
    assert "distance" not in driver.rows()
    driver.tool.hover(driver.at(BLUE, -3, -3))
    np.testing.assert_array_equal(driver.tool.measurements.preview.points, (RED, BLUE))
    assert driver.rows()["distance"] == "4.123", "while the second point is looked for"
    driver.tool.add_point(driver.at(BLUE, -3, -3))
    (made,) = driver.view.scene.measurements
    assert (made.kind, [anchor.node for anchor in made.anchors]) == ("distance", [0, 2])
    assert [anchor.point for anchor in made.anchors] == [(0.5, 0.5, 0.5), (0.5, -0.5, 0.5)]
    rows = driver.rows()
    assert (rows["distance"], rows["delta"]) == ("4.123", "4.000  -1.000  0.000")
    driver.tool.copy()
    assert driver.copied == ["4.123105626"] and driver.rows()["copied"] == "4.123105626"
    for point in (RED, BLUE):
        driver.tool.add_point(driver.at(point, -3, 3))
    assert list(driver.view.scene.measurements) == [made] and driver.rows()["measured already"] == made.name
    assert driver.labels == ["Measure a distance"]


def test_the_places_of_what_is_measured_are_told_where_the_picture_has_them(driver):
    driver.tool.toggle("distance")
    assert driver.free() == []
    driver.tool.add_point(driver.at(RED, -3, 3))
    np.testing.assert_allclose(driver.free(), [driver.at(RED).point], atol=1e-9)
    driver.tool.add_point(driver.at(BLUE, -3, -3))
    np.testing.assert_allclose(driver.free()[-2:], [driver.at(RED).point, driver.at(BLUE).point], atol=1e-9)
    driver.view.camera = replace(driver.view.camera, yaw_rad=np.pi)
    driver.view.build_frames(SIZE)
    np.testing.assert_allclose(driver.free()[-2:], [driver.at(RED).point, driver.at(BLUE).point], atol=1e-9)
    driver.view.camera = replace(driver.view.camera, pivot=np.array((0.0, 0.0, 50.0)))
    driver.view.build_frames(SIZE)
    assert driver.free() == [], "behind the eye"


def test_where_no_object_is_points_lie_on_the_ground_while_its_grid_is_shown(driver):
    view = driver.view
    view.settings.show_grid, view.camera = True, replace(view.camera, pitch_rad=0.5)
    view.build_frames(SIZE)
    floor = view.visibility.ground_height
    ends = (-1.0, floor, 3.0), (2.0, floor, 3.0)
    driver.tool.toggle("area")
    driver.tool.hover(driver.at(ends[0]))
    assert driver.tool.measurements.preview is None, "the ground is no face"
    driver.tool.toggle("distance")
    for end in ends:
        driver.tool.hover(driver.at(end))
        assert driver.rows()["object"] == "the ground"
        driver.tool.add_point(driver.at(end))
    (made,) = view.scene.measurements
    np.testing.assert_allclose(world_points(view.scene, made.anchors), ends, atol=1e-9)
    view.settings.show_grid = False
    driver.tool.hover(driver.at(ends[0]))
    assert driver.tool.measurements.preview is None


def test_three_clicks_make_an_angle_at_the_second(driver):
    driver.tool.toggle("angle")
    for point in ((-2.5, 0.5, 0.5), (-2.5, -0.5, 0.5), (-1.5, -0.5, 0.5)):
        driver.tool.add_point(driver.at(point, 3 * np.sign(-2.0 - point[0]), 3 * np.sign(point[1])))
    (made,) = driver.view.scene.measurements
    assert made.kind == "angle"
    assert driver.rows()["angle"] == "90.00°" and driver.rows()["leg 1"] == "1.000"
    driver.tool.copy()
    assert driver.copied == ["90"]


def test_a_click_that_adds_no_point_says_why_until_the_mouse_is_where_one_does(driver):
    assert driver.tool.text == ""
    driver.tool.toggle("angle")
    nothing, corner = driver.at((-2.5, 0.0, 0.5), -30, 0), driver.at(RED, -3, 3)

    def said() -> str:
        assert driver.tool.text.startswith(f"measure an angle: {driver.rows()['measure an angle']}    ")
        return driver.rows()["measure an angle"]

    driver.tool.hover(nothing)
    assert said() == "click point 1 of 3"
    driver.tool.add_point(nothing)
    assert said() == "nothing was hit; click point 1 of 3"
    driver.tool.hover(corner)
    driver.tool.hover(nothing)
    assert said() == "click point 1 of 3"
    driver.tool.follow(Click(corner))
    driver.tool.follow(DoubleClick(corner))
    assert said() == "that point was clicked already; click point 2 of 3"
    driver.tool.remove_last()
    assert said() == "click point 1 of 3"
    assert not driver.view.scene.measurements


def test_an_angle_has_a_figure_in_the_picture_whatever_it_is(driver):
    first, vertex = (-2.5, 0.5, 0.5), (-2.5, 0.0, 0.5)
    for text, last in (("90.00°", (-1.5, 0.0, 0.5)), ("180.00°", (-2.5, -0.5, 0.5)), ("0.00°", (-2.5, 0.25, 0.5))):
        preview = MeasurementPreview("angle", np.array((first, vertex, last)), "")
        drawn = annotations_of(driver.view.scene, driver.view.camera, preview)
        assert [label for label, _ in drawn.labels] == [text]


def test_from_just_beside_an_object_its_outline_is_snapped_to_and_never_its_face(driver):
    driver.tool.toggle("distance")
    for point, dx, dy, kind in (
        ((-2.5, 0.5, 0.5), -4, -4, "vertex"),
        ((-2.5, 0.0, 0.5), -5, 0, "edge midpoint"),
        ((-2.5, 0.3, 0.5), -5, 0, "edge"),
    ):
        driver.tool.hover(driver.at(point, dx, dy))
        assert driver.tool.measurements.preview.snapped_to == kind
    driver.tool.hover(driver.at((-2.5, 0.0, 0.5), -30, 0))
    assert driver.tool.measurements.preview is None
    driver.tool.add_point(driver.at((-2.5, 0.0, 0.5), -30, 0))
    assert driver.tool.measurements.preview is None and driver.view.scene.measurements == ()


def test_a_corner_that_something_hides_is_not_snapped_to(driver):
    driver.tool.toggle("distance")
    beside = driver.at(RED, -6, 6)
    driver.tool.hover(beside)
    assert driver.tool.measurements.preview.snapped_to == "vertex"
    scene = driver.view.scene
    scene.add_node("screen", mesh=0, translation=(-1.5 + 0.47, 0.5 + 0.47, 1.0), scale=(1.0, 1.0, 0.01))
    driver.view.build_frames(SIZE)
    driver.tool.hover(beside)
    assert driver.rows()["vertex"] and driver.rows()["object"] == "screen", "the nearest that is seen"
    driver.tool.hover(driver.at((-1.03 - 0.5, 0.97 - 0.5, 1.005), 4, -4))
    assert driver.rows()["vertex"] and driver.rows()["object"] == "screen"


def test_what_was_begun_is_dropped_step_by_step_and_then_the_tool_is_off(driver):
    tool = driver.tool
    tool.toggle("angle")
    for point in (RED, BLUE):
        tool.add_point(driver.at(point, -3, 3 * np.sign(point[1])))
    assert len(driver.tool.measurements.preview.points) == 2, "the pointer is still on the second"
    assert tool.press(Chord("BACKSPACE")) and len(driver.tool.measurements.preview.points) == 2
    assert tool.press(Chord("ESCAPE")) and tool.kind == "angle" and len(driver.tool.measurements.preview.points) == 1
    assert (
        tool.follow(RightClick(place_at(driver.view, (0.5, 0.5))))
        and tool.kind is None
        and driver.tool.measurements.preview is None
    )
    assert not tool.follow(KeyPress(Chord("DELETE"))), "off, it leaves keys to others"
    tool.toggle("distance")
    tool.toggle("angle")
    assert tool.kind == "angle"
    for intent in (KeyPress(Chord("F")), KeyPress(Chord("C")), Steering(PAN, 1, 1)):
        assert not tool.follow(intent), "and on, those that are not its own"
    tool.toggle("angle")
    assert tool.kind is None


def test_the_last_measurement_is_removed_and_the_others_stay(driver):
    driver.tool.toggle("distance")
    for point in (RED, BLUE, BLUE, RED, BLUE, (-1.5, -0.5, 0.5)):
        driver.tool.add_point(driver.at(point, -3, 3 * np.sign(point[1])))
    first = driver.view.scene.measurements[0]
    delete = Chord("DELETE")
    assert driver.tool.press(delete) and driver.view.scene.measurements == (first,)
    assert driver.tool.press(delete) and driver.tool.press(delete) and driver.view.scene.measurements == ()
    assert driver.labels == ["Measure a distance"] * 2 + ["Remove a distance"] * 2


def test_the_selections_size_is_told_follows_it_and_is_copied_where_nothing_was_measured(driver):
    driver.tool.toggle("distance")
    assert driver.tool.selection_rows() == []
    assert driver.tool.press(Chord("C", ctrl=True)) and driver.copied == []
    driver.view.selection.ids = np.array([0, 2], dtype=np.int32)
    rows = dict(driver.tool.selection_rows())
    assert (rows["objects"], rows["size in the world"], rows["volume"]) == ("2", "5.000 x 1.000 x 1.000", "2.000")
    driver.view.scene.set_scales([2], (1, 3, 1))
    driver.view.update()
    assert dict(driver.tool.selection_rows())["volume"] == "4.000"
    driver.tool.copy()
    assert driver.copied[0].split("\n")[:2] == ["objects\t2", "size in the world\t5.000 x 3.000 x 1.000"]
    driver.view.selection.ids = np.array([1], dtype=np.int32)
    assert dict(driver.tool.selection_rows())["watertight"] == "yes"


@pytest.fixture
def sketch() -> MeasureToolDriver:
    """The boxes with a line of two parts and two points before them, turned and stretched."""
    driver = MeasureToolDriver()
    corners = np.array([(0.0, 0.0, 0.0), (2.0, 0.0, 0.0), (2.0, 1.0, 0.0)])
    placing = {"translation": (-1.0, 1.0, 1.0), "scale": (1.0, 0.5, 3.0)}
    scene = driver.view.scene
    scene.add_node("wire", mesh=add_mesh(scene, corners, lines=np.array([(0, 1), (1, 2)])), **placing)
    scene.add_node("spots", mesh=add_mesh(scene, corners, points=np.array([0, 2])), translation=(-1.0, -1.5, 1.0))
    driver.view.build_frames(SIZE)
    return driver


def test_lines_are_snapped_to_at_their_vertices_and_middles_and_along_them(sketch):
    sketch.tool.toggle("distance")
    for place, dx, dy, kind, meant in (
        ((-1.0, 1.0, 1.0), 1, 1, "vertex", (-1.0, 1.0, 1.0)),
        ((-1.0, 1.0, 1.0), -4, -5, "vertex", (-1.0, 1.0, 1.0)),
        ((1.0, 1.0, 1.0), -2, 3, "vertex", (1.0, 1.0, 1.0)),
        ((0.0, 1.0, 1.0), 3, 2, "edge midpoint", (0.0, 1.0, 1.0)),
        ((1.0, 1.25, 1.0), 4, 3, "edge midpoint", (1.0, 1.25, 1.0)),
        ((-0.5, 1.0, 1.0), 0, 2, "edge", (-0.5, 1.0, 1.0)),
        ((-1.0, -1.5, 1.0), 2, 2, "vertex", (-1.0, -1.5, 1.0)),
        ((1.0, -0.5, 1.0), -3, 2, "vertex", (1.0, -0.5, 1.0)),
    ):
        sketch.tool.hover(sketch.at(place, dx, dy))
        assert sketch.tool.measurements.preview is not None, place
        assert sketch.tool.measurements.preview.snapped_to == kind, place
        np.testing.assert_allclose(sketch.tool.measurements.preview.points[-1], meant, atol=1e-9)
    sketch.tool.hover(sketch.at((1.0, -0.5, 1.0), 14, 0))
    assert sketch.tool.measurements.preview is None


def test_between_points_and_lines_a_distance_holds_on_to_their_vertices(sketch):
    sketch.tool.toggle("distance")
    sketch.tool.add_point(sketch.at((-1.0, -1.5, 1.0), 1, 1))
    sketch.tool.add_point(sketch.at((1.0, 1.5, 1.0), 1, 1))
    (made,) = sketch.view.scene.measurements
    assert [anchor.point for anchor in made.anchors] == [(0.0, 0.0, 0.0), (2.0, 1.0, 0.0)]
    assert sketch.rows()["distance"] == "3.606"


def test_a_line_behind_a_box_is_not_snapped_to(sketch):
    scene = sketch.view.scene
    scene.add_node("behind", mesh=scene.mesh_ids[sketch.view.scene["wire"].id], translation=(-2.2, 0.2, -3.0))
    sketch.view.build_frames(SIZE)
    sketch.tool.toggle("distance")
    sketch.tool.hover(sketch.at((-2.2, 0.2, -3.0)))
    assert sketch.tool.measurements.preview.snapped_to in sketch.rows() and sketch.rows()["object"] == "red"


def test_the_selections_lines_have_a_length_and_its_points_a_number(sketch):
    scene = sketch.view.scene
    sketch.view.selection.ids = np.array([scene["wire"].id], dtype=np.int32)
    assert dict(sketch.tool.selection_rows())["length"] == "2.500"
    sketch.view.selection.ids = np.array([scene["spots"].id], dtype=np.int32)
    rows = dict(sketch.tool.selection_rows())
    assert rows["points"] == "2" and not {"length", "area", "volume"} & rows.keys()


def test_a_line_or_point_under_the_mouse_is_what_the_camera_turns_about_and_zooms_to(sketch):
    for place, name in (((-0.4, 1.0, 1.0), "wire"), ((1.0, -0.5, 1.0), "spots")):
        at = sketch.at(place, 0, 2)
        assert at.hit().node.name == name
        assert np.linalg.norm(at.world_point() - place) < 0.05
    sketch.view.scene.set_unselectable([sketch.view.scene["wire"].id], True)
    sketch.view.build_frames(SIZE)
    at = sketch.at((-0.4, 1.0, 1.0), 0, 2)
    assert at.pick() is None and at.hit().node.name == "wire"


def test_measuring_snaps_to_corners_in_each_viewport() -> None:
    view = view_of(box_scene(), distance=12.0)
    view.layout.set_count(4)
    view.build_frames((400, 300))
    tool = MeasureTool(view, lambda edit: True, lambda text: None, Hand())
    tool.toggle("distance")
    corner = np.array((2.5, 0.5, 0.5))
    for place in range(4):
        inside = corner - np.array((0.08, 0.08, 0.08))
        tool.hover(seen_at(view, place, inside))
        assert np.allclose(view.decoration(Measurements).preview.points[-1], corner), f"in viewport {place}"


def test_two_faces_and_one_face_are_measured(driver):
    """The boxes are cubes of side 1, one beside the other: their fronts lie in one plane."""
    driver.tool.toggle("faces")
    for box in (-2.0, 2.0):
        driver.tool.add_point(driver.at((box, 0.0, 0.5), 4, 2))
    driver.tool.toggle("area")
    driver.tool.hover(driver.at((0.0, 0.0, 0.5), 4, 2))
    assert driver.rows()["area"] == "1.000" and len(driver.tool.measurements.preview.points) == 8
    figures = len(driver.view.build_frames(SIZE)[0].frame.annotations.labels)
    driver.tool.add_point(driver.at((0.0, 0.0, 0.5), 4, 2))
    assert len(driver.view.build_frames(SIZE)[0].frame.annotations.labels) == figures, (
        "one figure, not the preview's, too"
    )
    faces, area = driver.view.scene.measurements
    assert (faces.name, area.name) == ("Face to face 1", "Area 1")
    assert [anchor.node for anchor in faces.anchors] == [0] * 3 + [2] * 3
    assert {anchor.node for anchor in area.anchors} == {1} and len(area.anchors) == 8
    figures = [figures_of(each.kind, world_points(driver.view.scene, each.anchors)) for each in (faces, area)]
    assert figures[0] == pytest.approx({"distance": 0.0, "angle": 0.0}, abs=1e-9)
    assert figures[1] == pytest.approx({"area": 1.0, "outline": 4.0})
    driver.view.scene[2].translation = (2.0, 0.0, -3.0)
    assert figure_of("faces", world_points(driver.view.scene, faces.anchors)) == pytest.approx(3.0)
    driver.tool.copy()
    assert driver.copied[-1] == "1"


def test_a_path_has_any_number_of_points_until_enter_or_another_click_on_the_last_one(driver):
    driver.tool.toggle("path")
    places = [driver.at(place, 4, 2) for place in ((-2.5, 0.5, 0.5), (2.5, 0.5, 0.5), (2.5, -0.5, 0.5))]
    driver.tool.add_point(places[0])
    driver.tool.press(Chord("ENTER"))  # one point is no path
    driver.tool.add_point(places[0])
    assert "that point was clicked already" in driver.tool.text
    for place in places[1:]:
        driver.tool.add_point(place)
    assert not driver.view.scene.measurements and driver.rows()["length"] == "6.000"
    driver.tool.add_point(places[-1])
    driver.tool.add_point(places[1])
    driver.tool.add_point(places[0])
    driver.tool.press(Chord("ENTER"))
    assert [(each.name, len(each.anchors)) for each in driver.view.scene.measurements] == [("Path 1", 3), ("Path 2", 2)]


def test_one_click_on_a_circular_edge_makes_the_circle():
    scene = Scene()
    scene.add_node("disc", mesh=scene.meshes.add(PRIMITIVES["cylinder"]()), scale=(3.0, 1.0, 3.0))
    driver = MeasureToolDriver()
    driver.view = view_of(scene, yaw_rad=0.0, pitch_rad=1.0, distance=20.0)
    driver.view.build_frames(SIZE)
    driver.tool = MeasureTool(driver.view, driver._do, driver.copied.append, driver.hand)
    driver.tool.toggle("circle")
    rim = scene.bounds()[1][1] * np.array((0, 1, 0)) + np.array((0, 0, scene.bounds()[1][2]))
    driver.tool.hover(driver.at(rim, 3, -3))
    assert driver.tool.measurements.preview.snapped_to == ""
    at, height = driver.tool._picked.snap.point, rim[1]
    assert at[1] == pytest.approx(height) and np.hypot(at[0], at[2]) == pytest.approx(rim[2], rel=0.02), "on the edge"
    driver.tool.add_point(driver.at(rim, 3, -3))
    driver.tool.add_point(driver.at(rim * (0.0, 1.0, -1.0), 3, 3))
    (made,) = scene.measurements
    assert figure_of("circle", world_points(scene, made.anchors)) == pytest.approx(2.0 * rim[2], rel=1e-3)
    driver.tool.toggle("distance")
    driver.tool.hover(driver.at(rim, 3, -3))
    assert "circular edge" not in driver.rows()


def test_a_name_that_a_user_gives_stands_before_the_figure(driver):
    driver.tool.toggle("distance")
    for corner, dx, dy in ((RED, -3, 3), (BLUE, 3, -3)):
        driver.tool.add_point(driver.at(corner, dx, dy))

    def figures() -> list[str]:
        return [text for text, _ in driver.view.build_frames(SIZE)[0].frame.annotations.labels]

    (made,) = driver.view.scene.measurements
    (figure,) = figures()
    assert made.own_name == "" and ":" not in figure
    assert driver.tool.press(Chord("F2")) and driver.tool.naming is made
    driver.tool.end_name(" Door ")
    (named,) = driver.view.scene.measurements
    assert (named.own_name, figures()) == ("Door", [f"Door: {figure}"]) and driver.tool.naming is None
    driver.tool.begin_name()
    driver.tool.end_name(None)
    assert driver.view.scene.measurements[0] is named, "Esc changes nothing"
    driver.tool.begin_name()
    driver.view.scene.measurements = []
    driver.tool.end_name("Gate")
    assert driver.labels[-1] == "Rename measurement" and len(driver.labels) == 2, "it was undone meanwhile"

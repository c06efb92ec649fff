"""The measuring tool without a window: hovering, clicking, taking back, figures and what is copied."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from scene import apply
from tests.viewer.scenes import add_mesh, box_scene, place_at, view_of
from viewer.frame.projection import ViewProjection
from viewer.frame.view import View
from viewer.frame.viewports import PointerLocation
from viewer.tools.intents import KeyPress, Pan, RightClick
from viewer.tools.measure_tool import MeasureTool
from viewer.window.keys import Chord

SIZE = (640, 480)


class MeasuringDesk:
    """A tool on three boxes, seen from the front, with what it copied and did."""

    def __init__(self) -> None:
        self.view: View = view_of(box_scene(), yaw_rad=0.0, pitch_rad=0.0, distance=9.0)
        self.view.build_frame(SIZE)
        self.copied: list[str] = []
        self.labels: list[str] = []
        self.tool = MeasureTool(self.view, self._do, self.copied.append)

    def _do(self, edit) -> None:
        apply(self.view.scene, edit)
        self.labels.append(edit.label)

    def at(self, point: tuple[float, float, float], dx: float = 0.0, dy: float = 0.0) -> PointerLocation:
        """Where a world point is in the picture, and some pixels beside it."""
        camera = self.view.snapshot.camera
        x, y, _, w = ViewProjection.of_size(camera, SIZE).pixels_from_relative @ (*(point - camera.position), 1.0)
        return self.view.locate((x / w + dx, y / w + dy))

    def rows(self) -> dict[str, str]:
        return dict(self.tool.rows())


@pytest.fixture
def app() -> MeasuringDesk:
    return MeasuringDesk()


RED, BLUE = (-1.5, 0.5, 0.5), (2.5, -0.5, 0.5)  # corners that are seen


def test_two_clicks_make_a_distance(app):
    app.tool.toggle("distance")
    app.tool.hover(app.at(RED, -3, 3))
    assert app.view.measurement_preview.snapped_to == "vertex" and app.rows()["vertex"] == "-1.5 0.5 0.5  red"
    app.tool.click(app.at(RED, -3, 3))
    app.tool.hover(app.at(RED, -4, 3))
    np.testing.assert_array_equal(app.view.measurement_preview.points, (RED,))
    assert app.view.measurement_preview.snapped_to == "vertex", "its marker stays, and no figure covers it"
    assert "distance" not in app.rows()
    app.tool.hover(app.at(BLUE, -3, -3))
    np.testing.assert_array_equal(app.view.measurement_preview.points, (RED, BLUE))
    assert app.rows()["distance"] == "4.123106", "while the second point is looked for"
    app.tool.click(app.at(BLUE, -3, -3))
    (made,) = app.view.scene.measurements
    assert (made.kind, [anchor.node for anchor in made.anchors]) == ("distance", [0, 2])
    assert [anchor.point for anchor in made.anchors] == [(0.5, 0.5, 0.5), (0.5, -0.5, 0.5)]
    rows = app.rows()
    assert (rows["distance"], rows["x"], rows["y"], rows["z"]) == ("4.123106", "4", "-1", "0")
    app.tool.copy()
    assert app.copied == ["4.123105626"] and app.rows()["copied"] == "4.123105626"
    assert app.labels == ["Measure a distance"]


def test_the_places_of_what_is_measured_are_told_where_the_picture_has_them(app):
    app.tool.toggle("distance")
    assert app.tool.places() == []
    app.tool.click(app.at(RED, -3, 3))
    np.testing.assert_allclose(app.tool.places(), [app.at(RED).point], atol=1e-9)
    app.tool.click(app.at(BLUE, -3, -3))
    np.testing.assert_allclose(app.tool.places()[-2:], [app.at(RED).point, app.at(BLUE).point], atol=1e-9)
    app.view.camera = replace(app.view.camera, yaw_rad=np.pi)
    app.view.build_frame(SIZE)
    np.testing.assert_allclose(app.tool.places()[-2:], [app.at(RED).point, app.at(BLUE).point], atol=1e-9)
    app.view.camera = replace(app.view.camera, pivot=np.array((0.0, 0.0, 50.0)))
    app.view.build_frame(SIZE)
    assert app.tool.places() == [], "behind the eye"


def test_three_clicks_make_an_angle_at_the_second(app):
    app.tool.toggle("angle")
    for point in ((-2.5, 0.5, 0.5), (-2.5, -0.5, 0.5), (-1.5, -0.5, 0.5)):
        app.tool.click(app.at(point, 3 * np.sign(-2.0 - point[0]), 3 * np.sign(point[1])))
    (made,) = app.view.scene.measurements
    assert made.kind == "angle"
    assert app.rows()["angle"] == "90°" and app.rows()["leg 1"] == "1"
    app.tool.copy()
    assert app.copied == ["90"]


def test_from_just_beside_an_object_its_outline_is_snapped_to_and_never_its_face(app):
    app.tool.toggle("distance")
    for point, dx, dy, kind in (
        ((-2.5, 0.5, 0.5), -4, -4, "vertex"),
        ((-2.5, 0.0, 0.5), -5, 0, "edge midpoint"),
        ((-2.5, 0.3, 0.5), -5, 0, "edge"),
    ):
        app.tool.hover(app.at(point, dx, dy))
        assert app.view.measurement_preview.snapped_to == kind
    app.tool.hover(app.at((-2.5, 0.0, 0.5), -30, 0))
    assert app.view.measurement_preview is None
    app.tool.click(app.at((-2.5, 0.0, 0.5), -30, 0))
    assert app.view.measurement_preview is None and app.view.scene.measurements == []


def test_a_corner_that_something_hides_is_not_snapped_to(app):
    app.tool.toggle("distance")
    beside = app.at(RED, -6, 6)
    app.tool.hover(beside)
    assert app.view.measurement_preview.snapped_to == "vertex"
    scene = app.view.scene
    scene.add_node("screen", mesh=0, translation=(-1.5 + 0.47, 0.5 + 0.47, 1.0), scale=(1.0, 1.0, 0.01))
    app.view.build_frame(SIZE)
    app.tool.hover(beside)
    assert app.view.measurement_preview.snapped_to == "face" and app.rows()["face"].endswith("red")
    app.tool.hover(app.at((-1.03 - 0.5, 0.97 - 0.5, 1.005), 4, -4))
    assert app.rows()["vertex"].endswith("screen")


def test_what_was_begun_is_dropped_step_by_step_and_then_the_tool_is_off(app):
    tool = app.tool
    tool.toggle("angle")
    for point in (RED, BLUE):
        tool.click(app.at(point, -3, 3 * np.sign(point[1])))
    assert len(app.view.measurement_preview.points) == 2, "the pointer is still on the second"
    assert tool.press(Chord("BACKSPACE")) and len(app.view.measurement_preview.points) == 2
    assert tool.press(Chord("ESCAPE")) and tool.kind == "angle" and len(app.view.measurement_preview.points) == 1
    assert (
        tool.follow(RightClick(place_at(app.view, (0.5, 0.5))))
        and tool.kind is None
        and app.view.measurement_preview is None
    )
    assert not tool.follow(KeyPress(Chord("DELETE"))), "off, it leaves keys to others"
    tool.toggle("distance")
    tool.toggle("angle")
    assert tool.kind == "angle"
    for intent in (KeyPress(Chord("F")), KeyPress(Chord("C")), Pan(1, 1)):
        assert not tool.follow(intent), "and on, those that are not its own"
    tool.toggle("angle")
    assert tool.kind is None


def test_the_last_measurement_is_removed_and_the_others_stay(app):
    app.tool.toggle("distance")
    for point in (RED, BLUE, BLUE, RED):
        app.tool.click(app.at(point, -3, 3 * np.sign(point[1])))
    first = app.view.scene.measurements[0]
    delete = Chord("DELETE")
    assert app.tool.press(delete) and app.view.scene.measurements == [first]
    assert app.tool.press(delete) and app.tool.press(delete) and app.view.scene.measurements == []
    assert app.labels == ["Measure a distance"] * 2 + ["Remove a distance"] * 2


def test_the_selections_size_is_told_follows_it_and_is_copied_where_nothing_was_measured(app):
    app.tool.toggle("distance")
    assert app.tool.selection_rows() == []
    assert app.tool.press(Chord("C", ctrl=True)) and app.copied == []
    app.view.selection.ids = np.array([0, 2], dtype=np.int32)
    rows = dict(app.tool.selection_rows())
    assert (rows["objects"], rows["size in the world"], rows["volume"]) == ("2", "5 x 1 x 1", "2")
    app.view.scene.set_scales([2], (1, 3, 1))
    app.view.update()
    assert dict(app.tool.selection_rows())["volume"] == "4"
    app.tool.copy()
    assert app.copied[0].split("\n")[:2] == ["objects\t2", "size in the world\t5 x 3 x 1"]
    app.view.selection.ids = np.array([1], dtype=np.int32)
    assert dict(app.tool.selection_rows())["watertight"] == "yes"


@pytest.fixture
def sketch() -> MeasuringDesk:
    """The boxes with a line of two parts and two points before them, turned and stretched."""
    app = MeasuringDesk()
    corners = np.array([(0.0, 0.0, 0.0), (2.0, 0.0, 0.0), (2.0, 1.0, 0.0)])
    placing = {"translation": (-1.0, 1.0, 1.0), "scale": (1.0, 0.5, 3.0)}
    scene = app.view.scene
    scene.add_node("wire", mesh=add_mesh(scene, corners, lines=np.array([(0, 1), (1, 2)])), **placing)
    scene.add_node("spots", mesh=add_mesh(scene, corners, points=np.array([0, 2])), translation=(-1.0, -1.5, 1.0))
    app.view.build_frame(SIZE)
    return app


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
        assert sketch.view.measurement_preview is not None, place
        assert sketch.view.measurement_preview.snapped_to == kind, place
        np.testing.assert_allclose(sketch.view.measurement_preview.points[-1], meant, atol=1e-9)
    sketch.tool.hover(sketch.at((1.0, -0.5, 1.0), 14, 0))
    assert sketch.view.measurement_preview is None


def test_between_points_and_lines_a_distance_holds_on_to_their_vertices(sketch):
    sketch.tool.toggle("distance")
    sketch.tool.click(sketch.at((-1.0, -1.5, 1.0), 1, 1))
    sketch.tool.click(sketch.at((1.0, 1.5, 1.0), 1, 1))
    (made,) = sketch.view.scene.measurements
    assert [anchor.point for anchor in made.anchors] == [(0.0, 0.0, 0.0), (2.0, 1.0, 0.0)]
    assert sketch.rows()["distance"] == "3.605551"


def test_a_line_behind_a_box_is_not_snapped_to(sketch):
    scene = sketch.view.scene
    scene.add_node("behind", mesh=scene.mesh_ids[sketch.view.scene["wire"].id], translation=(-2.2, 0.2, -3.0))
    sketch.view.build_frame(SIZE)
    sketch.tool.toggle("distance")
    sketch.tool.hover(sketch.at((-2.2, 0.2, -3.0)))
    assert sketch.rows()[sketch.view.measurement_preview.snapped_to].endswith("red")


def test_the_selections_lines_have_a_length_and_its_points_a_number(sketch):
    scene = sketch.view.scene
    sketch.view.selection.ids = np.array([scene["wire"].id], dtype=np.int32)
    assert dict(sketch.tool.selection_rows())["length"] == "2.5"
    sketch.view.selection.ids = np.array([scene["spots"].id], dtype=np.int32)
    rows = dict(sketch.tool.selection_rows())
    assert rows["points"] == "2" and not {"length", "area", "volume"} & rows.keys()


def test_a_line_or_point_under_the_mouse_is_what_the_camera_turns_about_and_zooms_to(sketch):
    for place, name in (((-0.4, 1.0, 1.0), "wire"), ((1.0, -0.5, 1.0), "spots")):
        at = sketch.at(place, 0, 2)
        assert at.hit().node.name == name
        assert np.linalg.norm(at.world_point() - place) < 0.05
    sketch.view.scene.set_unselectable([sketch.view.scene["wire"].id], True)
    sketch.view.build_frame(SIZE)
    at = sketch.at((-0.4, 1.0, 1.0), 0, 2)
    assert at.pick() is None and at.hit().node.name == "wire"

"""Measurements in pictures: lines where they belong, labels that can be read on any ground, nothing behind the eye."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from octoscope.scene import Material, Scene, save_project
from octoscope.scene.measuring import Anchor, Measurement
from octoscope.viewer.camera.camera import Camera
from octoscope.viewer.features.measuring.decoration import (
    MEASUREMENT_COLOR,
    PREVIEW_COLOR,
    MeasurementPreview,
    Measurements,
)
from octoscope.viewer.frame.annotations import AnnotationBuilder, Annotations
from octoscope.viewer.frame.look.labels import font_size_px, label_image
from octoscope.viewer.frame.projection import ViewProjection
from octoscope.viewer.frame.section import Section
from octoscope.viewer.frame.view import View
from octoscope.viewer.rendering.context.offscreen import image_of
from octoscope.viewer.rendering.renderer import Renderer
from tests.viewer.scenes import add_box_mesh, add_quad, box_scene, flat_view, view_of

SIZE = (480, 360)
MADE, UNDER_WAY = (np.round(255.0 * np.array(color)).astype(int) for color in (MEASUREMENT_COLOR, PREVIEW_COLOR))
CORNERS = (-0.5, -0.5, 0.5), (0.5, 0.5, 0.5)


def picture(renderer: Renderer, view: View, size: tuple[int, int] = SIZE) -> np.ndarray:
    """(height, width, 3) int."""
    renderer.render(view.build_frames(size)[0].frame)
    return np.asarray(image_of(renderer.picture)).astype(int)


def annotations_of(scene: Scene, camera: Camera, preview: MeasurementPreview | None = None) -> Annotations:
    view, builder = View(scene), AnnotationBuilder(camera, SIZE)
    view.decoration(Measurements).preview = preview
    view.decoration(Measurements).annotate(builder, view.active)
    return builder.annotations()


def has_color(image: np.ndarray, place: np.ndarray, color: np.ndarray, reach: int = 2) -> bool:
    """Tell whether a pixel near a place has a colour."""
    x, y = np.asarray(place).astype(int)
    near = image[max(y - reach, 0) : y + reach + 1, max(x - reach, 0) : x + reach + 1]
    return bool((np.abs(near - color).max(axis=-1) < 24).any())


def pixel(camera: Camera, point: np.ndarray, size: tuple[int, int] = SIZE) -> np.ndarray:
    x, y, _, w = ViewProjection.of_size(camera, size).pixels_from_relative @ (*(point - camera.position), 1.0)
    return np.array((x, y)) / w


def corner_distance(scene: Scene, first: int = 0, second: int = 2) -> Measurement:
    return Measurement("distance", (Anchor(first, CORNERS[0]), Anchor(second, CORNERS[1])))


@pytest.mark.parametrize("offset", ((0.0, 0.0, 0.0), (1e6, -1e6, 1e6)), ids=("here", "far away"))
def test_a_distance_is_drawn_from_point_to_point_with_its_label(renderer, offset):
    scene = box_scene(offset)
    view = view_of(scene, pivot=np.array(offset), distance=9.0)
    plain = picture(renderer, view)
    scene.measurements = [corner_distance(scene)]
    drawn = picture(renderer, view)
    ends = [np.add(offset, end) for end in ((-2.5, -0.5, 0.5), (2.5, 0.5, 0.5))]
    for part in (0.0, 0.1, 0.25, 0.75, 0.9, 1.0):
        place = pixel(view.camera, ends[0] + part * (ends[1] - ends[0]))
        assert has_color(drawn, place, MADE) and not has_color(plain, place, MADE), f"{part} of the way along"
    # In the middle, to the pixel, the label that says the figure.
    label = label_image("5.099", font_size_px(SIZE[1])).astype(int)
    middle = (pixel(view.camera, ends[0]) + pixel(view.camera, ends[1])) / 2.0
    left, top = np.round(middle - np.array(label.shape[1::-1]) / 2.0).astype(int)
    there = drawn[top : top + label.shape[0], left : left + label.shape[1]]
    solid = label[..., 3] == 255
    assert solid.sum() > 100 and np.abs(there - label[..., :3])[solid].max() <= 2
    # It follows its node.
    scene.set_translations([2], np.add(offset, (2.0, 1.0, 0.0)))
    moved = picture(renderer, view)
    assert has_color(moved, pixel(view.camera, np.add(offset, (2.5, 1.5, 0.5))), MADE)
    # And leaves no trace.
    scene.set_translations([2], np.add(offset, (2.0, 0.0, 0.0)))
    scene.measurements = []
    assert np.array_equal(picture(renderer, view), plain)


def test_an_angle_is_drawn_with_its_legs_and_an_arc(renderer):
    scene = Scene()
    scene.add_node("board", mesh=add_quad(scene, 50.0))
    scene.update_world()
    view = flat_view(scene)
    points = (0.0, 60.0, 0.0), (0.0, 0.0, 0.0), (60.0, 0.0, 0.0)
    scene.measurements = [Measurement("angle", tuple(Anchor(-1, point) for point in points))]
    frame = view.build_frames((192, 120))[0].frame
    assert [text for text, _ in frame.annotations.labels] == ["90.00°"]
    x, y = frame.annotations.labels[0][1]
    assert np.hypot(x - 96, y - 60) == pytest.approx(18.0, abs=0.5) and x - 96 == pytest.approx(60 - y, abs=2.5)
    renderer.render(frame)
    drawn = np.asarray(image_of(renderer.picture)).astype(int)
    for place in ((96, 30), (126, 60), (96, 60), (96 + 17, 60 - 4)):
        assert has_color(drawn, place, MADE)
    assert not has_color(drawn, (70, 60), MADE)


@pytest.mark.parametrize("ground", (0.0, 0.5, 1.0))
def test_a_label_can_be_read_on_a_dark_and_on_a_light_ground(renderer, ground):
    scene = Scene()
    color = scene.add_material(Material("ground", base_color=(ground,) * 3, emission=(ground,) * 3, specular=0.0))
    scene.add_node("board", mesh=add_quad(scene, 200.0, color))
    scene.update_world()
    view = flat_view(scene)
    view.selection.ids = np.empty(0, dtype=np.int32)
    scene.measurements = [Measurement("distance", (Anchor(-1, (-40, 0, 0)), Anchor(-1, (40, 0, 0))))]
    drawn = picture(renderer, view, (192, 120))
    label = label_image("80", font_size_px(120))
    height, width = label.shape[:2]
    there = drawn[60 - height // 2 : 60 + height // 2, 96 - width // 2 : 96 + width // 2].mean(axis=2)
    assert there.max() > 220 and np.percentile(there, 40) < 60
    # The line has a dark rim, so that it is seen on a ground of its own colour.
    across = drawn[50:70, 96 - 30]
    assert (np.abs(across - MADE).max(axis=1) < 40).any() and (across.sum(axis=1) < 260).any()


def test_a_measurement_goes_and_comes_with_what_it_holds_on_to():
    scene = box_scene()
    scene.measurements = [corner_distance(scene)]
    view = view_of(scene, distance=9.0)

    def is_drawn() -> bool:
        placed = view.build_frames(SIZE)
        outlined = view.with_outlines(placed)
        assert (placed[0].frame.annotations is None) == (outlined[0].frame.annotations is None)
        return placed[0].frame.annotations is not None

    assert is_drawn()
    scene.set_hidden([2], True)
    assert not is_drawn()
    scene.set_hidden([2], False)
    view.visibility.isolated_ids = np.array([0, 1], dtype=np.int32)
    assert not is_drawn() and view.decoration(Measurements).shown() == []
    view.visibility.isolated_ids = np.array([0, 2], dtype=np.int32)
    assert is_drawn()


def test_what_lies_behind_the_eye_or_beside_the_picture_is_cut():
    scene = box_scene()
    camera = Camera(np.zeros(3), yaw_rad=0.0, pitch_rad=0.0, distance=5.0, near=0.1)

    def segments_of(*ends: tuple[float, float, float]) -> np.ndarray:
        scene.measurements = [Measurement("distance", tuple(Anchor(-1, end) for end in ends))]
        return annotations_of(scene, camera).segments

    assert len(segments_of((0, 0, 10), (1, 1, 20))) == 0, "behind the eye"
    assert len(segments_of((100, 0, 0), (100, 1, 0))) == 0, "beside the picture"
    (line, dot) = segments_of((0, 0, 0), (0, -3, 10))
    assert line[:2].tolist() == [240, 180] == dot[:2].tolist() == dot[2:].tolist()
    assert line[2] == pytest.approx(240) and line[3] == pytest.approx(360), "down to the picture's lower side"
    (across,) = segments_of((-100, 0, 0), (100, 0, 0))
    np.testing.assert_allclose(across, (0, 180, 480, 180), atol=1e-3)
    assert annotations_of(scene, camera).labels[0][1] == pytest.approx((240, 180))
    through, _ = segments_of((-3, 0, 10), (2, 0, -10))
    assert np.isfinite(through).all() and ((through >= -1e-3) & (through <= 480.001)).all()


@pytest.mark.parametrize("kind", ("vertex", "edge midpoint", "edge", "face"))
def test_each_kind_of_place_has_a_mark_of_its_own(renderer, kind):
    view = flat_view(box_scene())
    points = np.array([(0.0, 0.0, 0.5), (40.0, 20.0, 0.0)])
    shapes = {}
    for other in {kind, "vertex", "edge"}:
        view.decoration(Measurements).preview = MeasurementPreview("distance", points, other)
        drawn = picture(renderer, view, (192, 120))
        near = drawn[40 - 12 : 40 + 13, 136 - 12 : 136 + 13]
        shapes[other] = np.abs(near - UNDER_WAY).max(axis=2) < 40
        assert shapes[other].sum() > 15
    for other in {"vertex", "edge"} - {kind}:
        assert (shapes[kind] != shapes[other]).sum() > 10


def test_more_labels_than_a_texture_is_high_are_drawn(renderer):
    scene = box_scene()
    view = flat_view(scene)
    renderer.passes._annotations._tallest = 64
    scene.measurements = [
        Measurement("distance", (Anchor(-1, (-60, y, 0)), Anchor(-1, (60 + y, y, 0)))) for y in range(-40, 41, 10)
    ]
    drawn = picture(renderer, view, (192, 120))
    for y in range(-40, 41, 20):
        there = drawn[60 - y - 5 : 60 - y + 6, 85:107].mean(axis=2)
        assert there.max() > 180 and there.min() < 60


def test_a_picture_of_a_project_shows_its_measurements(in_folder, run, tmp_path):
    scene = box_scene()
    save_project(scene, tmp_path / "plain.octo.json")
    scene.measurements = [corner_distance(scene)]
    save_project(scene, tmp_path / "measured.octo.json")
    pictures = {}
    for name in ("plain", "measured"):
        status, _, _ = run("render", f"{name}.octo.json", "-o", f"{name}.png", "--size", "480x360")
        assert status == 0
        pictures[name] = np.asarray(Image.open(f"{name}.png").convert("RGB")).astype(int)
    yellow = {name: (np.abs(image - MADE).max(axis=2) < 24).sum() for name, image in pictures.items()}
    assert yellow["plain"] == 0 and yellow["measured"] > 150


def test_labels_grow_with_the_picture(renderer):
    heights = [label_image("12.5°", font_size_px(height)).shape[0] for height in (240, 720, 1440, 2880)]
    assert heights[0] >= 13 and heights[2] == pytest.approx(2 * heights[1], abs=3)
    assert heights == sorted(heights)
    scene = box_scene()
    scene.measurements = [corner_distance(scene)]
    view = view_of(scene, distance=9.0)
    small, large = (view.build_frames(size)[0].frame.annotations for size in ((480, 360), (1920, 1440)))
    assert large.font_size_px > 2 * small.font_size_px and large.widths[0] > 2 * small.widths[0]
    assert replace(small).labels[0][0] == large.labels[0][0]
    view.interface_scale = 3.0
    assert view.build_frames((480, 360))[0].frame.annotations.font_size_px == 3 * small.font_size_px


def test_measurements_of_what_is_cut_away_are_not_drawn():
    scene = Scene()
    scene.add_nodes(list("ab"), mesh=add_box_mesh(scene), translation=[(-3.0, 0.0, 0.0), (3.0, 0.0, 0.0)])
    scene.update_world()
    scene.measurements = [Measurement("distance", (Anchor(0, (0.5, 0.0, 0.0)), Anchor(1, (-0.5, 0.0, 0.0))))]
    view = view_of(scene, yaw_rad=0.0, pitch_rad=0.0, distance=20.0)
    for text, is_drawn in (("x<2.6", True), ("x<2.5", True), ("x<2.4", False), ("x>-2.5", True), ("x>-2.4", False)):
        view.settings.section = Section.of(text)
        placed = view.build_frames(SIZE)
        for frame in (placed[0].frame, view.with_outlines(placed)[0].frame):
            assert (frame.annotations is not None and len(frame.annotations.segments) > 0) == is_drawn, text


def labelled(pixels: list[tuple[float, float]], half: float, box: np.ndarray | None = None) -> tuple[Annotations, int]:
    """Annotations with a label on a level line about each pixel, and the size of the labels; `half` its length."""
    camera = Camera(np.zeros(3), orthographic=True)
    builder = AnnotationBuilder(camera, (640, 480))
    corners = ViewProjection.of_size(camera, (640.0, 480.0))
    if box is not None:
        builder.keep_free(box)
    for number, (x, y) in enumerate(pixels):
        rays = [corners.ray((x + side, y)) for side in (-half, half)]
        line = builder.add_lines(np.array([[at + 10.0 * way for at, way in rays]]), 1.0, (1.0, 1.0, 0.0))
        builder.add_label(f"12.{number:02} cm", line, line)
    drawn = builder.annotations()
    return drawn, np.array(label_image("12.00 cm", drawn.font_size_px).shape[1::-1])


@settings(max_examples=20, deadline=None)
@given(st.lists(st.tuples(st.floats(70.0, 300.0), st.floats(20.0, 460.0)), min_size=2, max_size=40))
def test_labels_keep_off_each_other_near_where_they_belong_or_are_left_out(pixels):
    box = np.array((100.0, 60.0, 260.0, 140.0))  # of another feature
    drawn, size = labelled(pixels, 60.0, box)
    places = np.array([place for _, place in drawn.labels]).reshape(-1, 2)
    apart = np.abs(places[:, None] - places)
    assert (apart < size - 1e-6).all(axis=2).sum() == len(places), "each overlaps with itself alone"
    beside = np.abs(places - (box[:2] + box[2:]) / 2.0) >= (box[2:] - box[:2] + size) / 2.0 - 1e-6
    assert beside.any(axis=1).all(), "and off what was there"
    near = np.abs(places[:, None] - pixels)
    assert ((near.min(axis=2) < 0.01) & (near.max(axis=2) <= 1.5 * size[1] + 0.01)).any(axis=1).all()
    drawn, size = labelled([(200.0, 300.0)] * 11, 60.0)
    places = sorted((x - 200.0, y - 300.0) for _, (x, y) in drawn.labels)
    np.testing.assert_allclose(places, [(0.0, size[1] * k) for k in (-1, 0, 1)], atol=0.01)
    assert len(drawn.segments) == 11 + 2, "with a line to where they belong"
    assert drawn.labels[0][0] == "12.10 cm" and abs(drawn.labels[0][1][1] - 300.0) < 0.01, "the newest stays there"


def test_labels_lie_above_lines_that_are_shorter_and_not_on_those_of_a_few_pixels():
    for half, below in ((60.0, 0.0), (20.0, 0.5)):
        drawn, size = labelled([(200.0, 300.0)], half)
        np.testing.assert_allclose(drawn.labels[0][1], (200.0, 300.0 - below * size[1]), atol=0.01)
    assert not labelled([(200.0, 300.0)], 3.0)[0].labels

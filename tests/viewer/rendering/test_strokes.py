"""Widths of lines and sizes of points, as they are drawn and as they are clicked."""

from __future__ import annotations

from dataclasses import replace

import moderngl
import numpy as np
import pytest

from octoscope.scene import Material, Scene
from octoscope.scene.geometry.colors import linear_from_srgb
from octoscope.scene.mesh.primitives import cube
from octoscope.viewer.frame.look.shading import MODES, STROKES, Strokes
from octoscope.viewer.frame.view import View
from octoscope.viewer.rendering.context.offscreen import image_of
from octoscope.viewer.rendering.renderer import Renderer
from tests.viewer.scenes import SIZE, add_mesh, add_quad, at, flat_view, picture, view_of


def sketch(**arrays: np.ndarray) -> View:
    """A flat view of white lines or points; positions in pixels."""
    scene = Scene()
    material = scene.add_material(Material("m", base_color=(1.0, 1.0, 1.0)))
    scene.add_node("shown", mesh=add_mesh(scene, material=material, **arrays))
    scene.update_world()
    return flat_view(scene)


def covered(renderer: Renderer, view: View, size: tuple[int, int] = SIZE) -> np.ndarray:
    """(height, width) float: how far the light of each pixel has come from the background to white."""
    shown = linear_from_srgb(picture(renderer, view, size) / 255.0)
    view.scene["shown"].hidden = True
    nothing = linear_from_srgb(picture(renderer, view, size) / 255.0)
    view.scene["shown"].hidden = False
    return ((shown - nothing) / (1.0 - nothing)).mean(axis=2)


LINE = {"positions": [(-40, 0, 0), (40, 0, 0)], "lines": np.array([(0, 1)])}


@pytest.mark.parametrize("width", (1.0, 2.0, 5.0, 10.0, 40.0))
def test_a_line_is_as_wide_as_is_said_in_every_direction_with_round_ends(renderer: Renderer, width: float) -> None:
    view = sketch(**LINE)
    view.settings.strokes = Strokes(line_width=width)
    for angle in (0.0, 0.4, np.pi / 4, 1.3):
        turned = np.array((0.0, 0.0, np.sin(angle / 2), np.cos(angle / 2)))
        view.scene["shown"].rotation = turned
        area = covered(renderer, view).sum()
        expected = 80 * width + (np.pi * width**2 / 4 if width > 1.0 else 0.0)
        # OpenGL's own thin lines may be wider by a half where they are slanted.
        assert abs(area - expected) < (40.0 if width == 1.0 else 0.35 * 80), angle


@pytest.mark.parametrize("ratio", (1.0, 1.5, 2.0))
def test_a_line_has_the_same_width_at_every_pixel_ratio(renderer: Renderer, ratio: float) -> None:
    view = sketch(**LINE)
    view.settings.strokes = Strokes(line_width=6.0, point_size=6.0)
    size = round(SIZE[0] * ratio), round(SIZE[1] * ratio)
    view.layout.resize(size, ratio)
    column = covered(renderer, view, size)[:, size[0] // 2]
    assert column.sum() == pytest.approx(6.0 * ratio, abs=0.3)
    view.scene["shown"].hidden = True
    view.scene.add_node("wire", mesh=add_quad(view.scene, 20.0, cut=False))
    view.scene.update_world()
    view.settings.mode = "wireframe"
    renderer.render(view.build_frames(size)[0].frame)
    image = np.asarray(image_of(renderer.picture)).astype(float)
    across = image[size[1] // 2 + round(5 * ratio), size[0] // 2 : round(size[0] / 2 + 40 * ratio), 1]
    assert np.count_nonzero(across > across.min() + 30) in (int(ratio), int(ratio) + 1, int(ratio) + 2)


@pytest.mark.parametrize("scale", (1.0, 1.5, 2.0))
def test_where_text_is_larger_lines_and_points_are_too_and_are_clicked_as_they_are_seen(
    renderer: Renderer, scale: float
) -> None:
    """As on a dense screen under Windows and X11, where a logical pixel is one of the framebuffer."""
    for arrays in (LINE, {"positions": [(0, 0, 0)], "points": np.array([0])}):
        view = sketch(**arrays)
        view.settings.strokes = Strokes(line_width=20.0, point_size=20.0)
        view.interface_scale = scale
        column = covered(renderer, view)[:, SIZE[0] // 2]
        assert column.sum() == pytest.approx(20.0 * scale, abs=0.3)
        view.build_frames(SIZE)
        for off, is_hit in ((13.0 * scale, True), (16.0 * scale, False)):
            assert (view.snapshot.pick((0.5, 0.5 + off / SIZE[1])) is not None) is is_hit


@pytest.mark.parametrize("ratio", (1.0, 2.0, 3.0))
def test_axes_and_other_thin_lines_are_as_wide_as_a_pixel_of_the_window(
    renderer: Renderer, ratio: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A forward-compatible context, as a window's, refuses OpenGL's own lines where they are wider than 1."""
    monkeypatch.setattr(moderngl.Context, "line_width", property(None, lambda *_: pytest.fail("OpenGL's line width")))
    scene = Scene()
    middle = (0.0, ratio % 2.0 / 2.0, 0.0)  # so that pixels are covered whole
    scene.add_node("box", mesh=scene.meshes.add(cube()), scale=(60.0, 60.0, 10.0), translation=middle)
    scene.update_world()
    view = flat_view(scene)
    view.layout.pixel_ratio = ratio
    before = picture(renderer, view).astype(int)
    view.settings.show_axes = True
    added = np.abs(picture(renderer, view).astype(int) - before).sum(axis=2)
    assert (added[:, SIZE[0] // 2 + 15] > 60).sum() == ratio
    view.show("octree")
    view.settings.show_boxes = view.settings.show_spheres = view.settings.show_edges = True
    view.visibility.frozen = view.active.snapshot.frustum
    picture(renderer, view)


@pytest.mark.parametrize("is_round", (False, True))
@pytest.mark.parametrize("size", (4.0, 12.0, 30.0))
def test_a_point_is_a_square_or_a_disc_of_its_size(renderer: Renderer, size: float, is_round: bool) -> None:
    view = sketch(positions=[(0, 0, 0)], points=np.array([0]))
    view.settings.strokes = Strokes(point_size=size, round_points=is_round)
    shape = covered(renderer, view) > 0.5
    assert shape.sum() == pytest.approx(size**2 * (np.pi / 4 if is_round else 1.0), rel=0.15)
    for axis in (0, 1):
        assert abs(shape.any(axis=axis).sum() - size) <= is_round


def test_a_wide_line_that_begins_behind_the_camera_is_drawn_to_the_border(renderer: Renderer) -> None:
    scene = Scene()
    scene.add_node("shown", mesh=add_mesh(scene, [(0.5, -1.0, 50.0), (0.5, -1.0, -50.0)], lines=np.array([(0, 1)])))
    scene.update_world()
    for pitch_rad in (0.0, 0.1):
        view = view_of(scene, yaw_rad=0.0, pitch_rad=pitch_rad, distance=10.0)
        view.settings.show_grid = False
        thin = covered(renderer, view) > 0.2
        view.settings.strokes = Strokes(line_width=8.0)
        wide = covered(renderer, view) > 0.2
        rows = np.flatnonzero(thin.any(axis=1))
        assert len(rows) > 30 and rows.max() == SIZE[1] - 1
        for row in rows[:-8]:
            middle = np.flatnonzero(thin[row]).mean()
            columns = np.flatnonzero(wide[row])
            assert len(columns) >= 7 and abs(columns.mean() - middle) < 2.0, row


def test_a_wide_line_has_the_colours_of_its_ends(renderer: Renderer) -> None:
    scene = Scene()
    white = scene.add_material(Material("white", base_color=(1.0, 1.0, 1.0)))
    colors = np.array([(255, 0, 0, 255), (0, 0, 255, 255)], dtype=np.uint8)
    scene.add_node("shown", mesh=add_mesh(scene, material=white, colors=colors, **LINE))
    scene.update_world()
    view = flat_view(scene)
    view.settings.strokes = Strokes(line_width=10.0)
    image = picture(renderer, view)
    for y in (-4, 0, 4):
        assert at(image, -38, y)[0] > 230 > 60 > at(image, -38, y)[2]
        assert at(image, 38, y)[2] > 230 > 60 > at(image, 38, y)[0]


@pytest.mark.parametrize("mode", MODES)
def test_wide_lines_and_round_points_are_drawn_in_every_mode(renderer: Renderer, mode: str) -> None:
    view = sketch(**LINE, points=np.array([0]))
    view.scene.add_node("wall", mesh=add_quad(view.scene, 50.0), translation=(0.0, 0.0, -100.0))
    view.scene.update_world()
    view.settings.mode = mode
    view.settings.strokes = Strokes(line_width=10.0, point_size=20.0, round_points=True)
    image = picture(renderer, view).astype(int)
    for place in ((0, 0), (0, 4), (-40, 8)):
        assert np.abs(at(image, *place) - at(image, 0, 30)).max() > 25, place
    assert (at(image, -48, 8) == at(image, 48, 8)).all(), "the square's corner"


def test_translucent_wide_lines_are_seen_through(renderer: Renderer) -> None:
    views = []
    for opacity in (1.0, 0.5):
        scene = Scene()
        material = scene.add_material(Material("m", base_color=(1.0, 1.0, 1.0), opacity=opacity))
        scene.add_node("shown", mesh=add_mesh(scene, material=material, **LINE))
        scene.update_world()
        views.append(flat_view(scene))
        views[-1].settings.strokes = Strokes(line_width=10.0)
    opaque, half = (covered(renderer, view)[SIZE[1] // 2, SIZE[0] // 2] for view in views)
    assert opaque > 0.99 and 0.3 < half < 0.9


def test_buffers_and_outlines_have_wide_lines_and_points(renderer: Renderer) -> None:
    view = sketch(**LINE, points=np.array([0]))
    view.settings.strokes = Strokes(line_width=10.0, point_size=20.0)
    ids = renderer.buffers(view.build_frames(SIZE), SIZE).ids
    assert (ids[:, SIZE[0] // 2] >= 0).sum() == 10 and (ids[:, SIZE[0] // 2 - 40] >= 0).sum() == 20
    plain = picture(renderer, view)
    view.selection.ids = [0]
    renderer.render(view.build_frames(SIZE)[0].frame)
    changed = (np.asarray(image_of(renderer.picture)) != plain).any(axis=2)
    assert changed[SIZE[1] // 2 - 7, SIZE[0] // 2] and changed[SIZE[1] // 2 + 6, SIZE[0] // 2]
    assert not changed[SIZE[1] // 2, SIZE[0] // 2]


@pytest.mark.parametrize(
    ("line_width", "distance", "is_hit"), [(10, 4, True), (10, 8, True), (10, 10, False), (1, 4, True), (1, 8, False)]
)
def test_a_click_beside_a_line_counts_from_its_edge(line_width: float, distance: float, is_hit: bool) -> None:
    view = sketch(**LINE)
    view.settings.strokes = Strokes(line_width=line_width)
    view.build_frames(SIZE)
    hit = view.snapshot.pick(np.array((SIZE[0] / 2 + 7, SIZE[1] / 2 + distance)) / SIZE)
    assert (hit is not None) == is_hit
    if hit is not None:
        assert hit.point == pytest.approx((7.0, 0.0, 0.0), abs=1e-6), "snapped to its middle"
        assert hit.distance_px == pytest.approx(max(0.0, distance - line_width / 2))


@pytest.mark.parametrize(("size", "is_hit"), [(4, False), (30, True)])
def test_a_click_on_a_large_point_hits_it_also_at_the_border_of_the_picture(size: float, is_hit: bool) -> None:
    view = sketch(positions=[(-SIZE[0] / 2 - 3, 0, 0)], points=np.array([0]))
    view.settings.strokes = Strokes(point_size=size)
    view.build_frames(SIZE)
    assert (view.snapshot.pick(np.array((9.0, SIZE[1] / 2)) / SIZE) is not None) == is_hit


def test_strokes_are_the_views_and_are_drawn_again_when_they_change() -> None:
    view = sketch(**LINE)
    assert view.settings.strokes == STROKES and view.build_frames(SIZE)[0].frame.look.strokes == STROKES
    view.redraw.note_picture()
    view.settings.strokes = replace(STROKES, line_width=3.0)
    assert view.redraw.damage.name == "SCENE" and view.build_frames(SIZE)[0].frame.look.strokes.line_width == 3.0

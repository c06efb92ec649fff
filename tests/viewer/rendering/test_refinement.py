"""Pictures in every quality, and what they are refined to: the mean of pictures moved by parts of a pixel."""

from __future__ import annotations

from dataclasses import replace

import moderngl
import numpy as np
import pytest

from octoscope.scene import Material, Scene
from octoscope.scene.geometry.colors import linear_from_srgb, srgb_from_linear
from octoscope.viewer.features.octree_view.decoration import OctreeCells
from octoscope.viewer.frame.frame import FrameData, ViewportFrame
from octoscope.viewer.frame.quality import BEST, QUALITIES, Quality
from octoscope.viewer.frame.view import View
from octoscope.viewer.rendering import refinement
from octoscope.viewer.rendering import renderer as renderer_module
from octoscope.viewer.rendering.context.offscreen import image_of
from octoscope.viewer.rendering.jitter import SAMPLES, sample_offsets
from octoscope.viewer.rendering.renderer import Renderer
from tests.cases import quick
from tests.viewer.scenes import SIZE, add_box_mesh, at, box_scene, crowd, flat_view, picture, sketches, view_of

_FINER = 8  # pixels of a reference to one of the picture, across


def pixels(renderer: Renderer) -> np.ndarray:
    """(h, w, 3) float64: what the renderer shows."""
    return np.asarray(image_of(renderer.picture)).astype(float)


def drawn(renderer: Renderer, parts: list[ViewportFrame], size: tuple[int, int], quality: Quality) -> np.ndarray:
    renderer.render_parts(parts, size, quality)
    return pixels(renderer)


def refinements(renderer: Renderer, view: View, size: tuple[int, int] = SIZE, *, bands: int = 1) -> list[np.ndarray]:
    """The pictures that are shown while one is refined."""
    parts, shown = view.build_frames(size), []
    renderer.render_parts(parts, size, QUALITIES[-1])
    while not renderer.is_refined:
        if renderer.refine(parts, bands):
            shown.append(pixels(renderer))
    return shown


def reference(renderer: Renderer, frame: FrameData) -> np.ndarray:
    """(h, w, 3) float64: a picture of so many more pixels, made small in linear light."""
    width, height = frame.size
    finer = replace(frame, size=(width * _FINER, height * _FINER), pixel_ratio=frame.pixel_ratio * _FINER)
    renderer.render(finer)
    light = linear_from_srgb(pixels(renderer).reshape(height, _FINER, width, _FINER, 3) / 255.0).mean(axis=(1, 3))
    return 255.0 * srgb_from_linear(light)


def error(image: np.ndarray, expected: np.ndarray) -> float:
    return float(np.sqrt(np.square(image - expected).mean()))


def everything() -> View:
    """Boxes, lines, points, panes that are seen through, cells of the octree and the ground."""
    scene = sketches(60, seed=3)
    scene.add_node(
        "pane", mesh=add_box_mesh(scene, scene.add_material(Material("glass", opacity=0.4))), scale=(9, 9, 1)
    )
    scene.update_world()
    view = view_of(scene, distance=30.0)
    cells = view.decoration(OctreeCells)
    cells.is_shown = cells.shows_whole = view.settings.show_edges = True  # not those of the selection
    return view


@pytest.mark.parametrize("samples", [4, 0])
def test_the_offsets_of_samples_lie_in_sixteen_rows_and_columns_of_a_pixel(samples: int) -> None:
    own = (
        np.array([(0.375, 0.125), (0.875, 0.375), (0.125, 0.625), (0.625, 0.875)])
        if samples
        else np.array([[0.5, 0.5]])
    )
    offsets = sample_offsets(samples)
    places = (offsets[:, None] + own).reshape(-1, 2)
    assert len(places) == SAMPLES and offsets.mean(axis=0) == pytest.approx([0.0, 0.0])
    for axis in range(2):
        np.testing.assert_allclose(np.sort(places[:, axis]), (np.arange(SAMPLES) + 0.5) / SAMPLES)


@pytest.mark.parametrize("most_samples", [4, 0])
def test_a_refined_picture_is_nearer_to_a_finer_one_than_any_other(
    ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch, most_samples: int
) -> None:
    view = view_of(crowd(60, seed=3), distance=30.0)  # of solids: a line cannot be drawn eight pixels wide everywhere
    view.settings.show_grid = False
    expected = reference(Renderer(ctx), view.build_frames(SIZE)[0].frame)
    monkeypatch.setattr(renderer_module, "_SAMPLES", most_samples)
    renderer = Renderer(ctx)
    multisampled = picture(renderer, view).astype(float)
    shown = refinements(renderer, view)
    errors = [error(image, expected) for image in shown]
    assert len(shown) == (4 if most_samples else 16)
    assert errors[-1] == min(errors) and errors[-1] < 0.8 * error(multisampled, expected)
    assert np.ptp([image.mean() for image in shown]) < 0.2, "no step is brighter than another"


def test_colours_away_from_edges_are_those_of_a_picture_that_is_not_refined(ctx: moderngl.Context) -> None:
    scene = Scene()
    material = scene.add_material(Material("plain", base_color=(0.3, 0.5, 0.7), unlit=True))
    scene.add_node("box", mesh=add_box_mesh(scene, material), scale=(60.0, 60.0, 1.0))
    scene.update_world()
    view, renderer = flat_view(scene), Renderer(ctx)
    plain = picture(renderer, view).astype(int)
    for shown in refinements(renderer, view):
        assert np.abs(shown - plain)[45:75, 80:110].max() <= 1.0, "inside of the box"
        assert np.abs(shown - plain)[:, :20].max() <= 1.0, "the background"
        assert np.abs(at(shown, 0.0, 0.0) - 255.0 * np.array([0.3, 0.5, 0.7])).max() <= 1.0


@pytest.mark.parametrize("count", quick([1, 4], 1))
def test_bands_and_viewports_do_not_change_a_pixel(ctx: moderngl.Context, count: int) -> None:
    view, renderer, size = everything(), Renderer(ctx), (64, 240)
    view.selection.ids = view.index.all_ids()[:5]
    view.layout.set_count(count)
    whole, banded = refinements(renderer, view, size), refinements(Renderer(ctx), view, size, bands=5)
    assert len(whole) == len(banded)
    assert all(np.array_equal(one, other) for one, other in zip(whole, banded, strict=True))
    renderer.render_best(view.build_frames(size), size)
    assert np.array_equal(pixels(renderer), whole[-1]) and renderer.is_refined


@pytest.mark.parametrize("mode", quick(["shaded", "xray", "wireframe"], 1))
def test_pieces_of_few_triangles_do_not_change_a_pixel(ctx: moderngl.Context, monkeypatch, mode: str) -> None:
    view, renderer = everything(), Renderer(ctx)
    view.settings.mode = mode
    whole = refinements(renderer, view)
    monkeypatch.setattr(refinement, "_PIECE_TRIANGLES", 50)
    for bands in (1, 40):
        pieces = refinements(renderer, view, bands=bands)
        assert len(whole) == len(pieces)
        assert all(np.array_equal(one, other) for one, other in zip(whole, pieces, strict=True))
    parts = view.build_frames(SIZE)
    renderer.render_parts(parts, SIZE)
    waited = 0
    while not renderer.refine(parts):
        waited += 1
    assert waited >= 5 or mode == "xray", "events are handled between the pieces"
    view.selection.ids = view.index.all_ids()[:3]
    parts = view.with_outlines(parts)
    while not renderer.is_refined:
        renderer.refine(parts)
        renderer.render_outlines(parts)
    assert np.array_equal(pixels(renderer), refinements(Renderer(ctx), view)[-1]), "outlines between the pieces"


@pytest.mark.parametrize("quality", QUALITIES)
def test_each_quality_shows_the_same_things(ctx: moderngl.Context, quality: Quality) -> None:
    view, renderer = everything(), Renderer(ctx)
    view.decoration(OctreeCells).is_shown = view.settings.show_edges = (
        False  # a line is a pixel wide at least: in a smaller picture they are thicker
    )
    parts = view.build_frames(SIZE)
    best = drawn(renderer, parts, SIZE, BEST)
    image = drawn(renderer, parts, SIZE, quality)
    view.settings.culling = False
    assert np.array_equal(image, drawn(renderer, view.build_frames(SIZE), SIZE, quality)), "culled or not"

    def blurred(image: np.ndarray) -> np.ndarray:
        return image.reshape(SIZE[1] // 8, 8, SIZE[0] // 8, 8, 3).mean(axis=(1, 3))

    assert np.abs(blurred(image) - blurred(best)).mean() < 5.0
    assert np.array_equal(drawn(renderer, parts, SIZE, BEST), best), "nothing is left of the last quality"


def test_an_outline_is_drawn_over_a_picture_of_any_quality_as_over_the_best(ctx: moderngl.Context) -> None:
    view, renderer = view_of(box_scene(), distance=9.0), Renderer(ctx)
    for quality in QUALITIES:
        view.selection.ids = []
        parts = view.build_frames(SIZE)
        without = drawn(renderer, parts, SIZE, quality)
        view.selection.ids = [1]
        parts = view.with_outlines(parts)
        renderer.render_outlines(parts)
        over = pixels(renderer)
        assert np.array_equal(over, drawn(renderer, view.build_frames(SIZE), SIZE, quality))
        changed = (over != without).any(axis=-1)
        assert changed.any(), "there is an outline"
        renderer.refine(parts, 3)
        view.selection.ids = []
        renderer.render_outlines(view.with_outlines(parts))
        assert np.array_equal(pixels(renderer), without), "half a sample is not shown"


def test_a_refined_picture_begins_anew_with_each_picture(ctx: moderngl.Context) -> None:
    view, renderer = view_of(crowd(40, seed=1), distance=20.0), Renderer(ctx)
    first = refinements(renderer, view)[-1]
    camera = view.camera
    view.camera = replace(camera, yaw_rad=camera.yaw_rad + 1.0)
    parts = view.build_frames(SIZE)
    renderer.render_parts(parts, SIZE, QUALITIES[2])
    renderer.refine(parts, 3)
    view.camera = camera
    assert np.array_equal(refinements(renderer, view)[-1], first)


@pytest.mark.parametrize(("away", "orthographic"), [(0.2, False), (4.0, True), (16.0, False)])
def test_samples_are_added_only_where_objects_are_and_none_is_lost(
    renderer: Renderer, away: float, orthographic: bool
) -> None:
    """Also where another picture was before, with wide lines and points, and with the camera among the objects."""
    renderer.render_best(view_of(box_scene(), distance=9.0).build_frames(SIZE), SIZE)
    view = everything()
    view.decoration(OctreeCells).is_shown = False
    view.settings.strokes = replace(view.settings.strokes, line_width=7.0, point_size=11.0)
    view.camera = replace(view.camera, distance=away * view.camera.distance, orthographic=orthographic)
    parts = view.with_occluders(view.build_frames(SIZE))
    renderer.render_best(parts, SIZE)
    image = pixels(renderer)
    _, _, width, height = parts[0].frame.scissor or (0, 0, *SIZE)
    assert (width * height < SIZE[0] * SIZE[1] / 4) == (away > 4.0)
    renderer.render_best([replace(part, frame=replace(part.frame, scissor=None)) for part in parts], SIZE)
    np.testing.assert_array_equal(image, pixels(renderer))

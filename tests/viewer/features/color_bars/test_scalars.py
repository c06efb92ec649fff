"""Numbers as colours: surfaces and points have the colours that numpy computes, and a bar says what they mean."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from octoscope.scene import Material, Scene
from octoscope.scene.geometry.colors import linear_from_srgb, srgb_from_linear
from octoscope.scene.mesh.color_scale import ColorScale, colormap_table
from octoscope.viewer.features.color_bars.decoration import (
    ColorBars,
    color_bar_image,
    placed_bars,
    ticks_of,
    width_beside_bars,
)
from octoscope.viewer.frame.look.labels import font_size_px
from octoscope.viewer.frame.look.shading import MODES
from octoscope.viewer.rendering.canvas import Canvas
from octoscope.viewer.rendering.renderer import Renderer
from octoscope.viewer.rendering.still_drawing import StillDrawing
from tests.viewer.scenes import SIZE, flat_view, picture, view_of

UNLIT = Material("unlit", base_color=(1.0, 1.0, 1.0), unlit=True)
TABLE = np.frombuffer(colormap_table("viridis"), dtype=np.uint8).reshape(-1, 3).astype(int)
WIDTH, HEIGHT = SIZE
RECTANGLE = [(-80, -40, 0), (80, -40, 0), (80, 40, 0), (-80, 40, 0)]


def flat_picture(renderer: Renderer, scene: Scene) -> np.ndarray:
    """Return the picture of a scene in which a unit is a pixel, without bars."""
    scene.update_world()
    view = flat_view(scene)
    view.decoration(ColorBars).is_shown = False
    view.settings.strokes = replace(view.settings.strokes, point_size=6.0)
    return picture(renderer, view).astype(int)


def test_a_surface_goes_from_one_vertex_to_the_next_in_linear_light(renderer: Renderer) -> None:
    scene = Scene()
    scene.add_mesh("wall", RECTANGLE, [(0, 1, 2, 3)], scalars=[0, 10, 10, 0], material=UNLIT)
    row = flat_picture(renderer, scene)[HEIGHT // 2, 20:170]
    share = ((np.arange(20, 170) + 0.5 - (WIDTH / 2 - 80)) / 160)[:, None]
    ends = linear_from_srgb(TABLE[[0, -1]] / 255.0)
    expected = 255.0 * srgb_from_linear((1.0 - share) * ends[0] + share * ends[1])
    assert np.abs(row - expected).max() <= 2


def test_each_face_has_the_colour_of_its_number_and_no_other(renderer: Renderer) -> None:
    scene = Scene()
    rng = np.random.default_rng(1)
    x, y = np.meshgrid(np.arange(-80, 81, 20), np.arange(-40, 41, 20))
    vertices = np.stack([x.ravel(), y.ravel(), np.zeros(x.size)], axis=1)
    first = (np.arange(4)[:, None] * 9 + np.arange(8)).ravel()
    numbers = rng.normal(size=32)
    scene.add_mesh(
        "tiles", vertices, np.stack([first, first + 1, first + 10, first + 9], axis=1), scalars=numbers, material=UNLIT
    )
    image = flat_picture(renderer, scene)
    (scale,) = scene.color_scales.values()
    for number, (row, column) in zip(numbers, np.ndindex(4, 8), strict=True):
        seen = image[HEIGHT // 2 + 40 - 20 * row - 10, WIDTH // 2 - 80 + 20 * column + 10]
        assert np.abs(seen - scale.colors_of(np.array([number]))[0, :3].astype(int)).max() <= 1


def test_points_have_the_colours_of_their_numbers(renderer: Renderer) -> None:
    scene = Scene()
    numbers = np.arange(6.0)
    places = np.stack([25.0 * numbers - 60.0, np.zeros(6), np.zeros(6)], axis=1)
    scene.add_mesh("cloud", places, scalars=numbers, material=UNLIT)
    image = flat_picture(renderer, scene)
    expected = TABLE[np.minimum((numbers / 5.0 * 256).astype(int), 255)]
    seen = image[HEIGHT // 2, (WIDTH // 2 + places[:, 0]).astype(int)]
    assert np.abs(seen - expected).max() <= 2


def with_bar(scene: Scene) -> Scene:
    scene.add_mesh("wall", RECTANGLE, [(0, 1, 2, 3)], scalars=[0, 10, 10, 0], title="height")
    scene.update_world()
    return scene


def test_a_bar_has_all_colours_from_top_to_bottom_where_it_is_said_to_be(renderer: Renderer) -> None:
    scene, size = with_bar(Scene()), (640, 480)
    (scale,) = scene.color_scales.values()
    ((image, (x, y)),) = placed_bars([scale], size, 13)
    left, top = round(x - image.shape[1] / 2), round(y - image.shape[0] / 2)
    seen = picture(renderer, view_of(scene), size).astype(int)
    part = seen[top : top + image.shape[0], left : left + image.shape[1]]
    opaque = image[..., 3] == 255
    assert np.abs(part - image[..., :3])[opaque].max() <= 1
    column = part[:, round(0.5 * 13) + 6]  # within the bar
    distances = np.abs(column[:, None] - TABLE[[250, 128, 5]]).max(axis=2)
    assert distances.min(axis=0).max() <= 4, "there are fewer rows than colours"
    places = distances.argmin(axis=0).tolist()
    assert places == sorted(places), "the greatest is above"


def test_a_bar_stands_only_while_something_that_it_explains_is_shown(renderer: Renderer) -> None:
    scene = with_bar(Scene())
    view = view_of(scene)

    def count() -> int:
        annotations = view.build_frames((640, 480))[0].frame.annotations
        return 0 if annotations is None else len(annotations.images)

    assert count() == 1
    scene["wall"].hidden = True
    assert count() == 0
    scene["wall"].hidden = False
    scene.add_mesh("same", RECTANGLE, scalars=[0, 10, 10, 0], title="height")
    assert count() == 1, "one bar for equal scales"
    scene.add_mesh("other", RECTANGLE, scalars=[0, 11, 10, 0], title="height")
    assert count() == 2
    view.visibility.isolated_ids = np.array([scene["other"].id], dtype=np.int32)
    assert count() == 1
    view.decoration(ColorBars).is_shown = False
    assert count() == 0
    view.decoration(ColorBars).is_shown, view.visibility.isolated_ids = True, None
    counts = {}
    for mode in MODES:
        view.settings.show_as(mode)
        counts[mode] = count()
    assert {mode for mode in counts if counts[mode]} == {"shaded", "wireframe", "xray"}, "others have no such colours"
    view.settings.show_as("shaded")
    for node in scene:
        scene.set_materials(node.id, 0)
    assert count() == 0, "what is painted over has no scale"


@pytest.mark.parametrize("size", [(640, 360), (400, 400)])
@pytest.mark.parametrize("view", ["front", "iso"])
def test_what_is_framed_lies_beside_its_bar(size, view):
    scene = with_bar(Scene())
    (scale,) = scene.color_scales.values()
    assert width_beside_bars([scale], (200, 256), 13) == 200.0, "too narrow to make room in"
    scene["wall"].scale = (8.0, 1.0, 1.0)
    with Canvas(scene, size, view=view, samples=1, grid=False) as canvas:
        ids = canvas.buffers().ids
        ((image, (x, _)),) = placed_bars([scale], size, font_size_px(size[1]))
        columns = np.flatnonzero((ids >= 0).any(axis=0))
        assert columns[-1] <= x - image.shape[1] / 2 and abs(columns[0] + columns[-1] + 1 - size[0]) <= 2
    with Canvas(scene, size, view=view, mode="normals") as canvas:
        assert np.flatnonzero((canvas.buffers().ids >= 0).any(axis=0))[-1] > columns[-1], "no bar, no room for it"


def test_a_bar_is_in_a_picture_without_background(renderer: Renderer) -> None:
    view = view_of(with_bar(Scene()))
    view.settings.show_grid = False
    with_bars = StillDrawing().still(view, (640, 480), transparent=True).pixels
    view.decoration(ColorBars).is_shown = False
    without = StillDrawing().still(view, (640, 480), transparent=True).pixels
    differs = (with_bars != without).any(axis=2)
    assert differs.any() and (with_bars[differs][:, 3] > 200).all()


def test_a_picture_too_small_for_a_bar_has_none() -> None:
    scale = ColorScale("a title that is rather long, and longer", 0.0, 1.0, colormap_table("viridis"))
    assert placed_bars([scale], (100, 80), 13) == []
    assert len(placed_bars([scale] * 9, (800, 600), 13)) < 5, "half of the picture is left free"


@pytest.mark.parametrize(
    ("minimum", "maximum", "expected"),
    [
        (0.0, 10.0, [2, 4, 6, 8]),
        (-1.0, 1.0, [-0.5, 0, 0.5]),
        (0.013, 0.0294, [0.015, 0.02, 0.025]),
        (1e6, 3e6, [1.5e6, 2e6, 2.5e6]),
        (5.0, 5.0, []),
        (1.0, 1.0 + 1e-15, []),
        (-8e307, 8e307, [-5e307, 0, 5e307]),
        (0.0, 1e-323, []),
    ],
)
def test_ticks_are_round_numbers_between_the_ends(minimum: float, maximum: float, expected: list[float]) -> None:
    assert ticks_of(minimum, maximum) == pytest.approx(expected)


@pytest.mark.parametrize(
    "range_", [(0.0, 10.0), (5.0, 5.0), (-1e-300, 1e300), (123456.0, 123457.0), (0.0, 5e-324), (1e-320, 2e-310)]
)
def test_bars_are_made_of_any_numbers(range_: tuple[float, float]) -> None:
    image = color_bar_image(ColorScale("t" * 99, *range_, bytes(30)), 13)
    assert image.shape[0] > 150 and image.shape[1] < 400


@pytest.mark.parametrize("title", ["chest_gold_Cube.14744_of_a_file", "Temperature of the outer surface", "t" * 99])
def test_a_long_title_makes_a_bar_taller_not_wider(title: str) -> None:
    plain, titled = (color_bar_image(ColorScale(each, 0.0, 1.0, bytes(30)), 15) for each in ("temperature, in", title))
    assert titled.shape[1] <= 1.25 * plain.shape[1] and titled.shape[0] > plain.shape[0]


def test_a_bar_of_minus_zero_begins_at_zero() -> None:
    bars = (color_bar_image(ColorScale("", lowest, 1.0, bytes(30)), 13) for lowest in (-0.0, 0.0))
    np.testing.assert_array_equal(*bars)

"""Translucent surfaces in still pictures: blended in their order at every pixel, whatever the order of drawing."""

from __future__ import annotations

from itertools import permutations

import moderngl
import numpy as np
import pytest

from octoscope.scene import Material, Scene
from octoscope.scene.geometry.colors import linear_from_srgb, srgb_from_linear
from octoscope.viewer.frame.view import View
from octoscope.viewer.rendering import refinement
from octoscope.viewer.rendering import renderer as renderer_module
from octoscope.viewer.rendering.context.offscreen import image_of
from octoscope.viewer.rendering.passes import scene_passes
from octoscope.viewer.rendering.refinement import Refinement
from octoscope.viewer.rendering.renderer import Renderer
from tests.viewer.rendering.test_translucency import (
    BLUE,
    GREEN,
    RED,
    WHITE,
    add_pane,
    blended,
    leaf_and_glass,
    plain,
    translucent_crowd,
)
from tests.viewer.scenes import SIZE, add_box_mesh, add_mesh, add_quad, at, crowd, flat_view, view_of


def refined(renderer: Renderer, view: View) -> np.ndarray:
    """(height, width, 3) int: the picture when it stands still."""
    renderer.render_best(view.build_frames(SIZE), SIZE)
    return np.asarray(image_of(renderer.picture)).astype(int)


def add_cube(scene: Scene, material: Material, z: float) -> None:
    mesh = add_box_mesh(scene, scene.add_material(material))
    scene.add_node(material.name, mesh=mesh, translation=(0.0, 0.0, z), scale=(20.0, 20.0, 20.0))


def test_closed_cubes_behind_each_other_are_blended_side_by_side_in_their_order(renderer: Renderer) -> None:
    cubes = {
        -60.0: ("red", RED, 0.5),
        -20.0: ("green", GREEN, 0.3),
        20.0: ("white", WHITE, 0.1),
        60.0: ("b", BLUE, 0.6),
    }
    expected = blended(((0.1, 0.2, 0.3), 1.0), *(cubes[z][1:] for z in sorted(cubes) for _ in ["back", "front"]))
    pictures = []
    for order in [*permutations(cubes)][::9]:
        scene = Scene()
        add_pane(scene, plain("wall", (0.1, 0.2, 0.3)), -90.0)
        for z in order:
            name, color, opacity = cubes[z]
            add_cube(scene, plain(name, color, opacity), z)
        scene.update_world()
        pictures.append(refined(renderer, flat_view(scene)))
        assert at(pictures[-1], 0.5, 0.5) == pytest.approx(expected, abs=1.0), order
        assert np.array_equal(pictures[-1], pictures[0]), order


def test_surfaces_in_one_place_are_all_seen(renderer: Renderer) -> None:
    scene = Scene()
    add_pane(scene, plain("wall", RED), -10.0)
    for name, color in (("white", WHITE), ("blue", BLUE), ("green", GREEN)):
        add_pane(scene, plain(name, color, 0.5))
    scene.update_world()
    expected = blended((RED, 1.0), (GREEN, 0.5), (BLUE, 0.5), (WHITE, 0.5))
    assert at(refined(renderer, flat_view(scene)), 0.5, 0.5) == pytest.approx(expected, abs=1.0), "the first on top"


def test_each_opacity_lets_as_much_through_as_it_says(renderer: Renderer) -> None:
    scene, wall = Scene(), (0.1, 0.2, 0.3)
    add_pane(scene, plain("wall", wall), -50.0, 100.0)
    opacities = np.arange(21) / 20.0
    for step, opacity in enumerate(opacities):
        pane = add_pane(scene, plain(str(step), WHITE, float(opacity)), half_size=3.0)
        scene.set_translations([pane], [(8.0 * step - 80.0, 0.0, 0.0)])
    scene.update_world()
    image = refined(renderer, flat_view(scene))
    shown = [at(image, 8.0 * step - 79.5, 0.5) for step in range(21)]
    for opacity, color in zip(opacities, shown, strict=True):
        assert color == pytest.approx(blended((wall, 1.0), (WHITE, opacity)), abs=1.5), opacity
    assert (np.diff(np.sum(shown, axis=1)) > 0).all(), "each brighter than the one before"


@pytest.mark.parametrize("samples", [4, 0])
def test_a_crowd_of_tilted_panes_is_what_is_calculated_for_it(
    ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch, samples: int
) -> None:
    """Panes that pass through each other, before an opaque one that passes through them, too."""
    rng = np.random.default_rng(4)
    scene, panes = Scene(), []
    for number in range(7):
        color, opacity = tuple(rng.random(3)), 1.0 if number == 3 else float(rng.uniform(0.1, 0.9))
        slope, height = rng.uniform(-1.0, 1.0, 2), float(rng.uniform(-20.0, 20.0))
        corners = 40.0 * np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)], dtype=float)
        corners = np.column_stack([corners, corners @ slope + height])
        material = scene.add_material(plain(str(number), color, opacity))
        triangles = np.array([(0, 1, 2), (0, 2, 3)])
        scene.add_node(str(number), mesh=add_mesh(scene, corners, material, triangles=triangles))
        panes.append((np.array([*slope, height]), linear_from_srgb(color), opacity))
    scene.update_world()
    monkeypatch.setattr(renderer_module, "_SAMPLES", samples)
    image = refined(Renderer(ctx), flat_view(scene))
    for x, y in rng.integers(-38, 38, (200, 2)) + 0.5:
        heights = np.array([plane @ (x, y, 1.0) for plane, _, _ in panes])
        if np.diff(np.sort(heights)).min() < 1.5:
            continue  # one passes through another within the pixel
        result = np.zeros(3)
        for number in np.argsort(heights):
            _, color, opacity = panes[number]
            result += opacity * (color - result)
        if heights[3] > heights.min():
            assert at(image, x, y) == pytest.approx(255.0 * srgb_from_linear(result), abs=1.5), (x, y)


@pytest.mark.parametrize("glass_z", [-5.0, 5.0])
def test_a_leaf_is_before_or_behind_the_glass(renderer: Renderer, glass_z: float) -> None:
    image = refined(renderer, flat_view(leaf_and_glass(glass_z)))
    for x, opacity in ((-30.0, 1.0), (5.0, 0.0), (34.0, 128.0 / 255.0)):
        layers = {0.0: (GREEN, opacity), glass_z: (BLUE, 0.5)}
        expected = blended((RED, 1.0), *(layers[z] for z in sorted(layers)))
        assert at(image, x, 0.0) == pytest.approx(expected, abs=1.5), x


def test_an_edge_of_the_back_is_seen_through_the_front(renderer: Renderer) -> None:
    for opacity, least, most in ((0.3, 15, 60), (0.95, 0, 5)):
        scene = Scene()
        add_pane(scene, plain("back", WHITE, 0.5), -10.0, 20.0)
        add_pane(scene, plain("front", WHITE, opacity), 10.0, 40.0)
        scene.update_world()
        view = flat_view(scene)
        without = refined(renderer, view)
        view.settings.show_edges = True
        darker = (without - refined(renderer, view))[SIZE[1] // 2, :, 1]
        inner, outer = (darker[SIZE[0] // 2 + x - 3 : SIZE[0] // 2 + x + 3].max() for x in (-20, -40))
        assert least <= inner <= most, "weaker the more the front hides"
        assert outer > 25, "an edge of the front"


def test_what_lies_behind_many_layers_is_still_seen(renderer: Renderer) -> None:
    scene = Scene()
    add_pane(scene, plain("far", RED, 0.9), -50.0)
    for number in range(scene_passes._LAYERS + 2):
        add_pane(scene, plain(str(number), BLUE, 0.1), float(number))
    scene.update_world()
    red = at(refined(renderer, flat_view(scene)), 0.5, 0.5)[0]
    share = 0.9 * 0.9 ** (scene_passes._LAYERS + 2)
    assert red == pytest.approx(255.0 * srgb_from_linear(np.array([share]))[0], rel=0.35)


def test_both_ways_of_drawing_and_every_order_of_pieces_agree(
    ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    view = view_of(translucent_crowd(60, 17), distance=30.0)
    view.settings.show_edges = True
    expected = refined(Renderer(ctx, indirect=True), view)
    assert np.array_equal(expected, refined(Renderer(ctx, indirect=False), view))
    monkeypatch.setattr(refinement, "_PIECE_TRIANGLES", 50)
    renderer, parts = Renderer(ctx), view.build_frames(SIZE)
    renderer.render_parts(parts, SIZE)
    shown = []
    while not renderer.is_refined:
        if renderer.refine(parts, bands=2):
            shown.append(np.asarray(image_of(renderer.picture)).astype(int))
        elif len(shown) == 1:  # outlines between two layers change nothing
            view.selection.ids = view.index.all_ids()[:3]
            renderer.render_outlines(view.with_outlines(parts))
            view.selection.ids = []
            renderer.render_outlines(view.with_outlines(parts))
    assert np.array_equal(shown[-1], expected)
    assert len(shown) >= 2, "a picture with several samples comes before the layers"


def test_glass_over_multisamples_is_glass_over_pictures_of_one_sample(ctx: moderngl.Context) -> None:
    scene = Scene()
    add_pane(scene, plain("wall", RED), -40.0, 60.0)
    for number in range(8):  # bars with glass over exactly each: it never covers the wall
        rotation, scale = (0.0, 0.0, 0.1 + 0.1 * number, 1.0), (60.0, 1.5, 1.0)
        for name, color, opacity, z in (("bar", WHITE, 1.0, 0.0), ("glass", GREEN, 0.9, 1.0)):
            quad = add_quad(scene, 1.0, scene.add_material(plain(f"{name} {number}", color, opacity)))
            scene.add_node(f"{name} {number}", mesh=quad, translation=(0, 0, z), rotation=rotation, scale=scale)
    scene.update_world()
    view = flat_view(scene)
    taken, single = (refined(Renderer(ctx, clip_control=control), view) for control in (None, False))
    apart = np.abs(taken - single)
    assert (single[..., 1] > 20).mean() > 0.1 and apart.mean() < 0.1 and (apart > 20).mean() < 0.001


def test_much_glass_gets_fewer_samples(ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = []
    draw = Refinement._draw_sample
    monkeypatch.setattr(Refinement, "_draw_sample", lambda *args: (drawn.append(args[3]), draw(*args))[1])
    for count, samples in ((1, 16), (5, 4)):
        scene = Scene()
        for number in range(count):
            add_pane(scene, plain(str(number), BLUE, 0.1), float(number), 100.0)
        scene.update_world()
        drawn.clear()
        refined(Renderer(ctx), flat_view(scene))
        assert len(drawn) == samples and all(sample.peels for sample in drawn)


def test_where_nothing_is_translucent_no_layer_is_looked_for(ctx: moderngl.Context) -> None:
    renderer, view = Renderer(ctx), view_of(crowd(20, seed=1), distance=30.0)
    view.settings.show_grid = False
    refined(renderer, view)
    assert renderer.draw_calls == 3, "the background, and triangles with and without back faces"
    assert "single" not in vars(renderer._targets[0]), "nor is there a framebuffer for it"

"""Translucent objects: how much shows through, in any order, and opaque parts among them."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations
from pathlib import Path

import moderngl
import numpy as np
import pytest

from octoscope.scene import Material, Scene, Texture
from octoscope.scene.geometry.colors import linear_from_srgb, srgb_from_linear
from octoscope.viewer.rendering.renderer import Renderer
from tests.viewer.rendering.test_renderer import random_camera
from tests.viewer.scenes import SIZE, add_mesh, add_quad, at, crowd, flat_view, picture, sketches, view_of

RED, GREEN, BLUE, WHITE = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0), (1.0, 1.0, 1.0)


def plain(name: str, color: tuple[float, float, float], opacity: float = 1.0, **others: object) -> Material:
    """A material that light changes nothing about."""
    return Material(name, base_color=color, opacity=opacity, specular=0.0, unlit=True, **others)


def add_pane(scene: Scene, material: Material, z: float = 0.0, half_size: float = 40.0) -> int:
    """A square across the view."""
    mesh = add_quad(scene, half_size, scene.add_material(material))
    return scene.add_node(material.name, mesh=mesh, translation=(0.0, 0.0, z)).id


def middle(renderer: Renderer, scene: Scene) -> np.ndarray:
    """(3,) the color in the middle of a picture along -z, sRGB."""
    scene.update_world()
    return at(picture(renderer, flat_view(scene)), 0.5, 0.5)


def blended(*layers: tuple[tuple[float, float, float], float]) -> np.ndarray:
    """(3,) sRGB, 0 to 255: colours with opacities over black, farthest first, blended in linear light."""
    result = np.zeros(3)
    for color, opacity in layers:
        result += opacity * (linear_from_srgb(color) - result)
    return 255.0 * srgb_from_linear(result)


def test_each_opacity_lets_as_much_through_as_it_says(renderer: Renderer) -> None:
    shown = []
    for step in range(21):
        scene = Scene()
        add_pane(scene, plain("background", (0.1, 0.2, 0.3)), -10.0)
        add_pane(scene, plain("pane", WHITE, step / 20.0))
        shown.append(middle(renderer, scene))
        assert shown[-1] == pytest.approx(blended(((0.1, 0.2, 0.3), 1.0), (WHITE, step / 20.0)), abs=1.5), step / 20.0
    assert (np.diff(shown, axis=0) > 0).all(), "twenty-one different pictures, each brighter than the one before"


def test_red_is_seen_through_blue_whatever_comes_first_in_the_scene(renderer: Renderer) -> None:
    materials = {-10.0: plain("red", RED), 0.0: plain("blue", BLUE, 0.5), 10.0: plain("green", GREEN, 0.2)}
    pictures = []
    for order in permutations(materials):
        scene = Scene()
        for z in order:
            add_pane(scene, materials[z], z)
        pictures.append(middle(renderer, scene))
        assert np.array_equal(pictures[-1], pictures[0]), order
    red, _, _ = blended((RED, 1.0), (BLUE, 0.5), (GREEN, 0.2))
    assert pictures[0][0] == pytest.approx(red, abs=2.0), "what passes through both panes is exact"
    assert pictures[0][1] > 60 and pictures[0][2] > 120


@pytest.mark.parametrize("orthographic", [True, False])
def test_of_two_panes_the_nearer_one_is_seen_better(renderer: Renderer, orthographic: bool) -> None:
    for near, far in (("blue", "red"), ("red", "blue")):
        scene = Scene()
        add_pane(scene, plain(near, BLUE if near == "blue" else RED, 0.5), 1.0, 5.0)
        add_pane(scene, plain(far, RED if near == "blue" else BLUE, 0.5), -1.0, 5.0)
        scene.update_world()
        view = view_of(scene, yaw_rad=0.0, pitch_rad=0.0, distance=12.0, orthographic=orthographic)
        red, _, blue = picture(renderer, view)[SIZE[1] // 2, SIZE[0] // 2].astype(int)
        assert (blue > red + 30) == (near == "blue") and (red > blue + 30) == (near == "red")


def test_what_is_opaque_hides_what_is_translucent_behind_it(renderer: Renderer) -> None:
    scene = Scene()
    add_pane(scene, plain("glass", BLUE, 0.5), -10.0)
    add_pane(scene, plain("wall", (0.5, 0.4, 0.3)))
    assert middle(renderer, scene) == pytest.approx(255.0 * np.array((0.5, 0.4, 0.3)), abs=1.0)


def leaf() -> Texture:
    """Green on the left, nothing in the middle, half transparent green on the right."""
    pixels = np.zeros((1, 8, 4), dtype=np.uint8)
    pixels[:, :, 1] = 255
    pixels[:, :, 3] = 255, 255, 255, 0, 0, 0, 128, 128
    return Texture(Path("leaf.png"), pixels)


def leaf_and_glass(glass_z: float) -> Scene:
    """A red wall, before it a leaf at z = 0 and a pane of blue glass."""
    scene = Scene()
    add_pane(scene, plain("wall", RED), -10.0, 60.0)
    uvs = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], dtype=float)
    leaf_id = scene.add_material(plain("leaf", WHITE, base_color_texture=leaf()))
    scene.add_node("leaf", mesh=add_quad(scene, 40.0, leaf_id, uvs=uvs))
    add_pane(scene, plain("glass", BLUE, 0.5), glass_z)
    scene.update_world()
    return scene


@pytest.mark.parametrize("glass_z", [-5.0, 5.0])
def test_a_cut_out_stays_opaque_where_its_texture_is(renderer: Renderer, glass_z: float) -> None:
    image = picture(renderer, flat_view(leaf_and_glass(glass_z)))
    glass = (BLUE, 0.5)
    whole = [(RED, 1.0), (GREEN, 1.0)] if glass_z < 0.0 else [(RED, 1.0), (GREEN, 1.0), glass]
    assert at(image, -30.0, 0.0) == pytest.approx(blended(*whole), abs=2.0), "the leaf"
    assert at(image, 5.0, 0.0) == pytest.approx(blended((RED, 1.0), glass), abs=2.0), "beside it"
    red, green, _ = at(image, 34.0, 0.0)
    assert red == pytest.approx(blended((RED, 1.0), glass, (GREEN, 0.5))[0], abs=4.0) and green > 100


def test_vertices_overrides_lines_and_points_can_be_translucent(renderer: Renderer) -> None:
    colors = np.full((4, 4), 255, dtype=np.uint8)
    colors[:, 3] = 128
    for what in ("vertices", "override", "line", "point"):
        scene = Scene()
        add_pane(scene, plain("wall", RED), -10.0)
        glass = scene.add_material(plain("glass", WHITE, 0.5))
        white = scene.add_material(plain("white", WHITE))
        ends = np.array([(-20.0, 0.5, 0.0), (20.0, 0.5, 0.0)])
        match what:
            case "vertices":
                scene.add_node("pane", mesh=add_quad(scene, 40.0, white, colors=colors))
            case "override":
                scene.add_node("pane", mesh=add_quad(scene, 40.0, white), material=glass)
            case "line":
                scene.add_node("line", mesh=add_mesh(scene, ends, glass, lines=np.array([(0, 1)])))
            case "point":
                points = np.array([(0.5, 0.5, 0.0)])
                scene.add_node("point", mesh=add_mesh(scene, points, glass, points=np.array([0])))
        expected = blended((RED, 1.0), (WHITE, 0.5))
        if what == "line":  # it covers a pixel in part
            assert 60 < middle(renderer, scene)[1] <= expected[1] + 2.0
        else:
            assert middle(renderer, scene) == pytest.approx(expected, abs=2.0), what


def test_a_material_that_becomes_translucent_and_opaque_again_is_shown_so(renderer: Renderer) -> None:
    scene = Scene()
    add_pane(scene, plain("wall", RED), -10.0)
    add_pane(scene, plain("pane", WHITE))
    seen = []
    for opacity in (1.0, 0.5, 1.0):
        scene.replace_materials({len(scene.materials) - 1: plain("pane", WHITE, opacity)})
        seen.append(middle(renderer, scene)[1])
    assert seen[0] == seen[2] == 255 and 170 < seen[1] < 190


def translucent_crowd(count: int, seed: int) -> Scene:
    """Return `sketches` with every second material translucent."""
    scene = sketches(count, seed=seed)
    for number, material in enumerate([*scene.materials][::2]):
        scene.replace_materials({2 * number: replace(material, opacity=0.3)})
    return scene


def test_culling_does_not_change_a_pixel_of_what_is_translucent(ctx: moderngl.Context) -> None:
    view, renderer, rng = view_of(translucent_crowd(200, 15)), Renderer(ctx), np.random.default_rng(16)
    for number in range(20):
        view.camera = random_camera(rng, number)
        view.settings.culling = True
        culled = picture(renderer, view)
        view.settings.culling = False
        assert np.array_equal(culled, picture(renderer, view)), f"camera {number} of seed 16"


def test_both_ways_of_drawing_blend_alike(ctx: moderngl.Context) -> None:
    view = view_of(translucent_crowd(200, 17), distance=30.0)
    view.settings.show_edges = True
    assert np.array_equal(picture(Renderer(ctx, indirect=True), view), picture(Renderer(ctx, indirect=False), view))


def test_edges_of_glass_are_seen_as_those_of_a_wall(renderer: Renderer) -> None:
    darkest = []
    for opacity in (1.0, 0.9):
        scene = Scene()
        add_pane(scene, plain("pane", WHITE, opacity))
        scene.update_world()
        view = flat_view(scene)
        view.settings.show_edges = True
        darkest.append(picture(renderer, view)[SIZE[1] // 2, SIZE[0] // 2 - 44 : SIZE[0] // 2 - 36].min())
    assert abs(int(darkest[1]) - int(darkest[0])) < 20


def test_an_opaque_scene_is_drawn_in_as_few_calls_as_there_are_elements(ctx: moderngl.Context) -> None:
    renderer = Renderer(ctx, indirect=True)
    view = view_of(crowd(20, seed=1), distance=30.0)
    view.settings.show_grid = False
    picture(renderer, view)
    assert renderer.draw_calls == 3, "the background, and triangles with and without back faces"
    view.scene.replace_materials({1: replace(view.scene.materials[1], opacity=0.5)})
    picture(renderer, view)
    assert renderer.draw_calls == 6, "and opaque parts of the others, what is translucent, and the blending"

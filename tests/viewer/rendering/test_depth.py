"""Depth tells apart what is close together, however far away and however deep the picture is."""

from __future__ import annotations

import moderngl
import numpy as np
import pytest

from octoscope.scene import Material, Scene
from octoscope.scene.mesh.primitives import sphere
from octoscope.viewer.features.octree_view.decoration import OctreeCells
from octoscope.viewer.rendering.context.offscreen import image_of
from octoscope.viewer.rendering.renderer import Renderer
from tests.viewer.scenes import SIZE, add_quad, box_scene, picture, view_of

RED, GREEN, BLUE = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)


def sheets(*places: tuple[tuple[float, float, float], float, tuple[float, float, float]]) -> Scene:
    """Return a scene of squares that face +z: place, half size and colour of each, which light does not change."""
    scene = Scene()
    for number, (place, half_size, color) in enumerate(places):
        material = scene.add_material(Material(str(number), base_color=color, unlit=True))
        scene.add_node(str(number), mesh=add_quad(scene, half_size, material), translation=place)
    scene.update_world()
    return scene


@pytest.mark.parametrize("orthographic", (False, True), ids=("perspective", "orthographic"))
@pytest.mark.parametrize("gap", (0.1, -0.1))
def test_two_surfaces_at_the_far_edge_of_a_large_scene_do_not_fight(
    renderer: Renderer, gap: float, orthographic: bool
) -> None:
    depth, half_size = 1e5, 4e4
    if orthographic:  # it sees ten thousand times its distance at most, and as much beside as at the pivot
        depth, half_size = 4e3, 1.0
    scene = sheets(((0.0, 0.0, -depth), half_size, RED), ((0.0, 0.0, -depth + gap), half_size, GREEN))
    view = view_of(scene, yaw_rad=0.0, pitch_rad=0.0, distance=1.0, orthographic=orthographic)
    view.settings.show_grid = False
    colors = np.unique(picture(renderer, view).reshape(-1, 3), axis=0)
    nearer, farther = (GREEN, RED) if gap > 0.0 else (RED, GREEN)
    assert (colors == np.multiply(255, nearer)).all(axis=1).any()
    assert not (colors == np.multiply(255, farther)).all(axis=1).any()


def test_a_millimetre_and_ten_kilometres_are_in_one_picture(renderer: Renderer) -> None:
    scene = sheets(
        ((-1e-3, 0.0, 0.0), 1e-3, RED),
        ((-1e-3, 0.0, -1e-6), 1e-3, GREEN),
        ((3e3, 0.0, -1e4), 3e3, GREEN),
        ((3e3, 0.0, -1e4 - 0.02), 3e3, BLUE),
    )
    view = view_of(scene, yaw_rad=0.0, pitch_rad=0.0, distance=5e-3)
    view.settings.show_grid = False
    image = picture(renderer, view)
    rows = image[SIZE[1] // 2 - 20 : SIZE[1] // 2 + 20]
    assert (rows[:, SIZE[0] // 2 - 20 : SIZE[0] // 2 - 2] == np.multiply(255, RED)).all()
    assert (rows[:, SIZE[0] // 2 + 2 : SIZE[0] // 2 + 20] == np.multiply(255, GREEN)).all()


def test_what_is_before_the_pivot_is_drawn_until_it_is_very_close(renderer: Renderer) -> None:
    scene = sheets(((0.0, 0.0, 9.99), 1.0, RED), ((0.0, 0.0, 0.0), 3.0, GREEN))
    view = view_of(scene, yaw_rad=0.0, pitch_rad=0.0, distance=10.0)
    assert (picture(renderer, view)[SIZE[1] // 2, SIZE[0] // 2] == np.multiply(255, RED)).all()


def test_depth_that_fragments_write_is_that_of_clip_control(ctx: moderngl.Context) -> None:
    for orthographic in (False, True):
        view = view_of(box_scene(), distance=7.0, orthographic=orthographic)
        cells = view.decoration(OctreeCells)
        cells.is_shown = cells.shows_whole = True
        view.selection.ids = np.array([1], dtype=np.int32)
        images = [picture(Renderer(ctx, clip_control=way), view).astype(int) for way in (True, False)]
        # Where surfaces meet within a pixel, its samples have one depth.
        assert (np.abs(images[0] - images[1]).max(axis=2) > 8).mean() < 0.01


def test_a_ball_whose_fragments_write_depth_does_not_show_its_far_side_at_its_silhouette(ctx) -> None:
    """Samples at a silhouette belong to pixels whose middles lie beside the triangle."""
    scene = Scene()
    scene.add_node("ball", mesh=scene.meshes.add(sphere(1.0)))
    scene.update_world()
    view = view_of(scene, distance=4.0)
    images = [picture(Renderer(ctx, clip_control=way), view).astype(int) for way in (True, False)]
    assert np.abs(images[0] - images[1]).max() <= 2


def test_who_shares_the_context_finds_opengls_own_clip_space_and_depth_test(ctx: moderngl.Context) -> None:
    """A program that draws at half of clip space's lower depths: they are cut off where they begin at 0."""
    renderer, view = Renderer(ctx), view_of(box_scene(), distance=7.0)
    view.selection.ids = np.array([1], dtype=np.int32)
    renderer.render(view.build_frames(SIZE)[0].frame)
    program = ctx.program(
        vertex_shader="#version 330\nin vec2 corner; void main() { gl_Position = vec4(corner, -0.5, 1.0); }",
        fragment_shader="#version 330\nout vec4 color; void main() { color = vec4(1.0); }",
    )
    corners = ctx.buffer(np.array([(-1, -1), (1, -1), (-1, 1), (1, 1)], dtype=np.float32))
    target = ctx.framebuffer([ctx.texture((4, 4), 4)], ctx.depth_renderbuffer((4, 4)))
    target.use()
    target.clear()
    ctx.enable_only(moderngl.DEPTH_TEST)
    ctx.vertex_array(program, corners, "corner").render(moderngl.TRIANGLE_STRIP)
    assert (image_of(target) == 255).all()
    ctx.simple_framebuffer((1, 1)).use()

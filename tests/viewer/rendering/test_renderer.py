"""Pictures from the software renderer, and the graphics card as the judge of culling."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import moderngl
import numpy as np
import pytest

from octoscope.octree import Frustum
from octoscope.scene import Material, MeshData, Scene, Texture
from octoscope.viewer.camera import controls
from octoscope.viewer.camera.camera import Camera
from octoscope.viewer.features.octree_view.decoration import OctreeCells
from octoscope.viewer.rendering.context.reversed_depth import ReversedDepth
from octoscope.viewer.rendering.renderer import Renderer
from tests.scene.builders import ball
from tests.viewer.scenes import (
    BOX_POSITIONS,
    BOX_TRIANGLES,
    SIZE,
    add_box_mesh,
    add_mesh,
    box_scene,
    crowd,
    picture,
    view_of,
)


def random_camera(rng: np.random.Generator, number: int) -> Camera:
    """Return a camera within or outside the crowd; every fourth is orthographic."""
    return Camera(
        pivot=rng.normal(0.0, 6.0, 3),
        yaw_rad=rng.uniform(-np.pi, np.pi),
        pitch_rad=rng.uniform(-1.5, 1.5),
        distance=rng.lognormal(1.5, 1.2),
        fov_y_rad=rng.uniform(0.2, 1.8),
        orthographic=number % 4 == 0,
    )


def test_culling_does_not_change_a_pixel_for_a_hundred_cameras(ctx: moderngl.Context) -> None:
    scene = crowd(800, seed=5)
    view, renderer, rng = view_of(scene), Renderer(ctx), np.random.default_rng(6)
    drawn = []
    for number in range(100):
        view.camera = random_camera(rng, number)
        view.settings.culling = True
        culled = picture(renderer, view)
        drawn.append(view.stats.drawn)
        view.settings.culling = False
        assert np.array_equal(culled, picture(renderer, view)), f"camera {number} of seed 6"
    assert min(drawn) < 100 and max(drawn) > 400, "the cameras see few objects and many"


def test_the_card_draws_no_sample_of_what_was_culled(ctx: moderngl.Context) -> None:
    scene = crowd(800, seed=7)
    view, renderer, rng = view_of(scene), Renderer(ctx), np.random.default_rng(8)
    everything = view.index.all_ids()
    query = ctx.query(samples=True)
    target = ctx.framebuffer([ctx.renderbuffer(SIZE, 4)], ctx.depth_renderbuffer(SIZE))
    some_drawn = 0
    for number in range(60):
        view.camera = random_camera(rng, number)
        visible = view.build_frames(SIZE)[0].frame
        ids = view.index.cull(Frustum.from_matrix(view.camera.clip_from_world(SIZE[0] / SIZE[1])))
        hidden = view.builder.build(view.camera, SIZE, np.setdiff1d(everything, ids), view.settings)
        target.use()
        for frame, must_show in ((visible, True), (hidden, False)):
            target.clear(depth=ReversedDepth.FARTHEST)
            with query:
                renderer.passes.draw_meshes(frame)
            assert must_show or query.samples == 0, f"camera {number} of seed 8"
            some_drawn += must_show and query.samples > 0
    assert some_drawn > 30, "a judge that never sees anything proves nothing"


def test_both_ways_of_drawing_give_the_same_picture(ctx: moderngl.Context) -> None:
    scene = crowd(300, seed=9)
    view = view_of(scene, distance=30.0)
    view.selection.ids = view.index.all_ids()[:4]
    view.decoration(OctreeCells).is_shown = True
    indirect, direct = Renderer(ctx, indirect=True), Renderer(ctx, indirect=False)
    assert np.array_equal(picture(indirect, view), picture(direct, view))
    assert indirect.draw_calls < direct.draw_calls


def test_boxes_appear_in_their_colours_where_they_are(renderer: Renderer) -> None:
    view = view_of(box_scene(), yaw_rad=0.0, pitch_rad=0.0, distance=9.0)
    image = picture(renderer, view).astype(int)
    for name, x, channel in (("red", -2.0, 0), ("green", 0.0, 1), ("blue", 2.0, 2)):
        clip = view.camera.clip_from_world(SIZE[0] / SIZE[1]) @ (x, 0.0, 0.5, 1.0)
        column = int((clip[0] / clip[3] + 1.0) / 2.0 * SIZE[0])
        pixel = image[SIZE[1] // 2, column]
        others = np.delete(pixel, channel)
        assert pixel[channel] > 80 and pixel[channel] > 2 * others.max(), f"{name}: {pixel}"


def test_far_from_the_origin_the_picture_is_the_same(renderer: Renderer) -> None:
    offset = np.array((4e6, -1e6, 3e6))
    here, there = view_of(box_scene(), distance=9.0), view_of(box_scene(tuple(offset)), pivot=offset, distance=9.0)
    here.settings.show_grid = there.settings.show_grid = False
    difference = np.abs(picture(renderer, here).astype(int) - picture(renderer, there).astype(int))
    assert (difference.max(axis=2) > 8).mean() < 0.001


def test_edges_are_smooth(ctx: moderngl.Context) -> None:
    view = view_of(box_scene(), yaw_rad=0.3, pitch_rad=0.2, distance=7.0)
    view.settings.show_grid = False
    smooth = picture(Renderer(ctx), view)
    greens = np.unique(smooth[smooth[..., 1] > smooth[..., [0, 2]].max(axis=2) + 6], axis=0)
    assert len(greens) > 12, "three flat faces and a background alone have few colours"


def test_a_nearer_box_hides_a_farther_one_in_any_order(renderer: Renderer) -> None:
    for near_first in (True, False):
        scene = Scene()
        colors = {"near": ((1.0, 0.0, 0.0), 1.0), "far": ((0.0, 1.0, 0.0), -1.0)}
        for name in ("near", "far") if near_first else ("far", "near"):
            color, z = colors[name]
            scene.add_node(
                name,
                mesh=add_box_mesh(scene, scene.add_material(Material(name, base_color=color))),
                translation=(0, 0, z),
            )
        scene.update_world()
        view = view_of(scene, yaw_rad=0.0, pitch_rad=0.0, distance=6.0)
        red, green, _ = picture(renderer, view)[SIZE[1] // 2, SIZE[0] // 2].astype(int)
        assert red > green


def test_a_mirrored_box_is_lit_like_its_twin(renderer: Renderer) -> None:
    images = []
    for scale in ((1.0, 1.0, 1.0), (-1.0, 1.0, 1.0)):
        scene = Scene()
        scene.add_node("box", mesh=add_box_mesh(scene), scale=scale)
        scene.update_world()
        images.append(picture(renderer, view_of(scene, distance=4.0)).astype(int))
    assert np.abs(images[0] - images[1]).mean() < 1.0


def test_a_texture_stands_upright_and_repeats(renderer: Renderer) -> None:
    pixels = np.zeros((2, 2, 4), dtype=np.uint8)
    pixels[:] = [[(255, 0, 0, 255), (0, 255, 0, 255)], [(0, 0, 255, 255), (255, 255, 0, 255)]]  # top row first
    scene = Scene()
    picture_of_four = Material(
        "four", base_color=(1, 1, 1), specular=0.0, base_color_texture=Texture(Path("four.png"), pixels)
    )
    plain = scene.add_material(Material("plain", base_color=(1.0, 1.0, 1.0), specular=0.0))
    corners = np.array([(-1, -1, 0), (1, -1, 0), (1, 1, 0), (-1, 1, 0)], dtype=float)
    uvs = np.array([(2, -1), (3, -1), (3, 0), (2, 0)], dtype=float)
    for material, x in ((scene.add_material(picture_of_four), -1.0), (plain, 1.5)):
        quad = MeshData(corners, np.array([(0, 1, 2), (0, 2, 3)]), None, np.full(4, material), uvs)
        scene.add_node("quad", mesh=scene.meshes.add(quad), translation=(x, 0, 0))
    scene.update_world()
    view = view_of(scene, yaw_rad=0.0, pitch_rad=0.0, distance=8.0)
    image = picture(renderer, view).astype(int)

    def color_at(x: float, y: float) -> list[bool]:
        clip = view.camera.clip_from_world(SIZE[0] / SIZE[1]) @ (x, y, 0.0, 1.0)
        column, row = (clip[:2] / clip[3] * (1, -1) + 1.0) / 2.0 * SIZE
        pixel = image[int(row), int(column)]
        return (pixel > 0.6 * pixel.max()).tolist()

    assert color_at(-1.6, 0.6) == [True, False, False], "upper left is red"
    assert color_at(-0.4, 0.6) == [False, True, False], "upper right is green"
    assert color_at(-1.6, -0.6) == [False, False, True], "lower left is blue"
    assert color_at(-0.4, -0.6) == [True, True, False], "lower right is yellow"
    assert color_at(1.5, 0.0) == [True, True, True], "a material without a texture keeps its colour"


def test_more_meshes_and_materials_later_are_drawn_too(renderer: Renderer) -> None:
    scene = box_scene()
    view = view_of(scene, yaw_rad=0.0, pitch_rad=0.0, distance=9.0)
    picture(renderer, view)
    for number in range(700):  # enough for a second row of materials and for larger buffers
        mesh = add_box_mesh(scene, scene.add_material(Material(str(number), base_color=(1.0, 0.9, 0.0))))
    scene.add_node("late", mesh=mesh, translation=(0.0, 1.3, 0.0))
    after = picture(renderer, view).astype(int)
    yellow = (after[..., 0] > 100) & (after[..., 1] > 90) & (after[..., 2] < 60)
    assert yellow.sum() > 30


def test_earlier_meshes_stay_when_the_buffers_grow(renderer: Renderer) -> None:
    scene = box_scene()
    view = view_of(scene, yaw_rad=0.0, pitch_rad=0.0, distance=9.0)
    view.settings.show_grid = False  # it follows the scene's size
    before = picture(renderer, view)
    for _ in range(300):
        add_box_mesh(scene)
    scene.add_node("out of sight", mesh=300, translation=(0.0, 100.0, 0.0))
    assert (np.abs(picture(renderer, view).astype(int) - before.astype(int)).max(axis=2) > 8).mean() < 0.001


def test_a_nodes_material_overrides_its_meshs(renderer: Renderer) -> None:
    scene = Scene()
    red, blue = (scene.add_material(Material(name, base_color=c)) for name, c in (("r", (1, 0, 0)), ("b", (0, 0, 1))))
    mesh = add_box_mesh(scene, red)
    scene.add_nodes(["own", "other"], mesh=mesh, material=[-1, blue], translation=[(-1, 0, 0), (1, 0, 0)])
    scene.update_world()
    image = picture(renderer, view_of(scene, yaw_rad=0.0, pitch_rad=0.0, distance=6.0)).astype(int)
    row = image[SIZE[1] // 2]
    is_red, is_blue = row[:, 0] > row[:, 2] + 60, row[:, 2] > row[:, 0] + 60
    half = SIZE[0] // 2
    assert is_red[:half].any() and not is_blue[:half].any()
    assert is_blue[half:].any() and not is_red[half:].any()


def test_vertices_far_from_the_origin_do_not_shake(renderer: Renderer) -> None:
    """OBJ files carry their place in the vertices: float32 would round these to whole units."""
    offset = np.array((4e7, -1e7, 3e7))
    images = []
    for shift in (np.zeros(3), offset):
        scene = Scene()
        mesh = MeshData(BOX_POSITIONS + shift, BOX_TRIANGLES, None, np.zeros(8, dtype=int))
        scene.add_node("box", mesh=scene.meshes.add(mesh))
        scene.update_world()
        view = view_of(scene, pivot=shift, distance=4.0)
        view.settings.show_grid = False
        images.append(picture(renderer, view).astype(int))
    assert (np.abs(images[0] - images[1]).max(axis=2) > 8).mean() < 0.001


def test_a_box_is_seen_beside_one_at_any_distance(renderer: Renderer) -> None:
    for orthographic in (False, True):
        for away in (1e3, 1e5, 1e7, 1e9):
            scene = Scene()
            mesh = add_box_mesh(scene)
            scene.add_nodes(["here", "there"], mesh=mesh, translation=[(0, 0, 0), (0, 0, -away)])
            scene.update_world()
            view = view_of(scene, orthographic=orthographic)
            view.layout.resize(SIZE)
            view.framing.frame_nodes(np.array([0]))
            view.settings.show_grid = False
            image = picture(renderer, view)
            assert view.snapshot.pick((0.5, 0.5)).node.name == "here"
            assert image[SIZE[1] // 2, SIZE[0] // 2].min() > 90, f"{away} {orthographic}"


def test_an_emitting_material_shines_in_its_own_colour(renderer: Renderer) -> None:
    scene = Scene()
    lamp = Material("lamp", base_color=(0.0, 0.0, 0.0), specular=0.0, emission=(0.0, 1.0, 0.0))
    scene.add_node("lamp", mesh=add_box_mesh(scene, scene.add_material(lamp)))
    scene.update_world()
    red, green, blue = picture(renderer, view_of(scene, distance=4.0))[SIZE[1] // 2, SIZE[0] // 2].astype(int)
    assert green > 240 and red < 20 and blue < 20


def test_smooth_normals_shade_a_flat_quad_unevenly_and_stay_upright_under_scale(renderer: Renderer) -> None:
    corners = np.array([(-1, -1, 0), (1, -1, 0), (1, 1, 0), (-1, 1, 0)], dtype=float)
    left, right = (-0.8, 0.0, 0.6), (0.8, 0.0, 0.6)
    images = {}
    for name, normals in (("flat", None), ("smooth", np.array((left, right, right, left)))):
        scene = Scene()
        mesh = scene.meshes.add(MeshData(corners, np.array([(0, 1, 2), (0, 2, 3)]), normals, np.zeros(4, dtype=int)))
        scene.add_node("quad", mesh=mesh, scale=(1.5, 1.0, 1.0))
        scene.update_world()
        view = view_of(scene, yaw_rad=0.0, pitch_rad=0.0, distance=5.0)
        images[name] = picture(renderer, view)[SIZE[1] // 2].astype(int).sum(axis=1)
    middle = slice(SIZE[0] // 2 - 30, SIZE[0] // 2 + 30)
    assert np.ptp(images["flat"][middle]) < 12
    assert images["smooth"][middle][0] > images["smooth"][middle][-1] + 50, "the key light stands on the left"


def test_normals_stay_upright_under_scale(renderer: Renderer) -> None:
    """A slope stretched along the view: scaled like a point, its normal would lie down and the slope look darker."""
    slope = np.array([(-1, -1, 0), (1, -1, 0), (1, 1, -2), (-1, 1, -2)], dtype=float)
    normals = np.tile(np.array((0.0, 2.0, 2.0)) / np.sqrt(8.0), (4, 1))
    pictures = []
    for scaled in (True, False):
        scene = Scene()
        stretch = np.array((1.0, 1.0, 8.0))
        upright = normals / stretch
        upright /= np.linalg.norm(upright, axis=1, keepdims=True)
        given = (slope, normals) if scaled else (slope * stretch, upright)
        mesh = MeshData(given[0], np.array([(0, 1, 2), (0, 2, 3)]), given[1], np.zeros(4, dtype=int))
        scene.add_node("slope", mesh=scene.meshes.add(mesh), scale=stretch if scaled else (1, 1, 1))
        scene.update_world()
        pictures.append(picture(renderer, view_of(scene, yaw_rad=0.3, pitch_rad=0.4, distance=20.0)).astype(int))
    assert np.abs(pictures[0] - pictures[1]).max() <= 4


def test_normals_in_all_directions_are_what_they_were(renderer: Renderer) -> None:
    """A ball whose vertices have the normals of its facets is shaded as one whose triangles are flat."""
    corners = ball(24, 36).positions[ball(24, 36).triangles]
    facets = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    facets /= np.linalg.norm(facets, axis=1, keepdims=True)
    triangles = np.arange(3 * len(corners)).reshape(-1, 3)
    views = []
    for normals in (None, np.repeat(facets, 3, axis=0)):
        scene = Scene()
        materials = np.full(3 * len(corners), scene.add_material(Material("dull", specular=0.0)))
        mesh = MeshData(corners.reshape(-1, 3), triangles, normals, materials)
        scene.add_node("ball", mesh=scene.meshes.add(mesh))
        scene.update_world()
        views.append(view_of(scene, distance=4.0))
    for yaw_rad in (0.0, 1.5, 3.0, 4.5):
        for pitch_rad in (-1.0, 1.0):
            images = []
            for view in views:
                view.camera = replace(view.camera, yaw_rad=yaw_rad, pitch_rad=pitch_rad)
                images.append(picture(renderer, view).astype(int))
            assert (np.abs(images[0] - images[1]).max(axis=2) > 4).sum() < 20, (yaw_rad, pitch_rad)


def test_more_instances_than_a_texture_row_holds(renderer: Renderer) -> None:
    scene = Scene()
    mesh = add_box_mesh(scene)
    places = np.stack(np.meshgrid(np.arange(40), np.arange(30), [0.0]), axis=-1).reshape(-1, 3)
    scene.add_nodes([str(i) for i in range(len(places))], mesh=mesh, translation=places, scale=(0.5, 0.5, 0.5))
    scene.update_world()
    view = view_of(scene)
    view.camera = controls.look_from(view.camera, "front")
    view.layout.resize(SIZE)
    view.framing.frame_nodes(None)
    view.settings.show_grid = False
    image = picture(renderer, view)
    for place in places[::97]:
        clip = view.camera.clip_from_world(SIZE[0] / SIZE[1]) @ np.append(place, 1.0)
        x, y = (clip[:2] / clip[3] * (1, -1) + 1.0) / 2.0 * SIZE
        assert image[int(y), int(x)].min() > 90, f"the box at {place} is missing"


def test_the_renderer_follows_the_pictures_size(renderer: Renderer) -> None:
    view = view_of(box_scene(), distance=9.0)
    for size in ((64, 48), (200, 31), (1, 1), (64, 48)):
        assert picture(renderer, view, size).shape == (size[1], size[0], 3)


@pytest.mark.parametrize("overlay", ("outline", "grid", "cells", "edges", "elements"))
def test_lines_and_points_are_as_thick_on_a_screen_of_smaller_pixels(ctx: moderngl.Context, overlay: str) -> None:
    """A picture of twice the pixels, made small again, is the picture; without their ratio it has thin lines."""
    scene = box_scene()
    if overlay == "elements":
        scene = Scene()
        ends, dots = np.array([(0, 7), (1, 6), (2, 5)]), np.array([3, 4])
        scene.add_node("sketch", mesh=add_mesh(scene, BOX_POSITIONS, lines=ends, points=dots))
    view, renderer = view_of(scene, distance=9.0), Renderer(ctx)
    view.settings.show_grid, view.decoration(OctreeCells).is_shown, view.settings.show_edges = (
        overlay == name for name in ("grid", "cells", "edges")
    )
    view.selection.ids = np.array([1] if overlay == "outline" else [], dtype=np.int32)

    def halved(pixel_ratio: float) -> np.ndarray:
        view.layout.pixel_ratio = pixel_ratio
        fine = picture(renderer, view, (2 * SIZE[0], 2 * SIZE[1])).astype(np.float64)
        return fine.reshape(SIZE[1], 2, SIZE[0], 2, 3).mean(axis=(1, 3))

    thick, thin = halved(2.0), halved(1.0)
    view.layout.pixel_ratio = 1.0
    plain = picture(renderer, view).astype(np.float64)
    assert np.abs(thick - plain).mean() < 0.7 * np.abs(thin - plain).mean()

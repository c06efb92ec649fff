"""Pictures of what meshes hold besides plain triangles: vertex colours, lines and points."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import moderngl
import numpy as np
import pytest

from octoscope.scene import Material, Scene, Texture
from octoscope.scene.geometry.colors import linear_from_srgb, srgb_from_linear
from octoscope.viewer.frame.look.shading import STROKES
from octoscope.viewer.frame.view import View
from octoscope.viewer.rendering.renderer import Renderer
from tests.viewer.rendering.test_renderer import random_camera
from tests.viewer.scenes import (
    BOX_POSITIONS,
    BOX_TRIANGLES,
    SIZE,
    add_box_mesh,
    add_mesh,
    add_quad,
    at,
    box_scene,
    flat_view,
    picture,
    sketches,
    view_of,
)


def shown(scene: Scene, mesh: int, **properties: object) -> View:
    """A flat view of one node more."""
    scene.add_node("shown", mesh=mesh, **properties)
    scene.update_world()
    return flat_view(scene)


def white(scene: Scene) -> int:
    return scene.add_material(Material("white", base_color=(1.0, 1.0, 1.0), specular=0.0))


def colors_of(count: int, color: tuple[int, ...]) -> np.ndarray:
    return np.full((count, 4), (*color, 255)[:4], dtype=np.uint8)


# Vertex colours.


def test_a_vertex_colour_multiplies_the_materials(renderer: Renderer) -> None:
    pictures = []
    first = (0.9, 0.6, 0.3), (128, 255, 51)
    product = linear_from_srgb(first[0]) * linear_from_srgb(np.divide(first[1], 255))
    for base, vertex in (first, (tuple(srgb_from_linear(product)), (255, 255, 255))):
        scene = Scene()
        material = scene.add_material(Material("m", base_color=base, specular=0.0))
        view = shown(scene, add_quad(scene, 30.0, material, colors=colors_of(4, vertex)))
        pictures.append(picture(renderer, view).astype(int))
    red, green, blue = at(pictures[0], 5, 5)
    assert green > red + 20 > blue + 60
    assert np.abs(pictures[0] - pictures[1]).max() <= 1


def test_colours_run_from_vertex_to_vertex(renderer: Renderer) -> None:
    scene = Scene()
    red, blue = (255, 0, 0, 255), (0, 0, 255, 255)
    colors = np.array([red, blue, blue, red], dtype=np.uint8)
    image = picture(renderer, shown(scene, add_quad(scene, 40.0, white(scene), colors=colors)))
    row = np.array([at(image, x, 3.5) for x in range(-38, 39)])
    assert (np.diff(row[:, 0]) <= 0).all() and (np.diff(row[:, 2]) >= 0).all()
    assert row[0, 0] > 180 > 60 > row[0, 2] and row[-1, 2] > 180 > 60 > row[-1, 0]


def test_a_vertex_colours_opacity_multiplies_the_materials(renderer: Renderer) -> None:
    sums = []
    for alpha, opacity in ((255, 1.0), (128, 1.0), (255, 128 / 255), (128, 128 / 255), (0, 1.0)):
        scene = Scene()
        material = scene.add_material(Material("m", base_color=(1.0, 1.0, 1.0), opacity=opacity))
        mesh = add_quad(scene, 30.0, material, colors=colors_of(4, (255, 255, 255, alpha)))
        sums.append(int(at(picture(renderer, shown(scene, mesh)), 0, 0).sum()))
    opaque, half, other_half, quarter, none = sums
    assert opaque > half == other_half > quarter > none


def test_the_first_colour_may_come_with_a_later_mesh_and_leaves_the_earlier_white(renderer: Renderer) -> None:
    scene = Scene()
    view = shown(scene, add_quad(scene, 20.0, white(scene)), translation=(-40.0, 0.0, 0.0))
    before = at(picture(renderer, view), -40, 0)
    late = add_quad(scene, 20.0, white(scene), colors=colors_of(4, (0, 255, 0)))
    scene.add_node("late", mesh=late, translation=(40.0, 0.0, 0.0))
    image = picture(renderer, view)
    assert np.abs(at(image, -40, 0) - before).max() <= 1 and before.min() > 100
    red, green, blue = at(image, 40, 0)
    assert green > 100 > 20 > max(red, blue)


# Lines and points.


def sketch(color: tuple[float, float, float] = (1.0, 1.0, 1.0), **arrays: np.ndarray) -> View:
    """A flat view of lines or points in a material of that colour; positions in pixels."""
    scene = Scene()
    material = scene.add_material(Material("m", base_color=color))
    return shown(scene, add_mesh(scene, material=material, **arrays))


def differences(renderer: Renderer, view: View) -> np.ndarray:
    """(height, width) bool: what differs from a picture of nothing."""
    nothing = flat_view(Scene())
    nothing.camera = view.camera
    return (picture(renderer, view) != picture(renderer, nothing)).any(axis=2)


def test_a_line_is_a_pixel_wide_from_end_to_end_in_its_colour_without_light(renderer: Renderer) -> None:
    # In the middle of a row of pixels, so that it covers them whole.
    view = sketch((0.9, 0.6, 0.2), positions=[(-40, 10.5, 0), (30, 10.5, 0)], lines=np.array([(0, 1)]))
    image = picture(renderer, view)
    for x in range(-39, 29):
        assert np.abs(at(image, x + 0.5, 10.5) - (229.5, 153, 51)).max() <= 2, x
    rows, columns = np.nonzero(differences(renderer, view))
    assert set(rows) == {SIZE[1] // 2 - 11}
    assert columns.min() >= SIZE[0] // 2 - 41 and columns.max() <= SIZE[0] // 2 + 30


def test_a_lines_colour_runs_from_end_to_end(renderer: Renderer) -> None:
    colors = np.array([(255, 0, 0, 255), (0, 0, 255, 255)], dtype=np.uint8)
    ends = [(-40, 0.5, 0), (40, 0.5, 0)]
    image = picture(renderer, sketch(positions=ends, lines=np.array([(0, 1)]), colors=colors))
    assert at(image, -38, 0.5)[0] > 230 > 60 > at(image, -38, 0.5)[2]
    assert at(image, 38, 0.5)[2] > 230 > 60 > at(image, 38, 0.5)[0]


def test_a_point_is_a_few_pixels_wide_where_its_vertex_is_in_its_colour_without_light(renderer: Renderer) -> None:
    colors = np.array([(0, 0, 0, 255), (255, 128, 51, 255)], dtype=np.uint8)
    view = sketch(positions=[(0, 0, 0), (20, -30, 0)], points=np.array([1]), colors=colors)
    rows, columns = np.nonzero(differences(renderer, view))
    across = np.arange(-STROKES.point_size / 2, STROKES.point_size / 2)
    assert set(columns - SIZE[0] // 2) == set(20 + across) and set(rows - SIZE[1] // 2) == set(30 + across)
    assert np.abs(at(picture(renderer, view), 20, -30) - (255, 128, 51)).max() <= 2


@pytest.mark.parametrize("element", ("lines", "points"))
def test_emission_and_override_reach_lines_and_points(renderer: Renderer, element: str) -> None:
    scene = Scene()
    lamp = scene.add_material(Material("lamp", base_color=(0.0, 0.0, 0.0), emission=(0.0, 1.0, 0.0)))
    of = {"lines": np.array([(0, 1)]), "points": np.array([0])}[element]
    mesh = add_mesh(scene, [(0.5, 0.5, 0), (20.5, 0.5, 0)], **{element: of})
    assert np.abs(at(picture(renderer, shown(scene, mesh, material=lamp)), 1.0, 0.5) - (0, 255, 0)).max() <= 2


@pytest.mark.parametrize("element", ("lines", "points"))
def test_a_texture_reaches_lines_and_points(renderer: Renderer, element: str) -> None:
    pixels = np.array([[(255, 0, 0, 255), (0, 255, 0, 255)]] * 2, dtype=np.uint8)
    scene = Scene()
    texture = Texture(Path("two.png"), pixels)
    material = scene.add_material(Material("two", base_color=(1.0, 1.0, 1.0), base_color_texture=texture))
    of = {"lines": np.array([(0, 1)]), "points": np.array([0])}[element]
    uvs = np.full((2, 2), 0.75)
    mesh = add_mesh(scene, [(0.5, 0.5, 0), (20.5, 0.5, 0)], material, uvs=uvs, **{element: of})
    assert np.abs(at(picture(renderer, shown(scene, mesh)), 1.0, 0.5) - (0, 255, 0)).max() <= 2


@pytest.mark.parametrize("place", ((0.0, 0.0, 0.0), (4e6, -1e6, 3e6)))
def test_instances_of_lines_are_turned_scaled_and_mirrored_far_from_the_origin_too(
    renderer: Renderer, place: tuple[float, float, float]
) -> None:
    scene = Scene()
    mesh = add_mesh(scene, [(0, 0, 0), (10, 0.5, 0)], white(scene), lines=np.array([(0, 1)]), points=np.array([1]))
    scene.add_nodes(
        ["plain", "mirrored", "long"],
        mesh=mesh,
        translation=np.add(place, [(0, 30, 0), (0, 0, 0), (0, -30, 0)]),
        scale=[(1, 1, 1), (-1, 1, 1), (6, 1, 1)],
    )
    scene.update_world()
    view = flat_view(scene)
    view.camera = replace(view.camera, pivot=np.array(place))
    image = picture(renderer, view)
    for point in ((10, 30.5), (-10, 0.5), (60, -29.5), (5, 30.25), (-5, 0.25), (30, -29.75)):
        assert at(image, *point).min() > 90, point
    for point in ((-10, 30.5), (10, 0.5), (-60, -29.5), (66, -29.5)):
        assert at(image, *point).max() < 90, point


@pytest.mark.parametrize("element", ("lines", "points"))
def test_lines_and_points_are_hidden_by_what_is_before_them(renderer: Renderer, element: str) -> None:
    of = {"lines": np.array([(0, 1)]), "points": np.array([0, 1])}[element]
    for z, seen in ((5.0, True), (-5.0, False)):
        scene = Scene()
        wall = add_quad(scene, 30.0, scene.add_material(Material("red", base_color=(0.8, 0.0, 0.0), specular=0.0)))
        scene.add_node("wall", mesh=wall)
        ends = [(-10, 0.5, z), (10, 0.5, z)]
        image = picture(renderer, shown(scene, add_mesh(scene, ends, white(scene), **{element: of})))
        assert (at(image, 9, 0.5)[2] > 200) == seen, z


def test_a_line_and_a_point_in_a_face_are_not_cut_up_by_it(renderer: Renderer) -> None:
    """Face and line have the same depths, but for rounding: without care every other pixel would be lost."""
    scene = Scene()
    red = scene.add_material(Material("red", base_color=(0.8, 0.0, 0.0), specular=0.0))
    ends = np.array([(-30, -20, 0), (35, 17, 0), (-5, 25, 0)])
    for name, mesh in (
        ("face", add_quad(scene, 40.0, red)),
        ("line", add_mesh(scene, ends, white(scene), lines=np.array([(0, 1)]), points=np.array([2]))),
    ):
        scene.add_node(name, mesh=mesh, rotation=(0.25, 0.15, 0.0, 1.0))
    scene.update_world()
    for orthographic in (True, False):
        view = flat_view(scene)
        view.camera = replace(view.camera, orthographic=orthographic, yaw_rad=0.2)
        lit = (picture(renderer, view)[..., 2] > 120).sum()
        scene.set_translations(0, (0.0, 0.0, -500.0))
        free = (picture(renderer, view)[..., 2] > 120).sum()
        scene.set_translations(0, (0.0, 0.0, 0.0))
        assert lit > 0.97 * free > 50


# The same in every way of drawing.


def test_both_ways_of_drawing_give_the_same_picture_of_sketches(ctx: moderngl.Context) -> None:
    view = view_of(sketches(200, seed=1), distance=30.0)
    view.selection.ids = view.index.all_ids()[::40]
    view.settings.show_edges = True
    indirect, direct = Renderer(ctx, indirect=True), Renderer(ctx, indirect=False)
    assert np.array_equal(picture(indirect, view), picture(direct, view))
    assert indirect.draw_calls < direct.draw_calls


def test_culling_does_not_change_a_pixel_of_sketches(ctx: moderngl.Context) -> None:
    view, renderer, rng = view_of(sketches(200, seed=2)), Renderer(ctx), np.random.default_rng(3)
    some_drawn = 0
    for number in range(60):
        view.camera = random_camera(rng, number)
        view.settings.show_edges = number % 2 == 0
        view.settings.culling = True
        culled = picture(renderer, view)
        some_drawn += 0 < view.stats.lines < view.stats.points
        view.settings.culling = False
        assert np.array_equal(culled, picture(renderer, view)), f"camera {number} of seed 3"
    assert some_drawn > 30


def test_what_is_drawn_wider_than_it_is_is_not_culled_at_the_pictures_border() -> None:
    """A driver may draw the part of a line or a point that reaches into the picture from outside."""
    left, top = -SIZE[0] / 2, SIZE[1] / 2
    for x, y, kept in ((left - 1, 0, 1), (0, top + 1, 1), (left - 10, 0, 0), (0, top + 10, 0)):
        view = sketch(positions=[(x, y, 0)], points=np.array([0]))
        assert view.build_frames(SIZE)[0].frame.visible.count == kept, (x, y)
    scene = Scene()
    box = shown(scene, add_box_mesh(scene), translation=(left - 2, 0, 0))
    assert box.build_frames(SIZE)[0].frame.visible.count == 0, "its sphere ends more than a pixel outside"
    box.settings.show_edges = True
    assert box.build_frames(SIZE)[0].frame.visible.count == 1


# Meshes without a triangle.


@pytest.mark.parametrize(
    ("element", "of"),
    (("lines", [(0, 1)]), ("lines", [(0, 0)]), ("points", [0, 1]), ("points", [1])),
    ids=("line", "line without a length", "points", "point"),
)
@pytest.mark.parametrize("same_place", (False, True), ids=("apart", "at one place"))
def test_a_scene_of_lines_or_points_alone_is_framed_drawn_outlined_and_picked_in(
    renderer: Renderer, element: str, of: list, same_place: bool
) -> None:
    scene = Scene()
    positions = np.array([(1e5, 3.0, 2.0), (1e5 + (not same_place), 3.0, 2.0)])
    scene.add_node("it", mesh=add_mesh(scene, positions, white(scene), **{element: np.array(of)}))
    scene.update_world()
    view = view_of(scene, yaw_rad=0.0, pitch_rad=0.0)
    view.settings.show_grid = False
    view.layout.resize(SIZE)
    view.framing.frame_nodes(None)
    image = picture(renderer, view).astype(int)
    assert view.stats.drawn == 1 and view.stats.triangles == 0
    seen = element == "points" or (of == [(0, 1)] and not same_place)
    assert (image.min(axis=2) > 120).any() == seen
    view.selection.ids = np.array([0], dtype=np.int32)
    assert (np.abs(picture(renderer, view).astype(int) - image).sum(axis=2) > 60).any() == seen
    in_the_middle = seen and (element == "lines" or same_place)
    assert (view.snapshot.pick((0.5, 0.5)) is not None) == in_the_middle, "what is not drawn is not picked"
    assert np.isfinite(view.snapshot.point_under((0.4, 0.4))).all()
    assert np.allclose(scene.bounds(), (positions.min(axis=0), positions.max(axis=0)))


@pytest.mark.parametrize("element", ("lines", "points"))
def test_the_outline_runs_around_lines_and_points_and_leaves_them(renderer: Renderer, element: str) -> None:
    of = {"lines": np.array([(0, 1)]), "points": np.array([0, 1])}[element]
    middle = 0.5 if element == "lines" else 0.0  # so that pixels are covered whole
    view = sketch((0.2, 0.2, 1.0), positions=[(-20, middle, 0), (20, middle, 0)], **{element: of})
    plain = picture(renderer, view).astype(int)
    view.selection.ids = np.array([0], dtype=np.int32)
    outlined = picture(renderer, view).astype(int)
    assert np.array_equal(at(outlined, 19.5, 0.5), at(plain, 19.5, 0.5))
    for y in (3.5, -3.5) if element == "points" else (2.5, -1.5):
        red, green, blue = at(outlined, 19.5, y)
        assert red > green > blue and red > 150, y
    changed = np.argwhere((outlined != plain).any(axis=2)) - (SIZE[1] / 2, SIZE[0] / 2)
    assert np.abs(changed[:, 0]).max() < 7 and np.abs(changed[:, 1]).max() < 28


def test_lines_and_points_that_come_later_are_drawn_beside_what_was_there(renderer: Renderer) -> None:
    scene = box_scene()
    view = view_of(scene, yaw_rad=0.0, pitch_rad=0.0, distance=9.0)
    view.settings.show_grid = False
    before = picture(renderer, view).astype(int)
    for height in (1.0, 1.5):
        ends = [(-2.0, height, 0.0), (2.0, height, 0.0)]
        mesh = add_mesh(scene, ends, white(scene), lines=np.array([(0, 1)]), points=np.array([1]))
        scene.add_node("late", mesh=mesh)
    after = picture(renderer, view).astype(int)
    changed = np.abs(after - before).max(axis=2) > 8
    assert (after[changed].min(axis=1) > 60).all() and changed[: SIZE[1] // 2].sum() > 100
    assert not changed[SIZE[1] // 2 :].any()
    assert (view.stats.triangles, view.stats.lines, view.stats.points) == (36, 2, 2)


def test_a_mesh_may_hold_triangles_lines_and_points(renderer: Renderer) -> None:
    scene = Scene()
    lines, points = np.array([(0, 4)]), np.array([3])
    positions = 40.0 * BOX_POSITIONS * (1.0, 1.0, 0.1)
    mesh = add_mesh(scene, positions, white(scene), triangles=BOX_TRIANGLES, lines=lines, points=points)
    view = shown(scene, mesh)
    frame = view.build_frames(SIZE)[0].frame
    assert [frame.visible.drawn(element) for element in ("triangle", "line", "point", "edge")] == [12, 1, 1, 0]
    image = picture(renderer, view)
    assert at(image, -20, 20).min() > 240 and at(image, 0, 0).max() < 240, "the point has no light, the face has"

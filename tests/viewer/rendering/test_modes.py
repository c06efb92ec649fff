"""Pictures of each way of seeing, judged by what their colours are made from."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from octoscope.scene import Material, Scene
from octoscope.scene.mesh.primitives import plane, sphere
from octoscope.viewer.frame.frame import ViewportFrame
from octoscope.viewer.frame.look.shading import MATCAPS, MODES
from octoscope.viewer.frame.quality import QUALITIES
from octoscope.viewer.frame.view import View
from octoscope.viewer.rendering.context.offscreen import image_of
from octoscope.viewer.rendering.renderer import Renderer
from tests.viewer.scenes import SIZE, add_box_mesh, add_mesh, add_quad, at, box_scene, flat_view, picture, view_of


def sphere_view(**camera: object) -> View:
    """A sphere of radius 1 about the origin, without ground."""
    scene = Scene()
    scene.add_node("sphere", mesh=scene.meshes.add(sphere(1.0, 128, 64)))
    scene.update_world()
    view = view_of(scene, **{"distance": 6.0, **camera})
    view.settings.show_grid = False
    return view


def hits(view: View) -> tuple[np.ndarray, np.ndarray]:
    """Meet the unit sphere by rays through the middles of every third pixel in every third row.

    Returns:
        (height, width) bool: met well within the outline; (height, width, 3) points of the sphere, which are its
        normals.
    """
    columns, rows = np.meshgrid(np.arange(SIZE[0]) + 0.5, np.arange(SIZE[1]) + 0.5)
    points = np.full((*columns.shape, 3), np.nan)
    for row, column in product(range(0, SIZE[1], 3), range(0, SIZE[0], 3)):
        place = columns[row, column] / SIZE[0], rows[row, column] / SIZE[1]
        origin, direction = view.camera.ray_through(place, SIZE[0] / SIZE[1])
        middle = -origin @ direction
        square = middle**2 - origin @ origin + 0.97
        if square > 0.0:  # within the outline
            points[row, column] = origin + (middle - np.sqrt(square + 0.03)) * direction
    return np.isfinite(points[..., 0]), points


def seen_as(renderer: Renderer, view: View, mode: str) -> np.ndarray:
    """(height, width, 3) int."""
    view.settings.show_as(mode)
    return picture(renderer, view).astype(int)


def quads(*places: dict[str, object]) -> tuple[Scene, View]:
    """Squares of 40 units that face +z, at (x, y, depth below 0) `translation`, each of a `color` and `opacity`."""
    scene = Scene()
    for number, place in enumerate(places):
        look = {"base_color": place.pop("color", (1.0, 1.0, 1.0)), "opacity": place.pop("opacity", 1.0)}
        material = scene.add_material(Material(str(number), specular=0.0, **look))
        scene.add_node(str(number), mesh=add_quad(scene, 20.0, material), **place)
    scene.update_world()
    return scene, flat_view(scene)


# Directions.


@pytest.mark.parametrize("camera", ({}, {"yaw_rad": 2.5, "pitch_rad": -0.7}, {"orthographic": True, "roll_rad": 0.4}))
def test_normals_are_world_directions_from_black_at_minus_one_to_full_at_one(
    renderer: Renderer, camera: dict[str, object]
) -> None:
    view = sphere_view(**camera)
    colors = seen_as(renderer, view, "normals")
    inside, normals = hits(view)
    assert inside.sum() > 200
    # Along the silhouette the mean of a pixel's samples, in linear light, is brighter than its middle.
    assert np.abs(colors - 255 * (0.5 + 0.5 * normals))[inside].max() < 5


@pytest.mark.parametrize("scale", (1.0, (-1.0, 1.0, 1.0)))
def test_normals_are_those_of_the_side_that_is_seen(renderer: Renderer, scale: object) -> None:
    _, view = quads({"scale": scale})
    for yaw_rad, level in ((0.0, 255), (np.pi, 0)):
        view.camera = replace(view.camera, yaw_rad=yaw_rad)
        assert np.abs(at(seen_as(renderer, view, "normals"), 5, 3) - (127.5, 127.5, level)).max() <= 2


def test_fronts_are_blue_and_backs_red_and_a_mirrored_instance_keeps_its_front(renderer: Renderer) -> None:
    _, view = quads(
        {"translation": (-50.0, 0.0, 0.0)},
        {"translation": (0.0, 0.0, 0.0), "scale": (-1.0, 1.0, 1.0)},
        {"translation": (50.0, 0.0, 0.0), "rotation": (0.0, 1.0, 0.0, 0.0)},
    )
    for yaw_rad, front in ((0.0, (True, True, False)), (np.pi, (True, False, False))):
        view.camera = replace(view.camera, yaw_rad=yaw_rad)
        image = seen_as(renderer, view, "facing")
        for x, is_front in zip((-50, 0, 50), front, strict=True):
            red, _, blue = at(image, x, 0)
            assert (blue > red + 60) if is_front else (red > blue + 60), (yaw_rad, x)


def test_flat_shading_is_the_picture_of_the_same_mesh_without_normals(renderer: Renderer) -> None:
    pictures = []
    for has_normals, is_flat in ((True, False), (True, True), (False, False)):
        scene = Scene()
        data = sphere(1.0, 16, 8)
        scene.add_node("ball", mesh=scene.meshes.add(data if has_normals else replace(data, normals=None)))
        scene.update_world()
        view = view_of(scene, distance=6.0)
        view.settings.is_flat = is_flat
        pictures.append(picture(renderer, view).astype(int))
    smooth, flat, without = pictures
    assert np.abs(flat - without).max() <= 1
    assert np.abs(flat - smooth).max() > 20


# Depth and numbers.


@pytest.mark.parametrize("orthographic", (False, True))
def test_depth_falls_evenly_from_the_nearest_object_to_the_farthest(renderer: Renderer, orthographic: bool) -> None:
    view = sphere_view(yaw_rad=0.3, pitch_rad=0.2, orthographic=orthographic)
    view.camera = replace(view.camera, pivot=np.array((0.2, 0.1, 0.0)))
    colors = seen_as(renderer, view, "depth")
    inside, points = hits(view)
    middle = view.camera.position @ view.camera.axes[2]  # of the sphere
    depths = (view.camera.position - points) @ view.camera.axes[2]
    expected = 255 * (middle + 1.0 - depths) / 2.0
    assert np.abs(colors - expected[..., None])[inside].max() < 4


def test_depth_is_that_of_lines_too(renderer: Renderer) -> None:
    scene, view = quads({"translation": (0.0, 0.0, -50.0)}, {"translation": (0.0, 0.0, 50.0)})
    ends = [(-70.0, 40.5, -50.0), (70.0, 40.5, 50.0)]
    scene.add_node("line", mesh=add_mesh(scene, ends, lines=np.array([(0, 1)])))
    view.settings.mode = "depth"
    row = np.array([at(picture(renderer, view), x, 40.5) for x in range(-68, 68)])
    assert (np.diff(row[:, 0]) >= 0).all() and row[-1, 0] > row[0, 0] + 60 and np.ptp(row, axis=1).max() == 0


def test_objects_differ_in_colour_whatever_they_are_made_of(renderer: Renderer) -> None:
    places = [(x, y, 0.0) for x in range(-72, 73, 12) for y in range(-48, 49, 12)]
    scene = Scene()
    mesh = add_quad(scene, 4.0)
    scene.add_nodes([str(i) for i in range(len(places))], mesh=mesh, translation=np.array(places, dtype=float))
    scene.update_world()
    image = seen_as(renderer, flat_view(scene), "objects")
    colors = np.array([at(image, x, y) for x, y, _ in places])
    for x, y, _ in places:
        assert (at(image, x + 2, y - 2) == at(image, x, y)).all(), "no light falls on it"
    apart = np.abs(colors[:, None] - colors[None]).max(axis=2) + 1000 * np.eye(len(colors), dtype=int)
    assert apart.min() >= 4
    assert np.diagonal(apart, offset=1).min() > 40, "objects with neighbouring numbers differ much"


def test_materials_differ_in_colour_and_objects_of_one_material_do_not(renderer: Renderer) -> None:
    scene = Scene()
    first, second, third = (scene.add_material(Material(str(i), opacity=1.0 - 0.3 * i)) for i in range(3))
    mesh = add_quad(scene, 20.0)
    for x, override in ((-75.0, first), (-25.0, second), (25.0, second), (75.0, third)):
        scene.add_node(str(x), mesh=mesh, material=override, translation=(x, 0.0, 0.0))
    scene.update_world()
    image = seen_as(renderer, flat_view(scene), "materials")
    colors = [at(image, x, 0) for x in (-75, -25, 25, 75)]
    assert (colors[1] == colors[2]).all()
    assert min(np.abs(colors[a] - colors[b]).max() for a, b in ((0, 1), (1, 3), (0, 3))) > 40


# Faces.


def test_a_wireframe_has_no_faces_and_shows_lines_behind_others(renderer: Renderer) -> None:
    scene, view = quads({"scale": 2.0}, {"translation": (0.5, 0.5, -50.0)})
    shaded, wires = (seen_as(renderer, view, mode) for mode in ("shaded", "wireframe"))
    scene["0"].hidden = scene["1"].hidden = True
    nothing = picture(renderer, view).astype(int)
    assert (at(shaded, 30, 5) != at(nothing, 30, 5)).any() and (at(wires, 30, 5) == at(nothing, 30, 5)).all()
    assert min(np.abs(at(wires, x, y) - at(nothing, x, y)).max() for x, y in ((20.5, 5), (5, -19.5))) > 60


def test_black_wires_are_seen_on_the_dark_background(renderer: Renderer) -> None:
    _, view = quads({"color": (0.0, 0.0, 0.0), "translation": (0.5, 0.5, 0.0)})
    image = seen_as(renderer, view, "wireframe")
    assert at(image, 20.5, 0).min() > at(image, 0, 0).max() + 60


def test_an_x_ray_shows_what_is_behind_in_any_order(renderer: Renderer) -> None:
    red, blue = {"color": (1.0, 0.0, 0.0)}, {"color": (0.0, 0.0, 1.0)}
    front, back = {"translation": (0.0, 0.0, 20.0)}, {"translation": (0.0, 0.0, -20.0)}
    views = [
        quads(blue | front, red | back)[1],
        quads(red | back, blue | front)[1],
        quads(blue | front)[1],
    ]
    both, other_way, alone = (at(seen_as(renderer, view, "xray"), 0, 0) for view in views)
    assert (both == other_way).all() and both[0] > alone[0] + 5
    assert (at(seen_as(renderer, views[0], "shaded"), 0, 0) == at(seen_as(renderer, views[2], "shaded"), 0, 0)).all()


@pytest.mark.parametrize("mode", MODES)
def test_lines_and_points_are_seen_in_every_mode(renderer: Renderer, mode: str) -> None:
    scene, view = quads({"translation": (0.0, 0.0, -100.0)})
    ends = [(-70.0, 40.5, 0.0), (70.0, 40.5, 0.0)]
    scene.add_node("line", mesh=add_mesh(scene, ends, lines=np.array([(0, 1)]), points=np.array([0])))
    image = seen_as(renderer, view, mode)
    for x in (-70, 0, 60):
        assert np.abs(at(image, x, 40.5) - at(image, x, 46)).max() > 30, x


# Looks.


def test_clay_is_white_whatever_colours_there_are_and_lit(renderer: Renderer) -> None:
    pictures = []
    for looks in ({}, {"base_color": (0.1, 0.1, 0.1), "emission": (1.0, 1.0, 1.0), "metallic": 1.0}, {"unlit": True}):
        scene = Scene()
        scene.add_node("box", mesh=add_box_mesh(scene, scene.add_material(Material("m", **looks))))
        scene.update_world()
        pictures.append(seen_as(renderer, view_of(scene, distance=3.0), "clay"))
    colored = pictures[0]
    assert all((colored == other).all() for other in pictures)
    lit = at(colored, 0, 0)
    assert np.ptp(lit) < 30 and lit.min() > 100
    sides = {tuple(at(colored, x, y)) for x in range(-8, 9) for y in range(-8, 9)}
    assert max(map(sum, sides)) - min(map(sum, sides)) > 60, "a box has a bright and a dark side"


@pytest.mark.parametrize("matcap", MATCAPS)
def test_a_matcap_looks_the_same_in_the_middle_and_at_the_side_of_a_picture(renderer: Renderer, matcap: str) -> None:
    view = sphere_view(yaw_rad=0.0, pitch_rad=0.0, distance=10.0)
    view.settings.show_matcap(matcap)
    colors = []
    for x in (0.0, 2.0):  # the direction to the eye, and three about it that the camera's move turns along
        eye = np.array((-x, 0.0, 10.0)) / np.hypot(x, 10.0)
        right = np.cross((0.0, 1.0, 0.0), eye)
        points = np.array(
            [eye, *(0.6 * (right * a + np.array((0.0, b, 0.0))) + 0.8 * eye for a, b in ((-1, 0), (0, 1), (0, -1)))]
        )
        view.camera = replace(view.camera, pivot=np.array((-x, 0.0, 0.0)))
        image = picture(renderer, view, (480, 300)).astype(int)
        clip = np.c_[points, np.ones(4)] @ view.camera.clip_from_world(480 / 300).T
        places = np.floor((clip[:, :2] / clip[:, 3:] * (1, -1) + 1.0) / 2.0 * (480, 300)).astype(int)
        colors.append(image[places[:, 1], places[:, 0]])
    assert np.abs(colors[0] - colors[1]).max() < (90 if matcap == "zebra" else 14)  # its stripes have sharp edges


def test_matcaps_differ_and_most_are_brightest_at_the_upper_left(renderer: Renderer) -> None:
    view = sphere_view(yaw_rad=0.0, pitch_rad=0.0, orthographic=True, distance=3.0)
    images = {}
    for name in MATCAPS:
        view.settings.show_matcap(name)
        images[name] = picture(renderer, view).astype(int)
    height, width = SIZE[1] // 2, SIZE[0] // 2
    for name, image in images.items():
        upper_left, lower_right = image[height - 25, width - 25].sum(), image[height + 25, width + 25].sum()
        assert name in ("rim", "zebra") or upper_left > lower_right + 60, name
        assert all((image != other).any() for each, other in images.items() if each != name), name
    assert len(images) >= 12


def test_the_uv_checker_has_eight_squares_a_side_red_along_u_green_along_v(renderer: Renderer) -> None:
    scene = Scene()
    scene.add_node("plane", mesh=scene.meshes.add(plane(80.0)), rotation=(np.sqrt(0.5), 0.0, 0.0, np.sqrt(0.5)))
    scene.update_world()
    image = seen_as(renderer, flat_view(scene), "uv")
    squares = np.array([[at(image, 10 * column - 35, 10 * row - 35) for column in range(8)] for row in range(8)])
    bright = squares[..., 2] > 100
    assert (
        (bright == (np.add.outer(range(8), range(8)) % 2 == bright[0, 1])).all() and bright.any() and not bright.all()
    )
    assert (np.diff(squares[0, ::2, 0]) > 10).all() and (np.diff(squares[::2, 0, 1]) > 10).all()
    assert renderer.messages == []


def test_the_uv_checker_says_where_there_is_nothing_to_show(renderer: Renderer) -> None:
    view = view_of(box_scene(), distance=6.0)
    red, green, blue = at(seen_as(renderer, view, "uv"), 0, 0)
    assert red == green == blue > 60
    assert renderer.messages == ["no mesh has texture coordinates, which the UV checker would show"]
    seen_as(renderer, view, "normals")
    assert renderer.messages == []


# All of them.


@pytest.mark.parametrize("mode", [name for name in MODES if name != "shaded"])
def test_a_mode_shows_the_same_in_every_quality_and_viewport(renderer: Renderer, mode: str) -> None:
    scene = Scene()
    glass = scene.add_material(Material("glass", base_color=(0.2, 0.9, 0.3), opacity=0.4))
    for x, mesh in ((-0.7, scene.meshes.add(sphere())), (0.7, add_box_mesh(scene, glass))):
        scene.add_node(str(x), mesh=mesh, translation=(x, 0.0, 0.0))
    scene.update_world()
    view = view_of(scene, distance=4.0)
    shaded = picture(renderer, view).astype(int)
    best = seen_as(renderer, view, mode)
    assert np.abs(best - shaded).max() > 30
    frame = view.build_frames(SIZE)[0].frame
    for quality in QUALITIES[1:3]:
        renderer.render_parts([ViewportFrame(frame, (0, 0))], SIZE, quality)
        # Edges have one sample in place of four, and lines are all edges; the light of what is lit has one lamp less.
        difference = np.abs(image_of(renderer.picture).astype(int) - best).max(axis=2)[best.max(axis=2) > 90]
        assert np.median(difference) < (30 if mode == "wireframe" else 12)
    for parts in ((ViewportFrame(frame, (0, 0)),), view.with_everything([ViewportFrame(frame, (0, 0))])):
        renderer.render_best(parts, SIZE)  # of stills, and of a window that stands still
        assert np.abs(image_of(renderer.picture).astype(int) - best).mean() < 3
    view.layout.set_count(2)
    for viewport in view.viewports:
        viewport.camera = view.camera
    parts = view.build_frames((2 * SIZE[0], SIZE[1]))
    assert {part.frame.look.shading.mode.name for part in parts} == {mode}


def test_a_way_of_seeing_that_there_is_not_is_refused() -> None:
    view = View(box_scene())
    with pytest.raises(ValueError, match="no such mode as 'nothing'; there are shaded"):
        view.settings.show_as("nothing")
    with pytest.raises(ValueError, match="no such matcap as 'mud'; there are plaster"):
        view.settings.show_matcap("mud")
    view.settings.show_as("edges")
    assert view.settings.mode == "shaded" and view.settings.show_edges


def test_a_matcap_is_dark_wherever_a_surface_faces_the_eye(renderer: Renderer) -> None:
    """The cosine there may be rounded to a little more than 1, and 1 less that is nothing to take a power of."""
    scene, eye = Scene(), np.array((0.0, 0.0, 10.0))
    for place in product(np.linspace(-7.0, 7.0, 40), np.linspace(-4.0, 4.0, 20), (0.0,)):
        to_eye = eye - place
        across = np.cross((0.0, 1.0, 0.0), to_eye)
        sides = [0.12 * side / np.linalg.norm(side) for side in (across, np.cross(to_eye, across))]
        corners = [np.add(place, x * sides[0] + y * sides[1]) for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
        scene.add_node("quad", mesh=add_mesh(scene, corners, triangles=np.array([(0, 1, 2), (0, 2, 3)])))
    scene.update_world()
    view = view_of(scene, distance=10.0, yaw_rad=0.0, pitch_rad=0.0, fov_y_rad=np.radians(50.0))
    view.settings.show_grid = False
    view.settings.show_as("matcap")
    view.settings.show_matcap("rim")
    assert picture(renderer, view, (960, 600)).max() < 128

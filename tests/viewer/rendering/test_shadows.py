"""Soft shadows of the key light: where they fall, that nothing shadows itself, and who casts them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from octoscope.scene import Material, Scene, Texture
from octoscope.viewer.camera import controls
from octoscope.viewer.frame.look.lighting import LIGHTING, Lighting, world_light
from octoscope.viewer.frame.occluders import light_axes
from octoscope.viewer.frame.view import View
from octoscope.viewer.rendering.context.offscreen import image_of
from octoscope.viewer.rendering.passes import light_target, shadow_maps
from octoscope.viewer.rendering.renderer import Renderer
from octoscope.viewer.rendering.resources import texture_layers
from tests.cases import quick
from tests.scene.builders import ball
from tests.viewer.scenes import add_box_mesh, add_mesh, view_of

_SIZE = (240, 180)
_ABOVE = {"yaw_rad": 0.0, "pitch_rad": np.pi / 2}  # x to the right, z down


def plain(scene: Scene, **others: object) -> int:
    return scene.add_material(Material(str(len(scene.materials)), base_color=(0.7, 0.7, 0.7), specular=0.0, **others))


def box_on_floor(**material: object) -> Scene:
    """A cube of edge 1 on a floor of edge 8 whose upper side is at height 0."""
    scene = Scene()
    floor, box = (add_box_mesh(scene, each) for each in (plain(scene), plain(scene, **material)))
    scene.add_node("floor", mesh=floor, translation=(0.0, -0.1, 0.0), scale=(8.0, 0.2, 8.0))
    scene.add_node("box", mesh=box, translation=(0.0, 0.5, 0.0))
    scene.update_world()
    return scene


def drawn(renderer: Renderer, view: View) -> np.ndarray:
    """(h, w, 3) float: the refined picture."""
    renderer.render_best(view.with_occluders(view.build_frames(_SIZE)), _SIZE)
    return np.asarray(image_of(renderer.picture)).astype(float)


def shares(renderer: Renderer, view: View, points: np.ndarray) -> np.ndarray:
    """(n, 2): the shares of ambient light and key light that were found where (n, 3) world points are seen."""
    drawn(renderer, view)
    target = renderer._targets[0].light
    width, height = target.size
    found = np.frombuffer(target.light.read(components=4), np.uint8).reshape(height, width, 4)[::-1] / 255.0
    view.layout.resize(_SIZE)
    columns, rows = (view.snapshot.projection.pixels(np.atleast_2d(points)) * np.array(target.size) / _SIZE).T
    return found[rows.astype(int), columns.astype(int), :2]


def floor_points(*places: tuple[float, float]) -> np.ndarray:
    return np.array([(x, 0.0, z) for x, z in places])


@pytest.mark.parametrize("orthographic", (False, True))
@pytest.mark.parametrize("azimuth", quick((0.0, 90.0, 200.0), 1))
def test_the_shadow_of_a_box_falls_away_from_the_light(renderer: Renderer, azimuth: float, orthographic: bool) -> None:
    view = view_of(box_on_floor(), distance=12.0, orthographic=orthographic, **_ABOVE)
    view.settings.lighting = world_light(azimuth, 45.0)
    away = -np.array(view.settings.lighting.direction)[[0, 2]]
    away /= np.linalg.norm(away)
    aside = np.array((-away[1], away[0]))
    behind, beyond, before, beside = (tuple(each) for each in (0.95 * away, 2.2 * away, -1.0 * away, 1.3 * aside))
    key = shares(renderer, view, floor_points(behind, beyond, before, beside))[:, 1]
    assert key[0] < 0.05 and key[1:].min() > 0.95
    bright = drawn(renderer, view)
    view.settings.lighting = replace(view.settings.lighting, has_shadow=False, has_occlusion=False)
    difference = drawn(renderer, view) - bright
    place = tuple(view.snapshot.projection.pixels(floor_points(behind))[0].astype(int)[::-1])
    assert difference[place].min() > 20.0, "it is seen"


def test_a_shadow_has_soft_borders_that_are_softer_the_farther_away_the_caster_is(renderer: Renderer) -> None:
    scene = box_on_floor()
    view = view_of(scene, distance=9.0, **_ABOVE)
    view.settings.lighting = world_light(90.0, 45.0)
    places = floor_points(*((x, 0.0) for x in np.linspace(-4.0, -0.5, 200)))
    widths = []
    for height in (0.5, 2.0):
        scene.set_translations([1], [(0.0, height, 0.0)])
        key = shares(renderer, view, places)[:, 1]
        assert key.min() < 0.02 and key.max() > 0.98
        widths.append(np.count_nonzero((key > 0.05) & (key < 0.95)))
    assert widths[1] > widths[0] > 0


@pytest.mark.parametrize("scale", (1e-3, 1.0, 1e4))
@pytest.mark.parametrize("offset", (0.0, 1e6))
def test_what_faces_the_light_does_not_shadow_itself(renderer: Renderer, offset: float, scale: float) -> None:
    if offset and scale < 1.0:
        pytest.skip("the world's numbers do not tell such a thing's vertices apart there")
    scene = Scene()
    shape = ball(24, 32)
    material = plain(scene)
    mesh = add_mesh(scene, shape.positions, material, triangles=shape.triangles)
    middle = np.full(3, offset)
    scene.add_node("ball", mesh=mesh, translation=middle, scale=np.full(3, scale))
    scene.update_world()
    view = view_of(scene, pivot=middle, distance=4.0 * scale, pitch_rad=0.3)
    for azimuth in (20.0, 130.0):
        view.settings.lighting = world_light(azimuth, 20.0)
        directions = shape.positions / np.linalg.norm(shape.positions, axis=1, keepdims=True)
        seen = (directions @ view.camera.axes[2] > 0.45) & (
            directions @ np.array(view.settings.lighting.direction) > 0.15
        )
        key = shares(renderer, view, middle + scale * shape.positions[seen])[:, 1]
        assert len(key) > 10 and key.min() > 0.97


@pytest.mark.parametrize("elevation", (5.0, 20.0, 90.0))
def test_a_plane_in_grazing_light_has_no_spots(renderer: Renderer, elevation: float) -> None:
    view = view_of(box_on_floor(), distance=14.0, pitch_rad=0.5)
    view.scene.set_translations([1], [(0.0, -3.0, 0.0)])
    view.settings.lighting = world_light(70.0, elevation)
    rng = np.random.default_rng(2)
    assert shares(renderer, view, floor_points(*rng.uniform(-3.5, 3.5, (400, 2))))[:, 1].min() > 0.97


@pytest.mark.parametrize("orthographic", (False, True))
def test_no_light_shines_through_where_a_thin_wall_stands_on_the_floor(renderer: Renderer, orthographic: bool) -> None:
    scene = Scene()
    corners = np.array([(0, 0, -1), (2, 0, -1), (2, 0, 1), (0, 0, 1), (0, 2, -1), (0, 2, 1)], dtype=float)
    triangles = np.array([(0, 2, 1), (0, 3, 2), (0, 4, 5), (0, 5, 3)])  # floor and wall
    scene.add_node("corner", mesh=add_mesh(scene, corners, plain(scene), triangles=triangles))
    scene.update_world()
    for yaw_rad in (0.5, 0.8):
        view = view_of(scene, pivot=np.array((1.0, 0.5, 0.0)), distance=5.0, orthographic=orthographic, yaw_rad=yaw_rad)
        view.settings.lighting = world_light(270.0, 40.0)
        places = floor_points(*((x, z) for x in np.linspace(0.002, 0.1, 12) for z in np.linspace(-0.8, 0.8, 90)))
        key = shares(renderer, view, places)[:, 1]
        assert key.mean() < 0.05 and key[places[:, 0] > 0.05].max() < 0.1, "but for the pixels at the wall"


@pytest.mark.parametrize("orthographic", (False, True))
def test_a_thing_as_low_as_a_texel_has_the_shadow_that_rays_find(
    renderer: Renderer, monkeypatch: pytest.MonkeyPatch, orthographic: bool
) -> None:
    """From its foot on, and nothing is dark at the foot that is lit."""
    monkeypatch.setattr(shadow_maps, "_SIDE", 128)  # texels of 0.06
    renderer = Renderer(renderer.ctx)
    scene = box_on_floor()
    scene.set_translations([1], [(0.0, 0.075, 0.0)])
    scene.nodes[1].scale = (0.5, 0.15, 0.5)
    scene.update_world()
    view = view_of(scene, distance=4.0, yaw_rad=0.4, pitch_rad=0.7, orthographic=orthographic)
    view.settings.lighting = world_light(70.0, 40.0)
    places = floor_points(*np.random.default_rng(3).uniform(-0.5, 0.5, (3000, 2)))

    def is_hit(ways: np.ndarray) -> np.ndarray:
        return scene.raycast_many(places + np.array((0.0, 1e-4, 0.0)), np.broadcast_to(ways, places.shape)).nodes >= 0

    is_seen = ~is_hit(view.camera.axes[2] if orthographic else view.camera.position - places)
    is_dark = is_hit(np.array(view.settings.lighting.direction))
    wrong = np.abs(shares(renderer, view, places)[:, 1] - ~is_dark)[is_seen]
    assert is_dark[is_seen].mean() > 0.05 and wrong.mean() < 0.03, "0.05 where places are looked up before surfaces"
    renderer.release()


def test_what_is_behind_the_camera_casts_a_shadow(renderer: Renderer) -> None:
    scene = box_on_floor()
    scene.set_translations([1], [(8.0, 8.0, 0.0)])
    view = view_of(scene, distance=4.0, **_ABOVE)
    view.settings.lighting = world_light(90.0, 45.0)
    middle = floor_points((0.0, 0.0), (1.2, 1.0))
    assert 1 not in view.build_frames(_SIZE)[0].frame.visible.nodes
    key = shares(renderer, view, middle)[:, 1]
    assert key[0] < 0.05 and key[1] > 0.95
    scene.set_translations([1], [(8.0, 8.0, 3.0)])
    assert shares(renderer, view, middle)[:, 1].min() > 0.95


def test_what_is_translucent_casts_a_lighter_shadow(renderer: Renderer) -> None:
    view = view_of(box_on_floor(opacity=0.5), distance=12.0, **_ABOVE)
    view.settings.lighting = world_light(90.0, 45.0)
    key = shares(renderer, view, floor_points((-0.95, 0.0), (1.0, 0.0)))[:, 1]
    assert 0.4 < key[0] < 0.6 and key[1] > 0.95


@pytest.mark.parametrize("up_axis", ("y", "z"))
def test_the_ground_is_dark_where_the_shadow_falls(renderer: Renderer, up_axis: str) -> None:
    scene = Scene()
    scene.up_axis = up_axis
    scene.add_node("box", mesh=add_box_mesh(scene, plain(scene)))
    scene.update_world()
    view = view_of(scene, distance=9.0, pitch_rad=0.9, yaw_rad=0.0)
    view.camera = replace(view.camera, up_axis=up_axis)
    view.settings.lighting = world_light(90.0, 45.0, up_axis=up_axis)
    shadow, light = (np.array((x, -0.5, 0.23)) for x in (-0.87, 0.87))
    if up_axis == "z":
        shadow, light = (np.array((x, -z, y)) for x, y, z in (shadow, light))
    pictures = []
    for strength in (0.0, 1.0):
        view.settings.lighting = replace(view.settings.lighting, shadow_strength=strength, has_occlusion=False)
        pictures.append(drawn(renderer, view))
    pixels = view.snapshot.projection.pixels(np.array((shadow, light))).astype(int)
    (without, unlit), (without_there, lit) = ([image[y, x].mean() for image in pictures] for x, y in pixels)
    assert unlit < 0.8 * without and lit == pytest.approx(without_there, abs=1.0)


def test_a_shadow_of_no_strength_is_none(renderer: Renderer) -> None:
    view = view_of(box_on_floor(), distance=12.0)
    off = replace(LIGHTING, has_shadow=False, has_occlusion=False)
    pictures = []
    for light in (off, Lighting(shadow_strength=0.0, occlusion_strength=0.0), LIGHTING):
        view.settings.lighting = light
        pictures.append(drawn(renderer, view))
    np.testing.assert_array_equal(pictures[0], pictures[1])
    assert np.abs(pictures[0] - pictures[2]).max() > 20.0


def test_modes_that_show_no_light_show_no_shadow(renderer: Renderer) -> None:
    for mode in ("normals", "matcap", "wireframe", "xray"):
        view = view_of(box_on_floor(), distance=12.0)
        view.settings.show_as(mode)
        assert view.with_occluders(view.build_frames(_SIZE))[0].frame.occluders is None


def test_pictures_that_move_have_no_occluders_and_those_that_are_refined_do() -> None:
    view = view_of(box_on_floor(), distance=12.0)
    parts = view.build_frames(_SIZE)
    assert parts[0].frame.occluders is None and view.with_everything(parts)[0].frame.occluders is not None


def test_several_viewports_and_pieces_show_the_shadows_of_each(renderer: Renderer) -> None:
    view = view_of(box_on_floor(), distance=12.0, **_ABOVE)
    view.settings.lighting = world_light(90.0, 45.0)
    view.layout.set_count(2)
    size = (2 * _SIZE[0], _SIZE[1])
    view.viewports[1].camera = view.camera
    parts = view.with_occluders(view.build_frames(size))
    renderer.render_parts(parts, size)
    while not renderer.is_refined:
        renderer.refine(parts, 2)
    image = np.asarray(image_of(renderer.picture)).astype(float)
    for viewport, part in zip(view.viewports, parts, strict=True):
        pixels = viewport.snapshot.projection.pixels(floor_points((-0.95, 0.0), (1.5, 0.0))).astype(int)
        dark, bright = (image[y, x].mean() for x, y in pixels)
        assert dark < 0.75 * bright, part.corner


_AWAY = (3.0, 20.0, 100.0, 600.0)  # units


def walls(distance: float) -> tuple[np.ndarray, float]:
    """Return where the wall so far away from the origin stands, (3,), and the size of the box before it."""
    return np.array((0.2 * (_AWAY.index(distance) - 1.5) * distance, 0.0, -distance)), 0.03 * distance


def near_and_far() -> Scene:
    """Walls side by side that face the origin from near and far and look equally large, a box before each."""
    scene = Scene()
    mesh = add_box_mesh(scene, plain(scene))
    for distance in _AWAY:
        place, size = walls(distance)
        scene.add_node("wall", mesh=mesh, translation=place, scale=(6.0 * size, 6.0 * size, 0.02 * size))
        scene.add_node("box", mesh=mesh, translation=place + np.array((0.0, 0.0, 1.5 * size)), scale=np.full(3, size))
    scene.update_world()
    return scene


@pytest.mark.parametrize("distance", _AWAY)
def test_shadows_near_and_far_are_those_that_rays_find(renderer: Renderer, distance: float) -> None:
    scene = near_and_far()
    view = view_of(scene)
    view.settings.show_grid = False
    view.camera = controls.look_at(view.camera, np.zeros(3), np.array((0.0, 0.0, -20.0)))
    view.settings.lighting = world_light(40.0, 35.0)
    to_light = np.array(view.settings.lighting.direction)
    place, size = walls(distance)
    places = place + size * np.random.default_rng(3).uniform((-2.5, -2.5, 0.011), (2.5, 2.5, 0.011), (400, 3))
    right, up = light_axes(to_light, np.eye(3))[:2]
    circle = np.array([(np.cos(angle), np.sin(angle)) for angle in 2.0 * np.pi * np.arange(8) / 8.0])

    def is_hit(ways: np.ndarray) -> np.ndarray:
        return scene.raycast_many(places, np.broadcast_to(ways, places.shape)).nodes >= 0

    hit = np.array([is_hit(to_light + 0.06 * (x * right + y * up)) for x, y in circle])
    is_seen = ~is_hit(-places)
    dark, lit = is_seen & hit.all(axis=0), is_seen & ~hit.any(axis=0)
    assert dark.sum() > 5 and lit.sum() > 100
    key = shares(renderer, view, places)[:, 1]
    assert (key[dark] < 0.5).mean() > 0.9 and (key[lit] > 0.5).mean() > 0.97


def balls_on_floor() -> Scene:
    """Balls of radius 0.45 on a floor of edge 8 at height 0, which is the ground, too."""
    scene = Scene()
    shape = ball(24, 32)
    mesh = add_mesh(scene, shape.positions, plain(scene), triangles=shape.triangles)
    flat = np.array([(-4.0, 0.0, -4.0), (-4.0, 0.0, 4.0), (4.0, 0.0, 4.0), (4.0, 0.0, -4.0)])
    floor = add_mesh(scene, flat, plain(scene), triangles=np.array([(0, 1, 2), (0, 2, 3)]))
    scene.add_node("floor", mesh=floor)
    scale = 0.45 / np.linalg.norm(shape.positions, axis=1).max()
    for number in range(12):
        place = (1.1 * (number % 6) - 2.75, 0.45, 1.1 * (number // 6))
        scene.add_node(str(number), mesh=mesh, translation=place, scale=np.full(3, scale))
    scene.update_world()
    return scene


def test_coarse_light_differs_little_from_light_at_every_pixel(ctx, monkeypatch) -> None:
    pictures = []
    for scale in (0.5, 1.0):
        monkeypatch.setattr(light_target, "_LIGHT_SCALE_ON_SOFTWARE", scale)
        monkeypatch.setattr(light_target, "is_software", lambda ctx: True)
        renderer = Renderer(ctx)
        view = view_of(balls_on_floor())
        view.settings.show_grid = True
        view.camera = controls.look_at(view.camera, np.array((4.1, 5.2, 9.6)), np.array((0.4, -0.2, 0.4)))
        pictures.append(drawn(renderer, view))
        renderer.release()
    difference = np.abs(pictures[0] - pictures[1]).max(axis=2)
    assert np.percentile(difference, 99.9) < 75.0, "98 where coarse light of a ball is taken for that of the floor"


def test_light_is_dimmed_on_surfaces_whose_maps_have_many_sizes(renderer: Renderer, monkeypatch) -> None:
    """A program has samplers for four sizes of maps beside those for light."""
    monkeypatch.setattr(texture_layers, "_CHEAP_BYTES", 0)  # sizes are kept apart, as those of large maps are
    scene = box_on_floor()
    flat = np.array((128, 128, 255, 255), dtype=np.uint8)
    for side in (2, 4, 8, 16):
        texture = Texture(f"{side}", np.tile(flat, (side, side, 1)))
        scene.add_node(str(side), mesh=1, material=plain(scene, normal_texture=texture), translation=(0.0, -9.0, 0.0))
    scene.replace_materials({1: replace(scene.materials[1], normal_texture=texture)})
    scene.update_world()
    view = view_of(scene, distance=12.0, **_ABOVE)
    view.settings.lighting = world_light(90.0, 45.0)
    dim = drawn(renderer, view)
    view.settings.lighting = replace(view.settings.lighting, has_shadow=False, has_occlusion=False)
    place = tuple(view.snapshot.projection.pixels(floor_points((-0.95, 0.0)))[0].astype(int)[::-1])
    assert (drawn(renderer, view) - dim)[place].min() > 20.0


def pane_over_floor(*, opacity: float = 0.4, layers: int = 1, **material: object) -> Scene:
    """Return `box_on_floor`, its box above translucent panes of edge 8 at height 1 and above."""
    scene = box_on_floor()
    scene.set_translations([1], [(0.0, 3.0, 0.0)])
    glass = plain(scene, opacity=opacity, **material)
    corners = np.array([(-4.0, 0.0, -4.0), (-4.0, 0.0, 4.0), (4.0, 0.0, 4.0), (4.0, 0.0, -4.0)])
    pane = add_mesh(scene, corners, glass, triangles=np.array([(0, 1, 2), (0, 2, 3)]))
    for number in range(layers):
        scene.add_node(str(number), mesh=pane, translation=(0.0, 1.0 + 0.1 * number, 0.0))
    scene.update_world()
    return scene


@pytest.mark.parametrize("layers", quick((1, 3), 1))
def test_a_shadow_falls_on_what_is_translucent(renderer: Renderer, layers: int) -> None:
    """The floor, whose shadow lies elsewhere, is hidden by panes that are nearly opaque."""
    view = view_of(pane_over_floor(opacity=0.98, layers=layers), distance=14.0, **_ABOVE)
    view.settings.lighting = world_light(90.0, 45.0)
    pictures = []
    for has_shadow in (True, False):
        view.settings.lighting = replace(view.settings.lighting, has_shadow=has_shadow, has_occlusion=False)
        pictures.append(drawn(renderer, view))
    height = 1.0 + 0.1 * (layers - 1)
    places = np.array([(height - 3.0, height, 0.0), (1.5, height, 0.0), (height - 3.0, height, 2.0)])
    rows, columns = view.snapshot.projection.pixels(places).astype(int).T[::-1]
    dark, bright = (image[rows, columns].mean(axis=1) for image in pictures)
    assert dark[0] < 0.75 * bright[0] and np.abs(dark[1:] - bright[1:]).max() <= 2.0
    view.settings.lighting = replace(view.settings.lighting, has_shadow=True, shadow_strength=0.5)
    half = drawn(renderer, view)[rows[0], columns[0]].mean()
    assert dark[0] + 10.0 < half < bright[0] - 10.0


def test_panes_do_not_shadow_themselves(renderer: Renderer) -> None:
    """Their light is as without shadows, at any height of the light, but for that of those above."""
    view = view_of(pane_over_floor(opacity=0.98), distance=14.0, **_ABOVE)
    view.scene.set_translations([1], [(0.0, -3.0, 0.0)])
    for elevation in (10.0, 30.0, 90.0):
        view.settings.lighting = replace(world_light(70.0, elevation), has_occlusion=False)
        shaded = drawn(renderer, view)
        view.settings.lighting = replace(view.settings.lighting, has_shadow=False)
        places = np.array([(x, 1.0, x) for x in np.linspace(-3.0, 3.0, 50)])
        rows, columns = view.snapshot.projection.pixels(places).astype(int).T[::-1]
        assert np.abs(shaded - drawn(renderer, view))[rows, columns].max() <= 3.0


def test_each_viewport_has_its_own_shadows_on_what_is_translucent(renderer: Renderer) -> None:
    """They are refined in turns, and light that is fixed to cameras falls otherwise in each."""
    view = view_of(pane_over_floor(opacity=0.98), distance=14.0, **_ABOVE)
    view.layout.set_count(2)
    above = view.camera
    view.viewports[1].camera = replace(above, pitch_rad=0.7, yaw_rad=1.0)
    size = (2 * _SIZE[0], _SIZE[1])
    parts = view.with_occluders(view.build_frames(size))
    renderer.render_parts(parts, size)
    while not renderer.is_refined:
        renderer.refine(parts, 2)
    together = np.asarray(image_of(renderer.picture)).astype(float)
    for part in parts:
        alone = [replace(part, corner=(0, 0))]
        renderer.render_parts(alone, part.frame.size)
        while not renderer.is_refined:
            renderer.refine(alone, 2)
        (x, y), (width, height) = part.corner, part.frame.size
        difference = together[y : y + height, x : x + width] - np.asarray(image_of(renderer.picture))
        assert np.abs(difference).max() <= 2.0, part.corner

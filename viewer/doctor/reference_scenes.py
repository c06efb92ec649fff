"""Small scenes for the reference pictures: each shows one thing that the renderer does, and is always the same.

Those of features lie with the tests.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np

from octoscope.scene import Material, MeshData, Scene, Texture, load
from octoscope.scene.mesh.primitives import cone, cube, cylinder, plane, sphere, torus
from octoscope.viewer.camera.camera import Camera
from octoscope.viewer.camera.views import VIEWS
from octoscope.viewer.frame.look.backdrop import LIGHT_BACKDROP, plain_backdrop
from octoscope.viewer.frame.look.environment import built_in
from octoscope.viewer.frame.look.lighting import LIGHTING, world_light
from octoscope.viewer.frame.look.shading import MODES, Strokes
from octoscope.viewer.frame.look.studios import ENVIRONMENT
from octoscope.viewer.frame.quality import BEST, QUALITIES, Quality
from octoscope.viewer.frame.section import Section
from octoscope.viewer.frame.view import View

SIZE = (128, 96)  # of most pictures, pixels


@dataclass(frozen=True)
class Reference:
    """One kept picture.

    Attributes:
        make_view: makes the scene, and the view of it that is drawn.
        quality: None refines the picture; else it is drawn once, as while it moves.
        size: width and height, pixels.
    """

    make_view: Callable[[], View]
    quality: Quality | None = None
    size: tuple[int, int] = SIZE


REFERENCES: dict[str, Reference] = {}


def reference(
    quality: Quality | None = None, size: tuple[int, int] = SIZE
) -> Callable[[Callable[[], View]], Callable[[], View]]:
    """Enter a function that makes a view; its name is the picture's."""

    def enter(make_view: Callable[[], View]) -> Callable[[], View]:
        REFERENCES[make_view.__name__] = Reference(make_view, quality, size)
        return make_view

    return enter


# Parts.


def add(scene: Scene, data: MeshData, material: Material, **place: Any) -> int:
    """Add an object with a mesh and a material of its own; `place` as of Scene.add_node. Return its node id."""
    number = scene.add_material(material)
    mesh = scene.meshes.add(replace(data, material_ids=np.full(len(data.positions), number)))
    return scene.add_node(material.name, mesh=mesh, **place).id


def framed(
    scene: Scene,
    *,
    yaw_rad: float = 0.6,
    pitch_rad: float = 0.45,
    grid: bool = False,
    nearer: float = 1.15,
    size: tuple[int, int] = SIZE,
) -> View:
    """Return a view of all of a scene, from so many times nearer than a framed view is."""
    scene.update_world()
    view = View(scene)
    view.camera = Camera(pivot=np.zeros(3), yaw_rad=yaw_rad, pitch_rad=pitch_rad)
    view.layout.resize(size)
    view.framing.frame_nodes(None)
    view.camera = replace(view.camera, distance=view.camera.distance / nearer)
    view.settings.show_grid = grid
    return view


def _seen_from_front(scene: Scene) -> View:
    return framed(scene, yaw_rad=0.0, pitch_rad=0.0, nearer=1.0)


def _select(view: View, *ids: int) -> View:
    view.selection.ids = np.array(ids, dtype=np.int32)
    return view


def _texture(name: str, pixels: np.ndarray) -> Texture:
    """Make a texture of (h, w, 3 or 4) numbers, 0 to 255."""
    if pixels.shape[2] == 3:
        pixels = np.concatenate([pixels, np.full((*pixels.shape[:2], 1), 255)], axis=2)
    return Texture(Path(f"{name}.png"), np.ascontiguousarray(pixels.astype(np.uint8)))


def _checks(side: int, count: int, first: tuple[int, ...], second: tuple[int, ...]) -> np.ndarray:
    """Return (side, side, channels) squares of two colours in turn, `count` along each side."""
    numbers = np.arange(side) * count // side
    is_first = (numbers[:, None] + numbers) % 2 == 0
    return np.where(is_first[..., None], first, second)


def _waves(side: int) -> np.ndarray:
    """Return (side, side, 3) normals of ripples along u, as in a normal map."""
    slopes = 0.7 * np.sin(8.0 * np.pi * np.arange(side) / side)
    normals = np.stack([slopes, np.zeros(side), np.ones(side)], axis=1)
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    return np.tile(np.rint(127.5 + 127.5 * normals), (side, 1, 1))


def _balls(*rows: list[Material]) -> Scene:
    """Return a grid of spheres, the first row uppermost."""
    scene = Scene()
    for row, materials in enumerate(rows):
        for column, material in enumerate(materials):
            add(scene, sphere(0.45, 48, 24), material, translation=(column, -row, 0.0))
    return scene


def still_life() -> Scene:
    """Return a cube, a ball, a cone and a ring on a floor, objects 1 to 4, and a card that shows its back."""
    scene = Scene()
    add(scene, plane(4.6), Material("floor", base_color=(0.72, 0.70, 0.66)))
    add(scene, cube(1.1), Material("cube", base_color=(0.85, 0.22, 0.16)), translation=(-0.9, 0.55, 0.5))
    add(scene, sphere(0.6), Material("ball", base_color=(0.15, 0.45, 0.80)), translation=(0.7, 0.6, 0.9))
    add(scene, cone(0.6, 1.6), Material("cone", base_color=(0.25, 0.62, 0.25)), translation=(0.6, 0.8, -0.9))
    ring = Material("ring", base_color=(0.90, 0.75, 0.20), roughness=0.3)
    add(scene, torus(0.5, 0.17), ring, translation=(-0.9, 0.4, -1.1), rotation=(0.7, 0.0, 0.2, 1.0))
    card = Material("card", base_color=(0.45, 0.25, 0.55))
    add(scene, plane(1.0), card, translation=(1.7, 0.5, -0.3), rotation=(-1.0, 0.0, 0.2, 0.7))
    return scene


# Materials.


@reference()
def materials() -> View:
    """Show paint from glossy to matt, and highlights as .mtl files have them."""
    paint = [Material(f"paint {r}", base_color=(0.75, 0.12, 0.10), roughness=r) for r in (0.05, 0.25, 0.5, 1.0)]
    colors = ((0.9, 0.9, 0.9), (0.1, 0.5, 0.2), (0.1, 0.2, 0.7), (0.03, 0.03, 0.03))
    shines = ((0.0, 1.0), (0.5, 8.0), (1.0, 60.0), (1.0, 900.0))
    phong = [
        Material(f"phong {shine}", base_color=color, specular=strength, shininess=shine)
        for color, (strength, shine) in zip(colors, shines, strict=True)
    ]
    return _seen_from_front(_balls(paint, phong))


@reference()
def metals() -> View:
    """Show gold, copper and iron from a mirror to matt."""
    colors = {"gold": (1.0, 0.86, 0.57), "copper": (0.98, 0.82, 0.76), "iron": (0.77, 0.78, 0.78)}
    return _seen_from_front(
        _balls(
            *(
                [
                    Material(f"{name} {roughness}", base_color=color, metallic=1.0, roughness=roughness)
                    for roughness in (0.05, 0.3, 0.6, 1.0)
                ]
                for name, color in colors.items()
            )
        )
    )


@reference()
def emission() -> View:
    """Show what glows, what is drawn without light, and both beside a plain one."""
    glowing = Material("glowing", base_color=(0.05, 0.05, 0.05), emission=(0.9, 0.5, 0.1))
    unlit = Material("unlit", base_color=(0.2, 0.7, 0.9), unlit=True)
    return _seen_from_front(_balls([glowing, unlit, Material("plain", base_color=(0.2, 0.7, 0.9))]))


@reference()
def sunset() -> View:
    """Show metal and paint in an environment that is seen behind them."""
    chrome = Material("chrome", base_color=(0.95, 0.95, 0.95), metallic=1.0, roughness=0.05)
    view = framed(_balls([chrome, Material("paint", base_color=(0.8, 0.8, 0.8), roughness=0.4)]), pitch_rad=0.1)
    view.settings.environment = built_in("sunset")
    view.settings.background = ENVIRONMENT
    return view


@reference()
def vertex_colors() -> View:
    """Show colours of vertices on a surface and on its mirror image, and light on either side."""
    corners = [(-1.0, 0.0, 0.0), (1.0, 0.0, 0.0), (1.0, 2.0, 0.3), (-1.0, 2.0, 0.3)]
    colors = [(1.0, 0.15, 0.15), (0.15, 1.0, 0.15), (0.15, 0.15, 1.0), (1.0, 1.0, 0.25)]
    scene = Scene()
    wall = scene.add_mesh("wall", corners, [(0, 1, 2, 3)], colors=colors)
    scene.add_node("mirrored", mesh=wall.mesh_id, translation=(2.2, 0.0, 0.0), scale=(-1.0, 1.0, 1.0))
    scene.add_node("back", mesh=wall.mesh_id, translation=(4.4, 0.0, 0.0), rotation=(0.0, 1.0, 0.0, 0.0))
    return _seen_from_front(scene)


# Maps.


@reference()
def textures() -> View:
    """Show an image that is repeated, one that is far smaller than its texels, and one with holes."""
    fine = _texture("fine", _checks(256, 64, (235, 235, 235), (20, 20, 90)))
    coarse = _texture("coarse", _checks(8, 2, (220, 90, 30), (250, 240, 220)))
    holes = _texture("holes", _checks(64, 4, (60, 160, 60, 255), (0, 0, 0, 0)))
    scene = Scene()
    white: dict[str, Any] = {"base_color": (1.0, 1.0, 1.0), "roughness": 0.8}
    floor = Material("floor", base_color_texture=fine, **white)
    add(scene, plane(6.0), floor)
    repeated = Material("repeated", base_color_texture=coarse, uv_scale=(2.0, 1.0), uv_offset=(0.25, 0.0), **white)
    add(scene, cube(1.6), repeated, translation=(-1.2, 0.8, 0.0))
    add(scene, cube(1.6), Material("holes", base_color_texture=holes, **white), translation=(1.2, 0.8, 0.0))
    return framed(scene, pitch_rad=0.3)


@reference()
def maps() -> View:
    """Show a normal map, a map of roughness and metal, one of occlusion and one of emission."""
    side = 64
    ramp = np.linspace(0.0, 255.0, side)
    surface = np.zeros((side, side, 3))
    surface[..., 1] = ramp[None, :]  # roughness, along u
    surface[..., 2] = np.where(ramp > 127, 255.0, 0.0)[:, None]  # metal, along v
    materials = (
        Material("bent", base_color=(0.8, 0.8, 0.8), roughness=0.5, normal_texture=_texture("waves", _waves(side))),
        Material(
            "mapped", base_color=(0.9, 0.6, 0.4), metallic=1.0, roughness=1.0, surface_texture=_texture("s", surface)
        ),
        Material("hidden", occlusion_texture=_texture("o", _checks(side, 4, (255, 0, 0), (40, 0, 0)))),
        Material(
            "lamps",
            base_color=(0.1, 0.1, 0.1),
            emission=(1.0, 1.0, 1.0),
            emission_texture=_texture("e", _checks(side, 4, (255, 160, 20), (0, 0, 0))),
        ),
    )
    scene = Scene()
    for number, material in enumerate(materials):
        place = (1.2 * (number % 2), -1.2 * (number // 2), 0.0)
        add(scene, cube(1.0), material, translation=place, rotation=(0.15, -0.25, 0.0, 1.0))
    return _seen_from_front(scene)


# Transparency.


def _glass() -> View:
    """Return a view of three panes, two of which cross, before a ball and a wall."""
    scene = Scene()
    add(scene, cube(1.0), Material("wall", base_color=(0.9, 0.9, 0.9)), translation=(0, 0, -1.5), scale=(4, 2, 0.1))
    add(scene, sphere(0.5), Material("ball", base_color=(0.9, 0.8, 0.2)), translation=(0.0, 0.0, -0.6))
    panes = (
        ("red", (0.9, 0.05, 0.05), 0.5, (-0.6, 0.0, 0.0), 0.0),
        ("green", (0.05, 0.8, 0.1), 0.25, (0.2, 0.2, 0.0), 0.4),
        ("blue", (0.05, 0.1, 0.9), 0.7, (0.8, -0.2, 0.3), -0.3),
    )
    for name, color, opacity, place, turn in panes:
        pane = Material(name, base_color=color, opacity=opacity, roughness=0.2)
        add(scene, cube(1.0), pane, translation=place, rotation=(0.0, turn, 0.0, 1.0), scale=(1.6, 1.4, 0.06))
    return framed(scene, yaw_rad=0.25, pitch_rad=0.2)


@reference()
def glass_over_glass() -> View:
    """Show panes that cross, each behind those before it."""
    return _glass()


@reference(quality=BEST)
def glass_while_it_moves() -> View:
    """Show the same without the order of the panes."""
    return _glass()


# Light.


@reference()
def shadow() -> View:
    """Show shadows of a light that is fixed to the world; what is translucent has a lighter one."""
    scene = still_life()
    glass = Material("glass", base_color=(0.8, 0.9, 1.0), opacity=0.4)
    add(scene, cube(0.8), glass, translation=(0.1, 0.4, 2.0))
    view = framed(scene, pitch_rad=0.7)
    view.settings.lighting = replace(world_light(50.0, 40.0), has_occlusion=False)
    return view


@reference()
def occlusion() -> View:
    """Show light from all around in corners, between boxes and below a ball."""
    scene = Scene()
    white = Material("white", base_color=(0.85, 0.85, 0.85), specular=0.0)
    for place, size in (((0, -0.05, 0), (4, 0.1, 4)), ((-2, 1, 0), (0.1, 2, 4)), ((0, 1, -2), (4, 2, 0.1))):
        add(scene, cube(1.0), white, translation=place, scale=size)
    for x in (-1.2, -0.45, 0.3):
        add(scene, cube(0.6), white, translation=(x, 0.3, -0.6))
    add(scene, sphere(0.5), white, translation=(0.6, 0.5, 0.9))
    view = framed(scene)
    view.settings.environment = built_in("even")
    view.settings.lighting = replace(LIGHTING, strength=0.0, has_shadow=False)
    return view


@reference()
def ground() -> View:
    """Show a shadow and its contact on the ground, which has no object of its own, and the grid's lines."""
    scene = Scene()
    add(scene, cube(1.0), Material("cube", base_color=(0.8, 0.5, 0.2)), translation=(0.0, 0.5, 0.0))
    add(scene, sphere(0.5), Material("ball", base_color=(0.7, 0.7, 0.7)), translation=(1.3, 0.9, 0.4))
    view = framed(scene, grid=True, nearer=0.9)
    view.settings.lighting = world_light(140.0, 40.0)  # from behind: shadows fall towards the eye
    return view


@reference()
def z_up() -> View:
    """Show the same with Z up, in an orthographic view."""
    scene = Scene(up_axis="z")
    add(scene, cube(1.0), Material("cube", base_color=(0.8, 0.5, 0.2)), translation=(0.0, 0.0, 0.5))
    add(scene, cylinder(0.3, 1.6), Material("post", base_color=(0.4, 0.6, 0.8)), translation=(1.0, 0.6, 0.8))
    view = framed(scene, grid=True)
    view.camera = replace(view.camera, orthographic=True)
    view.framing.frame_nodes(None)
    view.settings.lighting = world_light(-40.0, 35.0, up_axis="z")
    return view


@reference(quality=QUALITIES[2])
def while_it_moves() -> View:
    """Show the simple light of pictures that move."""
    return framed(still_life())


# What lies over the scene.


@reference()
def outlines() -> View:
    """Show the outlines of two selected objects, also where others hide them, and of one under the pointer."""
    view = framed(still_life(), pitch_rad=0.25)
    view.hovered = 1
    return _select(view, 4, 3)


@reference()
def light_theme() -> View:
    """Show the grid and an outline before the background of the light theme."""
    view = framed(still_life(), grid=True)
    view.settings.backdrop = LIGHT_BACKDROP
    return _select(view, 2)


@reference()
def grid() -> View:
    """Show the ground alone, to its horizon."""
    scene = Scene()
    add(scene, cube(0.3), Material("cube"), translation=(0.0, 0.15, 0.0))
    return framed(scene, pitch_rad=0.12, grid=True, nearer=0.4)


@reference()
def bounds() -> View:
    """Show boxes and spheres around objects, and their local axes."""
    view = framed(still_life())
    view.settings.show_boxes = view.settings.show_spheres = view.settings.show_axes = True
    return view


@reference()
def lines_and_points() -> View:
    """Show wide lines and round points, before, in and behind a surface."""
    scene = still_life()
    turns = np.linspace(0.0, 6.0 * np.pi, 90)
    spiral = np.stack([1.4 * np.cos(turns), 0.1 * turns, 1.4 * np.sin(turns)], axis=1)
    lines = np.stack([np.arange(89), np.arange(1, 90)], axis=1)
    data = MeshData(
        spiral, np.empty((0, 3), dtype=int), None, np.zeros(90, dtype=int), lines=lines, points=np.arange(0, 90, 8)
    )
    add(scene, data, Material("spiral", base_color=(0.95, 0.95, 0.4)))
    view = framed(scene)
    view.settings.strokes = Strokes(line_width=2.0, point_size=7.0, round_points=True)
    return view


@reference()
def section() -> View:
    """Show objects that a plane cuts open, closed by hatched faces."""
    view = framed(still_life(), yaw_rad=0.2)
    view.settings.section = Section.of(["z<0.75", "x<0.9"])
    return view


@reference()
def four_views() -> View:
    """Show four viewports, three of them along axes."""
    view = framed(still_life(), grid=True)
    view.layout.set_count(4)
    for viewport, name in zip(view.viewports[1:], ("top", "front", "right"), strict=False):
        assert name in VIEWS
        view.active = viewport
        view.framing.frame_nodes(None)
    view.active = view.viewports[0]
    view.framing.frame_nodes(None)
    return view


@reference()
def flat() -> View:
    """Show every triangle in its own direction, before one colour."""
    scene = Scene()
    add(scene, sphere(0.5, 12, 8), Material("ball", base_color=(0.8, 0.6, 0.3)))
    add(scene, torus(0.8, 0.15, 12, 6), Material("ring", base_color=(0.3, 0.6, 0.8), metallic=1.0))
    view = framed(scene)
    view.settings.is_flat = True
    view.settings.backdrop = plain_backdrop((0.2, 0.3, 0.35))
    return view


@reference(size=(240, 135))
def harbour() -> View:
    """Show the sample scene."""
    scene = load([str(resources.files("octoscope.assets").joinpath("harbour.obj"))])
    return framed(scene, grid=True, nearer=1.0, size=(240, 135))


# Ways of seeing.


def _seen_as(mode: Any) -> Callable[[], View]:
    def make_view() -> View:
        view = framed(still_life())
        view.settings.show_as(mode)
        return view

    return make_view


for _mode in (*MODES, "edges"):
    REFERENCES[f"mode_{_mode}"] = Reference(_seen_as(_mode))

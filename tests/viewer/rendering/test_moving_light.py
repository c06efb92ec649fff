"""The simple light of pictures that move: of what mirrors nothing it is that of pictures that stand still."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import moderngl
import numpy as np
import pytest

from octoscope.scene import Material, Scene, Texture
from octoscope.scene.geometry.colors import linear_from_srgb
from octoscope.scene.loading.load import load
from octoscope.scene.mesh.primitives import sphere
from octoscope.viewer.frame.frame import ViewportFrame
from octoscope.viewer.frame.look.backdrop import plain_backdrop
from octoscope.viewer.frame.look.lighting import Lighting
from octoscope.viewer.frame.quality import QUALITIES, UNSAMPLED
from octoscope.viewer.frame.section import Section
from octoscope.viewer.frame.view import View
from octoscope.viewer.rendering.context.offscreen import image_of
from octoscope.viewer.rendering.renderer import Renderer
from tests.viewer.scenes import (
    BOX_POSITIONS,
    BOX_TRIANGLES,
    SIZE,
    add_box_mesh,
    add_mesh,
    add_quad,
    flat_view,
    view_of,
)

HARBOUR = Path(__file__).parents[3] / "assets" / "harbour.obj"
SIMPLE = QUALITIES[2]
WITHOUT_SHADOWS = Lighting(has_shadow=False, has_occlusion=False)


def one_of_each() -> Scene:
    """Return a scene with objects of each kind that the shader tells apart, and that mirror nothing."""
    rng = np.random.default_rng(5)
    scene = Scene()
    pixels = rng.integers(0, 256, (4, 4, 4)).astype(np.uint8)
    pixels[..., 3] = 255
    colors = rng.integers(0, 256, (8, 4)).astype(np.uint8)
    colors[:, 3] = 255
    uvs = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], dtype=float)

    def matt(name: str, **others: object) -> int:
        return scene.add_material(Material(name, base_color=(0.8, 0.5, 0.3), specular=0.0, **others))

    plain, glass, picture = (
        matt("plain"),
        matt("glass", opacity=0.5),
        matt("p", base_color_texture=Texture("t", pixels)),
    )
    ball = replace(sphere(), material_ids=np.full(len(sphere().positions), plain))
    meshes = [
        add_box_mesh(scene, plain),
        scene.meshes.add(ball),
        add_box_mesh(scene, glass),
        add_box_mesh(scene, matt("glowing", emission=(0.0, 0.4, 0.9), emission_strength=1.5)),
        add_box_mesh(scene, matt("unlit", unlit=True)),
        add_mesh(scene, BOX_POSITIONS, plain, triangles=BOX_TRIANGLES, colors=colors),
        add_quad(scene, 0.6, picture, uvs=uvs),
    ]
    for number, mesh in enumerate(meshes):
        # Scaled and mirrored; the winding of every second is turned by that.
        place, scale = (1.6 * (number % 3) - 1.6, 1.6 * (number // 3) - 1.6, 0.0), (1.0 - 2.0 * (number % 2), 1.1, 0.9)
        scene.add_node(str(number), mesh=mesh, translation=place, rotation=rng.normal(size=4), scale=scale)
    scene.update_world()
    return scene


def in_both_lights(renderer: Renderer, view: View) -> tuple[np.ndarray, np.ndarray]:
    """Return two (height, width, 3) int pictures with one sample a pixel, in the simple light and in full light."""
    view.settings.show_grid = False
    view.settings.lighting = WITHOUT_SHADOWS
    pictures = []
    for quality in (SIMPLE, UNSAMPLED):
        renderer.render_parts([ViewportFrame(view.build_frames(SIZE)[0].frame, (0, 0))], SIZE, quality)
        pictures.append(image_of(renderer.picture).astype(int))
    return pictures[0], pictures[1]


def add_more_triangles_than_pixels(scene: Scene) -> None:
    """Add triangles, hidden in the first box of `one_of_each`, for which light is not calculated one by one."""
    corners = 0.01 * np.eye(3) + scene.world_spheres[0, :3]
    triangles = np.tile(np.arange(3), (SIZE[0] * SIZE[1] + 1, 1))
    scene.add_node("many", mesh=add_mesh(scene, corners, triangles=triangles))
    scene.update_world()


@pytest.mark.parametrize("is_at_pixels", (False, True), ids=("at corners", "at pixels"))
@pytest.mark.parametrize("kind", ("orthographic", "cut open"))
def test_what_mirrors_nothing_looks_the_same_in_both_lights(renderer: Renderer, kind: str, is_at_pixels: bool) -> None:
    scene = one_of_each()
    if is_at_pixels:
        add_more_triangles_than_pixels(scene)
    view = view_of(scene, distance=8.0, orthographic=kind == "orthographic")
    if kind == "cut open":
        view.settings.section = Section.of("y<0.3")
    view.settings.is_flat = kind == "flat"
    simple, full = in_both_lights(renderer, view)
    difference = np.abs(simple - full).max(axis=2)
    assert np.unique(full.reshape(-1, 3), axis=0).shape[0] > 100, "there is something to compare"
    # Within a triangle of a ball, light is interpolated between its corners.
    assert difference.max() <= (3 if is_at_pixels else 12) and (difference > 3).mean() < 0.01
    assert is_at_pixels or kind == "flat" or difference.max() > 3, "light at corners is another"


@pytest.mark.parametrize("roughness", (0.0, 0.3, 1.0))
@pytest.mark.parametrize("orthographic", (False, True))
@pytest.mark.parametrize("is_at_pixels", (False, True), ids=("at corners", "at pixels"))
def test_faces_of_metal_are_about_as_bright_in_both_lights(
    renderer: Renderer, roughness: float, orthographic: bool, is_at_pixels: bool
) -> None:
    scene = Scene()
    gold = scene.add_material(Material("gold", base_color=(0.9, 0.7, 0.4), metallic=1.0, roughness=roughness))
    scene.add_node("box", mesh=add_box_mesh(scene, gold))
    scene.update_world()
    if is_at_pixels:
        add_more_triangles_than_pixels(scene)
    view = view_of(scene, distance=3.0, orthographic=orthographic)
    view.settings.backdrop = plain_backdrop((0.0, 0.0, 0.0))
    simple, full = in_both_lights(renderer, view)
    seen = full.any(axis=2)
    assert seen.mean() > 0.1
    assert np.abs(simple - full)[seen].mean() < 20, "matt metal differed by 50"


@pytest.mark.parametrize("size", (1e-9, 1e9))
def test_light_falls_on_a_box_of_any_size_as_on_one_of_a_metre(renderer: Renderer, size: float) -> None:
    pictures = []
    for edge in (1.0, size):
        scene = Scene()
        material = scene.add_material(Material("m", base_color=(0.6, 0.6, 0.6), specular=0.0))
        scene.add_node("box", mesh=add_box_mesh(scene, material), scale=(edge, edge, edge))
        scene.update_world()
        view = view_of(scene, distance=4.0 * edge)
        pictures.append(in_both_lights(renderer, view)[0])
    assert np.abs(pictures[0] - pictures[1]).max() <= 1


def test_a_sliver_of_a_triangle_is_lit_as_a_broad_one(renderer: Renderer) -> None:
    scene = Scene()
    material = scene.add_material(Material("m", base_color=(0.6, 0.6, 0.6), specular=0.0))
    broad = add_quad(scene, 20.0, material)
    slivers = np.array([(-90, -1, 0), (90, -1, 0), (0, 1, 0)]), np.array([(0, 1, 2)])
    sliver = add_mesh(scene, slivers[0], material, triangles=slivers[1])
    scene.add_node("broad", mesh=broad, translation=(0, 30, 0))
    scene.add_node("sliver", mesh=sliver, translation=(0, -30, 0))
    scene.update_world()
    simple = in_both_lights(renderer, flat_view(scene))[0]
    seen = [simple[SIZE[1] // 2 - y, SIZE[0] // 2] for y in (30, -30)]
    assert np.array_equal(*seen)


@pytest.mark.parametrize("strength", (1.0, 0.0), ids=("with shadows", "without"))
def test_a_picture_that_comes_to_rest_keeps_its_brightness(ctx: moderngl.Context, strength: float) -> None:
    view, renderer = View(load(HARBOUR)), Renderer(ctx)
    view.layout.resize(SIZE)
    view.framing.frame_nodes(None)
    view.settings.show_grid = False
    view.settings.backdrop = plain_backdrop((0.0, 0.0, 0.0))
    view.settings.lighting = Lighting(shadow_strength=strength, occlusion_strength=strength)
    parts = view.build_frames(SIZE)
    renderer.render_parts(parts, SIZE, SIMPLE)
    moving = linear_from_srgb(image_of(renderer.picture) / 255.0).mean()
    renderer.render_best(view.with_everything(parts), SIZE)
    resting = linear_from_srgb(image_of(renderer.picture) / 255.0).mean()
    assert moving == pytest.approx(resting, rel=0.05)

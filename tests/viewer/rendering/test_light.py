"""Colours come to the display as they were chosen, and are mixed in linear light: samples, texels, what is blended."""

from __future__ import annotations

import numpy as np
import pytest

from octoscope.scene import Material, Scene, Texture
from octoscope.scene.geometry.colors import linear_from_srgb, srgb_from_linear
from octoscope.viewer.frame.frame import ViewportFrame
from octoscope.viewer.frame.look.backdrop import plain_backdrop
from octoscope.viewer.frame.look.lighting import LIGHTING, Lighting, world_light
from octoscope.viewer.frame.quality import QUALITIES, Quality
from octoscope.viewer.rendering.context.offscreen import image_of
from octoscope.viewer.rendering.renderer import Renderer
from tests.cases import quick
from tests.scene.builders import ball
from tests.viewer.scenes import SIZE, add_mesh, add_quad, at, flat_view, picture, view_of

UV = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], dtype=float)


def half_light(dark: float = 0.0, bright: float = 1.0) -> float:
    """The sRGB, 0 to 255, of the mean of two colours in linear light."""
    return 255.0 * float(srgb_from_linear(linear_from_srgb((dark, bright)).mean()))


def unlit(scene: Scene, *color: float, **others: object) -> int:
    return scene.add_material(Material(str(len(scene.materials)), base_color=color, unlit=True, **others))


def drawn(renderer: Renderer, scene: Scene, quality: Quality | None) -> np.ndarray:
    """Return the flat view's picture in a quality; None: refined."""
    scene.update_world()
    view = flat_view(scene)
    view.settings.backdrop = plain_backdrop((0.0, 0.0, 0.0))
    parts = [ViewportFrame(view.build_frames(SIZE)[0].frame, (0, 0))]
    if quality is None:
        renderer.render_best(parts, SIZE)
    else:
        renderer.render_parts(parts, SIZE, quality)
    return image_of(renderer.picture).astype(int)


@pytest.mark.parametrize("quality", quick((*QUALITIES[:3], None), 2))
def test_every_grey_is_shown_as_it_was_chosen(renderer: Renderer, quality: Quality | None) -> None:
    scene = Scene()
    greys = np.arange(256).reshape(16, 16)
    for (row, column), grey in np.ndenumerate(greys):
        mesh = add_quad(scene, 3.0, unlit(scene, *3 * [grey / 255.0]))
        scene.add_node(str(grey), mesh=mesh, translation=(8 * column - 60, 6 * row - 45, 0))
    image = drawn(renderer, scene, quality)
    shown = np.array([[at(image, 8 * column - 60, 6 * row - 45)[0] for column in range(16)] for row in range(16)])
    differences = np.abs(shown - greys)
    near_black = 2 if quality is QUALITIES[2] else 0  # in a simple light
    assert differences[0].max() <= near_black and differences[1:].max() == 0


@pytest.mark.parametrize("quality", (QUALITIES[0], None), ids=("four samples", "refined"))
def test_a_pixel_half_covered_has_half_the_light(renderer: Renderer, quality: Quality | None) -> None:
    scene = Scene()
    scene.add_node("square", mesh=add_quad(scene, 20.5, unlit(scene, 1.0, 1.0, 1.0)))
    image = drawn(renderer, scene, quality)
    assert at(image, 20.5, 5.5)[0] == pytest.approx(half_light(), abs=1.5)
    assert at(image, 5.5, 5.5)[0] == 255 and at(image, 30.5, 5.5)[0] == 0


def test_texels_are_scaled_down_in_linear_light(renderer: Renderer) -> None:
    pixels = np.zeros((256, 256, 4), dtype=np.uint8)
    pixels[..., 3] = 255
    pixels[(np.indices((256, 256)).sum(axis=0) % 2).astype(bool), :3] = 255
    scene = Scene()
    material = unlit(scene, 1.0, 1.0, 1.0, base_color_texture=Texture("checker", pixels))
    scene.add_node("square", mesh=add_quad(scene, 20.0, material, uvs=UV))
    assert at(drawn(renderer, scene, QUALITIES[1]), 5.5, 5.5) == pytest.approx(half_light(), abs=2.0)


@pytest.mark.parametrize("quality", (*QUALITIES[:3], None))
def test_what_is_blended_has_its_share_of_the_light(renderer: Renderer, quality: Quality | None) -> None:
    scene = Scene()
    scene.add_node("wall", mesh=add_quad(scene, 30.0, unlit(scene, 0.9, 0.2, 0.2)), translation=(0, 0, -1))
    scene.add_node("pane", mesh=add_quad(scene, 20.0, unlit(scene, 0.2, 0.2, 0.9, opacity=0.5)))
    expected = [half_light(0.9, 0.2), 0.2 * 255, half_light(0.2, 0.9)]
    assert at(drawn(renderer, scene, quality), 5.5, 5.5) == pytest.approx(expected, abs=2.0)


@pytest.mark.parametrize("color", ((1.0, 1.0, 1.0), (1.0, 0.5, 0.2)))
def test_bright_light_is_rolled_off_and_keeps_its_hue(renderer: Renderer, color: tuple[float, float, float]) -> None:
    scene = Scene()
    material = scene.add_material(Material("m", base_color=color, specular=0.0))
    shape = ball(48, 64)
    scene.add_node("ball", mesh=add_mesh(scene, shape.positions, material, triangles=shape.triangles))
    scene.update_world()
    view = view_of(scene, yaw_rad=0.0, pitch_rad=0.0, distance=4.0)
    view.settings.show_grid = False
    view.settings.backdrop = plain_backdrop((0.0, 0.0, 0.0))
    image = picture(renderer, view).astype(int)
    assert 235 < image.max() < 255, "bright, and not cut off"
    light = linear_from_srgb(image[image[..., 0] > 200] / 255.0)
    np.testing.assert_allclose(light[:, 1] / light[:, 0], linear_from_srgb(color)[1], atol=0.08)
    assert len(np.unique(image[..., 0][image[..., 0] > 228])) > 8, "the brightest parts still differ"


def brighter_side(renderer: Renderer, light: Lighting, quality: Quality, yaw_rad: float = 0.0) -> np.ndarray:
    """Return (2,) from where the light comes in a picture of a ball, to the right and up, of any length."""
    scene = Scene()
    shape = ball(24, 32)
    material = scene.add_material(Material("m", base_color=(0.5, 0.5, 0.5), specular=0.0))
    scene.add_node("ball", mesh=add_mesh(scene, shape.positions, material, triangles=shape.triangles))
    scene.update_world()
    view = view_of(scene, yaw_rad=yaw_rad, pitch_rad=0.0, distance=4.0)
    view.settings.show_grid = False
    view.settings.backdrop = plain_backdrop((0.0, 0.0, 0.0))
    view.settings.lighting = light
    renderer.render_parts([ViewportFrame(view.build_frames(SIZE)[0].frame, (0, 0))], SIZE, quality)
    brightness = image_of(renderer.picture).sum(axis=2).astype(float)
    rows, columns = np.indices(brightness.shape)
    seen = brightness > 0
    across, down = columns[seen] - columns[seen].mean(), rows[seen] - rows[seen].mean()
    return np.array((across @ brightness[seen], -down @ brightness[seen])) / brightness[seen].sum()


@pytest.mark.parametrize("quality", QUALITIES[1:3], ids=("full light", "simple light"))
def test_the_key_light_shines_from_where_it_is_set_to(renderer: Renderer, quality: Quality) -> None:
    usual = brighter_side(renderer, LIGHTING, quality)
    assert usual[0] < -1.0 and usual[1] > 1.0, "from the upper left"
    right = brighter_side(renderer, Lighting((1.0, 0.0, 0.3)), quality)
    assert right[0] > 2.0 and abs(right[1]) < right[0] / 2
    np.testing.assert_allclose(brighter_side(renderer, LIGHTING, quality, yaw_rad=2.0), usual, atol=0.2)
    in_world = world_light(90.0, 0.0)
    assert brighter_side(renderer, in_world, quality)[0] > 2.0
    assert brighter_side(renderer, in_world, quality, yaw_rad=np.pi)[0] < -2.0
    assert brighter_side(renderer, Lighting(strength=0.0), quality)[0] > usual[0] + 1.0, "the other lights are left"

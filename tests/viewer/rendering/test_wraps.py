"""Textures beyond their borders: repeated, mirrored, or the pixels at the border, against numpy."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from octoscope.scene import Material, Scene, Texture
from octoscope.scene.mesh.texture import WRAPS
from octoscope.viewer.frame.look.backdrop import plain_backdrop
from octoscope.viewer.frame.look.environment import built_in
from octoscope.viewer.rendering.renderer import Renderer
from tests.viewer.rendering.test_environment import drawn
from tests.viewer.rendering.test_maps import UV
from tests.viewer.scenes import add_quad, flat_view

SIDE = 4  # fields of an image, across and down
COLORS = np.random.default_rng(4).integers(0, 256, (SIDE, SIDE, 3), dtype=np.uint8)
LARGEST = 2.5  # the square shows the image from -LARGEST to LARGEST
SHINING = Material("m", (0.0, 0.0, 0.0), unlit=True, emission=(1.0, 1.0, 1.0))


def fields(pixels: int = 64) -> Texture:
    colors = COLORS.repeat(pixels // SIDE, axis=0).repeat(pixels // SIDE, axis=1)
    return Texture(Path("fields"), np.dstack([colors, np.full((pixels, pixels), 255, np.uint8)]))


def picture(renderer: Renderer, material: Material, quality: int, reach: float = LARGEST) -> np.ndarray:
    scene = Scene()
    uvs = ((UV * 2.0 - 1.0) * reach).astype(np.float32)
    scene.add_node("square", mesh=add_quad(scene, 50.0, scene.add_material(material), uvs=uvs))
    scene.update_world()
    view = flat_view(scene)
    view.settings.backdrop, view.settings.environment = plain_backdrop((0.0, 0.0, 0.0)), built_in("day")
    return drawn(renderer, view, quality)


def inside(wrap: str, coordinates: np.ndarray) -> np.ndarray:
    match wrap:
        case "repeat":
            return coordinates % 1.0
        case "mirror":
            return 1.0 - np.abs(coordinates % 2.0 - 1.0)
    return np.clip(coordinates, 0.0, 1.0)


@pytest.mark.parametrize("quality", (0, 1, 2))
@pytest.mark.parametrize("name", ["base_color_texture", "emission_texture"])
@pytest.mark.parametrize("u", WRAPS)
@pytest.mark.parametrize("v", WRAPS)
def test_colours_are_those_of_the_field_that_arithmetic_says(
    renderer: Renderer, u: str, v: str, name: str, quality: int
) -> None:
    base = (1.0, 1.0, 1.0) if name == "base_color_texture" else (0.0, 0.0, 0.0)
    glow = (1.0, 1.0, 1.0) if name == "emission_texture" else (0.0, 0.0, 0.0)
    material = replace(SHINING, base_color=base, emission=glow, **{name: fields().wrapped((u, v))})
    seen = picture(renderer, material, quality)
    covered = np.argwhere(np.abs(seen.astype(int)).sum(axis=2) > 0)
    (top, left), (bottom, right) = covered.min(axis=0), covered.max(axis=0) + 1
    assert min(bottom - top, right - left) > 60
    across = ((np.arange(left, right) + 0.5 - left) / (right - left) * 2.0 - 1.0) * LARGEST
    down = -((np.arange(top, bottom) + 0.5 - top) / (bottom - top) * 2.0 - 1.0) * LARGEST  # v is 1 at the top
    places = [SIDE * inside(wrap, each) for wrap, each in ((u, across), (v, down))]
    clear = [np.abs(each - np.round(each)) > 0.3 for each in places]  # of borders between fields
    clear = [
        is_clear | (np.abs(each - SIDE / 2) > SIDE / 2 - 1e-9) for is_clear, each in zip(clear, places, strict=True)
    ]
    columns, rows = (np.clip(each.astype(int), 0, SIDE - 1) for each in places)
    expected = COLORS[SIDE - 1 - rows][:, columns]
    found = seen[top:bottom, left:right].astype(int)
    off = np.abs(found - expected).max(axis=2)[clear[1]][:, clear[0]]
    assert off.size > 500 and np.mean(off <= 12) > 0.98, np.percentile(off, [50, 90, 98])


@pytest.mark.parametrize("name", ["normal_texture", "surface_texture", "occlusion_texture", "clearcoat_texture"])
@pytest.mark.parametrize("wrap", ["clamp", "mirror"])
def test_maps_of_numbers_are_wrapped_too(renderer: Renderer, name: str, wrap: str) -> None:
    """A mirrored or clamped map is that of an image which was mirrored, or went on, by numpy."""
    pixels = fields().pixels
    if name == "normal_texture":
        pixels = pixels // 4 + np.array([96, 96, 190, 0], dtype=np.uint8)
        pixels[..., 3] = 255
    if wrap == "mirror":
        whole = np.block([[[pixels], [pixels[:, ::-1]]], [[pixels[::-1]], [pixels[::-1, ::-1]]]])
        whole = np.roll(whole, (64, 0), axis=(0, 1))  # v from 0 to 1 lies in the lower half
        scale, offset = (0.5, 0.5), (0.0, 0.0)
    else:
        whole = np.pad(pixels, ((96, 96), (96, 96), (0, 0)), mode="edge")
        scale, offset = (0.25, 0.25), (0.375, 0.375)
    material = Material("m", (0.8, 0.5, 0.3), metallic=0.5, roughness=0.5, clearcoat=1.0)
    texture = Texture(Path("own"), pixels).wrapped((wrap, wrap))
    seen = picture(renderer, replace(material, **{name: texture}), 0, 1.4)
    made = replace(material, **{name: Texture(Path("whole"), whole)}, uv_scale=scale, uv_offset=offset)
    expected = picture(renderer, made, 0, 1.4)
    repeated = picture(renderer, replace(material, **{name: texture.wrapped(("repeat", "repeat"))}), 0, 1.4)
    off, off_repeated = (np.abs(each.astype(int) - expected) for each in (seen, repeated))
    assert np.mean(off.max(axis=2) > 3) < 0.04 and off.mean() < 0.25 * off_repeated.mean()

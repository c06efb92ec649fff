"""The places of textures: turned, scaled and shifted, each map of a material by itself, against sampling with numpy."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from octoscope.scene import Material, Scene, Texture
from octoscope.scene.formats.gltf.texture_placement import placement_of
from octoscope.scene.mesh.material import Placement
from octoscope.viewer.frame.look.backdrop import plain_backdrop
from octoscope.viewer.frame.look.environment import built_in
from octoscope.viewer.rendering.renderer import Renderer
from tests.viewer.rendering.test_environment import drawn, from_the_right, of_light
from tests.viewer.rendering.test_maps import UV, bent, pixel, plain
from tests.viewer.scenes import SIZE, add_quad, flat_view

HALF = 50  # of the square's side, pixels
GRID = 8  # fields of a texture along a side

PLACEMENTS: dict[str, Placement] = {
    "turned": (1.0, 1.0, 0.6, 0.0, 0.0),
    "scaled, turned, shifted": (1.5, 0.5, -2.1, 0.3, 0.7),
    "mirrored and turned": (-0.75, 1.25, np.pi / 2.0, 0.25, -0.4),
}


def fields_of_colours(seed: int) -> Texture:
    """Return a texture of plain fields, red or blue, so that no field is like its neighbours in both directions."""
    bits = np.random.default_rng(seed).integers(0, 2, (GRID, GRID))
    pixels = np.zeros((GRID, GRID, 4), dtype=np.uint8)
    pixels[..., 3], pixels[..., 0], pixels[..., 2] = 255, 255 * bits, 255 * (1 - bits)
    return Texture(Path(f"fields {seed}"), pixels.repeat(16, axis=0).repeat(16, axis=1))


def picture_of(renderer: Renderer, material: Material, quality: int = 1) -> np.ndarray:
    """Return a square's picture, (2 * HALF, 2 * HALF, 3) int, in simple or full light."""
    scene = Scene()
    scene.add_node("square", mesh=add_quad(scene, float(HALF), scene.add_material(material), uvs=UV))
    scene.update_world()
    view = flat_view(scene)
    view.settings.backdrop = plain_backdrop((0.0, 0.0, 0.0))
    rows, columns = (slice(size // 2 - HALF, size // 2 + HALF) for size in (SIZE[1], SIZE[0]))
    return drawn(renderer, view, quality)[rows, columns]


def sampled(texture: Texture, placement: Placement) -> tuple[np.ndarray, np.ndarray]:
    """Return what the picture should be, and (h, w) bool where it is far from a border of fields."""
    scale_u, scale_v, turn, offset_u, offset_v = placement
    across = (np.arange(2 * HALF) + 0.5) / (2 * HALF)
    u, v = np.meshgrid(scale_u * across, scale_v * across[::-1])
    u, v = np.cos(turn) * u - np.sin(turn) * v + offset_u, np.sin(turn) * u + np.cos(turn) * v + offset_v
    side = texture.pixels.shape[0]
    x, y = np.floor(u % 1.0 * side).astype(int) % side, np.floor((1.0 - v) % 1.0 * side).astype(int) % side
    apart = np.minimum(np.abs(u * GRID - np.rint(u * GRID)), np.abs(v * GRID - np.rint(v * GRID)))
    return texture.pixels[y, x, :3].astype(int), apart > 0.3


@pytest.mark.parametrize("quality", (1, 2), ids=("full light", "simple light"))
@pytest.mark.parametrize("placement", PLACEMENTS.values(), ids=PLACEMENTS)
def test_a_turned_texture_lies_where_numpy_samples_it(renderer: Renderer, placement: Placement, quality: int) -> None:
    texture = fields_of_colours(1)
    material = Material("m", (1.0, 1.0, 1.0), unlit=True, base_color_texture=texture)
    place = {"uv_scale": placement[:2], "uv_rotation": placement[2], "uv_offset": placement[3:]}
    expected, inside = sampled(texture, placement)
    image = picture_of(renderer, replace(material, **place), quality)
    assert inside.mean() > 0.1 and np.abs(image - expected)[inside].max() <= 2
    assert np.abs(image - picture_of(renderer, material, quality)).max() == 255


@pytest.mark.parametrize("quality", (1, 2), ids=("full light", "simple light"))
def test_colour_and_glow_lie_each_in_its_own_place(renderer: Renderer, quality: int) -> None:
    glow, color = fields_of_colours(2), fields_of_colours(3)
    own = PLACEMENTS["scaled, turned, shifted"]
    base = (2.0, 1.0, 0.0, 0.0, 0.5)
    material = Material("m", (0.5, 0.5, 0.5), unlit=True, base_color_texture=color, emission=(0.5, 0.5, 0.5))
    material = replace(material, uv_scale=base[:2], uv_offset=base[3:], emission_texture=glow, emission_placement=own)
    of_color, inside = sampled(color, base)
    of_glow, also_inside = sampled(glow, own)
    image = picture_of(renderer, material, quality)
    inside &= also_inside
    expected = (of_color > 0).astype(int) + (of_glow > 0)
    found = np.select([image < 40, image < 160], [0, 1], 2)
    assert inside.sum() > 200 and (found == expected)[inside].all()


def test_maps_lie_each_in_its_own_place(renderer: Renderer) -> None:
    """Left and right halves differ; in the middle of the square each map shows the half that its place says."""
    day = built_in("day")
    left_right = np.array([[[0, 30, 255, 255], [255, 200, 0, 255]]], dtype=np.uint8).repeat(8, axis=1)
    halves = Texture(Path("halves"), left_right.repeat(16, axis=0))
    pixels = {"left": (0, 30, 255), "right": (255, 200, 0)}
    copper = Material("copper", (0.9, 0.5, 0.3), metallic=1.0, roughness=1.0, clearcoat=1.0, clearcoat_roughness=1.0)
    for field in ("surface", "occlusion", "clearcoat"):
        for side, offset in (("left", 0.25), ("right", 0.75)):
            place: Placement = (0.0, 0.0, 0.0, offset, 0.5)
            mapped = replace(copper, **{f"{field}_texture": halves, f"{field}_placement": place})
            evenly = replace(copper, **{f"{field}_texture": plain(*pixels[side])})
            seen, expected = (pixel(renderer, each, day, key_light=1.0) for each in (mapped, evenly))
            assert np.abs(seen - expected).max() <= 1, (field, side)
    seen = [
        pixel(renderer, replace(copper, surface_texture=plain(*each)), day, key_light=1.0) for each in pixels.values()
    ]
    assert np.abs(seen[0] - seen[1]).max() > 20


def test_a_turned_normal_map_leans_where_its_own_texture_grows(renderer: Renderer) -> None:
    """Red leans along u, which grows upward where the coordinates are turned by a quarter clockwise."""
    light = of_light(from_the_right())
    straight = pixel(renderer, bent(1.0, 0.0), light)
    turned = pixel(renderer, replace(bent(1.0, 0.0), normal_placement=(1.0, 1.0, -np.pi / 2.0, 0.0, 0.0)), light)
    upward = pixel(renderer, bent(0.0, 1.0), light)
    assert np.abs(turned - upward).max() <= 2 and straight[0] > turned[0] + 20


def test_a_quarter_turn_of_gltf_shows_the_image_as_its_example_says(renderer: Renderer) -> None:
    """The specification's own example: the lower left quarter of the image, turned clockwise by 90 degrees."""
    corners = np.array([[(255, 0, 0), (0, 255, 0)], [(0, 0, 255), (255, 255, 0)]], dtype=np.uint8)
    pixels = np.full((4, 4, 4), 255, dtype=np.uint8)
    pixels[2:, :2, :3] = corners
    place = placement_of((0.5, 0.5), np.pi / 2.0, (0.0, 1.0))
    texture = Texture(Path("quarter"), pixels.repeat(16, axis=0).repeat(16, axis=1))
    material = Material("m", (1.0, 1.0, 1.0), unlit=True, base_color_texture=texture)
    image = picture_of(renderer, replace(material, uv_scale=place[:2], uv_rotation=place[2], uv_offset=place[3:]))
    shown = image[[25, 25, 75, 75], [25, 75, 25, 75]].reshape(2, 2, 3)
    np.testing.assert_array_equal(shown, np.rot90(corners, -1))

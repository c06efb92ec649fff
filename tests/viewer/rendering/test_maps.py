"""Normal, metallic-roughness and occlusion maps: which way surfaces are bent, and what each channel does."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from octoscope.scene import Material, Scene, Texture
from octoscope.scene.mesh.images import normals_of
from octoscope.viewer.frame.look.backdrop import plain_backdrop
from octoscope.viewer.frame.look.environment import Environment, built_in
from octoscope.viewer.frame.look.lighting import LIGHTING
from octoscope.viewer.rendering.renderer import Renderer
from tests.viewer.rendering.test_environment import drawn, from_the_right, of_light
from tests.viewer.scenes import add_quad, at, flat_view

UV = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], dtype=float)
WHITE = Material("white", (1.0, 1.0, 1.0), specular=0.0)


def plain(*color: int) -> Texture:
    return Texture(Path(f"{color}.png"), np.tile(np.array([*color, 255], dtype=np.uint8), (4, 4, 1)))


def pixel(
    renderer: Renderer,
    material: Material,
    environment: Environment,
    *,
    uvs: np.ndarray = UV,
    key_light: float = 0.0,
    scale: tuple[float, float, float] = (1.0, 1.0, 1.0),
    yaw_rad: float = 0.0,
) -> np.ndarray:
    """Return the colour, (3,) int, of the middle of a square that faces +z."""
    scene = Scene()
    mesh = add_quad(scene, 30.0, scene.add_material(material), uvs=uvs)
    scene.add_node("square", mesh=mesh, scale=scale)
    scene.update_world()
    view = flat_view(scene)
    view.camera = replace(view.camera, yaw_rad=yaw_rad)
    view.settings.backdrop = plain_backdrop((0.0, 0.0, 0.0))
    view.settings.environment, view.settings.lighting = environment, replace(LIGHTING, strength=key_light)
    return at(drawn(renderer, view, 0), 5.0, 3.0)


def bent(u: float, v: float, **others: float) -> Material:
    """Return white with normals that lean by 45 degrees, or less, towards u and v."""
    normal = np.array([u, v, 1.0]) / np.linalg.norm([u, v, 1.0])
    return replace(WHITE, normal_texture=plain(*np.rint(127.5 + 127.5 * normal).astype(int).tolist()), **others)


FLIPS = {
    "as it is": (UV, (1.0, 1.0)),
    "u mirrored": (UV * (-1.0, 1.0), (-1.0, 1.0)),
    "v mirrored": (UV * (1.0, -1.0), (1.0, -1.0)),
    "both": (-UV, (-1.0, -1.0)),
}


@pytest.mark.parametrize(("uvs", "signs"), FLIPS.values(), ids=FLIPS)
@pytest.mark.parametrize("yaw_rad", (0.0, np.pi), ids=("front", "back"))
def test_a_normal_leans_where_its_texture_grows(
    renderer: Renderer, uvs: np.ndarray, signs: tuple[float, float], yaw_rad: float
) -> None:
    """Red light comes from +x and blue from +y; the world's, whatever side is seen."""
    light = of_light(from_the_right())
    u, v = signs
    right, left = (pixel(renderer, bent(s * u, 0.0), light, uvs=uvs, yaw_rad=yaw_rad) for s in (1.0, -1.0))
    assert right[0] > 1.4 * left[0] > 0 and abs(right[2] - left[2]) <= 3
    above, below = (pixel(renderer, bent(0.0, s * v), light, uvs=uvs, yaw_rad=yaw_rad) for s in (1.0, -1.0))
    assert above[2] > 1.4 * below[2] > 0 and abs(above[0] - below[0]) <= 3


def test_a_turned_texture_turns_its_normals_and_a_mirrored_object_mirrors_them(renderer: Renderer) -> None:
    light = of_light(from_the_right())
    straight, turned = (pixel(renderer, bent(1.0, 0.0), light, uvs=uvs) for uvs in (UV, UV[:, ::-1]))
    assert straight[0] > turned[0] + 20 and turned[2] > straight[2] + 20, "u runs up"
    mirrored = pixel(renderer, bent(1.0, 0.0), light, scale=(-1.0, 1.0, 1.0))
    assert np.abs(mirrored - pixel(renderer, bent(-1.0, 0.0), light)).max() <= 2


def test_normals_are_scaled_and_an_even_map_changes_nothing(renderer: Renderer) -> None:
    light = of_light(from_the_right())
    red = [pixel(renderer, bent(1.0, 0.0, normal_scale=scale), light)[0] for scale in (-1.0, 0.0, 0.4, 1.0)]
    assert (np.diff(red) > 10).all()
    assert red[1] == pytest.approx(pixel(renderer, WHITE, light)[0], abs=1)
    assert np.abs(pixel(renderer, bent(0.0, 0.0), light) - pixel(renderer, WHITE, light)).max() <= 1
    without_uvs = pixel(renderer, bent(1.0, 0.0), light, uvs=0.0 * UV)
    assert np.abs(without_uvs - pixel(renderer, WHITE, light)).max() <= 1


def test_green_is_roughness_and_blue_is_metal_and_both_are_factors(renderer: Renderer) -> None:
    """Numbers are no sRGB: half of 255 is half the roughness."""
    copper = Material("copper", (0.9, 0.5, 0.3), metallic=1.0, roughness=1.0)

    def seen(material: Material) -> np.ndarray:
        return pixel(renderer, material, built_in("sunset"), key_light=1.0)

    for green, blue in ((128, 255), (255, 128), (40, 0)):
        mapped = seen(replace(copper, surface_texture=plain(0, green, blue)))
        expected = seen(replace(copper, roughness=green / 255.0, metallic=blue / 255.0))
        assert np.abs(mapped - expected).max() <= 1
    halved = seen(replace(copper, roughness=0.5, metallic=0.5, surface_texture=plain(255, 200, 100)))
    assert np.abs(halved - seen(replace(copper, roughness=100 / 255.0, metallic=50 / 255.0))).max() <= 1
    assert np.abs(seen(copper) - seen(replace(copper, metallic=0.0, roughness=0.2))).max() > 20, (
        "there is something to see"
    )


def test_occlusion_darkens_the_light_from_all_around_alone(renderer: Renderer) -> None:
    hidden = replace(WHITE, occlusion_texture=plain(64, 255, 255))
    even, dark = built_in("even"), of_light(np.zeros((48, 48, 3)))
    light = ((pixel(renderer, WHITE, even)[0] / 255.0 + 0.055) / 1.055) ** 2.4
    for strength in (1.0, 0.5):
        shown = pixel(renderer, replace(hidden, occlusion_strength=strength), even)[0]
        share = 1.0 - strength * (1.0 - 64 / 255.0)
        assert shown == pytest.approx(255.0 * (1.055 * (share * light) ** (1 / 2.4) - 0.055), abs=2)
    assert np.array_equal(pixel(renderer, hidden, dark, key_light=1.0), pixel(renderer, WHITE, dark, key_light=1.0))


def test_heights_that_grow_lean_back_and_what_is_a_normal_map_already_stays() -> None:
    ramp = np.full((8, 8, 4), 255, dtype=np.uint8)
    ramp[..., :3] = (np.arange(8) * 10)[None, :, None]  # along u
    normals = normals_of(Texture(Path("h.png"), ramp)).pixels[2:6, 2:6]
    assert normals[..., 0].max() < 110 and np.abs(normals[..., 1].astype(int) - 128).max() <= 1
    normals = normals_of(Texture(Path("h.png"), np.ascontiguousarray(ramp.swapaxes(0, 1)))).pixels[2:6, 2:6]
    # Rows are counted from the top: these heights grow downward, against v.
    assert normals[..., 1].min() > 146 and np.abs(normals[..., 0].astype(int) - 128).max() <= 1
    already = plain(140, 120, 250)
    assert normals_of(already) is already

"""Clear coats, indices of refraction and specular factors: what is mirrored, and what is left for the surface below."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from octoscope.scene import Material
from octoscope.scene.geometry.colors import linear_from_srgb, srgb_from_linear
from octoscope.viewer.frame.look.environment import built_in
from octoscope.viewer.rendering.renderer import Renderer
from tests.viewer.rendering.test_environment import ball_view, drawn, from_the_right, middle, of_light
from tests.viewer.rendering.test_maps import bent, pixel, plain

EVEN = 0.5  # the linear light of the environment of this name
BLACK = Material("black", (0.0, 0.0, 0.0), specular=0.0)


def mirrored_share(straight: float, rim: float, facing: float, roughness: float) -> float:
    """Return the share of even light that a surface mirrors, by adding up microfacets of GGX.

    Args:
        straight: share that a microfacet mirrors straight back.
        rim: the same at a grazing angle.
        facing: cosine between the normal and the eye.
        roughness: of the surface.
    """

    def single(straight: float, rim: float) -> float:
        alpha = roughness**2
        x, turn = np.meshgrid((np.arange(400) + 0.5) / 400.0, (np.arange(200) + 0.5) / 200.0 * 2.0 * np.pi)
        cosine = np.sqrt((1.0 - x) / (1.0 + (alpha**2 - 1.0) * x))  # microfacets as frequent as GGX has them
        sine = np.sqrt(1.0 - cosine**2)
        n_eye = max(facing, 1e-3)
        eye_half = np.sqrt(1.0 - n_eye**2) * sine * np.cos(turn) + n_eye * cosine
        n_light = 2.0 * eye_half * cosine - n_eye
        lit = (n_light > 0.0) & (eye_half > 0.0)
        n_light, eye_half, cosine = n_light[lit], eye_half[lit], cosine[lit]

        def smith(c: np.ndarray | float) -> np.ndarray | float:
            return np.sqrt(alpha**2 + (1.0 - alpha**2) * np.square(c))

        shadowing = 2.0 * n_light * n_eye / (n_light * smith(n_eye) + n_eye * smith(n_light))
        fresnel = straight + (rim - straight) * (1.0 - eye_half) ** 5
        return float((fresnel * shadowing * eye_half / (cosine * n_eye)).sum() / lit.size)

    lost = 1.0 / single(1.0, 1.0) - 1.0
    return single(straight, rim) * (1.0 + straight * lost)


def shares(renderer: Renderer, material: Material, *facings: float) -> list[float]:
    """Return how much of even light a ball sends to the eye where its normals have these cosines; blue light."""
    image = drawn(renderer, ball_view(material, built_in("even")))
    columns = [round(95.5 + 40.0 * float(np.sqrt(1.0 - facing**2))) for facing in facings]
    return [float(linear_from_srgb(image[60, column, 2] / 255.0)) / EVEN for column in columns]


@pytest.mark.parametrize("coat_roughness", (0.0, 0.4, 1.0))
@pytest.mark.parametrize("metallic", (0.0, 1.0))
def test_a_coated_white_ball_in_even_light_cannot_be_told_from_it(
    renderer: Renderer, metallic: float, coat_roughness: float
) -> None:
    """White furnace: what the coat mirrors is exactly what it keeps from the surface below."""
    white = Material("white", (1.0, 1.0, 1.0), metallic=metallic, roughness=0.6)
    for changes in ({"clearcoat": 1.0}, {"clearcoat": 0.6, "index_of_refraction": 1.9, "specular_weight": 0.7}):
        material = replace(white, **changes, clearcoat_roughness=coat_roughness)
        pixels = middle(drawn(renderer, ball_view(material, built_in("even"))))
        assert np.abs(pixels - 255.0 * srgb_from_linear(np.array(EVEN))).max() <= 2


@pytest.mark.parametrize("roughness", (0.1, 0.5, 0.9))
def test_what_a_coat_mirrors_is_what_its_microfacets_mirror(renderer: Renderer, roughness: float) -> None:
    facings = (1.0, 0.7)  # nearer to the rim the polynomials of light.glsl mirror up to a third less
    expected = [mirrored_share(0.04, 1.0, facing, roughness) for facing in facings]
    for share in (1.0, 0.5):
        coated = replace(BLACK, clearcoat=share, clearcoat_roughness=roughness)
        assert shares(renderer, coated, *facings) == pytest.approx(np.multiply(share, expected), abs=0.02)


@pytest.mark.parametrize("changes", (
    {"index_of_refraction": 2.0},
    {"index_of_refraction": 1.2},
    {"index_of_refraction": 2.0, "specular_weight": 0.4},
    {"index_of_refraction": 2.0, "specular_color": (1.0, 1.0, 0.5)},
), ids=str)  # fmt: skip
def test_what_is_mirrored_follows_from_index_weight_and_colour(renderer: Renderer, changes: dict[str, object]) -> None:
    """Weight is a factor everywhere, colour only of what is mirrored straight back."""
    material = replace(BLACK, roughness=0.3, **changes)
    weight, index = material.specular_weight, material.index_of_refraction
    straight = weight * ((index - 1.0) / (index + 1.0)) ** 2 * float(linear_from_srgb(material.specular_color[2]))
    expected = [mirrored_share(straight, weight, facing, 0.3) for facing in (1.0, 0.7)]
    *inner, rim = shares(renderer, material, 1.0, 0.7, 0.2)
    assert inner == pytest.approx(expected, abs=0.02)
    of_glass = shares(renderer, replace(BLACK, roughness=0.3), 0.2)[0]
    assert rim - straight == pytest.approx(weight * (of_glass - 0.04), rel=0.15)
    dark = of_light(np.zeros((48, 48, 3)))
    found, of_glass = (  # where the key light is mirrored; dim enough to be shown as it is
        float(linear_from_srgb(drawn(renderer, ball_view(each, dark, key_light=0.3))[60 - 13, 96 - 9, 2] / 255.0))
        for each in (material, replace(BLACK, roughness=0.3))
    )
    assert found / of_glass == pytest.approx(straight / 0.04, rel=0.15)


def test_a_coat_over_black_looks_like_plastic_as_rough_as_the_coat(renderer: Renderer) -> None:
    coated = replace(BLACK, roughness=0.9, specular_weight=0.0, clearcoat=1.0, clearcoat_roughness=0.3)
    plastic = Material("plastic", (0.0, 0.0, 0.0), roughness=0.3)
    first, second = (
        drawn(renderer, ball_view(material, built_in("day"), key_light=1.0)) for material in (coated, plastic)
    )
    assert np.abs(first - second).max() <= 1 and second.max() > 100


def test_a_coat_is_smooth_over_a_bent_surface_and_has_a_map_of_its_own(renderer: Renderer) -> None:
    light = of_light(from_the_right())
    coated = replace(BLACK, clearcoat=1.0)
    bumpy = replace(bent(1.0, 0.0), base_color=(0.0, 0.0, 0.0), specular_weight=0.0, clearcoat=1.0)
    assert np.abs(pixel(renderer, bumpy, light) - pixel(renderer, coated, light)).max() <= 1
    day = built_in("day")
    mapped = replace(coated, clearcoat_roughness=0.8, clearcoat_texture=plain(128, 64, 7))
    expected = replace(coated, clearcoat=128 / 255.0, clearcoat_roughness=0.8 * 64 / 255.0)
    seen = pixel(renderer, mapped, day, key_light=1.0)
    assert np.abs(seen - pixel(renderer, expected, day, key_light=1.0)).max() <= 1
    assert np.abs(seen - pixel(renderer, replace(mapped, clearcoat_texture=None), day, key_light=1.0)).max() > 5


def test_a_specular_map_is_a_factor_of_what_is_mirrored(renderer: Renderer) -> None:
    day, mirror = built_in("day"), replace(BLACK, roughness=0.2, index_of_refraction=3.0)
    for mapped, expected in (
        (replace(mirror, specular_texture=plain(255, 128, 0)), replace(mirror, specular_color="#ff8000")),
        # Of highlights by Ks alone the rim follows.
        (replace(BLACK, specular=1.0, specular_texture=plain(0, 0, 0)), BLACK),
    ):
        seen = pixel(renderer, mapped, day, key_light=1.0)
        assert np.abs(seen - pixel(renderer, expected, day, key_light=1.0)).max() <= 1
        assert np.abs(seen - pixel(renderer, replace(mapped, specular_texture=None), day, key_light=1.0)).max() > 5


def test_a_coat_elsewhere_changes_nothing(renderer: Renderer) -> None:
    paint = Material("paint", (0.7, 0.2, 0.1), specular=0.5)
    view = ball_view(paint, built_in("day"), key_light=1.0)
    without = drawn(renderer, view)
    view.scene.add_material(replace(paint, clearcoat=1.0))
    assert np.abs(drawn(renderer, view) - without).max() <= 1

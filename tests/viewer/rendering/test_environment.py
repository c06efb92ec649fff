"""Physically based light: energy is neither lost nor made, and each environment lies where it should."""

from __future__ import annotations

from dataclasses import replace

import moderngl
import numpy as np
import pytest

from octoscope.scene import Material, Scene
from octoscope.scene.geometry.colors import srgb_from_linear
from octoscope.viewer.frame.frame import ViewportFrame
from octoscope.viewer.frame.look.backdrop import plain_backdrop
from octoscope.viewer.frame.look.environment import (
    LAYERS,
    Environment,
    built_in,
    irradiance_of,
    octahedral_directions,
    solid_angles,
)
from octoscope.viewer.frame.look.lighting import LIGHTING
from octoscope.viewer.frame.look.studios import STUDIOS
from octoscope.viewer.frame.quality import QUALITIES
from octoscope.viewer.frame.view import View
from octoscope.viewer.rendering.context.offscreen import image_of
from octoscope.viewer.rendering.context.opengl import count_kept
from octoscope.viewer.rendering.renderer import Renderer
from tests.scene.builders import ball
from tests.viewer.scenes import SIZE, add_mesh, view_of

SIDE = 48
DIRECTIONS = octahedral_directions(SIDE)


def of_light(radiance: np.ndarray, *, follows_camera: bool = False) -> Environment:
    """Return an environment of a square of light that is mirrored sharply at any roughness."""
    layers = np.repeat(radiance[None], LAYERS, axis=0).astype(np.float32)
    return Environment("test", layers, irradiance_of(radiance), follows_camera)


def from_the_right() -> np.ndarray:
    """Red light from +x, and a dim blue one from +y."""
    x, y = np.maximum(DIRECTIONS[..., 0], 0.0), np.maximum(DIRECTIONS[..., 1], 0.0)
    return np.stack([x, 0.0 * x, 0.5 * y], axis=-1)


def ball_view(material: Material, environment: Environment, *, key_light: float = 0.0, **camera: float) -> View:
    """Return a view of a ball on black; it is 80 pixels wide, in the middle of the picture."""
    scene = Scene()
    shape = ball(48, 64)
    mesh = add_mesh(scene, shape.positions, scene.add_material(material), triangles=shape.triangles)
    scene.add_node("ball", mesh=mesh)
    scene.update_world()
    view = view_of(scene, **{"yaw_rad": 0.0, "pitch_rad": 0.0, "orthographic": True, **camera})
    view.camera = replace(view.camera, distance=view.camera.distance / view.camera.pixel_size(SIZE[1]) / 40.0)
    view.settings.show_grid = False
    view.settings.backdrop = plain_backdrop((0.0, 0.0, 0.0))
    view.settings.environment = environment
    view.settings.lighting = replace(LIGHTING, strength=key_light)
    return view


def drawn(renderer: Renderer, view: View, quality: int | None = None) -> np.ndarray:
    """Return the picture, (height, width, 3) int, in one of QUALITIES or refined."""
    parts = [ViewportFrame(view.build_frames(SIZE)[0].frame, (0, 0))]
    if quality is None:
        renderer.render_best(parts, SIZE)
    else:
        renderer.render_parts(parts, SIZE, QUALITIES[quality])
    return np.asarray(image_of(renderer.picture)).astype(int)


def middle(image: np.ndarray) -> np.ndarray:
    """Return the pixels, (n, 3), of the inner nine tenths of the ball."""
    y, x = np.indices(image.shape[:2])
    return image[np.hypot(x - SIZE[0] / 2 + 0.5, y - SIZE[1] / 2 + 0.5) < 36.0]


@pytest.mark.parametrize("roughness", (0.0, 0.3, 0.6, 1.0))
@pytest.mark.parametrize("metallic", (0.0, 0.5, 1.0))
def test_a_white_ball_in_even_light_cannot_be_told_from_it(
    renderer: Renderer, metallic: float, roughness: float
) -> None:
    """White furnace: a lost bounce, or light that is both scattered and mirrored, would show."""
    white = Material("white", (1.0, 1.0, 1.0), metallic=metallic, roughness=roughness)
    pixels = middle(drawn(renderer, ball_view(white, built_in("even"))))
    assert np.abs(pixels - 255.0 * srgb_from_linear(np.array(0.5))).max() <= 2


def test_black_metal_mirrors_only_at_its_rim_and_a_highlight_without_strength_nothing(renderer: Renderer) -> None:
    matt = Material("matt", (0.0, 0.0, 0.0), specular=0.0)
    assert middle(drawn(renderer, ball_view(matt, built_in("even"), key_light=1.0))).max() == 0
    plastic = drawn(renderer, ball_view(Material("plastic", (0.0, 0.0, 0.0), roughness=0.1), built_in("even")))
    # Fresnel: a twenty-fifth straight ahead, and towards the rim ever more.
    assert plastic[60, 96, 0] == pytest.approx(255.0 * float(srgb_from_linear(np.array(0.02))), abs=6)
    assert plastic[60, 96 + 38, 0] > 2 * plastic[60, 96, 0]


@pytest.mark.parametrize("quality", (None, 2), ids=("full light", "simple light"))
def test_light_from_the_right_falls_on_the_right(renderer: Renderer, quality: int | None) -> None:
    white = Material("white", (1.0, 1.0, 1.0), specular=0.0)
    for yaw_rad, bright, dark in ((0.0, 96 + 30, 96 - 30), (np.pi, 96 - 30, 96 + 30)):  # from behind, on the left
        image = drawn(renderer, ball_view(white, of_light(from_the_right()), yaw_rad=yaw_rad), quality)
        assert image[60, bright, 0] > 2 * image[60, dark, 0]
        assert image[60 - 30, 96, 2] > 1.5 * image[60 + 30, 96, 2], "blue from above"


@pytest.mark.parametrize("follows_camera", (False, True))
def test_a_mirror_shows_what_lies_where_it_reflects(renderer: Renderer, follows_camera: bool) -> None:
    environment = of_light(from_the_right(), follows_camera=follows_camera)
    chrome = Material("chrome", (1.0, 1.0, 1.0), metallic=1.0, roughness=0.0)

    def reds(yaw_rad: float, rotation_deg: float = 0.0) -> tuple[int, int]:
        view = ball_view(chrome, environment, yaw_rad=yaw_rad)
        view.settings.environment_rotation_deg = rotation_deg
        image = drawn(renderer, view)
        assert image[60 - 25, 96, 2] > 60 > 10 > image[60 + 25, 96, 2], "the sky is above"
        return image[60, 96 - 28, 0], image[60, 96 + 28, 0]

    left, right = reds(0.0)
    assert right > 200 > 20 > left
    left, right = reds(np.pi)  # from behind, it lies on the left
    assert (right > 200 > 20 > left) if follows_camera else (left > 200 > 20 > right)
    left, right = reds(0.0, 180.0)
    assert left > 200 > 20 > right
    if not follows_camera:
        left, right = reds(np.pi / 2.0, 90.0)  # counterclockwise from above, +x goes to -z, which is on the right here
        assert right > 200 > 20 > left


def test_a_rough_mirror_is_blurred(renderer: Renderer) -> None:
    sharp, rough = (
        drawn(renderer, ball_view(Material("m", (1.0, 1.0, 1.0), metallic=1.0, roughness=roughness), built_in("day")))
        for roughness in (0.0, 1.0)
    )
    assert np.abs(np.diff(sharp, axis=1))[40:80, 66:126].max() > 2 * np.abs(np.diff(rough, axis=1))[40:80, 66:126].max()


def test_a_key_light_casts_a_highlight_where_it_is_mirrored(renderer: Renderer) -> None:
    black = Material("black", (0.0, 0.0, 0.0), roughness=0.3)
    dark = of_light(np.zeros((SIDE, SIDE, 3)))
    image = drawn(renderer, ball_view(black, dark, key_light=1.0))
    y, x = np.unravel_index(image[..., 1].argmax(), image.shape[:2])
    # Half way between the light, (-0.41, 0.60, 0.69), and the eye.
    assert (x, y) == (pytest.approx(96 - 0.2247 * 40, abs=3), pytest.approx(60 - 0.3246 * 40, abs=3))
    assert image[y, x, 1] > 60
    assert drawn(renderer, ball_view(black, dark)).max() == 0


@pytest.mark.parametrize("material", (
    Material("plastic", (0.2, 0.4, 0.8), roughness=0.5),
    Material("black", (0.0, 0.0, 0.0), roughness=0.5),
    Material("paint", (0.9, 0.9, 0.9), specular=0.1),
    Material("gold", (1.0, 0.78, 0.34), metallic=1.0, roughness=0.6),
    Material("varnish", (0.3, 0.1, 0.0), specular=0.0, clearcoat=1.0),
), ids=lambda material: material.name)  # fmt: skip
def test_moving_pictures_are_about_as_bright_as_still_ones(renderer: Renderer, material: Material) -> None:
    view = ball_view(material, built_in("studio"), key_light=1.0)
    still, moving = (middle(drawn(renderer, view, quality)).mean() for quality in (None, 2))
    assert moving == pytest.approx(still, rel=0.15, abs=8)


@pytest.mark.parametrize("orthographic", (False, True))
def test_the_environment_behind_the_scene_is_the_one_that_mirrors_show(renderer: Renderer, orthographic: bool) -> None:
    scene = Scene()
    view = view_of(scene, yaw_rad=0.0, pitch_rad=0.0, orthographic=orthographic, fov_y_rad=np.radians(90.0))
    view.settings.show_grid = False
    view.settings.environment = of_light(
        np.stack([DIRECTIONS[..., 0] > 0.0, DIRECTIONS[..., 1] > 0.0, 0.0 * DIRECTIONS[..., 0]], -1)
    )
    view.settings.show_before("environment")
    # The camera looks along -z: +x lies on the right, +y above.
    image = drawn(renderer, view)
    assert image[:, 125:, 0].min() > 200 and image[:, :67, 0].max() == 0
    assert image[:35, :, 1].min() > 200 and image[85:, :, 1].max() == 0
    if not orthographic:  # the directions are those of a lens of 90 degrees: half way up is not half the angle
        view.settings.environment = of_light((DIRECTIONS[..., 1:2] > np.sin(np.arctan(0.5))) * np.ones(3))
        column = drawn(renderer, view)[:, 96, 0]
        assert column[24] > 150 and column[36] < 100


def test_irradiance_is_the_mean_of_the_light_in_front() -> None:
    """Against an integral; the polynomials hold light exactly that is one itself."""
    x, y, z = np.moveaxis(DIRECTIONS, -1, 0)
    radiance = np.stack(
        [1.0 + 0.5 * x, 1.0 + 0.4 * y + 0.3 * x * z, 1.0 - 0.2 * z + 0.5 * z * z - 0.3 * x * y], axis=-1
    )
    weights = solid_angles(DIRECTIONS)
    irradiance = of_light(radiance).irradiance
    for normal in np.random.default_rng(2).normal(size=(12, 3)):
        normal /= np.linalg.norm(normal)
        in_front = weights * np.maximum(DIRECTIONS @ normal, 0.0)
        expected = (in_front[..., None] * radiance).sum(axis=(0, 1)) / in_front.sum()
        x, y, z = normal
        polynomials = np.array([1.0, y, z, x, x * y, y * z, 3.0 * z * z - 1.0, x * z, x * x - y * y])
        np.testing.assert_allclose(polynomials @ irradiance, expected, atol=0.01)


@pytest.mark.parametrize("name", STUDIOS)
def test_rough_surfaces_mirror_as_much_light_as_smooth_ones(name: str) -> None:
    weights = solid_angles(DIRECTIONS)
    means = np.einsum("ij,lijc->lc", weights, built_in(name).mirrored)
    np.testing.assert_allclose(means, np.broadcast_to(means[0], means.shape), rtol=0.03)
    assert built_in(name).mirrored.min() >= 0.0


def test_the_squares_borders_meet() -> None:
    """Each half of an edge is the other half, which interpolation continues with."""
    for edge in (DIRECTIONS[0], DIRECTIONS[-1], DIRECTIONS[:, 0], DIRECTIONS[:, -1]):
        np.testing.assert_allclose(edge, edge[::-1], atol=1e-12)
    assert solid_angles(DIRECTIONS).sum() == pytest.approx(1.0)
    np.testing.assert_allclose(np.einsum("ij,ijk->k", solid_angles(DIRECTIONS), DIRECTIONS), 0.0, atol=1e-3)


def test_any_number_of_panoramas_shares_its_programs(ctx: moderngl.Context) -> None:
    """Each lights by its own colours: a program for each would stay as long as the context."""
    renderer, radiances = Renderer(ctx), [np.full((SIDE, SIDE, 3), gray) for gray in (0.2, 0.4, 0.6)]
    views = [ball_view(Material("white", specular=0.0, roughness=1.0), of_light(radiance)) for radiance in radiances]
    pictures, kept = [], []
    for view in views:
        pictures.append(middle(drawn(renderer, view)).mean())
        kept.append(count_kept(ctx))
    assert pictures[0] + 20.0 < pictures[1] < pictures[2] - 20.0
    assert kept[0] == kept[1] == kept[2]


@pytest.mark.parametrize("quality", [None, -1])
def test_a_panorama_lights_as_a_built_in_environment_that_is_alike(renderer: Renderer, quality: int | None) -> None:
    studio = built_in("studio")
    panorama = replace(studio, name="panorama")
    material = Material("paint", base_color=(0.7, 0.4, 0.2), specular=0.5, roughness=0.4)
    pictures = [drawn(renderer, ball_view(material, environment), quality) for environment in (studio, panorama)]
    assert abs(pictures[0] - pictures[1]).max() <= 1

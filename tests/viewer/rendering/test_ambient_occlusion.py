"""Ambient occlusion: how dark corners are, and what stays as it is."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from octoscope.scene import Scene
from octoscope.viewer.frame.look.backdrop import plain_backdrop
from octoscope.viewer.frame.look.lighting import LIGHTING, Lighting
from octoscope.viewer.frame.occluders import occlusion_radius
from octoscope.viewer.rendering.renderer import Renderer
from tests.viewer.rendering.test_shadows import box_on_floor, drawn, floor_points, plain, shares
from tests.viewer.scenes import add_box_mesh, view_of

_OCCLUSION_ALONE = replace(LIGHTING, has_shadow=False)


def corner(scale: float = 1.0, offset: float = 0.0) -> Scene:
    """A floor of edge 4, and a wall as high and wide on its edge x = 0, all about an offset and scaled."""
    scene = Scene()
    box = add_box_mesh(scene, plain(scene))
    for translation, size in (((2.0, -0.1, 0.0), (4.0, 0.2, 4.0)), ((-0.1, 2.0, 0.0), (0.2, 4.0, 4.0))):
        scene.add_node("", mesh=box, translation=offset + scale * np.array(translation), scale=scale * np.array(size))
    scene.update_world()
    return scene


def beside_a_wall(distance: float) -> float:
    """The share of light, weighted by its cosine, that a wall without an end leaves to a floor; in units of the radius.

    What is farther away hides less, as in shaders/ambient_occlusion.glsl.
    """
    first, second = np.random.default_rng(0).random((2, 50_000))
    towards = -np.sqrt(first) * np.cos(2.0 * np.pi * second)
    ways = np.where(towards > 0.0, distance / np.maximum(towards, 1e-9), np.inf)
    return 1.0 - float(np.clip(1.6 * (1.0 - np.square(np.minimum(ways, 10.0))), 0.0, 1.0).mean())


@pytest.mark.parametrize("orthographic", (False, True))
@pytest.mark.parametrize(("scale", "offset"), ((1.0, 0.0), (1e-3, 0.0), (1e4, 0.0), (1.0, 1e6)))
def test_a_wall_hides_half_of_the_sky_where_it_stands_and_nothing_far_away(
    renderer: Renderer, scale: float, offset: float, orthographic: bool
) -> None:
    scene = corner(scale, offset)
    radius = occlusion_radius(scene.world_spheres[:2, 3]) / scale
    assert 0.3 < radius < 1.5
    middle = offset + scale * np.array((0.9, 0.6, 0.0))
    view = view_of(scene, pivot=middle, distance=7.0 * scale, yaw_rad=0.9, pitch_rad=0.5, orthographic=orthographic)
    view.settings.lighting = _OCCLUSION_ALONE
    distances = (0.08, 0.3, 1.2)
    places = np.array([(x * radius, 0.0, z) for x in distances for z in (-0.5, 0.0, 0.5)])
    found = shares(renderer, view, offset + scale * places)[:, 0].reshape(3, 3)
    for row, expected in zip(found, map(beside_a_wall, distances), strict=True):
        assert row == pytest.approx(expected, abs=0.1)
    assert found[-1].min() > 0.97


@pytest.mark.parametrize("orthographic", (False, True))
def test_a_plane_alone_is_not_dimmed_not_even_at_the_edges_of_the_picture(
    renderer: Renderer, orthographic: bool
) -> None:
    scene = box_on_floor()
    scene.set_translations([1], [(0.0, -3.0, 0.0)])
    view = view_of(scene, distance=5.0, pitch_rad=0.8, yaw_rad=0.3, orthographic=orthographic)
    view.settings.lighting = _OCCLUSION_ALONE
    view.build_frames((240, 180))
    places = floor_points(*np.random.default_rng(1).uniform(-3.5, 3.5, (800, 2)))
    pixels = view.snapshot.projection.pixels(places)
    inside = ((pixels > 0.0) & (pixels < (240.0, 180.0))).all(axis=1)
    assert inside.sum() > 100
    assert shares(renderer, view, places[inside])[:, 0].min() > 0.97


def test_the_background_and_light_from_the_key_stay_as_they_are(renderer: Renderer) -> None:
    view = view_of(box_on_floor(), distance=9.0)
    view.settings.show_grid = False
    view.settings.backdrop = plain_backdrop((0.4, 0.5, 0.6))
    pictures = []
    for light in (replace(LIGHTING, has_shadow=False, has_occlusion=False), _OCCLUSION_ALONE):
        view.settings.lighting = light
        pictures.append(drawn(renderer, view))
    background = (pictures[0] == np.rint(255.0 * np.array((0.4, 0.5, 0.6)))).all(axis=2)
    assert background.sum() > 1000
    np.testing.assert_array_equal(pictures[0][background], pictures[1][background])
    brighter = pictures[1] - pictures[0]
    assert brighter.max() < 3.0 and brighter.min() < -8.0


def test_clay_shows_occlusion_and_its_strength_is_a_share(renderer: Renderer) -> None:
    view = view_of(box_on_floor(), distance=9.0)
    view.settings.show_as("clay")
    base = floor_points((0.52, 0.52))
    dark = []
    for strength in (0.0, 0.5, 1.0):
        view.settings.lighting = Lighting(has_shadow=False, occlusion_strength=strength)
        image = drawn(renderer, view)
        x, y = view.snapshot.projection.pixels(base)[0].astype(int)
        dark.append(image[y - 1 : y + 2, x - 1 : x + 2].mean())
    assert dark[0] > dark[1] + 2.0 > dark[2] + 4.0


def test_the_radius_is_that_of_large_objects_but_not_of_one_among_many() -> None:
    assert occlusion_radius(np.array([])) == 0.0
    room = occlusion_radius(np.array([5.0, 1.0, 1.0, 0.1]))
    assert 0.2 * 5.0 < room < 0.35 * 5.0
    assert occlusion_radius(np.array([1000.0] + 100_000 * [5.0])) == pytest.approx(0.35 * 7.0, rel=0.05)
    assert occlusion_radius(1e4 * np.array([5.0, 1.0])) == pytest.approx(1e4 * occlusion_radius(np.array([5.0, 1.0])))

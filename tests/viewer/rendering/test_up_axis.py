"""A world with Z up, seen by its own camera, gives the picture of the same world with Y up."""

from __future__ import annotations

import numpy as np
import pytest

from octoscope.scene import Scene
from octoscope.scene.city import city
from octoscope.viewer.camera import controls
from octoscope.viewer.frame.view import View
from octoscope.viewer.rendering.context.offscreen import image_of
from octoscope.viewer.rendering.renderer import Renderer
from tests.viewer.scenes import picture

SIZE = (240, 160)


def seen(renderer: Renderer, scene: Scene, look: str, mode: str) -> np.ndarray:
    view = View(scene)
    view.update()
    view.layout.resize(SIZE)
    view.camera = controls.look_from(view.camera, look)
    view.framing.frame_nodes(None)
    view.settings.show_as(mode)
    return picture(renderer, view, SIZE).astype(int)


@pytest.mark.parametrize(("look", "mode"), [("iso", "shaded"), ("front", "shaded"), ("top", "shaded"), ("iso", "clay")])
def test_objects_ground_and_light_look_the_same(renderer: Renderer, look: str, mode: str) -> None:
    standing = seen(renderer, city(40), look, mode)
    lying = seen(renderer, city(40, up_axis="z"), look, mode)
    assert standing.std() > 10.0
    differs = np.abs(standing - lying).max(axis=2) > 8
    assert differs.mean() < 0.004, "but for rounding at a few edges"


def test_shadows_and_ambient_occlusion_are_the_same(renderer: Renderer) -> None:
    pictures = []
    for up_axis in ("y", "z"):
        view = View(city(40, up_axis=up_axis))
        view.update()
        view.layout.resize(SIZE)
        view.camera = controls.look_from(view.camera, "right")
        view.framing.frame_nodes(None)
        view.settings.show_as("clay")
        renderer.render_best(view.with_occluders(view.build_frames(SIZE)), SIZE)
        pictures.append(np.asarray(image_of(renderer.picture)).astype(int))
    assert np.abs(np.subtract(*pictures)).max() <= 3


def test_the_ground_lies_under_a_world_with_z_up(renderer: Renderer) -> None:
    scene = city(20)
    without = seen(renderer, scene, "front", "shaded")
    scene.up_axis = "z"  # nothing moves: the city lies on its side, and the ground is another
    assert np.abs(seen(renderer, scene, "front", "shaded") - without).max() > 40

"""The ground as a part of the background, as it is seen from above."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from octoscope.scene import Scene
from octoscope.scene.conventions.upright import turn_between
from octoscope.scene.mesh.primitives import cube
from octoscope.viewer.camera.camera import Camera
from octoscope.viewer.frame.frame import FrameData
from octoscope.viewer.frame.look.studios import ENVIRONMENT
from octoscope.viewer.frame.projection import level_from_clip
from octoscope.viewer.frame.view import View
from octoscope.viewer.rendering.context.offscreen import image_of
from octoscope.viewer.rendering.renderer import Renderer

SIZE = (160, 120)
CAMERAS = {
    "from far above": Camera(np.zeros(3), pitch_rad=0.6, distance=30.0),
    "from close above": Camera(np.zeros(3), yaw_rad=1.0, pitch_rad=0.004, distance=30.0),
    "turned about the view": Camera(np.zeros(3), pitch_rad=0.2, roll_rad=0.7, distance=8.0),
    "without perspective": Camera(np.zeros(3), yaw_rad=0.3, pitch_rad=0.3, distance=20.0, orthographic=True),
    "with Z up": Camera(np.zeros(3), pitch_rad=0.4, distance=30.0, up_axis="z"),
}


def frame_of(camera: Camera, background: str | None = None) -> FrameData:
    """Objects out of sight at height 0 give the ground its place, and the camera its depth range."""
    scene = Scene(up_axis=camera.up_axis)
    for side in (-60.0, 60.0):
        place = np.array((side, 0.0, side)) @ turn_between(camera.up_axis, "y")
        scene.add_node("far", mesh=scene.meshes.add(cube()), translation=place, scale=1e-6)
    view = View(scene)
    view.camera = camera
    view.settings.show_before(background)
    return view.build_frames(SIZE)[0].frame


def picture(renderer: Renderer, frame: FrameData) -> np.ndarray:
    renderer.render(frame)
    return image_of(renderer.picture).astype(int)


@pytest.mark.parametrize("name", CAMERAS)
@pytest.mark.parametrize("background", [None, ENVIRONMENT])
def test_it_is_what_a_quad_would_show_that_is_blended_over_the_background(
    renderer: Renderer, name: str, background: str | None
) -> None:
    frame = frame_of(CAMERAS[name], background)
    assert frame.grid is not None and frame.grid.is_behind
    shown = picture(renderer, frame)
    blended = picture(renderer, replace(frame, grid=replace(frame.grid, is_behind=False)))
    nothing = picture(renderer, replace(frame, grid=None))
    lines = np.abs(shown - nothing).max(axis=2)
    assert (lines > 4).sum() > 100 and (lines == 0).sum() > 1000
    assert np.abs(shown - blended).max() <= 2


@pytest.mark.parametrize("orthographic", [False, True])
def test_a_camera_that_sees_it_edge_on_sees_nothing_of_it(renderer: Renderer, orthographic: bool) -> None:
    frame = frame_of(Camera(np.zeros(3), pitch_rad=0.0, distance=10.0, orthographic=orthographic))
    assert frame.grid is not None
    frame = replace(frame, grid=replace(frame.grid, height=0.0, phase=(0.0, 0.0), is_behind=True))
    np.testing.assert_array_equal(picture(renderer, frame), picture(renderer, replace(frame, grid=None)))


def test_a_place_in_the_picture_leads_back_to_where_it_is_on_a_level_plane() -> None:
    generator = np.random.default_rng(5)
    for _ in range(200):
        clip_from_upright = generator.normal(size=(4, 4))
        height = generator.normal()
        x, z = generator.normal(size=2)
        clip = clip_from_upright @ (x, height, z, 1.0)
        found = level_from_clip(clip_from_upright, height) @ (clip[0] / clip[3], clip[1] / clip[3], 1.0)
        assert (found[2] > 0.0) == (clip[3] > 0.0)
        np.testing.assert_allclose(found[:2] / found[2], (x, z), rtol=1e-2, atol=1e-2)

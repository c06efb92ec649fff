"""Frames of a city behind a wall, with what the wall hides and without it; and of the same city without the wall."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from octoscope.scene import Scene
from octoscope.scene.mesh.primitives import cube
from octoscope.viewer.camera.camera import Camera
from octoscope.viewer.camera.controls import look_from
from octoscope.viewer.frame.quality import BEST, QUALITIES, Quality
from octoscope.viewer.frame.view import View
from octoscope.viewer.rendering.context.offscreen import image_of
from octoscope.viewer.rendering.renderer import Renderer
from tests.benchmarks.harness import Result, compare

_ONE_SAMPLE, _FAST = QUALITIES[1], QUALITIES[2]
_STEP_RAD = 1e-4  # that the camera turns from frame to frame


def measure(city: Scene, renderer: Renderer, size: tuple[int, int]) -> Iterator[Result]:
    """Measure frames of a city, to which a wall is added, from a camera in front of it; `size` in pixels."""
    look = View(city)
    look.layout.resize(size)
    look.camera = look_from(look.camera, "front")
    look.framing.frame_nodes(None)
    yield _compared(city, look.camera, renderer, size, _ONE_SAMPLE, has_wall=False)
    _add_wall(city, look.camera)
    for quality in (_FAST, _ONE_SAMPLE, BEST):
        yield _compared(city, look.camera, renderer, size, quality, has_wall=True)


def _compared(
    city: Scene, camera: Camera, renderer: Renderer, size: tuple[int, int], quality: Quality, *, has_wall: bool
) -> Result:
    # A renderer each, as every renderer remembers what was seen in its own last picture.
    views = {culls: View(city, occlusion_culling=culls) for culls in (True, False)}
    renderers = {True: renderer, False: Renderer(renderer.ctx)}
    for view in views.values():
        view.camera = camera

    def draw(culls: bool) -> np.ndarray:
        view = views[culls]
        view.camera = replace(view.camera, yaw_rad=view.camera.yaw_rad + _STEP_RAD)
        renderers[culls].render_parts(view.build_frames(size), size, quality)
        return image_of(renderers[culls].picture)

    for _ in range(3):
        assert np.array_equal(draw(True), draw(False)), "a picture without hidden objects is another one"
    stats, hidden = views[True].stats, renderer.hidden_count
    assert hidden == stats.drawn - 1 or not has_wall, "the wall hides all"
    text = "behind a wall" if has_wall else "without a wall before them"
    samples = 4 if quality.is_multisampled else 1
    light = "" if quality.has_full_light else ", in a simple light"
    name = f"{stats.triangles:,} triangles {text}, {samples} sample{'s' if samples > 1 else ''} a pixel{light}"
    others = {"with hidden objects": lambda: draw(False)}
    return compare(name, lambda: draw(True), others, rounds=15, note=f"{hidden:,} objects hidden")


def _add_wall(scene: Scene, camera: Camera) -> None:
    """Add a wall that fills the picture of a camera that looks along -z."""
    place = camera.position - (0.0, 0.0, 0.2 * camera.distance)
    mesh = scene.meshes.add(cube())
    scene.add_node("wall", mesh=mesh, translation=place, scale=np.array((1.0, 1.0, 0.001)) * camera.distance)

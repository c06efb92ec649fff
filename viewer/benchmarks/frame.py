"""A frame of a city of 100,000 objects: its stages, and the whole of it with culling and without."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from octree import Frustum
from scene.city import city
from viewer.benchmarks.harness import Result, compare
from viewer.frame.view import View
from viewer.rendering.offscreen import NoOpenGL, create_context, image_of
from viewer.rendering.renderer import Renderer

_COUNT = 100_000
_SIZE = (1280, 720)
_VISIBLE = 0.1


def run() -> Iterator[Result]:
    """Measure FrameData alone, then whole frames."""
    scene = city(_COUNT)
    view = View(scene)
    view.resize(_SIZE)
    view.frame_nodes(None)
    _look_at_a_tenth(view)
    frame = view.build_frame(_SIZE)
    visible = view.index.cull(Frustum.from_matrix(view.camera.clip_from_world(_SIZE[0] / _SIZE[1])))
    assert np.array_equal(np.sort(frame.visible.nodes), np.sort(visible))
    position = view.camera.position
    builder = view.builder

    def gather() -> np.ndarray:
        matrices = scene.world_from_local[visible][:, :3].copy()
        matrices[:, :, 3] -= position
        return matrices.astype(np.float32)

    def build() -> None:
        builder.build(view.camera, _SIZE, visible)

    name = f"FrameData of {_COUNT:,} objects, {len(visible) / _COUNT:.0%} visible"
    yield compare(name, build, {"numpy gather of the matrices alone": gather}, rounds=41)
    try:
        renderer = Renderer(create_context())
    except NoOpenGL as error:
        yield Result("whole frame", float("nan"), {}, note=str(error))
        return

    def draw(culling: bool) -> np.ndarray:
        view.culling = culling
        renderer.render(view.build_frame(_SIZE))
        return image_of(renderer.picture)

    assert np.array_equal(draw(True), draw(False)), "the picture with culling differs from the one without"
    name = f"whole frame, {_SIZE[0]}x{_SIZE[1]}, {len(visible) / _COUNT:.0%} visible, with read-back"
    yield compare(name, lambda: draw(True), {"without culling": lambda: draw(False)}, rounds=9)
    yield _all_in_view(view, renderer)


def _all_in_view(view: View, renderer: Renderer) -> Result:
    """Measure a frame of the whole city, without the objects smaller than a pixel and with them."""
    view.culling = True
    view.frame_nodes(None)

    def draw(tiny_culling: bool) -> np.ndarray:
        view.tiny_culling = tiny_culling
        renderer.render(view.build_frame(_SIZE))
        return image_of(renderer.picture)

    differs = (draw(True) != draw(False)).any(axis=2)
    view.tiny_culling = True
    view.build_frame(_SIZE)
    tiny = view.stats.tiny
    assert 0 < np.count_nonzero(differs) <= 4 * tiny, "more pixels differ than four for each object that was left out"
    name = f"whole frame, all in view, {tiny:,} objects smaller than a pixel left out"
    note = f"{differs.mean():.2%} of the pixels differ"
    return compare(name, lambda: draw(True), {"with them": lambda: draw(False)}, rounds=5, note=note)


def _look_at_a_tenth(view: View) -> None:
    """Move closer until about a tenth of all objects is in the frustum."""
    near, far = view.camera.distance / 1000.0, view.camera.distance
    for _ in range(30):
        view.camera = replace(view.camera, distance=(near + far) / 2.0)
        view.build_frame(_SIZE)
        if view.stats.drawn < _VISIBLE * view.stats.objects:
            near = view.camera.distance
        else:
            far = view.camera.distance

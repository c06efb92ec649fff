"""Frames of 100,000 separate objects: their cost while the camera moves, beside a bare program for the same picture.

The objects are a city's, with a mesh each, as an OBJ file has them. The bare program knows nothing but one buffer of
triangles in world coordinates, of what is in view or of everything, and draws them in one colour without light.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial

import numpy as np

from octoscope.scene import Scene
from octoscope.scene.bake import baked
from octoscope.scene.city import city
from octoscope.viewer.camera.camera import Camera
from octoscope.viewer.frame.frame import ViewportFrame
from octoscope.viewer.frame.quality import BEST, QUALITIES, Quality
from octoscope.viewer.frame.view import View
from octoscope.viewer.rendering.context.offscreen import NoOpenGL, create_context, image_of
from octoscope.viewer.rendering.context.reversed_depth import ReversedDepth
from octoscope.viewer.rendering.renderer import Renderer
from tests.benchmarks import frame_hidden
from tests.benchmarks.bare_program import BareProgram, covered_pixels
from tests.benchmarks.frame_quality import measure
from tests.benchmarks.harness import Result, compare

_COUNT = 100_000
_COUNT_BEHIND = 20_000  # a wall
_SIZE = (1280, 720)
_VISIBLE = 0.024
_STEP_RAD = 1e-4  # that the camera turns from frame to frame
_ONE_SAMPLE, _FAST = QUALITIES[1], QUALITIES[2]


def run() -> Iterator[Result]:
    """Measure FrameData alone and whole frames, with some objects in view and with all; then without the smallest."""
    scene = _separate_objects(_COUNT)
    try:
        ctx = create_context()
    except NoOpenGL as error:
        yield Result("frame", float("nan"), {}, note=str(error))
        return
    renderers = {"4.3": Renderer(ctx), "3.3": Renderer(ctx, indirect=False)}
    for share in (_VISIBLE, 1.0):
        yield from _frames(scene, renderers, share)
    yield _without_tiny(scene, renderers["4.3"])
    yield from frame_hidden.measure(_separate_objects(_COUNT_BEHIND), renderers["4.3"], _SIZE)


def _separate_objects(count: int) -> Scene:
    """Return a city with a mesh for every object, in world coordinates, as from an OBJ file."""
    source = city(count)
    ids = np.flatnonzero(source.mesh_ids >= 0)
    scene = Scene()
    scene.materials = source.materials
    meshes = scene.meshes.extend(baked(source, ids))
    scene.add_nodes(source.names[ids], mesh=np.arange(meshes.start, meshes.stop))
    return scene


def _frames(scene: Scene, renderers: dict[str, Renderer], share: float) -> Iterator[Result]:
    view = View(scene)
    view.layout.resize(_SIZE)
    view.framing.frame_nodes(None)
    if share < 1.0:
        _look_at(view, share)
    frame = view.build_frames(_SIZE)[0].frame
    visible, everything = view.snapshot.visible_ids, view.index.all_ids()
    assert np.array_equal(np.sort(frame.visible.nodes), np.sort(visible))
    ours = renderers["4.3"]
    bare = {
        name: BareProgram(ours.ctx, _SIZE, scene, ids)
        for name, ids in (("visible", visible), ("everything", everything))
    }
    _check_pictures(view, renderers, bare)
    view.builder.levels.add(view.builder.levels.missing()())

    def turned() -> Camera:
        """Move the camera."""
        view.camera = replace(view.camera, yaw_rad=view.camera.yaw_rad + _STEP_RAD)
        return view.camera

    def draw(
        renderer: Renderer,
        quality: Quality,
        selected: np.ndarray = everything[:0],
        *,
        culling: bool = True,
        simplified: bool = False,
    ) -> np.ndarray:
        """Move the camera and draw, simplified as the moving picture of a window or not."""
        view.selection.ids, view.settings.culling = selected, culling
        view.settings.tiny_culling = view.settings.simplifying = simplified
        turned()
        renderer.render_parts([ViewportFrame(view.build_frames(_SIZE)[0].frame, (0, 0))], _SIZE, quality)
        return image_of(renderer.picture)

    differences = draw(ours, _ONE_SAMPLE, simplified=True).astype(float) - draw(ours, _ONE_SAMPLE)
    assert np.abs(differences.mean(axis=(0, 1))).max() < 2.0, "a simplified picture has other colours"
    text = f"{_COUNT:,} objects, {len(visible) / _COUNT:.1%} in view"
    yield compare(f"FrameData of {text}", lambda: view.build_frames(_SIZE)[0].frame, {}, rounds=41)
    rivals: dict[str, Callable[[], object]] = {
        "on OpenGL 3.3": lambda: draw(renderers["3.3"], _ONE_SAMPLE),
        "without culling": lambda: draw(ours, _ONE_SAMPLE, culling=False),
        "all selected": lambda: draw(ours, _ONE_SAMPLE, everything),
        "in a simple light": lambda: draw(ours, _FAST),
        "in a simple light, all selected": lambda: draw(ours, _FAST, everything),
        "simplified": lambda: draw(ours, _ONE_SAMPLE, simplified=True),
        "simplified, in a simple light": lambda: draw(ours, _FAST, simplified=True),
        "with 4 samples": lambda: draw(ours, BEST),
        "with 4 samples, all selected": lambda: draw(ours, BEST, everything),
        "bare program, only what is in view": lambda: bare["visible"].draw(turned()),
        "bare program, everything in one buffer": lambda: bare["everything"].draw(turned()),
    }
    name = f"moved camera, {text}, {_SIZE[0]}x{_SIZE[1]}, a sample a pixel, read back"
    yield compare(name, lambda: draw(ours, _ONE_SAMPLE), rivals, rounds=9)
    if share < 1.0:
        draw(ours, _ONE_SAMPLE)  # with nothing selected, and not simplified
        yield from measure(view, ours, _SIZE, lambda: bare["visible"].draw(turned()))
    for program in bare.values():
        program.release()


def _check_pictures(view: View, renderers: dict[str, Renderer], bare: dict[str, BareProgram]) -> None:
    """Check that both ways of drawing give one picture, culling changes none, and the bare program covers the same."""
    pictures = []
    for culling in (True, False):
        view.settings.culling = culling
        for renderer in renderers.values():
            renderer.render(view.build_frames(_SIZE)[0].frame)
            pictures.append(image_of(renderer.picture))
    view.settings.culling = True
    assert all(np.array_equal(pictures[0], other) for other in pictures[1:]), "two ways to one picture differ"
    frame = view.build_frames(_SIZE)[0].frame
    ours = renderers["4.3"]
    draw = partial(ours.passes.draw_meshes, frame)
    covered = [covered_pixels(ours.ctx, _SIZE, draw, farthest=ReversedDepth.FARTHEST)]
    covered += [
        covered_pixels(program.ctx, _SIZE, partial(program.draw_meshes, view.camera), farthest=1.0)
        for program in bare.values()
    ]
    for other in covered[1:]:  # float32 places in the world, and objects below a pixel, are told apart
        assert (covered[0] != other).mean() < 2e-3, "the bare program draws another picture"


def _without_tiny(scene: Scene, renderer: Renderer) -> Result:
    """Measure a frame of the whole city, without the objects smaller than a pixel and with them."""
    view = View(scene)
    view.layout.resize(_SIZE)
    view.framing.frame_nodes(None)

    def draw(tiny_culling: bool) -> np.ndarray:
        view.settings.tiny_culling = tiny_culling
        renderer.render(view.build_frames(_SIZE)[0].frame)
        return image_of(renderer.picture)

    differs = (draw(True) != draw(False)).any(axis=2)
    view.settings.tiny_culling = True
    view.build_frames(_SIZE)
    tiny = view.stats.tiny
    assert 0 < np.count_nonzero(differs) <= 4 * tiny, "more pixels differ than four for each object that was left out"
    name = f"whole frame, all in view, {tiny:,} objects smaller than a pixel left out"
    note = f"{differs.mean():.2%} of the pixels differ"
    return compare(name, lambda: draw(True), {"with them": lambda: draw(False)}, rounds=5, note=note)


def _look_at(view: View, share: float) -> None:
    """Move closer until about a share of all objects is in the frustum."""
    near, far = view.camera.distance / 1000.0, view.camera.distance
    for _ in range(30):
        view.camera = replace(view.camera, distance=(near + far) / 2.0)
        view.build_frames(_SIZE)
        if view.stats.drawn < share * view.stats.objects:
            near = view.camera.distance
        else:
            far = view.camera.distance

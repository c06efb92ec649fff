"""Draw the reference pictures and time frames, in a process of its own: a driver may end it, what was noted stays."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from statistics import median
from typing import Any, TypeAlias

import numpy as np
from PIL import Image

from octoscope.scene import Scene
from octoscope.scene.mesh.primitives import cube
from octoscope.viewer.doctor.comparison import drawn
from octoscope.viewer.doctor.reference_scenes import REFERENCES
from octoscope.viewer.frame.quality import QUALITIES, Quality
from octoscope.viewer.frame.view import View
from octoscope.viewer.rendering.context.card_errors import DrawError
from octoscope.viewer.rendering.context.gpu_timer import GpuTimer
from octoscope.viewer.rendering.context.opengl import Context, is_software, most_texture_samples
from octoscope.viewer.rendering.renderer import Renderer

Note: TypeAlias = Callable[[dict[str, Any]], object]

_PICTURES_SECONDS, _FRAMES_SECONDS = 45.0, 12.0
_FRAMES = 7  # of a kind, of which the median counts
FRAME_SIZE = (1280, 720)
_BOXES_PER_SIDE = 100


def examine(ctx: Context, names: Sequence[str], folder: Path, note: Note) -> None:
    """Draw reference pictures into a folder, and where all of them are drawn, time frames.

    Args:
        folder: where each picture is written, as NAME.png.
        note: called with each thing that is found out, which JSON can hold.
    """
    info = {name: value if isinstance(value, int | float | str) else list(value) for name, value in ctx.info.items()}
    note({"info": info, "extensions": sorted(ctx.extensions), "software": is_software(ctx)})
    note({"version": ctx.version_code, "samples": most_texture_samples(ctx)})
    renderer = Renderer(ctx)
    end = time.monotonic() + _PICTURES_SECONDS
    for name in names:
        if time.monotonic() > end:
            return
        note({"begun": name})
        begin = time.perf_counter()
        try:
            picture = drawn(renderer, REFERENCES[name])
        except DrawError as error:
            note({"picture": name, "error": str(error)})
            continue
        milliseconds = 1e3 * (time.perf_counter() - begin)
        Image.fromarray(picture).save(folder / f"{name}.png")
        note({"picture": name, "milliseconds": round(milliseconds, 1)})
    if set(names) == set(REFERENCES):
        for row in _frame_times(renderer):
            note({"frame": row})
    renderer.release()


def _frame_times(renderer: Renderer) -> Iterator[dict[str, Any]]:
    """Time moving frames of two scenes in every quality."""
    views = {"the sample scene": REFERENCES["harbour"].make_view(), "10,000 boxes": _boxes()}
    seconds = _FRAMES_SECONDS / (len(views) * len(QUALITIES))
    for name, view in views.items():
        view.layout.resize(FRAME_SIZE)
        for quality in QUALITIES:
            yield {"scene": name, "quality": _name_of(quality), **_times(renderer, view, quality, seconds)}


def _name_of(quality: Quality) -> str:
    samples = "several samples" if quality.is_multisampled else "one sample"
    size = "" if quality.scale == 1.0 else f", {quality.scale:g} of the width and height"
    return f"{samples} a pixel, {'full' if quality.has_full_light else 'simple'} light{size}"


def _times(renderer: Renderer, view: View, quality: Quality, seconds: float) -> dict[str, float]:
    """Return the milliseconds of a frame, and those of them that the card says it draws, where it can be asked."""
    timer = None if is_software(renderer.ctx) else GpuTimer[None](renderer.ctx)
    frame_ms: list[float] = []
    card_ms: list[float] = []
    end = time.monotonic() + seconds
    while len(frame_ms) <= _FRAMES and (len(frame_ms) < 2 or time.monotonic() < end):
        view.camera = replace(view.camera, yaw_rad=view.camera.yaw_rad + 0.01)
        begin = time.perf_counter()
        frames = view.build_frames(FRAME_SIZE)
        if timer is None:
            renderer.render_parts(frames, FRAME_SIZE, quality)
        else:
            with timer.measure(None):
                renderer.render_parts(frames, FRAME_SIZE, quality)
        renderer.ctx.finish()
        frame_ms.append(1e3 * (time.perf_counter() - begin))
        measured = None if timer is None else timer.take()
        if measured is not None:
            card_ms.append(measured[1])
    found = {"milliseconds": round(median(frame_ms[1:]), 2)}  # the first one compiles and uploads
    if card_ms[1:]:
        found["card milliseconds"] = round(median(card_ms[1:]), 2)
    if timer is not None:
        timer.release()
    return found


def _boxes() -> View:
    """Return a view of many small objects, of one mesh."""
    scene = Scene()
    x, z = (axis.ravel() for axis in np.meshgrid(np.arange(_BOXES_PER_SIDE), np.arange(_BOXES_PER_SIDE)))
    places = np.stack([1.5 * x, np.zeros(len(x)), 1.5 * z], axis=1)
    names = [f"box {number}" for number in range(len(places))]
    scene.add_nodes(names, mesh=scene.meshes.add(cube()), translation=places)
    scene.update_world()
    view = View(scene)
    view.layout.resize(FRAME_SIZE)
    view.framing.frame_nodes(None)
    return view

"""Draws pictures in a process of its own: python -m tests.viewer.drivers.draw FILE NAME...

FILE is a .npz with an array by each name: that of a reference picture, and after an @ the pixel ratio, if it is not 1;
"render" and "canvas" are made as a script makes them. What drew them is printed as JSON.
"""

from __future__ import annotations

import json
import os
import sys
from dataclasses import replace

import moderngl
import numpy as np

from octoscope import Canvas, render
from octoscope.viewer.doctor.comparison import drawn
from octoscope.viewer.doctor.reference_scenes import SIZE
from octoscope.viewer.rendering.context.offscreen import create_context
from octoscope.viewer.rendering.renderer import Renderer
from tests.viewer.pictures.scenes import REFERENCES


def _as_a_script(name: str) -> np.ndarray:
    scene = REFERENCES["shadow"].make_view().scene
    if name == "render":
        return np.asarray(render(scene, SIZE, edges=True))
    with Canvas(scene, SIZE, mode="matcap", transparent=True) as canvas:
        canvas.camera = replace(canvas.camera, yaw_rad=0.4)
        return np.asarray(canvas.render().convert("RGB"))


def _drawn(renderer: Renderer, name: str) -> np.ndarray:
    name, _, ratio = name.partition("@")
    if name in ("render", "canvas"):
        return _as_a_script(name)
    reference = REFERENCES[name]
    view = reference.make_view()
    if ratio:
        width, height = (round(side * float(ratio)) for side in reference.size)
        reference = replace(reference, size=(width, height))
        view.layout.resize(reference.size, float(ratio))
    with renderer.ctx:
        return drawn(renderer, reference, view)


def main() -> None:
    file, *names = sys.argv[1:]
    samples = os.environ.get("OCTOSCOPE_TEST_SAMPLES")
    if samples is not None:  # as if textures had no more
        moderngl.Context.max_samples = property(lambda _: int(samples))
    ctx = create_context()
    renderer = Renderer(ctx)
    pictures = {name: _drawn(renderer, name) for name in names}
    np.savez(file, **pictures)
    programs = [key[1:] for key in ctx.extra if key[0] == "program"]
    print(json.dumps({"renderer": ctx.info["GL_RENDERER"], "version": ctx.version_code, "programs": programs}))


main()

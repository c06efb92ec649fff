"""Sums of high and low parts are rounded as written, also by a compiler that rearranges them where it may: Mesa's."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

# a + b - a, in several ways; a is so large that a + b is a. A compiler that rearranges it says b.
PROGRAM = """
import json
import moderngl
import numpy as np
from octoscope.viewer.rendering.context.offscreen import create_context
from octoscope.viewer.rendering.context.shader_library import stages_of

FRAGMENT = "#version 330 core\\nout vec4 color; flat in float found; void main() { color = vec4(found); }"
ctx = create_context()
head = stages_of(int(__import__("sys").argv[1]), "paste.glsl")["vertex_shader"].partition("#define VERTEX_SHADER")[0]

def found(text):
    main = f"void main() {{ float a = ab.x, b = ab.y; {text}; found = sum; gl_Position = vec4(0.0, 0.0, 0.0, 1.0); }}"
    vertex = f"{head}in vec2 ab; flat out float found; {main}"
    program = ctx.program(vertex_shader=vertex, fragment_shader=FRAGMENT)
    target = ctx.framebuffer([ctx.texture((1, 1), 1, dtype="f4")])
    target.use()
    ctx.vertex_array(program, ctx.buffer(np.array([1e8, 1.25], dtype="f4")), "ab").render(moderngl.POINTS)
    return float(np.frombuffer(target.read(components=1, dtype="f4"), dtype="f4")[0])

print(json.dumps([found("float sum = (a + b) - a"), found("PRECISE float high = ROUNDED(a + b), sum = high - a")]))
"""
WITHOUT = {"MESA_GL_VERSION_OVERRIDE": "3.3", "MESA_EXTENSION_OVERRIDE": "-GL_ARB_gpu_shader5"}


@pytest.mark.parametrize(
    ("version", "variables"),
    [
        pytest.param(400, {}, id="a word of GLSL"),
        pytest.param(330, {}, id="an extension"),
        pytest.param(330, WITHOUT, id="neither"),
    ],
)
def test_sums_are_rounded_as_they_are_written(version: int, variables: dict[str, str]) -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(version)], env=os.environ | variables, capture_output=True, check=True
    )
    rearranged, rounded = json.loads(done.stdout.splitlines()[-1])
    if rearranged != 1.25:
        pytest.skip("this compiler rearranges nothing")
    assert rounded == 0.0

"""--debug-gl: what the driver says is printed, in words and once."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from octoscope.viewer.window.opengl_request import DEBUG, VARIABLE

WRONG_CALLS = """
from octoscope.viewer.rendering.context.offscreen import create_context
from octoscope.viewer.rendering.context.opengl import gl_function
from octoscope.viewer.rendering.renderer import Renderer

ctx = create_context()
Renderer(ctx)
for _ in range(3):
    gl_function(ctx, "glEnable", 1)(1)
"""


@pytest.mark.parametrize(
    ("variables", "expected"),
    [
        ({VARIABLE: DEBUG}, ["octoscope: OpenGL, error: GL_INVALID_ENUM in glEnable"]),
        ({}, []),
        (
            {VARIABLE: DEBUG, "MESA_GL_VERSION_OVERRIDE": "3.3", "MESA_EXTENSION_OVERRIDE": "-GL_KHR_debug"},
            ["octoscope: OpenGL, this driver tells nothing: it has no GL_KHR_debug"],
        ),
    ],
)
def test_wrong_calls_are_said_once_where_that_is_asked_for(variables: dict[str, str], expected: list[str]) -> None:
    done = subprocess.run(
        [sys.executable, "-c", WRONG_CALLS], env=os.environ | variables, capture_output=True, text=True, check=True
    )
    lines = [line for line in done.stderr.splitlines() if line.startswith("octoscope: OpenGL")]
    assert [line.partition("(")[0] for line in lines] == expected

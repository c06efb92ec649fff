"""What is used of OpenGL follows from what a driver has, whatever number its context has."""

from __future__ import annotations

import os
import subprocess
import sys
from types import SimpleNamespace

import pytest

from octoscope.viewer.rendering.context.offscreen import create_context
from octoscope.viewer.rendering.context.opengl import has_indirect_draws, most_texture_samples

DRAWS = """
from tests.viewer.scenes import box_scene, picture, view_of
from octoscope.viewer.rendering.context.offscreen import create_context
from octoscope.viewer.rendering.renderer import Renderer

ctx = create_context()
renderer = Renderer(ctx)
picture(renderer, view_of(box_scene()))
print(ctx.version_code, renderer.passes.meshes.is_indirect, ctx.error)
"""


def test_a_context_has_the_newest_version_that_the_driver_makes() -> None:
    ctx = create_context()
    major, minor = ctx.info["GL_VERSION"].split()[0].split(".")[:2]
    assert ctx.version_code == 100 * int(major) + 10 * int(minor)
    ctx.release()


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="a variable of Mesa's")
def test_a_context_of_3_3_with_the_extension_draws_many_objects_at_once() -> None:
    environment = {**os.environ, "MESA_GL_VERSION_OVERRIDE": "3.3"}
    done = subprocess.run([sys.executable, "-c", DRAWS], env=environment, capture_output=True, text=True, check=True)
    if not done.stdout.startswith("330"):
        pytest.skip("the driver is not Mesa's")
    assert done.stdout == "330 True GL_NO_ERROR\n"


@pytest.mark.parametrize(
    ("version", "extensions", "expected"),
    [
        (330, (), False),
        (410, ("GL_ARB_draw_indirect", "GL_ARB_base_instance"), False),
        (330, ("GL_ARB_multi_draw_indirect", "GL_ARB_base_instance"), True),
        (430, (), True),
    ],
)
def test_indirect_draws_need_a_version_or_extensions(version, extensions, expected) -> None:
    ctx = SimpleNamespace(version_code=version, extensions={*extensions})
    assert has_indirect_draws(ctx) is expected


def test_textures_have_as_many_samples_as_the_least_of_their_limits() -> None:
    info = {"GL_MAX_COLOR_TEXTURE_SAMPLES": 8, "GL_MAX_DEPTH_TEXTURE_SAMPLES": 2}
    assert most_texture_samples(SimpleNamespace(max_samples=16, info=info)) == 2

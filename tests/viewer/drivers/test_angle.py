"""All programs by ANGLE's translator of GLSL ES 3.00, which Chromium has for WebGL 2.

It knows no samplers of multisample textures, no geometry stages and no outputs that are chosen by a variable.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from octoscope.viewer.rendering.context.shader_library import _PRECISE, stages_of
from tests.viewer.chromium import PROGRAM, running_chromium
from tests.viewer.drivers.drivers import BASE, DRIVERS, FEWEST, draw
from tests.viewer.pictures.scenes import REFERENCES

pytestmark = [pytest.mark.drivers, pytest.mark.skipif(PROGRAM is None, reason="needs Chromium")]

_SAMPLERS = ("2D", "2DArray", "2DShadow", "3D")
_HEAD = "\n".join(
    [
        "#version 300 es",
        "#extension GL_ANGLE_clip_cull_distance : enable",
        "#extension GL_NV_shader_noperspective_interpolation : enable",
        "precision highp float; precision highp int; precision highp isampler2D; precision highp usampler2D;",
        *(f"precision highp sampler{kind};" for kind in _SAMPLERS),
        "#define PRECISE",
        "#define ROUNDED(value) (value)",
        "",
    ]
)
_NOT_IN_ES = ("sampler2DMS", "array indexes for fragment outputs must be constant")
_COMPILE = """
(programs => {
    const gl = document.createElement("canvas").getContext("webgl2");
    gl.getExtension("WEBGL_clip_cull_distance");
    gl.getExtension("NV_shader_noperspective_interpolation");
    return programs.map(stages => {
        const program = gl.createProgram(), said = [];
        for (const [kind, text] of Object.entries(stages)) {
            const shader = gl.createShader(kind == "vertex_shader" ? gl.VERTEX_SHADER : gl.FRAGMENT_SHADER);
            gl.shaderSource(shader, text);
            gl.compileShader(shader);
            if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS)) said.push(gl.getShaderInfoLog(shader));
            gl.attachShader(program, shader);
            gl.deleteShader(shader);
        }
        gl.linkProgram(program);
        if (!said.length && !gl.getProgramParameter(program, gl.LINK_STATUS)) said.push(gl.getProgramInfoLog(program));
        gl.deleteProgram(program);
        return said;
    });
})
"""


def _said(programs: list[dict[str, str]]) -> list[list[str]]:
    """Return what ANGLE says against each program, stages of GLSL ES."""
    with running_chromium() as chromium:
        return chromium.new_page("about:blank").evaluate(f"{_COMPILE}({json.dumps(programs)})")


def _in_es(program: Sequence[str]) -> dict[str, str]:
    """Return the texts of a program's stages with another head: all else is the same in GLSL ES."""
    stages = stages_of(400, *program)
    return {kind: _HEAD + text.partition("\n")[2].replace(_PRECISE, "", 1) for kind, text in stages.items()}


@pytest.mark.timeout(300)
@pytest.mark.parametrize("driver", (BASE, FEWEST))
def test_angle_accepts_all_programs_that_es_has_words_for(driver: str, tmp_path: Path) -> None:
    _, programs = draw(DRIVERS[driver], list(REFERENCES), tmp_path / "pictures.npz")
    stages = [each for each in map(_in_es, programs) if "geometry_shader" not in each]
    said = [line for lines in _said(stages) for line in lines]
    refused = [line for line in said if not any(words in line for words in _NOT_IN_ES)]
    assert refused == [] and len(said) < 10 < 40 < len(stages)


def test_angle_refuses_what_is_no_glsl() -> None:
    right = _in_es(["paste.glsl"])
    wrong = {kind: text.replace("vec4(", "float4(") for kind, text in right.items()}
    assert [bool(lines) for lines in _said([right, wrong])] == [False, True]

"""Programs from shaders/: a file holds all stages of a program, with #if, #include and defines."""

from __future__ import annotations

import re
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

import moderngl

from octoscope.viewer.rendering.context.opengl import kept_with

_FOLDER = Path(import_module("octoscope.shaders").__path__[0])  # importlib.resources takes long to import

_GEOMETRY_DEFINES = {"WIDE", "AT_CORNERS"}  # with one of them a program has a geometry stage
# PRECISE before a declaration forbids to rearrange what is calculated for it, where there is a word for that. Elsewhere
# ROUNDED forbids it for a value of a vertex, by bits that a compiler cannot know: no vertex has so large a number.
_PRECISE = "#define PRECISE precise\n#define ROUNDED(value) (value)\n"
_PRECISE_BY_EXTENSION = f"""#extension GL_ARB_gpu_shader5 : enable
#if defined GL_ARB_gpu_shader5
{_PRECISE}#else
#define PRECISE
#define ROUNDED(value) uintBitsToFloat(floatBitsToUint(value) ^ (uint(gl_VertexID) >> 31))
#endif
"""


def stages_of(version: int, name: str, *defines: str) -> dict[str, str]:
    """Return the texts of shaders/`name` with the given names defined, in a version of GLSL, as ctx.program takes them.

    The compiler's line numbers count from the first line of the file.
    """
    stages = ["vertex", "fragment"]
    if not _GEOMETRY_DEFINES.isdisjoint(defines):
        stages, defines = [*stages, "geometry"], (*defines, "GEOMETRY_STAGE")
    head = f"#version {version} core\n" + (_PRECISE if version >= 400 else _PRECISE_BY_EXTENSION)
    head += "".join(f"#define {define}\n" for define in defines)
    return {f"{each}_shader": f"{head}#define {each.upper()}_SHADER\n#line 1\n{_source(name)}" for each in stages}


def program_of(ctx: moderngl.Context, name: str, *defines: str) -> moderngl.Program:
    """Return the program of shaders/`name` with the given names defined.

    It is compiled when it is first asked for, and lives as long as its context. All that draw with that share it: who
    uses it sets all of its uniforms.

    Raises:
        moderngl.Error: with the driver's message.
    """
    return kept_with(ctx, ("program", name, *defines), lambda: _build_program(ctx, name, *defines))


def _build_program(ctx: moderngl.Context, name: str, *defines: str) -> moderngl.Program:
    stages: dict[str, Any] = stages_of(400 if ctx.version_code >= 400 else 330, name, *defines)
    return ctx.program(**stages)


@cache
def _source(name: str) -> str:
    """Return the text of a file with all that it includes."""
    text = (_FOLDER / name).read_text(encoding="utf-8")

    def included(match: re.Match) -> str:
        following = text.count("\n", 0, match.end()) + 2
        return f"{_source(match[1])}\n#line {following}"

    return re.sub(r'(?m)^#include "(.+)"$', included, text)

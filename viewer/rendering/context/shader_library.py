"""Programs from shaders/: a file holds all stages of a program, with #if, #include and defines."""

from __future__ import annotations

import re
from functools import cache
from importlib import import_module
from pathlib import Path

import moderngl

from octoscope.viewer.rendering.context.opengl import kept_with

_FOLDER = Path(import_module("octoscope.shaders").__path__[0])  # importlib.resources takes long to import

# PRECISE before a declaration forbids to rearrange what is calculated for it, where the driver has a word for that.
_GEOMETRY_DEFINES = {"WIDE", "AT_CORNERS"}  # with one of them a program has a geometry stage
_HEAD = """#version 330 core
#extension GL_ARB_gpu_shader5 : enable
#if defined GL_ARB_gpu_shader5
#define PRECISE precise
#else
#define PRECISE
#endif
"""


def _build_program(ctx: moderngl.Context, name: str, *defines: str) -> moderngl.Program:
    """Compile shaders/`name` with the given names defined.

    Raises:
        moderngl.Error: with the driver's message; line numbers count from the first line of the file.
    """
    source = _source(name)
    has_geometry = not _GEOMETRY_DEFINES.isdisjoint(defines)
    if has_geometry:
        defines = (*defines, "GEOMETRY_STAGE")
    head = _HEAD + "".join(f"#define {define}\n" for define in defines)
    vertex, fragment, geometry = (
        f"{head}#define {stage}_SHADER\n#line 1\n{source}" for stage in ("VERTEX", "FRAGMENT", "GEOMETRY")
    )
    return ctx.program(
        vertex_shader=vertex, fragment_shader=fragment, geometry_shader=geometry if has_geometry else None
    )


def program_of(ctx: moderngl.Context, name: str, *defines: str) -> moderngl.Program:
    """Return the program of shaders/`name` with the given names defined.

    It is compiled when it is first asked for, and lives as long as its context. All that draw with that share it: who
    uses it sets all of its uniforms.
    """
    return kept_with(ctx, ("program", name, *defines), lambda: _build_program(ctx, name, *defines))


@cache
def _source(name: str) -> str:
    """Return the text of a file with all that it includes."""
    text = (_FOLDER / name).read_text(encoding="utf-8")

    def included(match: re.Match) -> str:
        following = text.count("\n", 0, match.end()) + 2
        return f"{_source(match[1])}\n#line {following}"

    return re.sub(r'(?m)^#include "(.+)"$', included, text)

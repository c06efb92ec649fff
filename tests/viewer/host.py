"""A program with an OpenGL context of its own: its framebuffers, and all state that OpenGL tells of."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from random import Random
from typing import Any

import moderngl
import numpy as np

from octoscope.viewer.rendering.context.offscreen import BACKENDS

# Every number that can name a parameter, but for the time, which passes, and those that Mesa looks up in drivers.
_PARAMETERS = [number for number in range(0x0B00, 0x9560) if number != 0x8E28]
_UNITS, _ACTIVE_TEXTURE, _TEXTURE0 = 32, 0x84E0, 0x84C0
_TEXTURE_BINDINGS = (0x8068, 0x8069, 0x806A, 0x8514, 0x84F6, 0x8C1C, 0x8C1D, 0x8C2C, 0x9104, 0x9105, 0x8919)
# Parameters that there are several of, by the parameter that says how many: those of targets, and of viewports.
_INDEXED = {
    0x8824: (0x0BE2, 0x0C23, 0x80C8, 0x80C9, 0x80CA, 0x80CB, 0x8009, 0x883D),
    0x825B: (0x0BA2, 0x0C10, 0x0B70, 0x0C11),
    0x8A2F: (0x8A28,),  # buffers of uniforms
    0x8E59: (0x8E52,),  # words of the sample mask
}
CAPABILITIES = (
    *(0x0B20, 0x0B41, 0x0B44, 0x0B71, 0x0B90, 0x0BD0, 0x0BE2, 0x0BF2, 0x0C11, 0x2A01, 0x2A02, 0x8037, 0x809D, 0x809E),
    *(0x809F, 0x80A0, 0x8642, 0x864F, 0x884F, 0x8C89, 0x8DB9, 0x8E51, 0x8F9D, *range(0x3000, 0x3008)),
)


@contextmanager
def host_context(version_code: int = 450) -> Iterator[moderngl.Context]:
    """Make another OpenGL context, and make it current."""
    ctx = moderngl.create_context(standalone=True, require=version_code, **next(iter(BACKENDS.values())))
    with ctx:
        yield ctx
        assert ctx.error == "GL_NO_ERROR"
    ctx.release()


def gl(ctx: moderngl.Context, name: str, *types: Any, result: Any = None) -> Callable[..., Any]:
    return ctypes.CFUNCTYPE(result, *types)(ctx.mglo._context.load_opengl_function(name))


class HostStateDump:
    """Reads every parameter that a context has."""

    def __init__(self, ctx: moderngl.Context) -> None:
        uint = ctypes.c_uint
        self._get = gl(ctx, "glGetDoublev", uint, ctypes.c_void_p)
        name, number = ("glGetDoublei_v", ctypes.c_double) if ctx.version_code >= 410 else ("glGetIntegeri_v", uint)
        self._get_indexed, self._few = gl(ctx, name, uint, uint, ctypes.c_void_p), (number * 4)()
        self._activate = gl(ctx, "glActiveTexture", uint)
        self._error = gl(ctx, "glGetError", result=uint)
        self._values = (ctypes.c_double * 256)()
        self._names = [number for number in _PARAMETERS if self._read(number) is not None]

    def _read(self, number: int) -> tuple[float, ...] | None:
        ctypes.memset(self._values, 0xFF, 16 * 8)
        self._get(number, self._values)
        return None if self._error() else tuple(np.nan_to_num(self._values[:16], nan=-77.5))

    def take(self) -> dict[object, object]:
        found: dict[object, object] = {hex(number): self._read(number) for number in self._names}
        for many, names in _INDEXED.items():
            for index in range(int((self._read(many) or (0,))[0])):
                for number in names:
                    self._few[:] = (0, 0, 0, 0)
                    self._get_indexed(number, index, self._few)
                    found[hex(number), index] = None if self._error() else tuple(self._few)
        active = int(found[hex(_ACTIVE_TEXTURE)][0])
        for unit in range(_UNITS):
            self._activate(_TEXTURE0 + unit)
            found["unit", unit] = [self._read(name)[0] for name in _TEXTURE_BINDINGS]
        self._activate(active)
        return found


def scramble(ctx: moderngl.Context, choice: Random) -> list[object]:
    """Set every part of a context's state to something at random; return what has to live as long as that."""
    uint, integer, real, double = ctypes.c_uint, ctypes.c_int, ctypes.c_float, ctypes.c_double

    def call(name: str, types: list[Any], *values: Any) -> None:
        gl(ctx, name, *types)(*values)

    def any_of(*values: Any) -> Any:
        return choice.choice(values)

    is_new = ctx.version_code >= 430
    for capability in (*CAPABILITIES, *((0x8C36, 0x8D69) if is_new else ())):
        call(any_of("glEnable", "glDisable"), [uint], capability)
    factors, equations, tests = (0, 1, 0x302, 0x303, 0x8001), (0x8006, 0x800A, 0x8007), range(0x200, 0x208)
    suffix = ((uint, "Separatei") if is_new else (None, "Separate"))[1]
    for index in range(8 if is_new else 1):
        leading = [index] if is_new else []
        call("glBlendFunc" + suffix, [uint] * (4 + len(leading)), *leading, *(any_of(*factors) for _ in range(4)))
        call("glBlendEquation" + suffix, [uint] * (2 + len(leading)), *leading, any_of(*equations), any_of(*equations))
    for index in range(8):
        call("glColorMaski", [uint] * 5, index, *(any_of(0, 1) for _ in range(4)))
        call(any_of("glEnablei", "glDisablei"), [uint, uint], 0x0BE2, index)
    for name in ("glBlendColor", "glClearColor"):
        call(name, [real] * 4, *(choice.random() for _ in range(4)))
    call("glClearDepth", [double], choice.random())
    call("glClearStencil", [integer], any_of(0, 3))
    call("glDepthFunc", [uint], any_of(*tests))
    call("glDepthMask", [uint], any_of(0, 1))
    for side in (0x404, 0x405):
        call("glStencilFuncSeparate", [uint] * 4, side, any_of(*tests), 1, any_of(1, 255))
        call("glStencilOpSeparate", [uint] * 4, side, *(any_of(0, 0x1E00, 0x1E01) for _ in range(3)))
        call("glStencilMaskSeparate", [uint] * 2, side, any_of(0, 1, 255))
    call("glCullFace", [uint], any_of(0x404, 0x405, 0x408))
    call("glFrontFace", [uint], any_of(0x900, 0x901))
    call("glPolygonMode", [uint, uint], 0x408, any_of(0x1B00, 0x1B01, 0x1B02))
    call("glPolygonOffset", [real, real], choice.random(), choice.random())
    call("glPointSize", [real], 1.0 + choice.random())
    call("glLineWidth", [real], any_of(1.0, 2.0))
    call("glPointParameterf", [uint, real], 0x8128, choice.random())
    call("glPointParameteri", [uint, integer], 0x8CA0, any_of(0x8CA1, 0x8CA2))
    call("glProvokingVertex", [uint], any_of(0x8E4D, 0x8E4E))
    call("glLogicOp", [uint], any_of(0x1500, 0x1503, 0x150A))
    call("glPrimitiveRestartIndex", [uint], any_of(0, 3, 65535))
    call("glClampColor", [uint, uint], 0x891C, any_of(0, 1, 0x891D))
    call("glSampleCoverage", [real, uint], choice.random(), any_of(0, 1))
    call("glSampleMaski", [uint, uint], 0, any_of(0, 1, 5))
    call("glHint", [uint, uint], 0x8B8B, any_of(0x1100, 0x1101, 0x1102))
    for first in (0x0CF0, 0x0D00):
        for name in range(first, first + 5):
            call("glPixelStorei", [uint, integer], name, any_of(0, 1))
        call("glPixelStorei", [uint, integer], first + 5, any_of(1, 2, 4, 8))
    for name in range(0x806B, 0x806F):
        call("glPixelStorei", [uint, integer], name, any_of(0, 7))
    if is_new:
        call("glMinSampleShading", [real], choice.random())
        call("glPatchParameteri", [uint, integer], 0x8E72, any_of(1, 3))
        call("glClipControl", [uint, uint], any_of(0x8CA1, 0x8CA2), any_of(0x935E, 0x935F))
        for index in range(16):
            call("glViewportIndexedf", [uint, *[real] * 4], index, *(choice.randint(0, 50) for _ in range(4)))
            call("glScissorIndexed", [uint, *[integer] * 4], index, *(choice.randint(0, 50) for _ in range(4)))
            call("glDepthRangeIndexed", [uint, double, double], index, choice.random(), choice.random())
            call(any_of("glEnablei", "glDisablei"), [uint, uint], 0x0C11, index)
    else:
        call("glViewport", [integer] * 4, *(choice.randint(0, 50) for _ in range(4)))
        call("glScissor", [integer] * 4, *(choice.randint(0, 50) for _ in range(4)))
        call("glDepthRange", [double] * 2, choice.random(), choice.random())
    return _bind_at_random(ctx, choice)


def _bind_at_random(ctx: moderngl.Context, choice: Random) -> list[object]:
    uint = ctypes.c_uint

    def call(name: str, *values: Any) -> None:
        gl(ctx, name, *[uint] * len(values))(*values)

    textures = {
        0x0DE1: ctx.texture((4, 4), 4),
        0x806F: ctx.texture3d((2, 2, 2), 4),
        0x8C1A: ctx.texture_array((2, 2, 2), 4),
        0x9100: ctx.texture((4, 4), 4, samples=4),
        0x8513: ctx.texture_cube((2, 2), 4),
    }
    sampler, buffer = uint(0), ctx.buffer(reserve=64)
    gl(ctx, "glGenSamplers", ctypes.c_int, ctypes.c_void_p)(1, ctypes.byref(sampler))
    program = ctx.program(vertex_shader="#version 330 core\nvoid main() { gl_Position = vec4(0.0); }")
    array = ctx.vertex_array(program, [])
    framebuffers = [ctx.simple_framebuffer((60, 60)) for _ in range(2)]
    for unit in range(_UNITS):
        call("glActiveTexture", _TEXTURE0 + unit)
        for target, texture in textures.items():
            if choice.random() < 0.5:
                call("glBindTexture", target, texture.glo)
        call("glBindSampler", unit, choice.choice((0, sampler.value)))
    call("glActiveTexture", _TEXTURE0 + choice.randrange(_UNITS))
    targets = (0x8892, 0x88EB, 0x88EC, 0x8A11, 0x8C2A, 0x8F36, 0x8F37)
    for target in (*targets, *((0x8F3F, 0x9192) if ctx.version_code >= 450 else ())):
        call("glBindBuffer", target, choice.choice((0, buffer.glo)))
    call("glUseProgram", choice.choice((0, program.glo)))
    call("glBindVertexArray", choice.choice((0, array.glo)))
    for target, framebuffer in zip((0x8CA9, 0x8CA8), framebuffers, strict=True):
        call("glBindFramebuffer", target, framebuffer.glo)
    call("glBindRenderbuffer", 0x8D41, framebuffers[0].color_attachments[0].glo)
    return [textures, sampler, buffer, program, array, framebuffers]

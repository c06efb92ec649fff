"""HostState: the state of an OpenGL context that another program owns, put aside while Octoscope draws with it."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

from octoscope.viewer.rendering.context.opengl import Load, function_of

# All numbers are from Khronos' gl.xml.
_MULTISAMPLE, _TEXTURE_CUBE_MAP_SEAMLESS, _DITHER = 0x809D, 0x884F, 0x0BD0
_ON = {_MULTISAMPLE, _TEXTURE_CUBE_MAP_SEAMLESS, _DITHER}  # of the capabilities; all others are off
_CAPABILITIES = {
    330: (
        0x0B44,  # CULL_FACE
        0x0B71,  # DEPTH_TEST
        0x0B90,  # STENCIL_TEST
        0x0BF2,  # COLOR_LOGIC_OP
        0x0B20,  # LINE_SMOOTH
        0x0B41,  # POLYGON_SMOOTH
        0x809E,  # SAMPLE_ALPHA_TO_COVERAGE
        0x809F,  # SAMPLE_ALPHA_TO_ONE
        0x80A0,  # SAMPLE_COVERAGE
        0x8E51,  # SAMPLE_MASK
        0x8037,  # POLYGON_OFFSET_FILL
        0x2A02,  # POLYGON_OFFSET_LINE
        0x2A01,  # POLYGON_OFFSET_POINT
        0x8C89,  # RASTERIZER_DISCARD
        0x8DB9,  # FRAMEBUFFER_SRGB
        0x864F,  # DEPTH_CLAMP
        0x8F9D,  # PRIMITIVE_RESTART
        0x8642,  # PROGRAM_POINT_SIZE
        *range(0x3000, 0x3008),  # CLIP_DISTANCE0 and on
        *_ON,
    ),
    400: (0x8C36,),  # SAMPLE_SHADING
    430: (0x8D69,),  # PRIMITIVE_RESTART_FIXED_INDEX
}
_BLEND, _SCISSOR_TEST = 0x0BE2, 0x0C11
_VIEWPORT, _SCISSOR_BOX, _DEPTH_RANGE, _COLOR_WRITEMASK = 0x0BA2, 0x0C10, 0x0B70, 0x0C23
_BLEND_FUNCTION, _BLEND_EQUATION = (0x80C9, 0x80C8, 0x80CB, 0x80CA), (0x8009, 0x883D)
_ONE, _ZERO, _ADD = 1, 0, 0x8006
_MAX_DRAW_BUFFERS, _MAX_VIEWPORTS, _MAX_TEXTURE_UNITS = 0x8824, 0x825B, 0x8B4D
_DRAW_FRAMEBUFFER_BINDING = 0x8CA6
_ACTIVE_TEXTURE, _TEXTURE0, _SAMPLER_BINDING = 0x84E0, 0x84C0, 0x8919
# Of textures that Octoscope has, by target: the parameter with what is bound.
_TEXTURES = {0x0DE1: 0x8069, 0x806F: 0x806A, 0x8C1A: 0x8C1D, 0x8C2A: 0x8C2C, 0x9100: 0x9104}
_UNITS = 16  # that shaders read from
_MODERNGL_UNIT = 31  # where moderngl binds what it makes, or where there are fewer the last

_PIXEL_STORE = {0x0CF5: 4, 0x0D05: 4}  # alignment of rows; all others are 0
_PIXEL_STORE |= dict.fromkeys((*range(0x0CF0, 0x0CF5), *range(0x0D00, 0x0D05), *range(0x806B, 0x806F)), 0)
# Of buffers, by the version that has them: target, and the parameter with what is bound.
_BUFFERS = {
    330: (
        (0x8892, 0x8894),  # ARRAY_BUFFER
        (0x88EB, 0x88ED),  # PIXEL_PACK_BUFFER
        (0x88EC, 0x88EF),  # PIXEL_UNPACK_BUFFER
        (0x8A11, 0x8A28),  # UNIFORM_BUFFER
        (0x8C2A, 0x8C2A),  # TEXTURE_BUFFER
    ),
    400: ((0x8F3F, 0x8F43),),  # DRAW_INDIRECT_BUFFER
    420: ((0x8F36, 0x8F36), (0x8F37, 0x8F37)),  # COPY_READ_BUFFER, COPY_WRITE_BUFFER
    440: ((0x9192, 0x9193),),  # QUERY_BUFFER
}
_TYPES: dict[str, Any] = {"i": ctypes.c_int, "f": ctypes.c_float, "d": ctypes.c_double}


class _Setting(NamedTuple):
    """A part of the state."""

    read: Callable[[], Sequence[float]]  # returns its values
    write: Callable[..., object]  # sets them
    initial: Sequence[float]  # those that Octoscope draws with


class HostState:
    """The part of a context's OpenGL state that drawing changes or depends on, saved and restored.

    Queries, transform feedback and conditional rendering cannot be put aside: none of them may be under way.

    The context must be current, here and later.

    Args:
        load: returns the address of an OpenGL function by its name.
        version_code: OpenGL version times 100, such as 330.
        clip_control: True if the context has glClipControl.
    """

    def __init__(self, load: Load, version_code: int, *, clip_control: bool) -> None:
        self._load, self._version, self._has_clip_control = load, version_code, clip_control
        self._doubles, self._buffer = self._function("glGetDoublev", 1, ctypes.c_void_p), (ctypes.c_double * 64)()
        self._settings = [
            *self._textures(),
            *self._objects(),
            *self._capabilities(),
            *self._numbers(),
            *(self._indexed() if self._version >= 410 else self._single()),
        ]

    @property
    def drawn_framebuffer(self) -> int:
        """The name of the framebuffer that is drawn into."""
        return int(self._get(_DRAW_FRAMEBUFFER_BINDING)[0])

    @property
    def viewport(self) -> tuple[int, int, int, int]:
        """Left, lower, width and height of the part of it that is drawn into, pixels."""
        left, lower, width, height = map(int, self._get(_VIEWPORT, 4))
        return left, lower, width, height

    @contextmanager
    def put_aside(self) -> Iterator[None]:
        """Set the state that Octoscope draws with; the former comes back afterwards."""
        before = [setting.read() for setting in self._settings]
        for (_, write, initial), values in zip(self._settings, before, strict=True):
            if values != initial:
                write(*initial)
        try:
            yield
        finally:  # in reverse: the unit that is active comes last
            for (_, write, _), values in zip(reversed(self._settings), reversed(before), strict=True):
                write(*values)

    def _function(self, name: str, count: int, *more: type, result: type | None = None) -> Callable[..., Any]:
        return function_of(self._load, name, count, *more, result=result)

    def _get(self, name: int, count: int = 1) -> tuple[float, ...]:
        """Return so many values of a parameter."""
        self._doubles(name, ctypes.byref(self._buffer))
        return tuple(self._buffer[:count])

    def _setting(self, function: str, types: str, *names: int, initial: tuple[float, ...], first: int = -1) -> _Setting:
        """Return a setting of parameters that one function sets.

        Args:
            function: of OpenGL.
            types: of its arguments, a letter of _TYPES each.
            names: of the parameters; a single one has as many values as `initial`.
            initial: values.
            first: argument of the function before them; -1: none.
        """
        leading = [first] if first >= 0 else []
        set_values = self._function(function, len(leading), *[_TYPES[letter] for letter in types])

        def read() -> tuple[float, ...]:
            if len(names) == 1:
                return self._get(names[0], len(initial))
            return tuple(self._get(name)[0] for name in names)

        def write(*values: float) -> None:
            whole = (int(value) if letter == "i" else value for value, letter in zip(values, types, strict=True))
            set_values(*leading, *whole)

        return _Setting(read, write, tuple(map(float, initial)))

    def _textures(self) -> Iterator[_Setting]:
        """Yield which unit is active, and what is bound to each that Octoscope uses."""
        yield self._setting("glActiveTexture", "i", _ACTIVE_TEXTURE, initial=(_TEXTURE0,))
        activate, bind, bind_sampler = (
            self._function(name, count)
            for name, count in (("glActiveTexture", 1), ("glBindTexture", 2), ("glBindSampler", 2))
        )

        def unit_setting(unit: int) -> _Setting:
            def read() -> tuple[float, ...]:
                activate(_TEXTURE0 + unit)
                return tuple(self._get(name)[0] for name in (*_TEXTURES.values(), _SAMPLER_BINDING))

            def write(*values: float) -> None:
                *textures, sampler = map(int, values)
                activate(_TEXTURE0 + unit)
                for target, texture in zip(_TEXTURES, textures, strict=True):
                    bind(target, texture)
                bind_sampler(unit, sampler)

            return _Setting(read, write, (0.0,) * (len(_TEXTURES) + 1))

        last = int(self._get(_MAX_TEXTURE_UNITS)[0]) - 1
        for unit in {*range(_UNITS), min(_MODERNGL_UNIT, last), last}:
            yield unit_setting(unit)

    def _objects(self) -> Iterator[_Setting]:
        """Yield what else is bound."""
        for function, name in (("glBindVertexArray", 0x85B5), ("glUseProgram", 0x8B8D)):
            yield self._setting(function, "i", name, initial=(0,))
        for target, name in ((0x8CA9, _DRAW_FRAMEBUFFER_BINDING), (0x8CA8, 0x8CAA)):  # to draw into, and to read from
            yield self._setting("glBindFramebuffer", "i", name, first=target, initial=(0,))
        yield self._setting("glBindRenderbuffer", "i", 0x8CA7, first=0x8D41, initial=(0,))
        for version, buffers in _BUFFERS.items():
            for target, name in buffers if self._version >= version else ():
                yield self._setting("glBindBuffer", "i", name, first=target, initial=(0,))

    def _capabilities(self) -> Iterator[_Setting]:
        """Yield what is on or off."""
        for version, capabilities in _CAPABILITIES.items():
            for each in capabilities if self._version >= version else ():
                yield self._switch(each)

    def _numbers(self) -> Iterator[_Setting]:
        """Yield numbers and choices that a context has once."""
        setting, version = self._setting, self._version
        yield setting("glBlendColor", "ffff", 0x8005, initial=(0.0, 0.0, 0.0, 0.0))
        yield setting("glClearColor", "ffff", 0x0C22, initial=(0.0, 0.0, 0.0, 0.0))
        yield setting("glClearDepth", "d", 0x0B73, initial=(1.0,))
        yield setting("glDepthFunc", "i", 0x0B74, initial=(0x0201,))
        yield setting("glDepthMask", "i", 0x0B72, initial=(1,))
        yield setting("glCullFace", "i", 0x0B45, initial=(0x0405,))
        yield setting("glFrontFace", "i", 0x0B46, initial=(0x0901,))
        yield setting("glPolygonMode", "i", 0x0B40, first=0x0408, initial=(0x1B02,))
        if version >= 460:
            yield setting("glPolygonOffsetClamp", "fff", 0x8038, 0x2A00, 0x8E1B, initial=(0.0, 0.0, 0.0))
        else:
            yield setting("glPolygonOffset", "ff", 0x8038, 0x2A00, initial=(0.0, 0.0))
        yield setting("glPointSize", "f", 0x0B11, initial=(1.0,))
        yield setting("glPointParameterf", "f", 0x8128, first=0x8128, initial=(1.0,))
        yield setting("glPointParameteri", "i", 0x8CA0, first=0x8CA0, initial=(0x8CA2,))
        yield setting("glLineWidth", "f", 0x0B21, initial=(1.0,))
        yield setting("glProvokingVertex", "i", 0x8E4F, initial=(0x8E4E,))
        yield setting("glLogicOp", "i", 0x0BF0, initial=(0x1503,))
        yield setting("glPrimitiveRestartIndex", "i", 0x8F9E, initial=(0,))
        yield setting("glClampColor", "i", 0x891C, first=0x891C, initial=(0x891D,))
        for name, value in _PIXEL_STORE.items():
            yield setting("glPixelStorei", "i", name, first=name, initial=(value,))
        if self._has_clip_control:
            yield setting("glClipControl", "ii", 0x935C, 0x935D, initial=(0x8CA1, 0x935E))

    def _single(self) -> Iterator[_Setting]:
        """Yield what newer contexts have once for each viewport and target."""
        yield self._setting("glViewport", "iiii", _VIEWPORT, initial=(0, 0, 1, 1))
        yield self._setting("glScissor", "iiii", _SCISSOR_BOX, initial=(0, 0, 1, 1))
        yield self._setting("glDepthRange", "dd", _DEPTH_RANGE, initial=(0.0, 1.0))
        yield self._switch(_SCISSOR_TEST)
        yield self._setting("glBlendFuncSeparate", "iiii", *_BLEND_FUNCTION, initial=(_ONE, _ZERO, _ONE, _ZERO))
        yield self._setting("glBlendEquationSeparate", "ii", *_BLEND_EQUATION, initial=(_ADD, _ADD))
        yield from self._targets()

    def _targets(self) -> Iterator[_Setting]:
        for index in range(int(self._get(_MAX_DRAW_BUFFERS)[0])):
            yield self._switch(_BLEND, index)
            yield self._indexed_setting("glColorMaski", "iiii", index, _COLOR_WRITEMASK, initial=(1, 1, 1, 1))

    def _indexed(self) -> Iterator[_Setting]:
        """Yield what each viewport and each target has for itself."""
        for index in range(int(self._get(_MAX_VIEWPORTS)[0])):
            yield self._indexed_setting("glViewportIndexedf", "ffff", index, _VIEWPORT, initial=(0, 0, 1, 1))
            yield self._indexed_setting("glScissorIndexed", "iiii", index, _SCISSOR_BOX, initial=(0, 0, 1, 1))
            yield self._indexed_setting("glDepthRangeIndexed", "dd", index, _DEPTH_RANGE, initial=(0.0, 1.0))
            yield self._switch(_SCISSOR_TEST, index)
        yield from self._targets()
        for index in range(int(self._get(_MAX_DRAW_BUFFERS)[0])):
            yield self._indexed_setting(
                "glBlendFuncSeparatei", "iiii", index, *_BLEND_FUNCTION, initial=(_ONE, _ZERO, _ONE, _ZERO)
            )
            yield self._indexed_setting("glBlendEquationSeparatei", "ii", index, *_BLEND_EQUATION, initial=(_ADD, _ADD))

    def _switch(self, *which: int) -> _Setting:
        """Return a setting of what is on or off: a capability, and its index if there are several of it."""
        suffix = "i" if len(which) == 2 else ""
        is_on = self._function(f"glIsEnabled{suffix}", len(which), result=ctypes.c_ubyte)
        turn = [self._function(name + suffix, len(which)) for name in ("glDisable", "glEnable")]
        return _Setting(lambda: (is_on(*which),), lambda value: turn[value](*which), (int(which[0] in _ON),))

    def _indexed_setting(self, function: str, types: str, index: int, *names: int, initial: tuple) -> _Setting:
        """Return a setting as `_setting` does, of those that there are several of."""
        getter = {"i": "glGetIntegeri_v", "f": "glGetFloati_v", "d": "glGetDoublei_v"}[types[0]]
        get, values = self._function(getter, 2, ctypes.c_void_p), (_TYPES[types[0]] * 4)()
        set_values: Any = self._function(function, 1, *[_TYPES[letter] for letter in types])

        def read() -> tuple[float, ...]:
            found: tuple[float, ...] = ()
            for name in names:
                get(name, index, ctypes.byref(values))
                found += tuple(values[: len(initial) if len(names) == 1 else 1])
            return found

        return _Setting(read, lambda *given: set_values(index, *given), initial)

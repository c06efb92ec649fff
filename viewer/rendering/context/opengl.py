"""Small helpers over moderngl: matrices, textures, blending, functions that it lacks, renderers without a card."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Hashable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TypeAlias, TypeVar

import moderngl
import numpy as np

# Of colours, and of opacity; moderngl's types know of the first two alone.
ALPHA_BLENDING: Any = (moderngl.SRC_ALPHA, moderngl.ONE_MINUS_SRC_ALPHA, moderngl.ONE, moderngl.ONE_MINUS_SRC_ALPHA)
OVER = moderngl.ONE, moderngl.ONE_MINUS_SRC_ALPHA  # of colours that are multiplied by their opacity
# Parts of their names, in small letters: Mesa's, Google's, Windows' own two, Apple's.
_SOFTWARE_RENDERERS = ("llvmpipe", "softpipe", "swrast", "swiftshader", "basic render", "gdi generic", "software")
SRGB_FORMAT = 0x8C43  # GL_SRGB8_ALPHA8: it reads and blends as linear light
_CLIP_DISTANCE0 = 0x3000
_FRAMEBUFFER_SRGB, _TEXTURE_SRGB_DECODE, _SKIP_DECODE = 0x8DB9, 0x8A48, 0x8A4A
_TEXTURE_2D, _TEXTURE_2D_ARRAY, _RGBA, _UNSIGNED_BYTE = 0x0DE1, 0x8C1A, 0x1908, 0x1401
_T = TypeVar("_T")
Context: TypeAlias = moderngl.Context  # for those who do not import moderngl
Load: TypeAlias = Callable[[str], int]  # returns the address of a function of OpenGL
FUNCTION_TYPE: Any = getattr(ctypes, "WINFUNCTYPE", ctypes.CFUNCTYPE)


def has_indirect_draws(ctx: moderngl.Context) -> bool:
    """Return whether one call draws any number of draws that a buffer lists, each with a first instance."""
    return ctx.version_code >= 430 or {"GL_ARB_multi_draw_indirect", "GL_ARB_base_instance"} <= ctx.extensions


def most_texture_samples(ctx: moderngl.Context) -> int:
    """Return how many samples a pixel of colours and depths in textures may have; drivers allow renderbuffers more."""
    limits = "GL_MAX_COLOR_TEXTURE_SAMPLES", "GL_MAX_DEPTH_TEXTURE_SAMPLES"
    return min(ctx.max_samples, *(ctx.info[name] for name in limits))


def set_matrix(program: moderngl.Program, name: str, matrix: np.ndarray) -> None:
    """Set a uniform matrix from an array of rows; OpenGL reads columns, and this is the only place that transposes."""
    uniform = program[name]
    assert isinstance(uniform, moderngl.Uniform)
    uniform.write(np.ascontiguousarray(matrix.T))


def color_texture(framebuffer: moderngl.Framebuffer, index: int = 0) -> moderngl.Texture:
    """Return a texture that a framebuffer's colours are drawn into."""
    texture = framebuffer.color_attachments[index]
    assert isinstance(texture, moderngl.Texture)
    return texture


def is_software(ctx: moderngl.Context) -> bool:
    """Return whether the processor draws in place of a graphics card, going by the name of the renderer."""
    name = ctx.info["GL_RENDERER"].lower()
    return any(known in name for known in _SOFTWARE_RENDERERS)


@contextmanager
def linear_light(ctx: moderngl.Context) -> Iterator[None]:
    """Make targets of SRGB_FORMAT take and blend colours as linear light; before and after, they take sRGB as it is.

    A copy between two of them makes the mean of several samples in linear light, too.
    """
    ctx.enable_direct(_FRAMEBUFFER_SRGB)
    try:
        yield
    finally:
        ctx.disable_direct(_FRAMEBUFFER_SRGB)


@contextmanager
def clip_distances(ctx: moderngl.Context, count: int) -> Iterator[None]:
    """Cut off what has one of the first `count` gl_ClipDistance below 0; before and after, nothing is cut off."""
    for index in range(count):
        ctx.enable_direct(_CLIP_DISTANCE0 + index)
    try:
        yield
    finally:
        for index in range(count):
            ctx.disable_direct(_CLIP_DISTANCE0 + index)


@contextmanager
def back_face_culling(ctx: moderngl.Context, culls: bool) -> Iterator[None]:
    """Leave out triangles whose corners are seen clockwise, if `culls`; before and after, none is left out."""
    if culls:
        ctx.enable(moderngl.CULL_FACE)
    try:
        yield
    finally:
        if culls:
            ctx.disable(moderngl.CULL_FACE)


def picture_texture(ctx: moderngl.Context, size: tuple[int, int]) -> moderngl.Texture:
    """Return a texture of SRGB_FORMAT that is read as sRGB, and as opaque, whatever was blended into it."""
    texture = ctx.texture(size, 4, internal_format=SRGB_FORMAT)
    # GL_EXT_texture_sRGB_decode, which every driver has that has OpenGL 3.3.
    gl_function(ctx, "glBindTexture", 2)(_TEXTURE_2D, texture.glo)
    gl_function(ctx, "glTexParameteri", 3)(_TEXTURE_2D, _TEXTURE_SRGB_DECODE, _SKIP_DECODE)
    texture.filter = (moderngl.NEAREST, moderngl.NEAREST)
    texture.swizzle = "RGB1"
    return texture


@contextmanager
def with_opacity(picture: moderngl.Texture) -> Iterator[None]:
    """Have a `picture_texture` read with the opacity that was drawn into it."""
    picture.swizzle = "RGBA"
    try:
        yield
    finally:
        picture.swizzle = "RGB1"


def srgb_texture_array(ctx: moderngl.Context, size: tuple[int, int, int]) -> moderngl.TextureArray:
    """Return a texture array of sRGB texels, which is filtered and scaled down in linear light; size with layers."""
    array = ctx.texture_array(size, 4)
    # moderngl has no such format for arrays: this one gets other storage.
    gl_function(ctx, "glBindTexture", 2)(_TEXTURE_2D_ARRAY, array.glo)
    storage = gl_function(ctx, "glTexImage3D", 9, ctypes.c_void_p)
    storage(_TEXTURE_2D_ARRAY, 0, SRGB_FORMAT, *size, 0, _RGBA, _UNSIGNED_BYTE, None)
    return array


def kept_with(ctx: moderngl.Context, key: Hashable, make: Callable[[], _T]) -> _T:
    """Return what `make` made when it was first called with this key and context; it lives as long as the context."""
    if ctx.extra is None:  # where moderngl lets a program keep what it likes
        ctx.extra = {}
    if key not in ctx.extra:
        ctx.extra[key] = make()
    return ctx.extra[key]


def release_framebuffers(framebuffers: Sequence[moderngl.Framebuffer]) -> None:
    """Delete framebuffers and what they are drawn into; some may share it."""
    for framebuffer in framebuffers:
        for attachment in (*framebuffer.color_attachments, framebuffer.depth_attachment):
            if attachment is not None:
                attachment.release()
        framebuffer.release()


@contextmanager
def keeping_default_context() -> Iterator[None]:
    """Keep moderngl's default context, which every new one replaces, for whoever else uses moderngl in the process."""
    store = vars(moderngl)["_store"]  # moderngl has no function for it
    before = store.default_context
    try:
        yield
    finally:
        store.default_context = before


def count_kept(ctx: moderngl.Context) -> int:
    """Return how many things are kept by `kept_with`."""
    return len(ctx.extra or ())


def samples_query(ctx: moderngl.Context) -> moderngl.Query:
    """Return what counts samples, for one draw after another: moderngl cannot delete a query."""
    return kept_with(ctx, "samples", lambda: ctx.query(samples=True))


def idle_framebuffer(ctx: moderngl.Context) -> moderngl.Framebuffer:
    """Return a framebuffer to be in use in place of one that is deleted: moderngl would bind that again."""
    return kept_with(ctx, "idle", lambda: ctx.simple_framebuffer((1, 1)))


def gl_function(
    ctx: moderngl.Context, name: str, count: int, *more: type, result: type | None = None
) -> Callable[..., Any]:
    """Return a function of OpenGL that moderngl lacks, as `function_of`.

    The context that is current must be `ctx`, also where the function is called.
    """
    return function_of(ctx.mglo._context.load_opengl_function, name, count, *more, result=result)


def function_of(load: Load, name: str, count: int, *more: type, result: type | None = None) -> Callable[..., Any]:
    """Return a function of OpenGL by its name, of so many int arguments, `more`, and a result of a ctypes type."""
    return FUNCTION_TYPE(result, *[ctypes.c_int] * count, *more)(load(name))

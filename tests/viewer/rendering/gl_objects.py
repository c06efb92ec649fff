"""Count the OpenGL objects of the context in use, by asking the driver for each name that it may have given out."""

from __future__ import annotations

import ctypes
import ctypes.util
from functools import cache

KINDS = ("Program", "Shader", "Buffer", "Texture", "Framebuffer", "Renderbuffer", "VertexArray", "Query", "Sampler")
_LARGEST_NAME = 2000  # drivers give out small numbers, and those that were given back again


def count_gl_objects() -> dict[str, int]:
    """Objects by kind; a kind without any is left out."""
    counts = {kind: sum(map(_is_function(kind), range(1, _LARGEST_NAME))) for kind in KINDS}
    return {kind: count for kind, count in counts.items() if count}


@cache
def _is_function(kind: str) -> ctypes._CFuncPtr:
    library = ctypes.CDLL(ctypes.util.find_library("GL"))
    function = getattr(library, f"glIs{kind}")
    function.argtypes, function.restype = [ctypes.c_uint], ctypes.c_ubyte
    return function

"""The formats that a library in an extra reads, and programs that convert such files without it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Kind:
    """A format.

    Attributes:
        name: for messages.
        extra: of Octoscope, which has the library.
        module: of the library.
        tool: a program that converts such files.
        target: the ending to convert them to.
    """

    name: str
    extra: str
    module: str
    tool: str
    target: str


_STEP = Kind("STEP", "step", "cascadio", "FreeCAD", ".obj")
_USD = Kind("USD", "usd", "pxr", "Blender", ".glb")
_COLLADA = Kind("COLLADA", "collada", "collada", "MeshLab", ".obj")

# By the ending of the file's name.
KINDS = {
    **dict.fromkeys((".step", ".stp"), _STEP),
    **dict.fromkeys((".usd", ".usda", ".usdc", ".usdz"), _USD),
    ".dae": _COLLADA,
}
_READER = ("converted.reader", "read_converted")
FORMATS = {
    kind.name: (tuple(ending for ending in KINDS if KINDS[ending] is kind), _READER, True)
    for kind in (_STEP, _USD, _COLLADA)
}

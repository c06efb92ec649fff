"""The formats that a library in an extra reads, and programs that convert such files without it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Kind:
    """A format."""

    name: str
    extra: str  # of Octoscope, which has the library
    module: str  # of the library
    tool: str  # a program that converts such files
    target: str  # the ending to convert them to
    marks: tuple[bytes, ...]  # bytes of which such a file has one near its beginning
    unmarked: str  # what a file without any is, for messages


_STEP = Kind("STEP", "step", "cascadio", "FreeCAD", ".obj", (b"ISO-10303-21",), "it does not begin with ISO-10303-21")
_ZIP = b"PK\3\4"
_USD = Kind(
    *("USD", "usd", "pxr", "Blender", ".glb"),
    (b"#usda", b"#sdf", b"PXR-USDC", _ZIP),
    "it is neither a layer of USD nor a package of them",
)
_COLLADA = Kind("COLLADA", "collada", "collada", "MeshLab", ".obj", (b"COLLADA", _ZIP), "it has no element COLLADA")

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

"""Subtrees: a few levels of an implicit octree in one binary file.

Which tiles, contents and further subtrees there are stands as bits in Morton order, level by level; what is said of
each tile follows in the order of its bit (OGC 22-025r4, "3D Tiles", implicit tiling).
"""

from __future__ import annotations

import json
import struct
from dataclasses import dataclass
from typing import cast

import numpy as np

from octoscope.scene.formats.tiles.cells import LARGEST_NUMBER
from octoscope.scene.formats.tiles.property_table import pack_table, unpack_table

TILE_CLASS = "tile"
BOX, ERROR = "boundingBox", "geometricError"  # properties of tiles
MOST_LEVELS = 8  # of one subtree that is read: two million bits
_MAGIC, _VERSION = b"subt", 1
_HEAD = struct.Struct("<4sIQQ")
_ALIGNMENT = 8  # bytes

# What tileset.json says of the class; the semantics are those of the specification.
TILE_PROPERTIES: dict[str, dict[str, object]] = {
    BOX: {
        "type": "SCALAR",
        "componentType": "FLOAT64",
        "array": True,
        "count": 12,
        "semantic": "TILE_BOUNDING_BOX",
        "required": True,
    },
    ERROR: {"type": "SCALAR", "componentType": "FLOAT64", "semantic": "TILE_GEOMETRIC_ERROR", "required": True},
}


@dataclass(frozen=True, eq=False)
class Subtree:
    """The content of a subtree file.

    Attributes:
        levels: how many it has.
        tiles: (n,) int64 ascending, the bits of its tiles: `first_bit` of the level, plus the Morton code within it.
        has_content: (n,) bool.
        boxes: (n, 12) float64, as `cells.box_around` returns them; None: not stated.
        errors: (n,) float64, world units; None: not stated.
        children: (c,) int64 ascending, Morton codes, within the level below its last, of the subtrees below it.
    """

    levels: int
    tiles: np.ndarray
    has_content: np.ndarray
    boxes: np.ndarray | None
    errors: np.ndarray | None
    children: np.ndarray

    @property
    def level_of_tiles(self) -> np.ndarray:
        """The level of each tile in the subtree, (n,) int64."""
        return np.searchsorted([first_bit(level) for level in range(self.levels + 1)], self.tiles, side="right") - 1

    @property
    def codes_of_tiles(self) -> np.ndarray:
        """The Morton code of each tile in its level of the subtree, (n,) int64."""
        firsts = np.array([first_bit(level) for level in range(self.levels)])
        return self.tiles - firsts[self.level_of_tiles]


def first_bit(level: int) -> int:
    """Return the bit of the first tile of a level: how many tiles the levels above it can have."""
    return (8**level - 1) // 7


def pack_subtree(subtree: Subtree) -> bytes:
    """Return the bytes of a subtree file; boxes and errors must be stated."""
    assert subtree.boxes is not None and subtree.errors is not None
    views: list[np.ndarray] = []

    def availability(bits: np.ndarray, size: int) -> dict[str, int]:
        if len(bits) in (0, size):
            return {"constant": int(len(bits) > 0)}
        flags = np.zeros(size, dtype=np.bool_)
        flags[bits] = True
        views.append(np.packbits(flags, bitorder="little"))
        return {"bitstream": len(views) - 1, "availableCount": len(bits)}

    size = first_bit(subtree.levels)
    document: dict[str, object] = {
        "tileAvailability": availability(subtree.tiles, size),
        "contentAvailability": [availability(subtree.tiles[subtree.has_content], size)],
        "childSubtreeAvailability": availability(subtree.children, 8**subtree.levels),
    }
    table = pack_table({BOX: subtree.boxes, ERROR: subtree.errors}, len(views))
    views += table.views
    document["propertyTables"] = [{"class": TILE_CLASS, "count": len(subtree.tiles), "properties": table.values}]
    document["tileMetadata"] = 0
    binary = bytearray()
    described = []
    for view in views:
        described.append({"buffer": 0, "byteOffset": len(binary), "byteLength": view.nbytes})
        binary += view.tobytes() + b"\0" * (-view.nbytes % _ALIGNMENT)
    document = {"buffers": [{"byteLength": len(binary)}], "bufferViews": described, **document}
    text = json.dumps(document, separators=(",", ":")).encode()
    text += b" " * (-len(text) % _ALIGNMENT)
    return _HEAD.pack(_MAGIC, _VERSION, len(text), len(binary)) + text + bytes(binary)


def unpack_subtree(content: bytes, levels: int) -> Subtree:
    """Read the bytes of a subtree file; buffers in other files are not read.

    Args:
        content: of the file.
        levels: of each subtree of the tileset, at most MOST_LEVELS.

    Returns:
        the subtree.

    Raises:
        ValueError: the file breaks the rules; the message says which.
    """
    if len(content) < _HEAD.size:
        raise ValueError("cut off")
    magic, version, text_length, binary_length = _HEAD.unpack_from(content)
    if magic != _MAGIC or version != _VERSION:
        raise ValueError("no subtree of version 1")
    if _HEAD.size + text_length + binary_length != len(content) or text_length % 8 or binary_length % 8:
        raise ValueError("its lengths do not agree")
    document = json.loads(content[_HEAD.size : _HEAD.size + text_length])
    binary = np.frombuffer(content, dtype=np.uint8, offset=_HEAD.size + text_length)
    described = document.get("bufferViews", [])

    def view(number: object) -> np.ndarray:
        if not isinstance(number, int) or not 0 <= number < len(described):
            raise ValueError(f"there is no buffer view {number}")
        offset, length = (described[number].get(key) for key in ("byteOffset", "byteLength"))
        if not (isinstance(offset, int) and isinstance(length, int)) or offset % _ALIGNMENT:
            raise ValueError(f"buffer view {number} does not begin at a multiple of {_ALIGNMENT} bytes")
        if described[number].get("buffer") != 0 or not 0 <= offset <= offset + length <= len(binary):
            raise ValueError(f"buffer view {number} leads outside")
        return binary[offset : offset + length]

    def bits(of: dict[str, object], size: int) -> np.ndarray:
        if "constant" in of:
            return np.arange(size if of["constant"] == 1 else 0)
        stream = view(of.get("bitstream"))
        if len(stream) != (size + 7) // 8:
            raise ValueError(f"{len(stream)} bytes of availability where {(size + 7) // 8} are needed")
        flags = np.unpackbits(stream, bitorder="little")
        found = np.flatnonzero(flags[:size])
        if flags[size:].any() or of.get("availableCount", len(found)) != len(found):
            raise ValueError("its bits do not agree with their count")
        return found

    size = first_bit(levels)
    tiles = bits(document["tileAvailability"], size)
    contents = bits(document["contentAvailability"][0], size) if document.get("contentAvailability") else tiles[:0]
    children = bits(document["childSubtreeAvailability"], 8**levels)
    boxes = errors = None
    if "tileMetadata" in document:
        table = document["propertyTables"][document["tileMetadata"]]
        if table.get("count") != len(tiles):
            raise ValueError("its metadata is for another number of tiles")
        columns = unpack_table(TILE_PROPERTIES, table.get("properties", {}), len(tiles), view)
        boxes, errors = (cast("np.ndarray | None", columns.get(name)) for name in (BOX, ERROR))
        if any(column is not None and not (np.abs(column) < LARGEST_NUMBER).all() for column in (boxes, errors)):
            raise ValueError("a box or an error that is no number, or too large")
    if len(tiles) == 0 or not np.isin(contents, tiles).all():
        raise ValueError("contents of tiles that there are not")
    return Subtree(levels, tiles, np.isin(tiles, contents), boxes, errors, children)

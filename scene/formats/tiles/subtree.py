"""Subtrees: a few levels of an implicit octree or quadtree in one file, binary or JSON.

Which tiles, contents and further subtrees there are stands as bits in Morton order, level by level; what is said of
each tile follows in the order of its bit (OGC 22-025r4, "3D Tiles", implicit tiling).
"""

from __future__ import annotations

import json
import struct
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from octoscope.scene.formats.tiles.cells import LARGEST_NUMBER
from octoscope.scene.formats.tiles.tables.metadata import BROKEN, properties_of
from octoscope.scene.formats.tiles.tables.property_table import Columns, PropertyTable, pack_table, unpack_table
from octoscope.scene.formats.tiles.volumes import BOX as BOX_VOLUME
from octoscope.scene.formats.tiles.volumes import REGION, SPHERE

TILE_CLASS = "tile"
BOX, ERROR = "boundingBox", "geometricError"  # properties of tiles
_MOST_BITS = 2**24  # of one subtree that is read
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
TILE_SCHEMA = {"id": "octoscope", "classes": {TILE_CLASS: {"properties": TILE_PROPERTIES}}}
_ERROR_SEMANTIC = "TILE_GEOMETRIC_ERROR"
_SEMANTICS: dict[str, tuple[str, tuple[int, ...]]] = {  # what each means, and the shape of a row
    "TILE_BOUNDING_BOX": (BOX_VOLUME, (12,)),
    "TILE_BOUNDING_REGION": (REGION, (6,)),
    "TILE_BOUNDING_SPHERE": (SPHERE, (4,)),
    _ERROR_SEMANTIC: ("", ()),
}


@dataclass(frozen=True, eq=False)
class Subtree:
    """The content of a subtree file."""

    levels: int  # how many it has
    # (n,) int64 ascending, the bits of its tiles: `first_bit` of the level, plus the Morton code within it
    tiles: np.ndarray
    has_content: np.ndarray  # (n, c) bool, for each of the contents that tiles may have
    # (n, k) float64 of the kind `volume_kind`, as `cells.box_around` returns boxes; None: not stated
    volumes: np.ndarray | None
    errors: np.ndarray | None  # (n,) float64, world units; None: not stated
    # (c,) int64 ascending, Morton codes, within the level below its last, of the subtrees below it
    children: np.ndarray
    volume_kind: str = BOX_VOLUME
    branching: int = 8  # 8 of an octree, 4 of a quadtree
    metadata: PropertyTable | None = None  # a row for each tile
    content_metadata: Sequence[PropertyTable | None] = ()  # of each of the contents, a row for each tile that has it

    @property
    def level_of_tiles(self) -> np.ndarray:
        """The level of each tile in the subtree, (n,) int64."""
        firsts = [first_bit(level, self.branching) for level in range(self.levels + 1)]
        return np.searchsorted(firsts, self.tiles, side="right") - 1

    @property
    def codes_of_tiles(self) -> np.ndarray:
        """The Morton code of each tile in its level of the subtree, (n,) int64."""
        firsts = np.array([first_bit(level, self.branching) for level in range(self.levels)])
        return self.tiles - firsts[self.level_of_tiles]


def first_bit(level: int, branching: int = 8) -> int:
    """Return the bit of the first tile of a level: how many tiles the levels above it can have."""
    return (branching**level - 1) // (branching - 1)


def pack_subtree(subtree: Subtree) -> bytes:
    """Return the bytes of a binary subtree file of an octree; boxes and errors must be stated."""
    assert subtree.volumes is not None and subtree.errors is not None
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
        "contentAvailability": [availability(subtree.tiles[each], size) for each in subtree.has_content.T],
        "childSubtreeAvailability": availability(subtree.children, 8**subtree.levels),
    }
    table = pack_table({BOX: subtree.volumes, ERROR: subtree.errors}, len(views))
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


def unpack_subtree(
    content: bytes,
    levels: int,
    branching: int = 8,
    *,
    schema: Mapping[str, Any] = TILE_SCHEMA,
    read_buffer: Callable[[object], bytes] | None = None,
) -> Subtree:
    """Read the bytes of a subtree file, by a tileset's schema; ValueError and its like: broken."""
    if levels * (branching.bit_length() - 1) >= _MOST_BITS.bit_length():  # the power itself may not fit into memory
        raise ValueError(f"{levels} levels in one file are too many")
    binary: bytes | None = None
    if content[:1] != b"{":
        if len(content) < _HEAD.size:
            raise ValueError("cut off")
        magic, version, text_length, binary_length = _HEAD.unpack_from(content)
        if magic != _MAGIC or version != _VERSION:
            raise ValueError("no subtree of version 1")
        if _HEAD.size + text_length + binary_length != len(content):
            raise ValueError("its lengths do not agree")
        binary = content[_HEAD.size + text_length :]
        content = content[_HEAD.size : _HEAD.size + text_length]
    document = json.loads(content)
    views = _Views(document, binary, read_buffer)
    size = first_bit(levels, branching)
    tiles = views.bits(document["tileAvailability"], size)
    of_contents = document.get("contentAvailability", [])  # one and no list in 1.0, whose extension has several
    extensions = document.get("extensions", {})
    of_contents = extensions.get("3DTILES_multiple_contents", {}).get("contentAvailability", of_contents)
    contents = [views.bits(each, size) for each in (of_contents if isinstance(of_contents, list) else [of_contents])]
    children = views.bits(document["childSubtreeAvailability"], branching**levels)
    if len(tiles) == 0 or not all(np.isin(each, tiles).all() for each in contents):
        raise ValueError("contents of tiles that there are not")
    has_content = np.array([np.isin(tiles, each) for each in contents], dtype=np.bool_).reshape(-1, len(tiles)).T
    tables = _Tables(document, schema, views)
    kind, volumes, errors = tables.facts(document.get("tileMetadata"), len(tiles))
    numbers = document.get("contentMetadata", [])
    of_contents = [tables.table(number, len(each)) for number, each in zip(numbers, contents, strict=False)]
    own = tables.table(document.get("tileMetadata"), len(tiles))
    return Subtree(levels, tiles, has_content, volumes, errors, children, kind, branching, own, of_contents)


class _Views:
    """The buffer views of a subtree, and the bits in them."""

    def __init__(
        self, document: Mapping[str, Any], binary: bytes | None, read_buffer: Callable[[object], bytes] | None
    ) -> None:
        self._buffers = document.get("buffers", [])
        self._described = document.get("bufferViews", [])
        self._binary = binary
        self._read_buffer = read_buffer
        self._read: dict[int, np.ndarray] = {}

    def view(self, number: object) -> np.ndarray:
        """Return the bytes of a view, (n,) uint8."""
        if not isinstance(number, int) or not 0 <= number < len(self._described):
            raise ValueError(f"there is no buffer view {number}")
        described = self._described[number]
        offset, length = described.get("byteOffset", 0), described.get("byteLength")
        data = self._buffer(described.get("buffer"))
        if not (isinstance(offset, int) and isinstance(length, int)) or not 0 <= offset <= offset + length <= len(data):
            raise ValueError(f"buffer view {number} leads outside")
        return data[offset : offset + length]

    def _buffer(self, number: object) -> np.ndarray:
        if type(number) is not int or not 0 <= number < len(self._buffers):
            raise ValueError(f"there is no buffer {number}")
        if number not in self._read:
            uri = self._buffers[number].get("uri")
            if uri is None and self._binary is not None:
                data = self._binary
            elif uri is not None and self._read_buffer is not None:
                data = self._read_buffer(uri)
            else:
                raise ValueError(f"buffer {number} is nowhere")
            self._read[number] = np.frombuffer(data, dtype=np.uint8)
        return self._read[number]

    def bits(self, of: Mapping[str, object], size: int) -> np.ndarray:
        """Return the numbers of the bits that are set of an availability of `size` bits."""
        if "constant" in of:
            return np.arange(size if of["constant"] == 1 else 0)
        stream = self.view(of.get("bitstream", of.get("bufferView")))
        if len(stream) != (size + 7) // 8:
            raise ValueError(f"{len(stream)} bytes of availability where {(size + 7) // 8} are needed")
        flags = np.unpackbits(stream, bitorder="little")
        found = np.flatnonzero(flags[:size])
        if flags[size:].any() or of.get("availableCount", len(found)) != len(found):
            raise ValueError("its bits do not agree with their count")
        return found


class _Tables:
    """The property tables of a subtree."""

    def __init__(self, document: Mapping[str, Any], schema: Mapping[str, Any], views: _Views) -> None:
        self._tables = document.get("propertyTables", [])
        self._schema = schema
        self._views = views

    def _columns(
        self, number: int, count: int, is_wanted: Callable[[str], bool]
    ) -> tuple[Columns, dict[str, Mapping[str, Any]]]:
        """Return columns of a table whose semantics are wanted, and their kinds, by name."""
        table = self._tables[number]
        kinds = properties_of(self._schema, table.get("class"))
        kinds = {name: kind for name, kind in kinds.items() if is_wanted(str(kind.get("semantic")))}
        if kinds and table.get("count") != count:
            raise ValueError("its metadata is for another number of tiles")
        enums = self._schema.get("enums")
        return unpack_table(kinds, table.get("properties", {}), count, self._views.view, enums), kinds

    def facts(self, number: Any, count: int) -> tuple[str, np.ndarray | None, np.ndarray | None]:
        """Return the kind of volume and the volumes of tiles, and their errors, as far as a table states them."""
        if number is None:
            return BOX_VOLUME, None, None
        columns, kinds = self._columns(number, count, _SEMANTICS.__contains__)
        found = {kinds[name]["semantic"]: np.asarray(column) for name, column in columns.items()}
        for meaning, column in found.items():
            if column.shape != (count, *_SEMANTICS[meaning][1]) or not (np.abs(column) < LARGEST_NUMBER).all():
                raise ValueError("a box or an error that is no number, or too large")
        errors = found.pop(_ERROR_SEMANTIC, None)
        for meaning, volumes in found.items():
            return _SEMANTICS[meaning][0], volumes.astype(np.float64), errors
        return BOX_VOLUME, None, errors

    def table(self, number: Any, count: int) -> PropertyTable | None:
        """Return what a table says besides; None where that is nothing, or broken: the tiles are shown without it."""
        if number is None or not count:
            return None
        try:
            columns, kinds = self._columns(number, count, lambda meaning: not meaning.startswith(("TILE_", "CONTENT_")))
        except BROKEN:
            return None
        return PropertyTable(count, columns, kinds) if columns else None

"""Feature tables of 3D Tiles 1.0: places, directions, sizes and colours in b3dm, i3dm and pnts (OGC 18-053r2)."""

from __future__ import annotations

import json
from typing import Any, NamedTuple

import numpy as np

from octoscope.scene.formats.tiles.tables.batch_table import batch_table, column_in
from octoscope.scene.formats.tiles.tables.metadata import extension_of
from octoscope.scene.formats.tiles.tables.property_table import PropertyTable
from octoscope.scene.formats.tiles.volumes import checked_numbers

_HEADER = 28  # bytes: magic, version, size, and the sizes of two tables' JSON and bytes
_MOST = 2**31
_TEXT = 0x22000000  # a field this large is text (JSON, or a GLB's magic): older headers are shorter
_DRACO_POINTS = "3DTILES_draco_point_compression"


class BrokenContent(Exception):
    """A content that breaks the format's rules; the message says which."""


class Frame(NamedTuple):
    """Byte offsets of the parts of a content."""

    table: int  # begin of the feature table's JSON
    binary: int  # begin of the feature table's binary part
    end: int  # end of the binary part, and begin of the batch table's JSON
    batch_binary: int  # begin of the batch table's binary part
    body: int  # begin of the data behind feature table and batch table

    @classmethod
    def of(cls, data: bytes, *, further: int = 0) -> Frame:
        """Read it from a header, which has so many further bytes."""
        if len(data) < _HEADER + further:
            raise BrokenContent("cut off")
        version, size, *lengths = np.frombuffer(data, dtype="<u4", count=6, offset=4).tolist()
        if version != 1:
            raise BrokenContent(f"version {version}")
        begin = _HEADER + further
        if lengths[2] >= _TEXT:  # of the oldest b3dm: how many objects, and the size of their table
            begin, lengths = _HEADER - 8, [0, 0, lengths[1], 0]
        elif lengths[3] >= _TEXT:  # of b3dm a little younger: the sizes of two parts of that table, and how many
            begin, lengths = _HEADER - 4, [0, 0, lengths[0], lengths[1]]
        first, second, third, last = (int(each) for each in np.cumsum([begin, *lengths])[1:])
        if last > size or size > len(data):
            raise BrokenContent("cut off")
        return cls(begin, first, second, third, last)

    def batch_table(self, data: bytes, count: int) -> PropertyTable | None:
        """Return the batch table of so many objects; None where there are none, or it is broken."""
        try:
            document = json.loads(data[self.end : self.batch_binary] or b"{}")
        except (ValueError, RecursionError):
            return None
        if not isinstance(document, dict) or count < 1:
            return None
        return batch_table(document, data[self.batch_binary : self.body], count)


class FeatureTable:
    """A feature table."""

    def __init__(self, data: bytes, frame: Frame) -> None:
        try:
            self.json: dict[str, Any] = json.loads(data[frame.table : frame.binary] or b"{}")
        except (ValueError, RecursionError):
            raise BrokenContent("its feature table is no JSON") from None
        if not isinstance(self.json, dict):
            raise BrokenContent("its feature table is no JSON object")
        self._binary = data[frame.binary : frame.end]
        self._decoded: dict[str, np.ndarray] = {}

    def decode(self) -> None:
        """Decode the columns of points that Draco has compressed; ModuleNotFoundError: an extra is missing."""
        packed = extension_of(self.json, _DRACO_POINTS)
        if not packed:
            return
        import DracoPy  # here: an extra, and few files need it

        try:
            begin, length = int(packed["byteOffset"]), int(packed["byteLength"])
            points = DracoPy.decode(self._binary[begin : begin + length])
            for name, number in packed["properties"].items():
                self._decoded[name] = points.get_attribute_by_unique_id(number)["data"].astype(np.float64)
        except (KeyError, TypeError, ValueError, AttributeError, DracoPy.FileTypeException):
            raise BrokenContent(f"{_DRACO_POINTS} cannot be decoded") from None

    def batch_ids(self, count: int) -> np.ndarray | None:
        """Return BATCH_ID of each instance or point, (n,), or None."""
        if "BATCH_ID" in self._decoded:
            return self._decoded["BATCH_ID"].ravel()
        described = self.json.get("BATCH_ID")
        return column_in(described, self._binary, count, "UNSIGNED_SHORT") if isinstance(described, dict) else None

    def batch_length(self) -> int:
        """Return how many objects the batch table has; 0 where it does not say it."""
        value = self.json.get("BATCH_LENGTH")
        return value if type(value) is int and 0 < value < _MOST else 0

    def count(self, name: str) -> int:
        """Return a number of features."""
        value = self.json.get(name)
        if type(value) is not int or not 0 < value < _MOST:
            raise BrokenContent(f"{name} is no number of any")
        return value

    def center(self) -> np.ndarray:
        """Return RTC_CENTER, (3,), or zeros."""
        value = self.json.get("RTC_CENTER")
        if value is None:
            return np.zeros(3)
        return self._array("RTC_CENTER", "<f4", 1, 3)[0] if isinstance(value, dict) else self._numbers("RTC_CENTER", 3)

    def positions(self, count: int) -> np.ndarray:
        """Return (n, 3) float64 positions, about the center."""
        if "POSITION" in self.json:
            found = self._array("POSITION", "<f4", count, 3)
        elif "POSITION_QUANTIZED" in self.json:
            share = self._array("POSITION_QUANTIZED", "<u2", count, 3) / 65535.0
            offset, scale = (self._numbers(f"QUANTIZED_VOLUME_{name}", 3) for name in ("OFFSET", "SCALE"))
            found = offset + share * scale
        else:
            raise BrokenContent("it has no positions")
        if not np.isfinite(found).all():
            raise BrokenContent("a position that is no number")
        return found

    def directions(self, count: int) -> tuple[np.ndarray | None, np.ndarray | None]:
        """Return (n, 3) unit vectors up and right of instances, or None for those that are not stated."""
        found: list[np.ndarray | None] = []
        for name in ("NORMAL_UP", "NORMAL_RIGHT"):
            if name in self.json:
                found.append(_unit(self._array(name, "<f4", count, 3)))
            elif f"{name}_OCT32P" in self.json:
                found.append(_of_octahedron(self._array(f"{name}_OCT32P", "<u2", count, 2) / 65535.0))
            else:
                found.append(None)
        return found[0], found[1]

    def scales(self, count: int) -> np.ndarray:
        """Return (n, 3) factors."""
        found = np.ones((count, 3))
        if "SCALE" in self.json:
            found = found * self._array("SCALE", "<f4", count, 1)
        if "SCALE_NON_UNIFORM" in self.json:
            found = found * self._array("SCALE_NON_UNIFORM", "<f4", count, 3)
        return np.where(np.isfinite(found), found, 1.0)

    def normals(self, count: int) -> np.ndarray | None:
        """Return (n, 3) unit normals, or None."""
        if "NORMAL" in self.json:
            return _unit(self._array("NORMAL", "<f4", count, 3))
        if "NORMAL_OCT16P" in self.json:
            return _of_octahedron(self._array("NORMAL_OCT16P", "u1", count, 2) / 255.0)
        return None

    def colors(self, count: int) -> np.ndarray | None:
        """Return (n, 4) uint8, or None."""
        colors = np.full((count, 4), 255, dtype=np.uint8)
        if "RGBA" in self.json:
            return self._array("RGBA", "u1", count, 4).astype(np.uint8)
        if "RGB" in self.json:
            colors[:, :3] = self._array("RGB", "u1", count, 3)
        elif "RGB565" in self.json:
            packed = self._array("RGB565", "<u2", count, 1)[:, 0].astype(np.int64)
            for column, (shift, most) in enumerate(((11, 31), (5, 63), (0, 31))):
                colors[:, column] = np.round((packed >> shift & most) * (255.0 / most))
        elif "CONSTANT_RGBA" in self.json:
            colors[:] = np.clip(self._numbers("CONSTANT_RGBA", 4), 0.0, 255.0)
        else:
            return None
        return colors

    def _numbers(self, name: str, count: int) -> np.ndarray:
        try:
            return checked_numbers(self.json.get(name), count)
        except ValueError as error:
            raise BrokenContent(f"{name}: {error}") from None

    def _array(self, name: str, kind: str, count: int, width: int) -> np.ndarray:
        """Return a column of the binary part, (n, width) float64."""
        if name in self._decoded:
            if self._decoded[name].shape != (count, width):
                raise BrokenContent(f"{name} is for another number of points")
            return self._decoded[name]
        place = self.json[name]
        offset = place.get("byteOffset") if isinstance(place, dict) else None
        size = count * width * np.dtype(kind).itemsize
        if type(offset) is not int or not 0 <= offset <= len(self._binary) - size:
            raise BrokenContent(f"{name} leads outside")
        array = np.frombuffer(self._binary, dtype=kind, count=count * width, offset=offset)
        return array.reshape(count, width).astype(np.float64)


def _unit(vectors: np.ndarray) -> np.ndarray:
    """Return vectors at length 1; zero for those without a direction."""
    with np.errstate(all="ignore"):
        units = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.where(np.isfinite(units).all(axis=1, keepdims=True), units, 0.0)


def _of_octahedron(shares: np.ndarray) -> np.ndarray:
    """Return the unit vectors that (n, 2) numbers from 0 to 1 stand for, on an octahedron unfolded to a square."""
    x, y = (shares * 2.0 - 1.0).T
    z = 1.0 - np.abs(x) - np.abs(y)
    folded = np.maximum(-z, 0.0)
    x, y = x - np.copysign(folded, x), y - np.copysign(folded, y)
    return np.stack([x, y, z], axis=1) / np.sqrt(x * x + y * y + z * z)[:, None]

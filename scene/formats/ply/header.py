"""The heading of a PLY file: which elements follow, how many of each, and of which properties."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

import numpy as np

from octoscope.scene.system.text_file import ReadError, not_of_format, shortened

_TYPES = {
    name: kind
    for kind, names in (
        ("i1", "char int8"),
        ("u1", "uchar uint8"),
        ("i2", "short int16"),
        ("u2", "ushort uint16"),
        ("i4", "int int32"),
        ("u4", "uint uint32"),
        ("i8", "int64 long"),
        ("u8", "uint64 ulong"),
        ("f4", "float float32"),
        ("f8", "double float64"),
    )
    for name in names.split()
}
_BYTE_ORDERS = {"ascii": None, "binary_little_endian": "<", "binary_big_endian": ">"}
_STATEMENTS = ("comment", "format", "element", "property")
_MOST_DIGITS = 18  # of a count; Python refuses to convert thousands of them
LARGEST_HEADER_BYTES = 2**20
_END = re.compile(rb"(?<=[\r\n])[ \t]*end_header[ \t]*(\r\n|\n|\r|\Z)")


class Property(NamedTuple):
    """A property of an element."""

    name: str
    dtype: np.dtype  # the type of the values, in the file's byte order
    count_dtype: np.dtype | None  # of the number before each list; None for a single value


class Element(NamedTuple):
    """A kind of rows."""

    name: str  # such as vertex or face
    rows: int
    properties: list[Property]  # in the order in which each row has them


class PlyHeader(NamedTuple):
    """The heading of a PLY."""

    byte_order: str | None  # of the rows, "<" or ">"; None: they are text
    elements: list[Element]  # in the order of their rows
    texture: str | None  # name of the image, as MeshLab writes it in a comment; or None
    size: int  # bytes of the heading; the rows follow
    format_name: str = "PLY"  # for messages


def read_header(data: bytes, path: Path) -> PlyHeader:
    """Read the heading of a PLY file; return what it says."""
    end = _END.search(data, 0, LARGEST_HEADER_BYTES)
    if end is None or not data.startswith(b"ply"):
        raise not_of_format(path, "a PLY", "it has no PLY header")
    size = end.end()
    if end[1] == b"\r\n" and b"\n" not in data[: end.start()]:
        size -= 1  # lines end in \r, and the first byte of the rows is that of a \n
    lines = re.split(r"\r\n|\n|\r", data[: end.start()].decode(errors="replace"))
    elements: list[Element] = []
    encoding, texture = "", None
    for number, line in enumerate(lines[1:], start=2):
        match line.split():
            case []:
                pass
            case [word, *_] if word not in _STATEMENTS:  # obj_info, or a comment without its word, as Blender wrote it
                pass
            case ["comment", *words]:
                if words and words[0].lower() == "texturefile":
                    texture = line[line.lower().index("texturefile") + len("texturefile") :].strip()
            case ["format", encoding, _] if encoding in _BYTE_ORDERS and not elements:
                pass
            case ["element", name, count] if count.isdecimal() and len(count) <= _MOST_DIGITS:
                elements.append(Element(name, int(count), []))
            case ["property", kind, name] if kind in _TYPES and elements:
                elements[-1].properties.append(Property(name, _dtype(kind, encoding), None))
            case ["property", "list", of_count, kind, name] if kind in _TYPES and _is_whole(of_count) and elements:
                elements[-1].properties.append(Property(name, _dtype(kind, encoding), _dtype(of_count, encoding)))
            case _:
                raise broken_ply(path, f"line {number}: '{shortened(line)}'")
    if not encoding:
        raise broken_ply(path, "its header names no format")
    return PlyHeader(_BYTE_ORDERS[encoding], elements, texture, size)


def broken_ply(path: Path, what: str, format_name: str = "PLY") -> ReadError:
    """Return the error that refuses a file."""
    return ReadError(path, f"broken {format_name} ({what}); export it again")


def _is_whole(kind: str) -> bool:
    return _TYPES.get(kind, "f").startswith(("i", "u"))


def _dtype(kind: str, encoding: str) -> np.dtype:
    """Return the type of values in the file's byte order; that of values from a text is the machine's own."""
    return np.dtype((_BYTE_ORDERS.get(encoding) or "=") + _TYPES[kind])

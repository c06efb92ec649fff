"""Read STL files through trimesh: the only reader that knows trimesh.

trimesh returns the arrays as the file has them; no object of trimesh is made that would merge or reorder them. glTF is
not read this way: for 100,000 nodes trimesh takes five times as long as scene/formats/gltf, makes their names unique,
joins lines of all kinds into one path, and loses what is below a camera.
"""

from __future__ import annotations

import io
import logging
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from trimesh.exchange.stl import load_stl

from octoscope.scene.content import FileContent
from octoscope.scene.formats.simple_files import Parts, mesh_of_triangles, read_simple
from octoscope.scene.system.quiet import quiet_warnings
from octoscope.scene.system.read_limits import current_limits
from octoscope.scene.system.report import Problems
from octoscope.scene.system.text_file import ReadError, not_of_format, printable

# Its problems are reported here, in our own words, and without a traceback.
logging.getLogger("trimesh").setLevel(logging.CRITICAL)

# What trimesh takes meanwhile, for a byte of a file.
_STL_BYTES = 12

_STL_NAME = re.compile(rb"(?im)^[ \t]*solid\b([^\r\n]*)")
_STL_HEADING_BYTES, _STL_FACET_BYTES, _STL_FLOAT_BYTES = 84, 50, 48
_TRIED_FACETS = 1000
# Comments, which trimesh takes for numbers, but not what looks like one in the name of a solid.
_STL_COMMENT = re.compile(
    rb"(?im)^([ \t]*(?:(?:facet|outer|vertex|endloop|endfacet)\b[^#;/\r\n]*)?)(?:[#;]|//)[^\r\n]*"
)


def read_stl(path: Path) -> FileContent:
    """Read an STL file, as one node; a text of several solids as one for each."""
    return read_simple(path, _read)


def _called(function: Callable[..., Any], data: bytes, path: Path, **options: object) -> Any:
    try:
        with quiet_warnings(deprecations_raise=True):  # numpy's, for text that is no number
            return function(io.BytesIO(data), **options)
    except (ReadError, MemoryError):
        raise
    except ModuleNotFoundError:  # trimesh asks for a package that guesses the encoding
        kind = path.suffix[1:].upper()
        raise ReadError(path, f"broken {kind} (its text is not UTF-8); export it again") from None
    except Exception as error:
        reason = printable(" ".join(str(error).split())[:80]) or type(error).__name__
        raise ReadError(path, f"broken {path.suffix[1:].upper()} ({reason}); export it again") from None


def _read(data: bytes, path: Path, problems: Problems) -> Parts:
    is_text = data[:5].lower() == b"solid" and b"\0" not in data[:_STL_HEADING_BYTES]
    names: list[str] = []

    def numbered(match: re.Match[bytes]) -> bytes:
        """Put a number in place of a solid's name: trimesh compares each with all that are equal."""
        names.append(match[1].decode(errors="replace").strip())
        return b"solid %d" % (len(names) - 1)

    with current_limits().meanwhile(_STL_BYTES * len(data)):
        data = _mended_stl_text(data, path, problems) if is_text else _whole_stl(data, path, problems)
        if is_text:
            data = _STL_NAME.sub(numbered, data)
        read = _called(load_stl, data, path)
    solids = [(path.stem, read)]
    if "geometry" in read:
        solids = [(names[int(number)], solid) for number, solid in read["geometry"].items()]
    facets = len(re.findall(rb"(?i)endfacet", data)) if is_text else 0
    read_facets = sum(len(solid["faces"]) for _, solid in solids)
    problems.report("mesh-data", "facets that are broken", "skipped", count=max(facets - read_facets, 0))
    if any(solid.get("face_attributes", {}).get("stl", np.zeros(0)).any() for _, solid in solids):
        problems.report("face-colors", "attributes of facets, which may be colours", "left out")
    meshes = [(name or path.stem, mesh_of_triangles(solid, problems)) for name, solid in solids]
    vertex_count = sum(len(solid["vertices"]) for _, solid in solids)
    return Parts(vertex_count, meshes, [(name, index, np.eye(4)) for index, (name, _) in enumerate(meshes)])


def _mended_stl_text(data: bytes, path: Path, problems: Problems) -> bytes:
    """Return an STL text as trimesh reads it: without comments, its last solid ended."""
    if b"\n" not in data:
        data = data.replace(b"\r", b"\n")
    end = max(data.rfind(word) for word in (b"endfacet", b"ENDFACET", b"EndFacet"))
    if b"endsolid" not in data[max(end, 0) :].lower():
        if end < 0:
            raise ReadError(path, "cut off, or no STL: it has no whole facet; export it again")
        data = data[: end + len(b"endfacet")] + b"\nendsolid\n"
        problems.report("cut-off", "the text ends without 'endsolid'", "what is there is shown")
    return _STL_COMMENT.sub(rb"\1", data)


def _whole_stl(data: bytes, path: Path, problems: Problems) -> bytes:
    """Return the part of a binary STL that holds as many facets as it states."""
    heading = data[:_STL_HEADING_BYTES]
    if len(heading) < _STL_HEADING_BYTES or (heading.isascii() and b"\0" not in heading):
        raise not_of_format(path, "an STL", "it is neither a text that begins with 'solid', nor facets in bytes")
    stated = int.from_bytes(heading[-4:], "little")
    there, rest = divmod(len(data) - _STL_HEADING_BYTES, _STL_FACET_BYTES)
    if there < stated:
        if not _are_facets(data[_STL_HEADING_BYTES:][: there * _STL_FACET_BYTES]):
            raise not_of_format(path, "an STL", "its bytes are no facets")
        raise ReadError(path, f"cut off: of {stated:,} facets it has {there:,}; export it again")
    if there > stated or rest:
        problems.report("trailing", "more than the facets that it states", "the rest is left out")
    return data[: _STL_HEADING_BYTES + stated * _STL_FACET_BYTES]


def _are_facets(data: bytes) -> bool:
    """Tell whether bytes are facets: nearly all numbers of a model are zero or have an exponent that lengths have."""
    rows = np.frombuffer(data, dtype=np.uint8).reshape(-1, _STL_FACET_BYTES)[:_TRIED_FACETS, :_STL_FLOAT_BYTES]
    sizes = np.abs(np.ascontiguousarray(rows).view("<f4"))
    is_likely = (sizes == 0.0) | ((sizes > 1e-15) & (sizes < 1e15))  # of random bytes two in five are
    return not len(rows) or bool(is_likely.mean() > 0.75)

"""Read STL, OFF and 3MF files through trimesh: the only file that knows trimesh.

trimesh returns the arrays as the file has them; no object of trimesh is made that would merge or reorder them. glTF is
not read this way: for 100,000 nodes trimesh takes five times as long as scene/formats/gltf, makes their names unique,
joins lines of all kinds into one path, and loses what is below a camera.
"""

from __future__ import annotations

import io
import logging
import re
import warnings
import zipfile
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
from trimesh.exchange.off import load_off
from trimesh.exchange.stl import load_stl
from trimesh.exchange.threemf import load_3MF

from scene.content import FileContent
from scene.formats.simple_files import Parts, mesh_of_triangles, one_mesh, read_simple
from scene.system.read_limits import current_limits
from scene.system.report import Problems
from scene.system.text_file import ReadError, printable

# Its problems are reported here, in our own words, and without a traceback.
logging.getLogger("trimesh").setLevel(logging.CRITICAL)

# What trimesh takes meanwhile: for a byte of an STL file, for a word of an OFF file.
_STL_BYTES = 12
_WORD_BYTES = 85

_LARGEST_UNPACKED_BYTES = 2**29
_STL_HEADING_BYTES, _STL_FACET_BYTES = 84, 50
# Comments, which trimesh takes for numbers, but not what looks like one in the name of a solid.
_STL_COMMENT = re.compile(
    rb"(?im)^([ \t]*(?:(?:facet|outer|vertex|endloop|endfacet)\b[^#;/\r\n]*)?)(?:[#;]|//)[^\r\n]*"
)
_MOST_INSTANCES = 1_000_000
_DEEPEST = 100  # objects that are parts of parts


def read_other(path: Path) -> FileContent:
    """Read an STL, OFF or 3MF file, by the ending of its name.

    STL and OFF are one node, a text STL of several solids one for each. A 3MF has one for each copy that is built.

    Args:
        path: of the file.

    Returns:
        the contents.

    Raises:
        ReadError: it is missing, cut off, broken, or holds nothing to show; or a package that it needs is not
            installed.
    """
    return read_simple(path, _READERS[path.suffix.lower()])


def _called(function: Callable[..., Any], data: bytes, path: Path, **options: object) -> Any:
    """Call a function of trimesh with a file's bytes.

    Raises:
        ReadError: it raised an exception, which may be any that its numpy calls raise.
    """
    try:
        with warnings.catch_warnings(action="ignore"):
            warnings.filterwarnings("error", category=DeprecationWarning)  # numpy's, for text that is no number
            return function(io.BytesIO(data), **options)
    except (ReadError, MemoryError):
        raise
    except ModuleNotFoundError:  # trimesh asks for a package that guesses the encoding
        kind = path.suffix[1:].upper()
        raise ReadError(f"{printable(path)}: broken {kind} (its text is not UTF-8); export it again") from None
    except Exception as error:
        reason = printable(" ".join(str(error).split())[:80]) or type(error).__name__
        raise ReadError(f"{printable(path)}: broken {path.suffix[1:].upper()} ({reason}); export it again") from None


def _read_stl(data: bytes, path: Path, problems: Problems) -> Parts:
    is_text = data[:5].lower() == b"solid" and b"\0" not in data[:_STL_HEADING_BYTES]
    with current_limits().meanwhile(_STL_BYTES * len(data)):
        data = _mended_stl_text(data, path, problems) if is_text else _whole_stl(data, path, problems)
        read = _called(load_stl, data, path)
    solids = list(read["geometry"].items()) if "geometry" in read else [(path.stem, read)]
    facets = len(re.findall(rb"(?i)endfacet", data)) if is_text else 0
    read_facets = sum(len(solid["faces"]) for _, solid in solids)
    if facets > read_facets:
        problems.report("mesh-data", "facets that are broken", "skipped", count=facets - read_facets)
    meshes = [(name or path.stem, mesh_of_triangles(solid, problems)) for name, solid in solids]
    vertex_count = sum(len(solid["vertices"]) for _, solid in solids)
    return Parts(vertex_count, meshes, [(name, index, np.eye(4)) for index, (name, _) in enumerate(meshes)])


def _mended_stl_text(data: bytes, path: Path, problems: Problems) -> bytes:
    """Return an STL text as trimesh reads it: without comments, its last solid ended.

    Raises:
        ReadError: it is cut off, and no facet is there.
    """
    if b"\n" not in data:
        data = data.replace(b"\r", b"\n")
    end = max(data.rfind(word) for word in (b"endfacet", b"ENDFACET", b"EndFacet"))
    if b"endsolid" not in data[max(end, 0) :].lower():
        if end < 0:
            raise ReadError(f"{printable(path)}: cut off, or no STL: it has no whole facet; export it again")
        data = data[: end + len(b"endfacet")] + b"\nendsolid\n"
        problems.report("cut-off", "the text ends without 'endsolid'", "what is there is shown")
    return _STL_COMMENT.sub(rb"\1", data)


def _whole_stl(data: bytes, path: Path, problems: Problems) -> bytes:
    """Return the part of a binary STL that holds as many facets as it states.

    Raises:
        ReadError: there are fewer.
    """
    heading = data[:_STL_HEADING_BYTES]
    if len(heading) < _STL_HEADING_BYTES or (heading.isascii() and b"\0" not in heading):
        raise ReadError(f"{printable(path)}: not an STL: neither a text that begins with 'solid', nor facets in bytes")
    stated = int.from_bytes(heading[-4:], "little")
    there, rest = divmod(len(data) - _STL_HEADING_BYTES, _STL_FACET_BYTES)
    if there < stated:
        raise ReadError(f"{printable(path)}: cut off: of {stated:,} facets it has {there:,}; export it again")
    if there > stated or rest:
        problems.report("trailing", "more than the facets that it states", "the rest is left out")
    return data[: _STL_HEADING_BYTES + stated * _STL_FACET_BYTES]


def _read_off(data: bytes, path: Path, problems: Problems) -> Parts:
    words = int(np.count_nonzero(np.frombuffer(data, dtype=np.uint8) <= ord(" "))) + 1
    with current_limits().meanwhile(_WORD_BYTES * words):
        read = _called(load_off, data, path)
    return one_mesh(path, len(read["vertices"]), mesh_of_triangles(read, problems))


def _read_3mf(data: bytes, path: Path, problems: Problems) -> Parts:
    if not all(map(find_spec, ("lxml", "networkx"))):
        needed = "reading 3MF needs the packages lxml and networkx: install octoscope[3mf], or save it as GLB"
        raise ReadError(f"{printable(path)}: {needed}")
    if not _called(_stays_within_bounds, data, path):
        raise ReadError(
            f"{printable(path)}: its objects contain themselves, or are too many or too large; export it again, in "
            "several files"
        )
    read = _called(load_3MF, data, path, postprocess=False)
    names = list(read["geometry"])
    meshes = [(name, mesh_of_triangles(read["geometry"][name], problems)) for name in names]
    index_of = {name: index for index, name in enumerate(names)}
    nodes = [(node["frame_to"], index_of.get(node["geometry"], -1), node["matrix"]) for node in read["graph"]]
    return Parts(sum(len(mesh["vertices"]) for mesh in read["geometry"].values()), meshes, nodes)


def _stays_within_bounds(file: io.BytesIO) -> bool:
    """Tell whether a 3MF file unpacks, and its objects with their parts multiply, to no more than can be shown."""
    with zipfile.ZipFile(file) as archive:
        if sum(info.file_size for info in archive.infolist()) > _LARGEST_UNPACKED_BYTES:
            return False
        model = next(info for info in archive.infolist() if "3d/3dmodel.model" in info.filename.lower())
        parts: dict[str | None, list[str]] = {}
        with archive.open(model) as text:
            for _, element in ElementTree.iterparse(text):
                tag = element.tag.rpartition("}")[2]
                if tag in ("object", "build"):
                    wanted = "component" if tag == "object" else "item"
                    parts[element.get("id") if tag == "object" else None] = [
                        str(part.get("objectid")) for part in element.iter() if part.tag.rpartition("}")[2] == wanted
                    ]
                    element.clear()
    # How many nodes each object becomes, beginning with those that have no parts.
    counts: dict[str | None, int] = {}
    for _ in range(_DEEPEST):
        ready = {
            name: 1 + sum(counts.get(part, 1) for part in inside)
            for name, inside in parts.items()
            if name not in counts and all(part in counts or part not in parts for part in inside)
        }
        if not ready:
            break
        counts |= ready
    return len(counts) == len(parts) and max(counts.values(), default=0) <= _MOST_INSTANCES


_READERS = {".stl": _read_stl, ".off": _read_off, ".3mf": _read_3mf}

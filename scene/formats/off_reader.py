"""Read an OFF file: rows of vertices and polygons, as a PLY of text has them, below the numbers of both."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np

from octoscope.scene.content import FileContent
from octoscope.scene.formats.ply.header import Element, PlyHeader, Property
from octoscope.scene.formats.ply.reader import mesh_of_rows
from octoscope.scene.formats.simple_files import Parts, one_mesh, read_simple
from octoscope.scene.system.report import Problems
from octoscope.scene.system.text_file import ReadError, not_of_format

_BLANKS = rb"(?:\s|#[^\r\n]*[\r\n])*"
_HEADING = re.compile(rb"(?:\xef\xbb\xbf)?" + _BLANKS + rb"(ST)?(C)?N?4?OFF\b")
_COUNTS = re.compile(_BLANKS + rb"(\d{1,18})[ \t]+(\d{1,18})(?!\S)[^\r\n]*")
_VERTEX = [Property(axis, np.dtype("f8"), None) for axis in "xyz"]
_FACE = [Property("vertex_indices", np.dtype("i8"), np.dtype("i8"))]


def read_off(path: Path) -> FileContent:
    """Read an OFF file, as one node."""
    return read_simple(path, _read)


def _read(data: bytes, path: Path, problems: Problems) -> Parts:
    heading = _HEADING.match(data)
    if heading is None:
        raise not_of_format(path, "an OFF", "it does not begin with OFF")
    counts = _COUNTS.match(data, heading.end())
    if counts is None:
        raise ReadError(path, "broken OFF (no numbers of vertices and faces below its heading); export it again")
    elements = [Element("vertex", int(counts[1]), _VERTEX), Element("face", int(counts[2]), _FACE)]
    header = PlyHeader(None, elements, None, counts.end(), "OFF")
    mesh, vertex_count = mesh_of_rows(data, header, path, problems)
    if heading[2]:
        problems.report("vertex-colors", "colours of vertices", "left out")
    return Parts(0, [], []) if mesh is None else one_mesh(path, vertex_count, mesh)

"""Read a PLY file: polygons, colours, texture coordinates, edges, or points alone."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from octoscope.scene.content import FileContent, FileOutline
from octoscope.scene.formats.ply.columns import CutOffError, RowReader
from octoscope.scene.formats.ply.header import (
    LARGEST_HEADER_BYTES,
    Element,
    PlyHeader,
    Property,
    broken_ply,
    read_header,
)
from octoscope.scene.formats.ply_elements import CORNER_UVS, Columns, corners_of, mesh_of_elements
from octoscope.scene.formats.simple_files import Parts, one_mesh, read_simple
from octoscope.scene.mesh.data import MeshBatch, MeshData
from octoscope.scene.mesh.images import read_texture
from octoscope.scene.mesh.material import DEFAULT_MATERIAL, Material
from octoscope.scene.system.file_finder import file_beside
from octoscope.scene.system.read_limits import read_counted
from octoscope.scene.system.report import Problems, nothing_to_show
from octoscope.scene.system.text_file import ReadError, open_regular, printable, reason_of, shortened

_SHOWN = ("vertex", "face", "edge")
_COMMENTS = (b"#", b"c", b"o")  # the first bytes of lines without numbers
_LINE_END_BYTES = 2  # that may follow the last row of a binary file


def read_ply(path: Path) -> FileContent:
    """Read a PLY file, as one node. ReadError: it is missing, cut off, broken, or holds nothing to show.

    Rows of a text may be parted and followed by empty lines and comments, and go over several lines.
    """
    return read_simple(path, _read)


def mesh_of_rows(data: bytes, header: PlyHeader, path: Path, problems: Problems) -> tuple[MeshData | None, int]:
    """Read the rows below a heading; return a mesh, None where there are no vertices, and the number of vertices."""
    found = _checked_elements(data, header, path, problems)
    if not found["vertex"]:
        return None, 0
    line_of = partial(_line_of, data, header)
    mesh = mesh_of_elements(found["vertex"], found["face"], found["edge"], problems=problems, line_of=line_of)
    return mesh, len(found["vertex"]["x"])


def read_ply_in_parts(path: Path, take: Callable[..., None], *, folder: Path, part_elements: int) -> FileOutline:
    """Read a file that does not fit in memory, as `read_obj_in_parts`; `folder` stays as it is.

    A binary file stays on disk meanwhile; of a text all numbers are in memory. Where polygons have different numbers of
    corners, or there are edges, all is one part.
    """
    problems = Problems(path)
    file, size = open_regular(path)
    with file:
        head = file.read(LARGEST_HEADER_BYTES)
    header = read_header(head, path)
    is_text = header.byte_order is None
    data: Any = read_counted(path, largest_bytes=size) if is_text else np.memmap(path, np.uint8, "r")
    has_colors = None
    with np.errstate(all="ignore"):  # as read_simple
        found = _checked_elements(data, header, path, problems)
        for mesh in _parts(found, part_elements, problems, partial(_line_of, data, header)):
            has_colors = mesh.colors is not None
            take(MeshBatch.of([mesh], [printable(path.stem)]), np.zeros(1, dtype=np.int64))
    if has_colors is None:
        raise nothing_to_show(path, problems)
    material, dependencies = _material(header, has_colors, path, problems)
    names = np.array([printable(path.stem)], dtype=np.dtypes.StringDType())
    count, top, first = len(found["vertex"]["x"]), np.full(1, -1), np.zeros(1, dtype=np.int64)
    return FileOutline(count, names, top, [material], list(problems), dependencies, first)


def _parts(
    found: dict[str, Columns], part_elements: int, problems: Problems, line_of: Callable[[str, int], int | None]
) -> Iterator[MeshData]:
    """Yield meshes of so many faces or points of some elements; one mesh where their columns lie in memory."""
    vertex, face = found["vertex"], found["face"]
    if found["edge"] or not all(isinstance(column, np.ndarray) for column in face.values()):
        yield mesh_of_elements(vertex, face, found["edge"], problems=problems, line_of=line_of)
        return
    known = len(problems)

    def line_in_part(begin: int, name: str, row: int) -> int | None:
        return line_of(name, begin + row) if len(problems) == known else None  # only the first is told; it takes long

    split = face or vertex
    for begin in range(0, len(next(iter(split.values()), ())), part_elements):
        part = {name: column[begin : begin + part_elements] for name, column in split.items()}
        if not face:
            yield mesh_of_elements(part, {}, {}, problems=problems)
            continue
        name = corners_of(part)
        used, numbers = np.unique(part[name].astype(np.int64), return_inverse=True)
        is_there = (used >= 0) & (used < len(vertex["x"]))
        part[name] = np.where(is_there, np.cumsum(is_there) - 1, -1)[numbers].reshape(part[name].shape)
        of_part = {key: column[used[is_there]] for key, column in vertex.items()}
        mesh = mesh_of_elements(of_part, part, {}, problems=problems, line_of=partial(line_in_part, begin))
        if len(mesh.triangles):
            yield mesh


def _read(data: bytes, path: Path, problems: Problems) -> Parts:
    header = read_header(data, path)
    mesh, vertex_count = mesh_of_rows(data, header, path, problems)
    if mesh is None:
        return Parts(0, [], [])
    material, dependencies = _material(header, mesh.colors is not None, path, problems)
    return one_mesh(path, vertex_count, mesh, material)._replace(dependencies=dependencies)


def _material(header: PlyHeader, has_colors: bool, path: Path, problems: Problems) -> tuple[Material, frozenset[Path]]:
    """Return the material of a file, and the image that was read for it."""
    material, dependencies = DEFAULT_MATERIAL, frozenset[Path]()
    if has_colors or header.texture:
        material = Material("default", base_color=(1.0, 1.0, 1.0))
    if header.texture:
        try:
            image_path = file_beside(path, header.texture)
            dependencies = frozenset({image_path})
            material = replace(material, base_color_texture=read_texture(image_path))
        except (ReadError, OSError) as error:
            what = f"texture '{shortened(header.texture)}' cannot be read ({reason_of(error, path)})"
            problems.report("texture", what, "shown without it")
            material = replace(material, missing_textures=(header.texture,))
    return material, dependencies


def _checked_elements(data: bytes, header: PlyHeader, path: Path, problems: Problems) -> dict[str, Columns]:
    """Return what `_elements` does; ReadError if vertices have no place, or edges no ends."""
    found = _elements(data, header, path, problems)
    missing = [name for name in "xyz" if found["vertex"] and name not in found["vertex"]]
    missing += [name for name in ("vertex1", "vertex2") if found["edge"] and name not in found["edge"]]
    if missing:
        raise broken_ply(path, f"no property '{missing[0]}'")
    return found


def _elements(data: bytes, header: PlyHeader, path: Path, problems: Problems) -> dict[str, Columns]:
    """Read vertices, faces and edges as columns, of which there may be none; `problems` receives what is left out."""
    rows = RowReader(data, header, path)
    found: dict[str, Columns] = {name: {} for name in _SHOWN}
    for element in header.elements:
        if not (element.rows and element.properties):
            continue
        try:
            columns = rows.read(element, _wanted(element))
        except CutOffError as cut:
            if element.name == "vertex" or not (cut.found and found["vertex"]):
                raise
            problems.report("cut-off", f"the file ends early: {cut.what}", "what is there is shown")
            found[element.name] = rows.read(element._replace(rows=cut.found), _wanted(element))
            break
        if element.name in _SHOWN:
            found[element.name] = columns
        else:
            problems.report("element", f"'{shortened(element.name)}' elements", "left out", count=element.rows)
        if element.name == "face" and any(each.name == "red" for each in element.properties):
            problems.report("face-colors", "colours of faces", "left out")
    else:
        if len(rows.values) > (0 if header.byte_order is None else _LINE_END_BYTES):
            problems.report("trailing", "more than the rows that the header states", "the rest is left out")
    return found


def _line_of(data: bytes, header: PlyHeader, name: str, row: int) -> int | None:
    """Return the line, counted from 1, of an element's row in a text; None unless each row has one line of its own."""
    if header.byte_order is not None:
        return None
    for element in header.elements[: [element.name for element in header.elements].index(name)]:
        row += element.rows if element.properties else 0
    found, rows, begin = None, 0, 0
    for number, line in enumerate(io.BytesIO(data), start=1):
        words = line.strip() if begin >= header.size else b""
        begin += len(line)
        if words and words[:1] not in _COMMENTS:
            found = number if rows == row else found
            rows += 1
    return found if rows == sum(element.rows for element in header.elements if element.properties) else None


def _wanted(element: Element) -> list[Property]:
    """Return the properties of an element that are shown: of faces their corners and what belongs to those."""
    if element.name not in _SHOWN:
        return []
    if element.name != "face":
        return [each for each in element.properties if each.count_dtype is None]
    lists = [each for each in element.properties if each.count_dtype is not None]
    names = {CORNER_UVS, corners_of(each.name for each in lists)} if lists else set()
    return [each for each in lists if each.name in names]

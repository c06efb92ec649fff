"""Read a file with meshes by the reader for the ending of its name."""

from __future__ import annotations

import math
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

from octoscope.scene.content import FileContent, FileOutline
from octoscope.scene.formats.endings import FORMATS
from octoscope.scene.system.read_limits import read_limits
from octoscope.scene.system.text_file import ReadError

# Files without meshes that are dropped with others, and what to do.
_NO_MODELS = {
    ".mtl": "holds materials alone; open the .obj that names it",
    ".zip": "an archive; unpack it, and open what is in it",
}
# Formats without a reader: the name, a program that converts it, to which format that has a reader, the endings.
_FOREIGN = {
    ending: (name, tool, target)
    for name, tool, target, endings in (
        ("FBX", "Blender", ".glb", ".fbx"),
        ("Alembic", "Blender", ".glb", ".abc"),
        ("Blender", "Blender", ".glb", ".blend"),
        ("3ds Max", "3ds Max", ".obj", ".max"),
        ("Maya", "Maya", ".obj", ".ma .mb"),
        ("Cinema 4D", "Cinema 4D", ".obj", ".c4d"),
        ("SketchUp", "SketchUp", ".obj", ".skp"),
        ("Rhino", "Rhino", ".obj", ".3dm"),
        ("3D Studio", "MeshLab", ".obj", ".3ds"),
        ("X3D and VRML", "MeshLab", ".obj", ".x3d .x3dv .wrl"),
        ("IGES", "FreeCAD", ".obj", ".iges .igs"),
        ("BREP", "FreeCAD", ".obj", ".brep .brp"),
        ("FreeCAD", "FreeCAD", ".obj", ".fcstd"),
        ("IFC", "IfcConvert", ".glb", ".ifc"),
        ("point cloud", "CloudCompare", ".ply", ".e57 .pcd"),
        ("VTK", "ParaView", ".ply", ".vtk .vtp .vtu"),
        ("3D Tiles SQLite", "3d-tiles-tools", ".3tz or a folder", ".3dtiles"),
    )
    for ending in endings.split()
}

_SMOOTHING = 3.0  # times the meshes: what smoothing them takes

_FORMATS = {Path(f"a{ending}").suffix: format_ for format_ in FORMATS.values() for ending in format_.endings}

_MEMORY_PER_BYTE = {
    Path(f"a{ending}").suffix: count
    for format_ in FORMATS.values()
    for ending, count in format_.memory_per_byte.items()
}

# Called with a path, the bytes of it that were read, and its size, or None where that is not known.
FileProgress = Callable[[Path, int, int | None], None]


def parts_reader(path: Path) -> Callable[..., FileOutline] | None:
    """Return the function that reads a file part by part, as `read_obj_in_parts`; None if its format has none."""
    ending = path.suffix.lower()
    found = _FORMATS.get(ending, FORMATS["OBJ"])
    if ending in _FOREIGN or ending in _NO_MODELS or found.parts_reader is None:
        return None
    module, name = found.parts_reader
    read: Callable[..., FileOutline] = getattr(import_module(f"{__package__}.{module}"), name)
    return read


def memory_per_byte(path: Path) -> int:
    """Return about what reading a file whole takes for each of its bytes, where `parts_reader` has an answer."""
    return _MEMORY_PER_BYTE.get(path.suffix.lower(), _MEMORY_PER_BYTE[".obj"])


class ReadOptions(NamedTuple):
    """Options of reading files."""

    max_memory_bytes: int | None = None  # memory that reading a file may take; None: most of what is free
    # meshes without normals get smooth ones, split where triangles meet at a larger angle; None: they stay flat
    smooth_degrees: float | None = None


AS_USUAL = ReadOptions()


def read_file(path: Path, options: ReadOptions = AS_USUAL, *, progress: FileProgress | None = None) -> FileContent:
    """Read a file with meshes; one whose ending is unknown is read as OBJ.

    Args:
        progress: called now and then while an OBJ is read, or a library in another process reads the file; an exception
            that it raises ends the reading.
    """

    def advance(done_bytes: int, total_bytes: int | None) -> None:
        if progress is not None:
            progress(path, done_bytes, total_bytes)

    advance(0, None)
    try:
        with read_limits(path, options.max_memory_bytes) as limits:
            content = _read(path, advance)
            if options.smooth_degrees is not None:
                from octoscope.scene.mesh.smoothing import lacks_normals, smoothed  # here: few ask for it

                limits.take(_SMOOTHING * content.meshes.nbytes)
                chosen = lacks_normals(content.meshes)
                content.meshes = smoothed(content.meshes, math.radians(options.smooth_degrees), chosen=chosen)
        return content
    except MemoryError:
        raise ReadError(path, "too large for this machine's memory; export it in several files") from None


def _read(path: Path, progress: Callable[[int, int | None], None]) -> FileContent:
    """Read a file as `read_file` does; `progress` gets no path."""
    ending = path.suffix.lower()
    if ending in _FOREIGN and path.is_file():
        name, tool, target = _FOREIGN[ending]
        raise ReadError(path, f"{name} files are not read; convert it to {target} with {tool}")
    if ending in _NO_MODELS and path.is_file():
        raise ReadError(path, _NO_MODELS[ending])
    found = _FORMATS.get(ending, FORMATS["OBJ"])
    module, name = found.reader
    read = getattr(import_module(f"{__package__}.{module}"), name)  # here: most files are not of most formats
    return read(path, progress=progress) if found.tells_progress else read(path)

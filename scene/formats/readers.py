"""Read a file with meshes by the reader for the ending of its name."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path

from octoscope.scene.content import FileContent
from octoscope.scene.formats.converted.kinds import KINDS
from octoscope.scene.formats.endings import FORMATS, MODEL_ENDINGS
from octoscope.scene.formats.obj.reader import read_obj
from octoscope.scene.system.read_limits import read_limits
from octoscope.scene.system.text_file import ReadError, printable

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
        ("point cloud", "CloudCompare", ".ply", ".las .laz .e57 .pcd"),
        ("VTK", "ParaView", ".ply", ".vtk .vtp .vtu"),
    )
    for ending in endings.split()
}

_SMOOTHING = 3.0  # times the meshes: what smoothing them takes

_NOT_OBJ = {*MODEL_ENDINGS, ".json", ".mtl", *_FOREIGN} - {*FORMATS["OBJ"]}

# Called with a path, the bytes of it that were read, and its size, or None where that is not known.
FileProgress = Callable[[Path, int, int | None], None]


def is_obj(path: Path) -> bool:
    """Tell whether `read_file` reads a file as OBJ."""
    return path.suffix.lower() not in _NOT_OBJ


def read_file(
    path: Path,
    *,
    progress: FileProgress | None = None,
    max_memory_bytes: int | None = None,
    smooth_degrees: float | None = None,
) -> FileContent:
    """Read a file with meshes; one whose ending is unknown is read as OBJ.

    Args:
        progress: called now and then while an OBJ is read, or a library in another process reads the file; an exception
            that it raises ends the reading.
        max_memory_bytes: memory that reading may take; None: most of what is free.
        smooth_degrees: meshes without normals get smooth ones, split where triangles meet at a larger angle; None: they
            stay flat.

    Raises:
        ReadError: it cannot be read, has a format without a reader, or is too large for this machine.
    """

    def advance(done_bytes: int, total_bytes: int | None) -> None:
        if progress is not None:
            progress(path, done_bytes, total_bytes)

    advance(0, None)
    try:
        with read_limits(path, max_memory_bytes) as limits:
            content = _read(path, advance)
            if smooth_degrees is not None:
                from octoscope.scene.mesh.smoothing import lacks_normals, smoothed  # here: few ask for it

                limits.take(_SMOOTHING * content.meshes.nbytes)
                chosen = lacks_normals(content.meshes)
                content.meshes = smoothed(content.meshes, math.radians(smooth_degrees), chosen=chosen)
        return content
    except MemoryError:
        raise ReadError(f"{printable(path)}: too large for this machine's memory; export it in several files") from None


def _read(path: Path, progress: Callable[[int, int | None], None]) -> FileContent:
    """Read a file as `read_file` does; `progress` gets no path."""
    match path.suffix.lower():
        case ".glb" | ".gltf":
            from octoscope.scene.formats.gltf.reader import read_gltf  # here: most files are not of this format

            return read_gltf(path)
        case ".json":
            from octoscope.scene.formats.tiles.reader import read_tileset  # see above

            return read_tileset(path)
        case ".ply":
            from octoscope.scene.formats.ply.reader import read_ply  # here: most files are not of this format

            return read_ply(path)
        case ".stl" | ".off":
            from octoscope.scene.formats.trimesh_reader import read_other  # here: trimesh takes long to import

            return read_other(path)
        case ".3mf":
            from octoscope.scene.formats.threemf_reader import read_3mf  # see above

            return read_3mf(path)
        case ending if ending in KINDS:
            from octoscope.scene.formats.converted.reader import read_converted  # here: few files are of these formats

            return read_converted(path, lambda: progress(0, None))
        case ending if ending in _FOREIGN and path.is_file():
            name, tool, target = _FOREIGN[ending]
            raise ReadError(f"{printable(path)}: {name} files are not read; convert it to {target} with {tool}")
        case ".mtl" if path.is_file():
            raise ReadError(f"{printable(path)}: holds materials alone; open the .obj that names it")
        case _:
            return read_obj(path, progress=progress)

"""Write all that a scene shows as one mesh in world coordinates: PLY and STL files, both binary."""

from __future__ import annotations

import struct

import numpy as np

from octoscope.guesses import advises
from octoscope.scene.bake import baked
from octoscope.scene.formats.export import (
    exported_nodes,
    is_moved,
    nodes_to_bake,
    note_left_out,
    require_ending,
    tell,
    write_arrays,
)
from octoscope.scene.geometry.colors import linear_from_srgb, srgb_from_linear
from octoscope.scene.mesh.data import MeshBatch
from octoscope.scene.mesh.layout import ALL_EDGES, WHITE
from octoscope.scene.mesh.material import DEFAULT_MATERIAL
from octoscope.scene.scene import Scene
from octoscope.scene.system.atomic_file import WriteError, WriteProgress, atomic_file
from octoscope.scene.system.paths import StrPath

# float32 is enough where it moves no vertex by more than these shares of the scene's size, and of its object's.
_LARGEST_MOVE = 1e-6
_LARGEST_MOVE_IN_OBJECT = 1e-3
_STL_TRIANGLE = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("attributes", "<u2")])
_STL_HEADING = b"Binary STL written by Octoscope"  # must not begin with "solid", as texts do


@advises()
def write_ply(scene: Scene, path: StrPath, *, progress: WriteProgress | None = None) -> list[str]:
    """Write a scene as one mesh in a binary PLY file, little-endian; return a line for each thing that it cannot hold.

    Vertices keep their order. Colours, texture coordinates and normals are written where there are any; a colour is
    the product of the material's and the vertex's. Positions are float32, or float64 where float32 is too coarse. Lines
    are `edge` elements.
    """
    require_ending(path, ".ply")
    notes: list[str] = []
    tell(progress, 0.0)
    batch = _one_mesh(scene, notes, kept={"line"})
    tell(progress, 0.3)
    colors = _shown_colors(scene, batch)
    columns: list[tuple[str, str, np.ndarray]] = []
    kind = "<f4" if _fits_float32(batch) else "<f8"
    for names, array, dtype in (
        (("x", "y", "z"), batch.positions, kind),
        (("nx", "ny", "nz"), batch.normals if batch.normals.any(axis=1).all() else None, "<f4"),
        (("s", "t"), batch.uvs if batch.uvs.any() else None, "<f4"),
        (
            ("red", "green", "blue", "alpha"),
            colors if (colors != colors[0]).any() or colors[0].min() < WHITE else None,
            "u1",
        ),
    ):
        if array is not None:
            columns += [(name, dtype, array[:, index]) for index, name in enumerate(names)]
    vertices = np.empty(len(batch.positions), dtype=[(name, dtype) for name, dtype, _ in columns])
    for name, _, column in columns:
        vertices[name] = column
    faces = np.empty(len(batch.triangles), dtype=[("count", "u1"), ("corners", "<i4", 3)])
    faces["count"], faces["corners"] = 3, batch.triangles
    properties = {"<f4": "float", "<f8": "double", "u1": "uchar"}
    heading = ["ply", "format binary_little_endian 1.0", "comment Written by Octoscope in world coordinates"]
    heading.append(f"element vertex {len(vertices)}")
    heading += [f"property {properties[dtype]} {name}" for name, dtype, _ in columns]
    if len(faces):
        heading += [f"element face {len(faces)}", "property list uchar int vertex_indices"]
    if len(batch.lines):
        heading += [f"element edge {len(batch.lines)}", "property int vertex1", "property int vertex2"]
    heading.append("end_header\n")

    with atomic_file(path) as file:
        file.write("\n".join(heading).encode())
        write_arrays(file, [vertices, faces, batch.lines.astype("<i4")], progress, begin=0.5)
    return notes


@advises()
def write_stl(scene: Scene, path: StrPath, *, progress: WriteProgress | None = None) -> list[str]:
    """Write a scene's triangles as one binary STL file; return a line for each thing that an STL cannot hold."""
    require_ending(path, ".stl")
    notes: list[str] = []
    tell(progress, 0.0)
    batch = _one_mesh(scene, notes, kept=set())
    tell(progress, 0.3)
    if len(batch.triangles) == 0:
        raise WriteError("nothing to write: an STL holds triangles only, and there are none")
    if not _fits_float32(batch):
        notes.append("positions are rounded to float32, the only precision of STL; objects are far from the origin")
    triangles = np.zeros(len(batch.triangles), dtype=_STL_TRIANGLE)
    corners = batch.positions[batch.triangles]
    triangles["corners"] = corners
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    lengths = np.linalg.norm(normals, axis=1, keepdims=True)
    triangles["normal"] = normals / np.where(lengths > 0.0, lengths, 1.0)

    with atomic_file(path) as file:
        file.write(_STL_HEADING.ljust(80, b" "))
        file.write(struct.pack("<I", len(triangles)))
        write_arrays(file, [triangles], progress, begin=0.5)
    return notes


def _one_mesh(scene: Scene, notes: list[str], *, kept: set[str]) -> MeshBatch:
    """Join all that the scene shows, in the world; elements count through all vertices. Notes what is lost."""
    nodes = exported_nodes(scene)
    ids = nodes_to_bake(scene, nodes, notes)
    note_left_out(scene, nodes, notes)
    batch = baked(scene, ids)
    with np.errstate(over="ignore"):
        if not np.isfinite(batch.positions.astype(np.float32)).all():
            raise WriteError("an object is too large or too far away for the format; scale it down")
    lost = ["names", "materials"]
    if is_moved(scene, ids) or len(ids) > 1:
        lost.insert(0, "transforms")
    if not len(batch.triangles) and not len(batch.lines):
        kept = {*kept, "point"}  # without faces the vertices are the points
    if batch.second_uvs is not None:
        lost.append("second texture coordinates")
    if (batch.edges != ALL_EDGES).any():
        lost.append("polygons")
    dropped = {name: len(getattr(batch, f"{name}s")) for name in ("line", "point") if name not in kept}
    if any(dropped.values()):
        counts = " and ".join(f"{count:,} {name}{'s' * (count > 1)}" for name, count in dropped.items() if count)
        is_one = sum(dropped.values()) == 1
        notes.append(f"{counts} {'is' if is_one else 'are'} left out: the format holds none beside triangles")
    notes.append(f"written as one mesh in world coordinates, without {', '.join(lost[:-1])} and {lost[-1]}")
    for element in ("triangle", "line"):
        getattr(batch, f"{element}s")[:] = batch.rows_of(element)
    return batch


def _fits_float32(batch: MeshBatch) -> bool:
    """Tell whether float32 moves no vertex by too much of the size of the whole, and of its object's."""
    positions = batch.positions
    errors = np.abs(positions.astype(np.float32) - positions).max(axis=1)
    if errors.max() > _LARGEST_MOVE * np.ptp(positions, axis=0).max():
        return False
    firsts = np.cumsum(batch.vertex_counts) - batch.vertex_counts
    sizes = (np.maximum.reduceat(positions, firsts) - np.minimum.reduceat(positions, firsts)).max(axis=1)
    moves = np.maximum.reduceat(errors, firsts)
    return bool((moves <= _LARGEST_MOVE_IN_OBJECT * sizes)[sizes > 0.0].all())


def _shown_colors(scene: Scene, batch: MeshBatch) -> np.ndarray:
    """Multiply the material's colour with each vertex's, in linear light: (v, 4) uint8 sRGB and opacity."""
    used, numbers = np.unique(batch.material_ids, return_inverse=True)
    materials = [scene.materials[number] for number in used.tolist()]
    if all(material == DEFAULT_MATERIAL for material in materials):  # nobody chose that colour
        return batch.colors
    surfaces = np.array([(*linear_from_srgb(m.base_color), m.opacity) for m in materials])
    shades = linear_from_srgb(np.arange(256) / 255.0)
    colors = np.empty((len(numbers), 4))
    colors[:, :3] = srgb_from_linear(surfaces[numbers, :3] * shades[batch.colors[:, :3]])
    colors[:, 3] = surfaces[numbers, 3] * (batch.colors[:, 3] / 255.0)
    return np.round(np.clip(colors, 0.0, 1.0) * 255.0).astype(np.uint8)

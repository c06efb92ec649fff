"""Make meshes from a script's arrays: vertices, faces, and numbers or colours of each.

An argument that does not fit the others raises a ValueError, whose message is one line that names the argument.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from octoscope.arguments import shown
from octoscope.scene.geometry.normals import unit_normals
from octoscope.scene.geometry.rotations import axes_along
from octoscope.scene.geometry.triangulation import triangulate_all
from octoscope.scene.mesh.arrays import Mesh
from octoscope.scene.mesh.color_scale import COLORMAP, ColorScale, colormap_table
from octoscope.scene.mesh.data import MeshData
from octoscope.scene.mesh.layout import WHITE
from octoscope.scene.mesh.smoothing import moved_normals

_ARROW_SIDES = 6
_ARROW_SHAFT, _ARROW_HEAD = 0.022, 0.065  # radii, of an arrow of length 1
_ARROW_NECK = 0.72  # where its head begins
_LONGEST_ARROW = 0.1  # of the size of what it stands on


def mesh_of_arrays(
    vertices: ArrayLike,
    faces: ArrayLike | None = None,
    *,
    normals: ArrayLike | None = None,
    uvs: ArrayLike | None = None,
    colors: ArrayLike | None = None,
    scalars: ArrayLike | None = None,
    colormap: str = COLORMAP,
    scalar_range: tuple[float, float] | None = None,
    title: str = "",
) -> tuple[MeshData, ColorScale | None]:
    """Make a mesh, all of material 0, and the colours of its scalars if it has any; arguments as of Scene.add_mesh."""
    positions = _floats("vertices", vertices, (None, 3), "(n, 3)")
    count = len(positions)
    points = None
    edges = None
    triangles, face_of_triangle = np.empty((0, 3), dtype=np.int64), np.empty(0, dtype=np.int64)
    face_count = 0
    if faces is None:
        points = np.arange(count)
    else:
        corners = _faces(faces, count)
        face_count = len(corners)
        face_of_triangle = np.repeat(np.arange(face_count), corners.shape[1] - 2)
        triangles = corners
        if corners.shape[1] > 3:
            sizes = np.full(face_count, corners.shape[1])
            triangles, edges = triangulate_all(positions, sizes, np.ascontiguousarray(corners).ravel())
    directions = None if normals is None else _floats("normals", normals, (count, 3), f"({count}, 3)")
    coordinates = None if uvs is None else _floats("uvs", uvs, (count, 2), f"({count}, 2)")
    rgba = None if colors is None else _colors(colors, count)
    scale, of_faces = None, False
    if scalars is not None:
        if colors is not None:
            raise ValueError("colors and scalars: give one of them, as both are the colour of the vertices")
        numbers, of_faces = _scalars(scalars, count, face_count)
        scale = _scale(numbers, colormap, scalar_range, title)
        rgba = scale.colors_of(numbers)
    source_vertices = None
    if of_faces and rgba is not None:
        # A vertex has one colour: each triangle gets vertices of its own, of which its file would know the first ones.
        source_vertices = triangles.ravel()
        positions = positions[source_vertices]
        directions = None if directions is None else directions[source_vertices]
        coordinates = None if coordinates is None else coordinates[source_vertices]
        rgba = np.repeat(rgba[face_of_triangle], 3, axis=0)
        triangles = np.arange(len(source_vertices)).reshape(-1, 3)
    mesh = MeshData(
        positions,
        triangles,
        None if directions is None else unit_normals(directions),
        np.zeros(len(positions), dtype=np.int32),
        uvs=coordinates,
        colors=rgba,
        source_vertices=source_vertices,
        edges=edges,
        points=points,
    )
    return mesh, scale


def arrays_of(
    given: Any, faces: ArrayLike | None, normals: ArrayLike | None, uvs: ArrayLike | None, colors: ArrayLike | None
) -> tuple[ArrayLike, ArrayLike | None, ArrayLike | None, ArrayLike | None, ArrayLike | None]:
    """Return vertices, faces, normals, texture coordinates and colours: those that a mesh object has, if one is given.

    Args:
        given: (v, 3) vertices, or a mesh with `vertices` and `faces`, such as a node's or one of trimesh.
    """
    if hasattr(given, "geometry") and hasattr(given, "graph"):
        raise ValueError("vertices: an array or a mesh is needed, not a scene; add each mesh of scene.dump()")
    if not hasattr(given, "vertices"):
        if hasattr(given, "points"):
            raise ValueError("vertices: of a mesh of PyVista, give mesh.points, and as faces mesh.regular_faces")
        return given, faces, normals, uvs, colors
    if faces is not None:
        raise ValueError("faces: the mesh that was given has its own")
    visual: Any = getattr(given, "visual", given)  # trimesh's, or a node's mesh, which has these itself
    if colors is None and getattr(visual, "kind", "vertex") == "vertex":
        colors = getattr(visual, "vertex_colors", getattr(visual, "colors", None))
    uvs = getattr(visual, "uvs", getattr(visual, "uv", None)) if uvs is None else uvs
    normals = (
        getattr(given, "normals", None) if normals is None else normals
    )  # not trimesh's vertex_normals, which all have
    found = getattr(given, "faces", None)
    is_missing = [part is None or np.size(part) == 0 for part in (found, normals, uvs, colors)]
    found, normals, uvs, colors = (
        None if missing else part for missing, part in zip(is_missing, (found, normals, uvs, colors), strict=True)
    )
    return given.vertices, found, normals, uvs, colors


def mesh_like(given: Any) -> MeshData:
    """Make a mesh, all of material 0, of one of a node, of trimesh or the like.

    Raises:
        ValueError: it is none, or its arrays do not fit each other.
    """
    if not hasattr(given, "vertices"):
        raise ValueError(
            "mesh: a mesh is needed, such as one of trimesh (a PointCloud, too) or that of another node, not "
            f"{shown(given)}; "
            "scene.set_vertices(node, vertices) moves the vertices of the present one"
        )
    vertices, faces, normals, uvs, colors = arrays_of(given, None, None, None, None)
    made, _ = mesh_of_arrays(vertices, faces, normals=normals, uvs=uvs, colors=colors)
    return replace(made, lines=given.lines, points=given.points) if isinstance(given, Mesh) else made


def scalar_colors(
    mesh: MeshData,
    scalars: ArrayLike,
    before: ColorScale | None,
    *,
    colormap: str | None,
    scalar_range: tuple[float, float] | None,
    title: str,
) -> tuple[np.ndarray, ColorScale]:
    """Return (v, 4) uint8 colours for the vertices of a mesh, and their scale.

    Args:
        scalars: (v,) numbers of its vertices; or of its faces, if `mesh_of_arrays` made it of such numbers.
        before: the scale that the mesh had, whose colours are kept if no colormap is given.
        scalar_range: lowest and highest number of the scale; None: those of `scalars`.
    """
    vertex_count, triangle_count = len(mesh.positions), len(mesh.triangles)
    is_split = _is_split(mesh)
    size = _length(scalars)
    corners = 1
    if is_split and size != vertex_count and size > 0 and triangle_count % size == 0:
        corners = 3 * triangle_count // size  # polygons have as many triangles each
    wanted = f"({vertex_count},)" + (f" or ({triangle_count},), of triangles," if is_split else "")
    numbers = np.repeat(_floats("scalars", scalars, (vertex_count // corners,), wanted), corners)
    scale = _scale(numbers, colormap or COLORMAP, scalar_range, title)
    if colormap is None and before is not None:
        scale = replace(scale, colors=before.colors)
    return scale.colors_of(numbers), scale


def moved_vertices(mesh: MeshData, vertices: ArrayLike, normals: ArrayLike | None) -> tuple[np.ndarray, np.ndarray]:
    """Return (v, 3) positions and (v, 3) normals for a mesh whose vertices are moved.

    Args:
        vertices: (v, 3), one for each of the mesh; or (n, 3) as they were given to `mesh_of_arrays`, if that gave each
            triangle vertices of its own.
        normals: one for each row of `vertices`; None: computed anew where the mesh has normals.
    """
    count, sources = len(mesh.positions), mesh.source_vertices
    assert sources is not None
    if _is_split(mesh) and _length(vertices) != count and int(sources.max()) < _length(vertices) < count:
        positions = _floats("vertices", vertices, (None, 3), "(n, 3)")
        directions = None if normals is None else _floats("normals", normals, positions.shape, f"{positions.shape}")
        positions = positions[sources]
        directions = None if directions is None else directions[sources]
    else:
        if 0 < _length(vertices) != count:
            raise ValueError(
                f"vertices: {count:,} are needed, as many as the mesh has, not {_length(vertices):,}; node.mesh = mesh "
                "gives the node one of another number"
            )
        positions = _floats("vertices", vertices, (count, 3), f"({count}, 3)")
        directions = None if normals is None else _floats("normals", normals, (count, 3), f"({count}, 3)")
    return positions, moved_normals(mesh, positions) if directions is None else unit_normals(directions)


def _is_split(mesh: MeshData) -> bool:
    """Tell whether each triangle has vertices of its own, as where faces have colours."""
    count = len(mesh.positions)
    return count == 3 * len(mesh.triangles) and bool((mesh.triangles.ravel() == np.arange(count)).all())


def arrows(vertices: ArrayLike, vectors: ArrayLike, *, scale: float | None = None) -> MeshData | None:
    """Make a mesh of an arrow at each vertex, None where no vector has a length; arguments as of Scene.add_mesh."""
    positions = _floats("vertices", vertices, (None, 3), "(n, 3)")
    given = _floats("vectors", vectors, (len(positions), 3), f"({len(positions)}, 3)")
    if scale is not None and not (isinstance(scale, (int, float, np.number)) and 0.0 < scale < np.inf):
        raise ValueError(f"vector_scale: a number above 0 is needed, not {' '.join(repr(scale).split())}")
    largest = float(np.abs(given).max())
    if largest == 0.0:
        return None
    given = given / largest  # so that squares neither overflow nor vanish
    lengths = np.linalg.norm(given, axis=1)
    seen = lengths > 0.0
    shape, triangles = _unit_arrow()
    axes = axes_along(given[seen] / lengths[seen, None])
    with np.errstate(over="ignore", invalid="ignore"):
        if scale is None:
            size = float(np.linalg.norm(np.ptp(positions, axis=0))) or float(lengths.max()) * largest
            scaled = _LONGEST_ARROW * size / float(lengths.max()) * lengths[seen]
        else:
            scaled = scale * largest * lengths[seen]
        corners = positions[seen, None] + scaled[:, None, None] * (shape @ axes)
    if not np.isfinite(corners).all():
        raise ValueError("vectors: their arrows are too large for numbers; give a smaller vector_scale or smaller ones")
    firsts = len(shape) * np.arange(len(axes))
    return MeshData(
        corners.reshape(-1, 3),
        (triangles + firsts[:, None, None]).reshape(-1, 3),
        None,
        np.zeros(len(shape) * len(axes), dtype=np.int32),
    )


def _unit_arrow() -> tuple[np.ndarray, np.ndarray]:
    """Return (v, 3) positions of an arrow from the origin to z = 1, and (t, 3) triangles, seen from outside."""
    n = _ARROW_SIDES
    angles = 2.0 * np.pi * np.arange(n) / n
    ring = np.stack([np.cos(angles), np.sin(angles), np.zeros(n)], axis=1)
    rings = [_ARROW_SHAFT * ring, _ARROW_SHAFT * ring, _ARROW_HEAD * ring]
    for part, height in zip(rings, (0.0, _ARROW_NECK, _ARROW_NECK), strict=True):
        part[:, 2] = height
    here, after = np.arange(n), (np.arange(n) + 1) % n
    triangles = [np.stack([here, after, after + n], axis=1), np.stack([here, after + n, here + n], axis=1)]  # shaft
    triangles += [np.stack([n + here, n + after, 2 * n + after], axis=1)]  # underside of the head
    triangles += [np.stack([n + here, 2 * n + after, 2 * n + here], axis=1)]
    triangles += [np.stack([2 * n + here, 2 * n + after, np.full(n, 3 * n)], axis=1)]
    return np.concatenate([*rings, [(0.0, 0.0, 1.0)]]), np.concatenate(triangles)


def _floats(name: str, given: ArrayLike, shape: tuple[int | None, ...], shown: str) -> np.ndarray:
    """Return an argument as finite float64 numbers of a shape; None in it stands for any number above 0."""
    try:
        values = np.asarray(given)
        if values.dtype.kind not in "biufO":  # no complex numbers, of which a part would be lost, and no dates
            raise TypeError
        values = np.array(values, dtype=np.float64)
    except (ValueError, TypeError, OverflowError):
        raise ValueError(f"{name}: {shown} numbers are needed") from None
    fits = values.ndim == len(shape) and all(
        b == (b if a is None else a) for a, b in zip(shape, values.shape, strict=True)
    )
    if not fits or 0 in values.shape:
        raise ValueError(f"{name}: {shown} numbers are needed, not {values.shape}")
    bad = np.flatnonzero(~np.isfinite(values.reshape(len(values), -1)).all(axis=1))
    if len(bad):
        raise ValueError(f"{name}: {len(bad):,} of {len(values):,} are not finite, the first at index {bad[0]}")
    return values


def _faces(given: ArrayLike, vertex_count: int) -> np.ndarray:
    """Return the (f, k) int64 corners of faces."""
    try:
        faces = np.asarray(given)
    except ValueError:
        faces = np.empty(0)
    if faces.ndim != 2 or faces.shape[1] < 3 or len(faces) == 0 or faces.dtype.kind not in "iu":
        shape = f", not {faces.shape} of {faces.dtype}" if faces.size else ""
        shape += "; of PyVista it is mesh.regular_faces" if faces.ndim == 1 and faces.size else ""
        raise ValueError(f"faces: (n, 3) vertex numbers are needed, or (n, k) of polygons with k corners{shape}")
    bad = np.flatnonzero(((faces < 0) | (faces >= vertex_count)).any(axis=1))
    if len(bad):
        row = faces[bad[0]].tolist()
        raise ValueError(f"faces: face {bad[0]} is {row}, and there are vertices 0 to {vertex_count - 1}")
    return faces.astype(np.int64)


def _colors(given: ArrayLike, count: int) -> np.ndarray:
    """Return (count, 4) uint8 sRGB and opacity."""
    try:
        colors = np.asarray(given)
    except ValueError:  # rows of various lengths
        colors = np.empty(0)
    if colors.ndim != 2 or len(colors) != count or colors.shape[1] not in (3, 4):
        raise ValueError(f"colors: ({count}, 3) or ({count}, 4) are needed, a row for each vertex, not {colors.shape}")
    if colors.dtype.kind == "f":
        colors = _floats("colors", colors, colors.shape, f"{colors.shape}")
        if colors.min() < 0.0 or colors.max() > 1.0:
            raise ValueError(f"colors: 0 to 1 is needed, not {colors.min():g} to {colors.max():g}; or uint8, 0 to 255")
        colors = np.rint(255.0 * colors).astype(np.uint8)
    elif colors.dtype != np.uint8:
        raise ValueError(f"colors: uint8, 0 to 255, or floats, 0 to 1, are needed, not {colors.dtype}")
    if colors.shape[1] == 4:
        return colors
    return np.concatenate([colors, np.full((count, 1), WHITE, dtype=np.uint8)], axis=1)


def _scalars(given: ArrayLike, vertex_count: int, face_count: int) -> tuple[np.ndarray, bool]:
    """Return (n,) float64 numbers, and whether they are of faces."""
    wanted = f"({vertex_count},)" + (f" or ({face_count},)" if face_count else "")
    size = _length(given)
    of_faces = size != vertex_count and size == face_count
    return _floats("scalars", given, (face_count if of_faces else vertex_count,), wanted), of_faces


def _length(given: ArrayLike) -> int:
    """Return the number of rows of an array, 0 of what is none."""
    try:
        return np.shape(given)[0] if np.ndim(given) else 0
    except ValueError:  # rows of various lengths
        return 0


def _scale(numbers: np.ndarray, colormap: str, scalar_range: tuple[float, float] | None, title: str) -> ColorScale:
    if scalar_range is None:
        scalar_range = float(numbers.min()), float(numbers.max())
    try:
        least, greatest = map(float, scalar_range)
    except (TypeError, ValueError, OverflowError):
        shown = " ".join(repr(scalar_range).split())[:80]
        raise ValueError(f"scalar_range: a minimum and a maximum are needed, not {shown}") from None
    if not isinstance(title, str):
        raise ValueError(f"title: a text is needed, not {title!r}")
    return ColorScale(title, least, greatest, colormap_table(colormap))

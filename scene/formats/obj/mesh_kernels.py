"""Kernels of meshing: write vertices, triangles, lines, points and made normals of a range of objects."""

from __future__ import annotations

import numpy as np

from octoscope.octree.jit import borrowing_kernel, kernel
from octoscope.scene.formats.obj.block_arrays import MISSING
from octoscope.scene.geometry.triangulation import is_concave, outer_sides, triangulate

_UNIT_ERROR = 1e-6  # of a float32 unit vector's squared length


@kernel
def counts_before(face_sizes: np.ndarray, faces: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Count the corners, and the triangles, before each of some faces, which ascend."""
    corners = np.empty(len(faces), np.int64)
    triangles = np.empty(len(faces), np.int64)
    corner = 0
    triangle = 0
    face = 0
    for k in range(len(faces)):
        while face < faces[k]:
            corner += abs(face_sizes[face])
            triangle += max(face_sizes[face] - 2, 0)
            face += 1
        corners[k] = corner
        triangles[k] = triangle
    return corners, triangles


@borrowing_kernel
def write_vertices(
    position_of: np.ndarray,
    uv_of: np.ndarray,
    normal_of: np.ndarray,
    material_of: np.ndarray,
    positions: np.ndarray,
    uvs: np.ndarray,
    normals: np.ndarray,
    colors: np.ndarray,
    color_scale: float,
    out_positions: np.ndarray,
    out_uvs: np.ndarray,
    out_normals: np.ndarray,
    out_colors: np.ndarray,
    out_materials: np.ndarray,
    out_sources: np.ndarray,
) -> None:
    """Write the values that the vertices' indices refer to.

    Normals become unit normals; a missing one, or one that is to be made, becomes zero.
    """
    for i in range(len(position_of)):
        position = position_of[i]
        for axis in range(3):
            out_positions[i, axis] = positions[position, axis]
            out_normals[i, axis] = 0.0
        if uv_of[i] != MISSING and np.isfinite(uvs[uv_of[i], 0]) and np.isfinite(uvs[uv_of[i], 1]):
            out_uvs[i, 0] = uvs[uv_of[i], 0]
            out_uvs[i, 1] = uvs[uv_of[i], 1]
        else:
            out_uvs[i, 0] = 0.0
            out_uvs[i, 1] = 0.0
        if normal_of[i] > MISSING:
            _write_unit(normals[normal_of[i]], out_normals[i])
        for k in range(4):
            out_colors[i, k] = 255
        if len(colors):
            for k in range(3):
                out_colors[i, k] = np.uint8(min(max(colors[position, k] * color_scale + 0.5, 0.0), 255.0))
        out_materials[i] = material_of[i]
        out_sources[i] = position


@borrowing_kernel
def _write_unit(vector: np.ndarray, out: np.ndarray) -> None:
    """Return a vector at unit length; zero where it has no direction."""
    largest = max(abs(vector[0]), abs(vector[1]), abs(vector[2]))
    if not (largest > 0.0 and np.isfinite(vector[0]) and np.isfinite(vector[1]) and np.isfinite(vector[2])):
        for axis in range(3):
            out[axis] = 0.0
        return
    square = np.float64(vector[0]) ** 2 + np.float64(vector[1]) ** 2 + np.float64(vector[2]) ** 2
    if abs(square - 1.0) < _UNIT_ERROR:  # it is one already: an OBJ that is read and written stays as it is
        for axis in range(3):
            out[axis] = vector[axis]
        return
    x = vector[0] / largest
    y = vector[1] / largest
    z = vector[2] / largest
    length = np.sqrt(x * x + y * y + z * z)
    out[0] = x / length
    out[1] = y / length
    out[2] = z / length


@kernel
def write_faces(
    first_face: int,
    last_face: int,
    corner: int,
    triangle: int,
    first_object: int,
    first: np.ndarray,
    corners: np.ndarray,
    face_sizes: np.ndarray,
    offsets: np.ndarray,
    normal_of: np.ndarray,
    out_positions: np.ndarray,
    out_normals: np.ndarray,
    out_triangles: np.ndarray,
    out_edges: np.ndarray,
) -> None:
    """Write the triangles of some faces of the objects from `first_object` on.

    `out_normals` receives the sums of which normals are made.

    Args:
        corners: (c, 3), vertices of their objects.
        offsets: (m + 1, 4) vertices, triangles, lines and points before each object.
    """
    number = first_object
    polygon = np.empty((4, 3))
    fan = np.empty((0, 3), np.int64)
    for face in range(first_face, last_face):
        while face >= first[number + 1, 0]:
            number += 1
        base = offsets[number, 0]
        own_base = base - offsets[first_object, 0]
        size = face_sizes[face]
        if size < 0:
            corner -= size
            continue
        cut = fan
        if size > 3:
            if size > len(polygon):
                polygon = np.empty((2 * size, 3))
            for k in range(size):
                for axis in range(3):
                    polygon[k, axis] = out_positions[base + corners[corner + k, 0], axis]
            if is_concave(polygon[:size]):
                cut = triangulate(polygon[:size])
        for t in range(size - 2):
            a, b, c = (cut[t, 0], cut[t, 1], cut[t, 2]) if len(cut) else (0, t + 1, t + 2)
            out_triangles[triangle, 0] = corners[corner + a, 0]
            out_triangles[triangle, 1] = corners[corner + b, 0]
            out_triangles[triangle, 2] = corners[corner + c, 0]
            out_edges[triangle] = 7 if size == 3 else outer_sides(a, b, c, size)
            for k in range(3):
                if normal_of[own_base + out_triangles[triangle, k]] < MISSING:
                    _add_angle_weighted(out_positions, out_normals, base, out_triangles[triangle], k)
            triangle += 1
        corner += size


@kernel
def write_lines_and_points(
    first: np.ndarray,
    lines: np.ndarray,
    points: np.ndarray,
    offsets: np.ndarray,
    out_lines: np.ndarray,
    out_points: np.ndarray,
) -> None:
    """Write the objects' lines and points, without those that are skipped."""
    for number in range(len(first) - 1):
        line = offsets[number, 2]
        for i in range(first[number, 1], first[number + 1, 1]):
            if lines[i, 0] != MISSING:
                out_lines[line, 0] = lines[i, 0]
                out_lines[line, 1] = lines[i, 1]
                line += 1
        point = offsets[number, 3]
        for i in range(first[number, 2], first[number + 1, 2]):
            if points[i] != MISSING:
                out_points[point] = points[i]
                point += 1


@kernel
def _add_angle_weighted(positions: np.ndarray, normals: np.ndarray, base: int, triangle: np.ndarray, k: int) -> None:
    """Add a triangle's unit normal, times its angle at its corner k, to that corner's normal.

    Thürmer and Wüthrich, "Computing Vertex Normals from Polygonal Facets", 1998.
    """
    vertex = base + triangle[k]
    here = positions[vertex]
    u = np.empty(3)
    v = np.empty(3)
    for axis in range(3):
        u[axis] = positions[base + triangle[(k + 1) % 3], axis] - here[axis]
        v[axis] = positions[base + triangle[(k + 2) % 3], axis] - here[axis]
    _write_unit(u, u)
    _write_unit(v, v)
    x = u[1] * v[2] - u[2] * v[1]
    y = u[2] * v[0] - u[0] * v[2]
    z = u[0] * v[1] - u[1] * v[0]
    sine = np.sqrt(x * x + y * y + z * z)
    if sine > 0.0:
        weight = np.arctan2(sine, u[0] * v[0] + u[1] * v[1] + u[2] * v[2]) / sine
        normals[vertex, 0] += x * weight
        normals[vertex, 1] += y * weight
        normals[vertex, 2] += z * weight


@kernel
def finish_made_normals(
    counts: np.ndarray, position_of: np.ndarray, normal_of: np.ndarray, normals: np.ndarray
) -> None:
    """Sum the normals that were added at equal positions in one smoothing group, across seams of texture and material.

    Objects are apart, though the last vertex of one may have the position of the next one's first.
    """
    begin = np.int64(0)
    total = np.empty(3)
    object_end = np.int64(0)
    for number in range(len(counts)):
        object_end += counts[number, 0]
        while begin < object_end:
            end = begin + 1
            while end < object_end and position_of[end] == position_of[begin]:
                end += 1
            _finish_at_one_position(begin, end, normal_of, normals, total)
            begin = end


@kernel
def _finish_at_one_position(
    begin: int, end: int, normal_of: np.ndarray, normals: np.ndarray, total: np.ndarray
) -> None:
    """Sum the normals of the vertices begin..end, which are at one position, by smoothing group."""
    for i in range(begin, end):
        if normal_of[i] >= MISSING:
            continue
        known = False
        for other in range(max(begin, i - 64), i):  # summed with one before
            if normal_of[other] == normal_of[i]:
                for axis in range(3):  # a slice would have numba compile its message of a shape that does not fit
                    normals[i, axis] = normals[other, axis]
                known = True
                break
        if known:
            continue
        for axis in range(3):
            total[axis] = 0.0
            for other in range(i, min(end, i + 64)):
                if normal_of[other] == normal_of[i]:
                    total[axis] += normals[other, axis]
        _write_unit(total, normals[i])

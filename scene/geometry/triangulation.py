"""Cut polygons of more than three corners into triangles, and tell which are concave.

A fan from the first corner is right for a convex polygon and covers ground outside a concave one.
"""

from __future__ import annotations

import numpy as np

from octoscope.octree.jit import kernel
from octoscope.scene.geometry.bounded import bin_of

_ROUNDING = 1e-12  # of a polygon's size and area: a corner that turns less counts as straight
_FEW = 32  # corners that are searched without a grid
_EAR_STEPS = 2_000  # for each corner: a limit that no drawn polygon reaches, so that a hostile file is read in time


@kernel
def triangulate(points: np.ndarray) -> np.ndarray:
    """Cut one polygon into triangles: a fan where it is convex, else ears in its own plane.

    Returns:
        (n - 2, 3) int64 indices of corners, wound as the polygon is. A polygon that crosses itself gets triangles
        too, though no triangulation of it is right.
    """
    n = len(points)
    triangles = np.empty((n - 2, 3), np.int64)
    for k in range(n - 2):
        triangles[k, 0] = 0
        triangles[k, 1] = k + 1
        triangles[k, 2] = k + 2
    normal = _normal(points)
    if _is_concave(points, normal):
        _clip_ears(_flattened(points, normal), triangles)
    return triangles


@kernel
def triangulate_all(positions: np.ndarray, sizes: np.ndarray, corners: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Cut many polygons into triangles.

    Returns:
        (t, 3) int64 rows of positions, and (t,) uint8 which of their sides are sides of the polygon (MeshData.edges).
    """
    triangles = np.empty((np.sum(np.maximum(sizes - 2, 0)), 3), np.int64)
    edges = np.empty(len(triangles), np.uint8)
    corner = 0
    count = 0
    for size in sizes:
        polygon = corners[corner : corner + size]
        cut = triangulate(positions[polygon]) if size > 2 else np.empty((0, 3), np.int64)
        for k in range(len(cut)):
            for corner_of_cut in range(3):
                triangles[count, corner_of_cut] = polygon[cut[k, corner_of_cut]]
            edges[count] = outer_sides(cut[k, 0], cut[k, 1], cut[k, 2], size)
            count += 1
        corner += size
    return triangles, edges


@kernel
def outer_sides(a: int, b: int, c: int, size: int) -> int:
    """Return which sides of a triangle between three corners of a polygon are the polygon's own: bits 0 to 2."""
    return int((a + 1) % size == b) | int((b + 1) % size == c) << 1 | int((c + 1) % size == a) << 2


@kernel
def is_concave(points: np.ndarray) -> bool:
    """Tell whether a polygon, (n, 3), turns both ways; False for one without an area."""
    return _is_concave(points, _normal(points))


@kernel
def are_concave(positions: np.ndarray, corners: np.ndarray, firsts: np.ndarray, sizes: np.ndarray) -> np.ndarray:
    """Tell which of some polygons turn both ways: (p,) bool."""
    result = np.empty(len(firsts), np.bool_)
    for i in range(len(firsts)):
        result[i] = is_concave(positions[corners[firsts[i] : firsts[i] + sizes[i]]])
    return result


@kernel
def _normal(points: np.ndarray) -> np.ndarray:
    """Compute Newell's normal (Sutherland et al., "A Characterization of Ten Hidden-Surface Algorithms", 1974)."""
    normal = np.zeros(3)
    for k in range(1, len(points) - 1):
        for axis in range(3):
            u = (axis + 1) % 3
            v = (axis + 2) % 3
            normal[axis] += (points[k, u] - points[0, u]) * (points[k + 1, v] - points[0, v])
            normal[axis] -= (points[k, v] - points[0, v]) * (points[k + 1, u] - points[0, u])
    return normal


@kernel
def _is_concave(points: np.ndarray, normal: np.ndarray) -> bool:
    """Tell whether some corner turns against the normal by more than rounding."""
    n = len(points)
    size = 0.0
    for k in range(n):
        for axis in range(3):
            size = max(size, abs(points[k, axis] - points[0, axis]))
    length = np.sqrt(normal[0] ** 2 + normal[1] ** 2 + normal[2] ** 2)
    for k in range(n):
        before = points[k - 1]
        here = points[k]
        after = points[k + 1 - n]
        along = 0.0
        for axis in range(3):
            u = (axis + 1) % 3
            v = (axis + 2) % 3
            turn = (here[u] - before[u]) * (after[v] - here[v]) - (here[v] - before[v]) * (after[u] - here[u])
            along += turn * normal[axis]
        if along < -_ROUNDING * size * size * length:
            return True
    return False


@kernel
def _flattened(points: np.ndarray, normal: np.ndarray) -> np.ndarray:
    """Project corners to (n, 2) along the axis in which the polygon is flattest, so that they run counter-clockwise."""
    dropped = 0
    for axis in range(1, 3):
        if abs(normal[axis]) > abs(normal[dropped]):
            dropped = axis
    u = (dropped + 1) % 3
    v = (dropped + 2) % 3
    if normal[dropped] < 0.0:
        u, v = v, u
    flat = np.empty((len(points), 2))
    for k in range(len(points)):
        flat[k, 0] = points[k, u] - points[0, u]
        flat[k, 1] = points[k, v] - points[0, v]
    return flat


@kernel
def _clip_ears(points: np.ndarray, triangles: np.ndarray) -> None:
    """Cut ears off a polygon until none is left (Meisters, "Polygons have ears", 1975).

    An ear is a corner that turns left and whose triangle, with its two neighbours, contains no other corner. Only a
    blunt corner, one that does not turn left, can lie in it, so that only those are searched, in a grid. The grid is
    made anew when half of the blunt corners are gone.
    """
    n = len(points)
    # The corners that are left are a doubly linked ring.
    before = np.empty(n, np.int64)
    after = np.empty(n, np.int64)
    blunt = np.empty(n, np.bool_)
    for i in range(n):
        before[i] = (i - 1) % n
        after[i] = (i + 1) % n
        blunt[i] = _turn(points, before[i], i, after[i]) <= 0.0
    blunt_count = blunt.sum()
    gridded_count = blunt_count  # how many were blunt when the grid was made
    grid = _grid_of(points, blunt)
    here = np.int64(0)  # as `line` in statements.read_block
    failures = 0
    count = 0
    steps = _EAR_STEPS * n
    while count < n - 2:
        a = before[here]
        c = after[here]
        is_ear = False
        if blunt[here]:
            steps -= 1
        else:
            is_ear, steps = _is_ear(points, blunt, grid, a, here, c, steps)
        # A polygon that has no ear crosses itself: then any corner is cut off, so that this ends.
        if is_ear or failures >= n - count or steps < 0:
            triangles[count, 0] = a
            triangles[count, 1] = here
            triangles[count, 2] = c
            count += 1
            after[a] = c
            before[c] = a
            blunt_count -= blunt[here]
            blunt[here] = False
            # The neighbours have got other neighbours, and may turn the other way now.
            for k in (a, c):
                blunt_count -= blunt[k]
                blunt[k] = _turn(points, before[k], k, after[k]) <= 0.0
                blunt_count += blunt[k]
            if gridded_count > _FEW and 2 * blunt_count < gridded_count:
                gridded_count = blunt_count
                grid = _grid_of(points, blunt)
            failures = 0
            here = a
        else:
            failures += 1
            here = c


@kernel
def _grid_of(points: np.ndarray, chosen: np.ndarray) -> tuple[float, float, float, float, int, np.ndarray, np.ndarray]:
    """Make a grid with about as many cells as there are chosen points, and list the points of each cell.

    Returns:
        its lowest x and y; cells in a unit of x and of y; cells along a side; where each cell's points begin in the
        last array, column by column; and the chosen points' indices by cell.
    """
    count = chosen.sum()
    if count <= _FEW:
        return 0.0, 0.0, 0.0, 0.0, 1, np.array([0, count]), np.flatnonzero(chosen)
    side = int(np.sqrt(count))
    x, right = points[:, 0].min(), points[:, 0].max()
    y, top = points[:, 1].min(), points[:, 1].max()
    x_scale = side / (right - x) if right > x else 0.0
    y_scale = side / (top - y) if top > y else 0.0
    first = np.zeros(side * side + 1, np.int64)
    for i in range(len(points)):
        if chosen[i]:
            first[bin_of((points[i, 0] - x) * x_scale, side) * side + bin_of((points[i, 1] - y) * y_scale, side)] += 1
    total = 0
    for cell in range(len(first)):
        total += first[cell]
        first[cell] = total
    members = np.empty(count, np.int64)
    for i in range(len(points)):
        if chosen[i]:
            cell = bin_of((points[i, 0] - x) * x_scale, side) * side + bin_of((points[i, 1] - y) * y_scale, side)
            first[cell] -= 1
            members[first[cell]] = i
    return x, y, x_scale, y_scale, side, first, members


@kernel
def _is_ear(
    points: np.ndarray,
    blunt: np.ndarray,
    grid: tuple[float, float, float, float, int, np.ndarray, np.ndarray],
    a: int,
    b: int,
    c: int,
    steps: int,
) -> tuple[bool, int]:
    """Tell whether no blunt corner lies in the triangle at corner b, which turns left; and how many steps are left."""
    x, y, x_scale, y_scale, side, first, members = grid
    first_column = bin_of((min(points[a, 0], points[b, 0], points[c, 0]) - x) * x_scale, side)
    last_column = bin_of((max(points[a, 0], points[b, 0], points[c, 0]) - x) * x_scale, side)
    bottom = bin_of((min(points[a, 1], points[b, 1], points[c, 1]) - y) * y_scale, side)
    top = bin_of((max(points[a, 1], points[b, 1], points[c, 1]) - y) * y_scale, side)
    for column in range(first_column, last_column + 1):
        low = first[column * side + bottom]
        high = first[column * side + top + 1]
        steps -= high - low + 1
        for member in range(low, high):
            other = members[member]
            if (
                blunt[other]
                and _turn(points, a, b, other) >= 0.0
                and _turn(points, b, c, other) >= 0.0
                and _turn(points, c, a, other) >= 0.0
                and not _same(points, other, a)
                and not _same(points, other, b)
                and not _same(points, other, c)
            ):
                return False, steps
    return True, steps


@kernel
def _turn(points: np.ndarray, a: int, b: int, c: int) -> float:
    """Return twice the signed area of the triangle a, b, c: positive where it turns left."""
    return (points[b, 0] - points[a, 0]) * (points[c, 1] - points[a, 1]) - (points[b, 1] - points[a, 1]) * (
        points[c, 0] - points[a, 0]
    )


@kernel
def _same(points: np.ndarray, a: int, b: int) -> bool:
    """Tell whether two corners are at one point."""
    return points[a, 0] == points[b, 0] and points[a, 1] == points[b, 1]

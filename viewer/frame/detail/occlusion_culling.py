"""Occlusion culling: which objects in view are hidden behind others, so that their triangles need not be drawn.

A picture is begun with the objects that were seen in the last one. Its depths, as the farthest in each tile of pixels,
tell which objects can be seen now: those with a point of their box in front of a tile that the box covers. What of them
was not drawn yet is added. So nothing is ever missing, whatever was seen before; a wrong memory costs time.
Source: Hill and Collin, "Practical, Dynamic Visibility for Games", GPU Pro 2, 2011.
"""

from __future__ import annotations

from collections.abc import Sized

import numpy as np

from octoscope.octree.jit import borrowing_kernel, kernel

TILE_PX = 4  # of framebuffer pixels a side
_RESTED_FRAMES = 15  # drawn in full after one in which too little was hidden
_LEAST_SAVED = 0.2  # of the triangles; less is not worth the test
_MOST_TILES = 6  # that a box covers along a side in the level of the pyramid at which it is tested
# What the card's arithmetic in 32 bits may be off by: places in pixels; depths, as a share of the depth and of the
# depths within the box, as those of narrow triangles are extrapolated.
_PLACE_MARGIN_PX = 1.0
_DEPTH_MARGIN, _STEEP_MARGIN = 1e-4, 0.05
_MOST_FORESHORTENED = 1e-3  # depth of a box's nearest point over that of the farthest: it surrounds the eye, otherwise


class OcclusionCuller:
    """The objects that were seen in a viewport's last picture."""

    def __init__(self) -> None:
        self._is_seen = np.empty(0, dtype=bool)  # by node id; later nodes count as seen
        self._of: object = None  # of what these nodes are
        self._rest = 0
        self.hidden_count = 0  # number of objects in view whose triangles were left out of the last picture

    def forget(self) -> None:
        """Take all objects for seen."""
        self._is_seen[:] = True
        self.hidden_count = 0

    def seen(self, instances: Sized, nodes: np.ndarray, *, is_worth_it: bool) -> np.ndarray | None:
        """Return (k,) bool: which of some nodes were seen last; None if the next picture is better drawn in full.

        Args:
            instances: one for each node id, of one scene as long as they are the same object.
            nodes: (k,) int32, of the next picture.
            is_worth_it: whether it has so many triangles that a share of them is.
        """
        if self._rest > 0 or not is_worth_it:
            self._rest = max(0, self._rest - 1)
            self.forget()
            return None
        if self._of is not instances:
            self._of, self._is_seen = instances, np.empty(0, dtype=bool)
        missing = len(instances) - len(self._is_seen)
        self._is_seen = np.concatenate([self._is_seen, np.ones(missing, dtype=bool)])
        return self._is_seen[nodes]

    def note(self, nodes: np.ndarray, is_visible: np.ndarray, needed: int, whole: int) -> None:
        """Note what was seen in a picture; after one in which too little was hidden, the next ones are drawn in full.

        Args:
            nodes: (k,) int32.
            is_visible: (k,) bool.
            needed: number of triangles that such a picture takes.
            whole: number of triangles of all nodes.
        """
        self._is_seen[nodes] = is_visible
        self.hidden_count = len(nodes) - int(np.count_nonzero(is_visible))
        if needed > (1.0 - _LEAST_SAVED) * whole:
            self._rest = _RESTED_FRAMES


def maybe_visible(
    nodes: np.ndarray,
    spheres: np.ndarray,
    world_from_local: np.ndarray,
    mesh_ids: np.ndarray,
    lower: np.ndarray,
    upper: np.ndarray,
    clip_from_relative: np.ndarray,
    camera_position: np.ndarray,
    size: tuple[int, int],
    farthest: np.ndarray,
) -> np.ndarray:
    """Return (k,) bool: which nodes may be seen beside what is drawn; the others have no pixel.

    Args:
        nodes: (k,) int32, with a mesh each.
        spheres: (n, 4) float64 by node: centre and radius, world.
        world_from_local: (n, 4, 4) float64 by node.
        mesh_ids: (n,) int32 by node.
        lower: (m, 3) float64 corners of the meshes' boxes, local.
        upper: (m, 3) float64 the opposite corners.
        clip_from_relative: (4, 4), with reversed depth.
        camera_position: (3,) float64, world.
        size: of the picture, pixels.
        farthest: (rows, columns) float32 least depth in each tile of TILE_PX pixels, from the lower left.
    """
    levels, shapes = _pyramid(farthest)
    is_visible = np.empty(len(nodes), dtype=bool)
    _test(
        nodes,
        spheres,
        world_from_local,
        mesh_ids,
        lower,
        upper,
        camera_position,
        clip_from_relative.astype(np.float64),
        np.array(size, dtype=np.float64),
        levels,
        shapes,
        is_visible,
    )
    return is_visible


def _pyramid(farthest: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the least of 1, 2 x 2, 4 x 4 ... tiles, one level after another, and the (levels, 3) layout of each.

    The layout is the number of rows, that of columns, and the place of the first tile.
    """
    levels, shapes, first = [farthest], [], 0
    while levels[-1].size > 1:
        levels.append(_least_of_pairs(_least_of_pairs(levels[-1]).T).T)
    for level in levels:
        shapes.append((*level.shape, first))
        first += level.size
    return np.concatenate([level.ravel() for level in levels]), np.array(shapes, dtype=np.int64)


def _least_of_pairs(values: np.ndarray) -> np.ndarray:
    """Return (ceil(rows / 2), columns) the lesser of each two rows; a last one without a partner stays as it is."""
    least = values[::2].copy()
    paired = values[1::2]
    np.minimum(least[: len(paired)], paired, out=least[: len(paired)])
    return least


@kernel
def _test(
    nodes: np.ndarray,
    spheres: np.ndarray,
    world_from_local: np.ndarray,
    mesh_ids: np.ndarray,
    lower: np.ndarray,
    upper: np.ndarray,
    camera_position: np.ndarray,
    clip_from_relative: np.ndarray,
    size: np.ndarray,
    levels: np.ndarray,
    shapes: np.ndarray,
    is_visible: np.ndarray,
) -> None:
    """Write which nodes may be seen, as `maybe_visible`.

    Args:
        size: (2,) float64 of the picture, pixels.
        levels: float32, as `_pyramid` returns them.
        shapes: (levels, 3) int64, as `_pyramid` returns them.
        is_visible: (k,) bool, written.
    """
    bounds = np.empty(6, np.float64)  # as of _is_hidden
    offset = np.empty(3, np.float64)
    box = np.empty((4, 4), np.float64)
    reaches = np.empty(4, np.float64)  # of a sphere of radius 1, in clip space
    for row in range(4):
        reaches[row] = np.sqrt((clip_from_relative[row, :3] ** 2).sum())
    for i in range(len(nodes)):
        node = nodes[i]
        for k in range(3):
            offset[k] = spheres[node, k] - camera_position[k]
        is_bounded = _bound_sphere(offset, spheres[node, 3], reaches, clip_from_relative, bounds)
        if is_bounded and _is_hidden(bounds, size, levels, shapes):
            is_visible[i] = False
            continue
        mesh = mesh_ids[node]
        matrix = world_from_local[node]
        for row in range(3):
            offset[row] = matrix[row, 3] - camera_position[row]
            for axis in range(3):
                offset[row] += matrix[row, axis] * 0.5 * (lower[mesh, axis] + upper[mesh, axis])
        _place_box(offset, matrix, lower[mesh], upper[mesh], clip_from_relative, box)
        is_visible[i] = not _bound_box(box, bounds) or not _is_hidden(bounds, size, levels, shapes)


@borrowing_kernel
def _bound_sphere(
    center: np.ndarray, radius: float, reaches: np.ndarray, clip_from_relative: np.ndarray, bounds: np.ndarray
) -> bool:
    """Write the bounds of a sphere in the picture, as of `_is_hidden`; False if it surrounds the eye, and has none.

    Args:
        center: (3,) float64, world, less the camera's position.
        reaches: (4,) float64 of a sphere of radius 1, along each axis of clip space.
        bounds: (6,) float64, written.
    """
    w = clip_from_relative[3, 3]
    for k in range(3):
        w += clip_from_relative[3, k] * center[k]
    least_w, most_w = w - radius * reaches[3], w + radius * reaches[3]
    if not least_w > _MOST_FORESHORTENED * most_w:
        return False
    for row in range(3):
        middle = clip_from_relative[row, 3]
        for k in range(3):
            middle += clip_from_relative[row, k] * center[k]
        bounds[2 * row], bounds[2 * row + 1] = _quotients(middle, radius * reaches[row], least_w, most_w)
    return True


@borrowing_kernel
def _place_box(
    center: np.ndarray,
    world_from_local: np.ndarray,
    lower: np.ndarray,
    upper: np.ndarray,
    clip_from_relative: np.ndarray,
    box: np.ndarray,
) -> None:
    """Write a local box in clip space, (4, 4) float64: halves of its three edges, and its centre.

    Args:
        center: (3,) float64 of the box, world, less the camera's position.
        box: written.
    """
    for row in range(4):
        box[3, row] = clip_from_relative[row, 3]
        for k in range(3):
            box[3, row] += clip_from_relative[row, k] * center[k]
        for axis in range(3):
            total = 0.0
            for k in range(3):
                total += clip_from_relative[row, k] * world_from_local[k, axis]
            box[axis, row] = total * 0.5 * (upper[axis] - lower[axis])


@borrowing_kernel
def _bound_box(box: np.ndarray, bounds: np.ndarray) -> bool:
    """Write the bounds of a box in the picture, as of `_is_hidden`; False if it surrounds the eye, and has none."""
    left = lowest = farthest = least_w = np.inf
    right = highest = nearest = most_w = -np.inf
    for corner in range(8):
        a = 1.0 if corner & 1 else -1.0
        b = 1.0 if corner & 2 else -1.0
        c = 1.0 if corner & 4 else -1.0
        w = box[3, 3] + a * box[0, 3] + b * box[1, 3] + c * box[2, 3]
        least_w, most_w = min(least_w, w), max(most_w, w)
        if w > 0.0:
            x = (box[3, 0] + a * box[0, 0] + b * box[1, 0] + c * box[2, 0]) / w
            y = (box[3, 1] + a * box[0, 1] + b * box[1, 1] + c * box[2, 1]) / w
            z = (box[3, 2] + a * box[0, 2] + b * box[1, 2] + c * box[2, 2]) / w
            left, right = min(left, x), max(right, x)
            lowest, highest = min(lowest, y), max(highest, y)
            farthest, nearest = min(farthest, z), max(nearest, z)
    bounds[0], bounds[1], bounds[2], bounds[3], bounds[4], bounds[5] = left, right, lowest, highest, farthest, nearest
    return least_w > _MOST_FORESHORTENED * most_w


@kernel
def _quotients(middle: float, reach: float, least: float, most: float) -> tuple[float, float]:
    """Return the least and the greatest quotient of a number within reach of one, by another within positive bounds."""
    lower, upper = middle - reach, middle + reach
    return lower / (least if lower < 0.0 else most), upper / (most if upper < 0.0 else least)


@borrowing_kernel
def _is_hidden(bounds: np.ndarray, size: np.ndarray, levels: np.ndarray, shapes: np.ndarray) -> bool:
    """Tell whether nothing within bounds is seen.

    Args:
        bounds: (6,) float64: left and right, in halves of the picture's width from its middle; lowest and highest, in
            halves of its height; the farthest depth, 0 at infinity, and the nearest, up to 1 at the near plane.
    """
    left, right, lowest, highest, farthest, nearest = bounds[0], bounds[1], bounds[2], bounds[3], bounds[4], bounds[5]
    if not nearest < 1.0:
        return False
    rows, columns = shapes[0, 0], shapes[0, 1]
    first_x = ((left + 1.0) * 0.5 * size[0] - _PLACE_MARGIN_PX) / TILE_PX
    last_x = ((right + 1.0) * 0.5 * size[0] + _PLACE_MARGIN_PX) / TILE_PX
    first_y = ((lowest + 1.0) * 0.5 * size[1] - _PLACE_MARGIN_PX) / TILE_PX
    last_y = ((highest + 1.0) * 0.5 * size[1] + _PLACE_MARGIN_PX) / TILE_PX
    if last_x < 0.0 or last_y < 0.0 or first_x >= columns or first_y >= rows:
        return True  # beside the picture
    column, end_column = int(max(first_x, 0.0)), int(min(last_x, columns - 1.0)) + 1
    row, end_row = int(max(first_y, 0.0)), int(min(last_y, rows - 1.0)) + 1
    depth = max(nearest + _DEPTH_MARGIN * abs(nearest) + _STEEP_MARGIN * (nearest - farthest), 0.0)
    return _is_behind(levels, shapes, column, end_column, row, end_row, depth)


@borrowing_kernel
def _is_behind(
    levels: np.ndarray, shapes: np.ndarray, column: int, end_column: int, row: int, end_row: int, depth: float
) -> bool:
    """Tell whether a depth lies behind what is drawn in all tiles of a rectangle, by few values of the pyramid."""
    level = 0
    while max(end_column - column, end_row - row) > _MOST_TILES:
        column, row, level = column // 2, row // 2, level + 1
        end_column, end_row = (end_column + 1) // 2, (end_row + 1) // 2
    for y in range(row, end_row):
        first = shapes[level, 2] + y * shapes[level, 1]
        for x in range(column, end_column):
            if levels[first + x] <= depth:
                return False
    return True

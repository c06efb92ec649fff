"""Screen-size culling: which of the objects in view are too small to add anything to the picture.

An object is tiny if its world sphere is drawn less than a pixel wide. One that stands alone cannot be seen, but a crowd
of them can: it has a colour. So the picture is divided into tiles, and no more tiny objects are left out of a tile than
cover a tenth of it: all where there are few, few where there are many. Which of them follows from their ids, so that
none comes and goes without need while the camera moves.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from octoscope.octree.jit import kernel

if TYPE_CHECKING:
    from octoscope.viewer.camera.camera import Camera

TINY_PX = 1.0  # framebuffer pixels across
TILE_PX = 16
MOST_LEFT_OUT = 0.1  # of a tile's area, by the circles that spheres are drawn as
_AREA_STEPS = 2.0**20  # a pixel's area in whole numbers, whose sum does not depend on their order


def contributing(ids: np.ndarray, spheres: np.ndarray, camera: Camera, size: tuple[int, int]) -> np.ndarray:
    """Return (k,) bool: which of some nodes are to be drawn; it does not depend on their order.

    Args:
        ids: (k,) int32 nodes, each once.
        spheres: (n, 4) float64 by node id: centre and radius, world.
        size: of the picture, pixels.
    """
    contributes = np.ones(len(ids), dtype=np.bool_)
    focal_px = size[1] / (2.0 * math.tan(camera.fov_y_rad / 2.0))
    fixed_depth = camera.distance if camera.orthographic else 0.0
    tile_areas = np.zeros((size[1] // TILE_PX + 1, size[0] // TILE_PX + 1), dtype=np.int64)
    middle = np.array(size) / 2.0
    _mark_contributing(
        ids, spheres, camera.position, camera.axes, focal_px, fixed_depth, middle, tile_areas, contributes
    )
    return contributes


def drawn_diameters(ids: np.ndarray, spheres: np.ndarray, camera: Camera, height: float) -> np.ndarray:
    """Compute how wide the spheres of nodes are drawn at most, wherever in the picture they are.

    Args:
        ids: (k,) int32 nodes.
        spheres: (n, 4) float64 by node id: centre and radius, world.
        height: of the picture, pixels.

    Returns:
        (k,) float32 pixels; infinite for spheres that reach the eye's plane.
    """
    diameters = np.empty(len(ids), dtype=np.float32)
    focal_px = height / (2.0 * math.tan(camera.fov_y_rad / 2.0))
    fixed_depth = camera.distance if camera.orthographic else 0.0
    _write_diameters(ids, spheres, camera.position, camera.axes, focal_px, fixed_depth, diameters)
    return diameters


@kernel
def _write_diameters(
    ids: np.ndarray,
    spheres: np.ndarray,
    position: np.ndarray,
    axes: np.ndarray,
    focal_px: float,
    fixed_depth: float,
    out: np.ndarray,
) -> None:
    """Write drawn_diameters; the arguments are those of _mark_contributing."""
    for i in range(len(ids)):
        x = spheres[ids[i], 0] - position[0]
        y = spheres[ids[i], 1] - position[1]
        z = spheres[ids[i], 2] - position[2]
        depth = -(x * axes[2, 0] + y * axes[2, 1] + z * axes[2, 2])
        out[i] = _drawn_diameter(math.sqrt(x * x + y * y + z * z), depth, spheres[ids[i], 3], focal_px, fixed_depth)


@kernel
def _drawn_diameter(distance: float, depth: float, radius: float, focal_px: float, fixed_depth: float) -> float:
    """Compute how wide a sphere is drawn, in pixels.

    A small length at depth z, D from the eye, is drawn up to D / z as long as in the picture's middle, on the way from
    there. The nearest depth of the sphere is taken with the farthest distance.
    """
    if fixed_depth > 0.0:
        return 2.0 * radius * focal_px / fixed_depth
    if depth <= radius:
        return np.inf
    return 2.0 * radius * focal_px * (distance + radius) / (depth - radius) ** 2


@kernel
def _mark_contributing(
    ids: np.ndarray,
    spheres: np.ndarray,
    position: np.ndarray,
    axes: np.ndarray,
    focal_px: float,
    fixed_depth: float,
    middle: np.ndarray,
    tile_areas: np.ndarray,
    contributes: np.ndarray,
) -> None:
    """Clear `contributes` for the nodes that are left out.

    Args:
        focal_px: distance at which one world unit is one pixel.
        fixed_depth: at which perspective would draw everything as large as an orthographic camera does; 0: perspective.
        middle: (2,) float64 of the picture, pixels.
        tile_areas: (rows, columns) int64 zeros, written: area of the tiny objects in each tile, in _AREA_STEPS.
        contributes: (k,) bool, all true.
    """
    tile_of = np.full(len(ids), -1, np.int32)
    offset = np.empty(3, np.float64)
    rows, columns = tile_areas.shape
    for i in range(len(ids)):
        radius = spheres[ids[i], 3]
        for axis in range(3):
            offset[axis] = spheres[ids[i], axis] - position[axis]
        depth = -(offset[0] * axes[2, 0] + offset[1] * axes[2, 1] + offset[2] * axes[2, 2])
        distance = math.sqrt(offset[0] ** 2 + offset[1] ** 2 + offset[2] ** 2)
        diameter = _drawn_diameter(distance, depth, radius, focal_px, fixed_depth)
        if diameter < TINY_PX:
            scale = focal_px / (fixed_depth if fixed_depth > 0.0 else depth)
            x = middle[0] + (offset[0] * axes[0, 0] + offset[1] * axes[0, 1] + offset[2] * axes[0, 2]) * scale
            y = middle[1] + (offset[0] * axes[1, 0] + offset[1] * axes[1, 1] + offset[2] * axes[1, 2]) * scale
            column = np.int64(min(max(x / TILE_PX, 0.0), columns - 1.0))
            row = np.int64(min(max(y / TILE_PX, 0.0), rows - 1.0))
            tile_of[i] = row * columns + column
            tile_areas[row, column] += np.int64(0.25 * math.pi * diameter * diameter * _AREA_STEPS)
    most = MOST_LEFT_OUT * TILE_PX * TILE_PX * _AREA_STEPS
    for i in range(len(ids)):
        if tile_of[i] >= 0:
            area = tile_areas[tile_of[i] // columns, tile_of[i] % columns]
            # Multiplication by a number near the golden section of 2^32 spreads ids evenly (Knuth, "The Art of Computer
            # Programming", 6.4).
            lot = ((ids[i] * 2_654_435_769) & 0xFFFFFFFF) / 2.0**32
            contributes[i] = lot * area > most

"""Simpler meshes for browsers in place of objects that are far away, and points in place of those that are tiny.

An error is a length in the world: so far may anything be off that is shown. It is a pixel at most where a browser's
camera is nearest to a part of the scene.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from scene import Material, Meshes, Scene
from scene.formats.tiles.geometry import TileGeometry
from scene.geometry.ranges import ranges, unique_rows
from scene.tiling.coarsening import coarsened

MOST_OFF_PX = 1.0
_MARGIN = 0.75  # of what may be off: so a camera may come nearer by a quarter before anything is sent again
_POINT_EDGES = 2.0  # how many times the error a point is wide: as wide as the widest object that is a row of them
_MOST_IN_ROW = 8  # points
_LIGHT = 0.8  # of the colour of what is lit from everywhere, sRGB, in place of viser's lights
_GOLDEN = (np.sqrt(5.0) - 1.0) / 2.0  # so many pieces at one place do not begin with the same cells


class Look(NamedTuple):
    """The place of a browser's camera, and how finely it sees.

    Attributes:
        position: (3,) world.
        pixels: of its picture to a radian in the middle; infinite: it may see everything as it is.
    """

    position: np.ndarray
    pixels: float


def errors_of(lower: np.ndarray, upper: np.ndarray, looks: list[Look]) -> np.ndarray:
    """Return (k,) float64: how far the contents of (k, 3) boxes may be off for all cameras; 0 for one with a camera."""
    errors = np.full(len(lower), np.inf if looks else 0.0)
    for look in looks:
        errors = np.minimum(errors, distances_of(lower, upper, look.position) * (MOST_OFF_PX / look.pixels))
    return errors


def distances_of(lower: np.ndarray, upper: np.ndarray, position: np.ndarray) -> np.ndarray:
    """Return (k,) float64: how far (k, 3) boxes are from a position; 0 for one that it is in."""
    distances: np.ndarray = np.linalg.norm(np.maximum(np.maximum(lower - position, position - upper), 0.0), axis=1)
    return distances


def with_margin(error: float) -> float:
    """Return how far something may be off that may be off by an error, so that it is good for a moving camera, too."""
    return _MARGIN * error


def simpler(geometry: TileGeometry, error: float, scales: np.ndarray | None = None) -> TileGeometry:
    """Simplify objects that are larger than an error by so much; 0: not at all.

    Args:
        geometry: may be empty.
        error: in the geometry's units, or in those in which it is shown.
        scales: (3,) by which the geometry is larger, axis by axis, where it is shown; None: it is not.
    """
    if not (error > 0.0 and geometry.element_count):
        return geometry
    if scales is None:
        return coarsened(geometry, error)[0]
    scales = np.where(scales > 0.0, scales, 1.0)
    made = coarsened(replace(geometry, positions=geometry.positions * scales), error)[0]
    return replace(made, positions=made.positions / scales)


class Specks(NamedTuple):
    """Points in place of tiny objects, in columns (p,).

    Attributes:
        positions: (p, 3) float64, world.
        colors: (p, 3) uint8 sRGB.
    """

    positions: np.ndarray
    colors: np.ndarray


def point_width(error: float) -> float:
    """Return how wide the points of an error are, in its units."""
    return _POINT_EDGES * error


def are_narrow(scene: Scene, ids: np.ndarray, error: float) -> np.ndarray:
    """Return which of (k,) nodes a row of points may stand for: (k,) bool, none if the error is 0.

    These are no wider than the error to both sides of their longest axis, and consist of triangles alone.
    """
    rows, mesh_ids = scene.meshes.rows, scene.mesh_ids[ids]
    lengths = np.sort(np.linalg.norm(_half_axes(scene, ids), axis=1), axis=1)
    is_narrow = (np.hypot(lengths[:, 0], lengths[:, 1]) <= error) & (lengths[:, 2] <= error * _MOST_IN_ROW)
    return is_narrow & (error > 0.0) & (rows["line_count"][mesh_ids] == 0) & (rows["point_count"][mesh_ids] == 0)


def specks_of(scene: Scene, ids: np.ndarray, error: float) -> Specks:
    """Return points that cover as much of a picture as (k,) nodes do, which are narrow for an error.

    Each node is a row of points along its longest axis. Space is divided into cells as wide as a point. A cell has one
    point, with the mean colour of those in it, at their mean place. If these cover less than a point does, only so many
    of such cells, one after the other, have theirs.
    """
    if len(ids) == 0:
        return Specks(np.empty((0, 3)), np.empty((0, 3), dtype=np.uint8))
    axes, edge = _half_axes(scene, ids), point_width(error)
    lengths = np.linalg.norm(axes, axis=1)
    longest = np.take_along_axis(axes, lengths.argmax(axis=1)[:, None, None], axis=2)[:, :, 0]
    counts = np.maximum(np.ceil(2.0 * lengths.max(axis=1) / edge), 1.0).astype(np.int64)
    owners = np.repeat(np.arange(len(ids)), counts)
    places = ((ranges(np.zeros_like(counts), counts) + 0.5) / counts[owners] * 2.0 - 1.0)[:, None]
    positions = (_box_centers(scene, ids)[owners] + places * longest[owners]).reshape(-1, 3)
    colors = mean_colors(scene.meshes, scene.mesh_ids[ids], scene.material_overrides[ids], scene.materials)
    x, y, z = 2.0 * lengths.T
    covered_by_each = (x * y + y * z + z * x) / 2.0 * colors[:, 3]  # a quarter of a box's surface: Cauchy
    areas, colors = (covered_by_each / counts)[owners], colors[owners]
    cells = np.floor(positions / edge)
    firsts, kinds = unique_rows(*cells.T)
    covered = np.bincount(kinds, areas, len(firsts))
    shares = np.cumsum(np.minimum(covered / edge**2, 1.0)) + ids[0] * _GOLDEN % 1.0
    is_kept = np.floor(shares) > np.floor(np.concatenate([[0.0], shares[:-1]]))
    is_kept[0] |= not is_kept.any()  # what is alone and far away stays seen
    weights = areas / np.maximum(covered[kinds], 1e-300)

    def mean(values: np.ndarray) -> np.ndarray:
        return np.stack([np.bincount(kinds, weights * column, len(firsts)) for column in values.T], axis=1)[is_kept]

    return Specks(mean(positions), (mean(colors[:, :3]) * (255.0 * _LIGHT)).round().astype(np.uint8))


def _half_axes(scene: Scene, ids: np.ndarray) -> np.ndarray:
    """Return the half axes of the boxes around nodes, along the nodes' own axes: the columns of (k, 3, 3), world."""
    rows, mesh_ids = scene.meshes.rows, scene.mesh_ids[ids]
    return scene.world_from_local[ids, :3, :3] * ((rows["upper"][mesh_ids] - rows["lower"][mesh_ids]) / 2.0)[:, None]


def _box_centers(scene: Scene, ids: np.ndarray) -> np.ndarray:
    """Return the middles of those boxes, (k, 3), world."""
    rows, mesh_ids, matrices = scene.meshes.rows, scene.mesh_ids[ids], scene.world_from_local[ids]
    middles = (rows["lower"][mesh_ids] + rows["upper"][mesh_ids]) / 2.0
    return (matrices[:, :3, :3] @ middles[:, :, None])[:, :, 0] + matrices[:, :3, 3]


def mean_colors(
    meshes: Meshes, mesh_ids: np.ndarray, overrides: np.ndarray, materials: tuple[Material, ...]
) -> np.ndarray:
    """Return (k, 4) float64 sRGB and opacity, 0 to 1: the means over the vertices of meshes, with their textures.

    Args:
        meshes: the pool.
        mesh_ids: (k,) int.
        overrides: (k,) int material in place of the mesh's own, -1 for none.
        materials: of the scene.
    """
    firsts, kinds = unique_rows(mesh_ids, overrides)
    counts = meshes.rows["vertex_count"][mesh_ids[firsts]]
    chosen = ranges(meshes.rows["first_vertex"][mesh_ids[firsts]], counts)
    pool = meshes.vertices
    override = np.repeat(overrides[firsts], counts)
    used = np.where(override >= 0, override, pool["material"][chosen])
    colors = pool["color"][chosen] / 255.0
    for number in np.unique(used).tolist():
        rows, material = np.flatnonzero(used == number), materials[number]
        colors[rows] *= (*material.base_color, material.opacity)
        if material.base_color_texture is not None:
            pixels = material.base_color_texture.pixels
            height, width = pixels.shape[:2]
            u, v = (np.nan_to_num(pool["uv"][chosen[rows]]) * material.uv_scale + material.uv_offset).T % 1.0
            colors[rows] *= pixels[((1.0 - v) * height).astype(int) % height, (u * width).astype(int) % width] / 255.0
    owners = np.repeat(np.arange(len(firsts)), counts)
    sums = np.stack([np.bincount(owners, column, len(firsts)) for column in colors.T], axis=1)
    return (sums / np.maximum(counts, 1)[:, None])[kinds]

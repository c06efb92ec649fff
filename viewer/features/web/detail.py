"""Simpler meshes for browsers in place of objects that are far away, and points in place of those that are tiny.

An error is a length in the world: so far may anything be off that is shown. It is a pixel at most, seen from a
browser's camera. A browser without a graphics card takes a microsecond for each triangle and each point, whatever they
cover: it gets points also in place of objects up to ten pixels wide, as large as these (`coarseness_for`).
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from octoscope.scene import Material, Meshes, Scene
from octoscope.scene.geometry.ranges import ranges, unique_rows
from octoscope.scene.merging.merged_geometry import MergedGeometry
from octoscope.scene.merging.simplification import simplify
from octoscope.scene.mesh.texture import Wrap
from octoscope.viewer.features.web.page_light import lit_colors

MOST_OFF_PX = 1.0
_MARGIN = 0.75  # of what may be off: so a camera may come nearer by a quarter before anything is sent again
_FINE_EDGES = 1.0  # of radius by root of triangles, which is a fifth of an edge: what is off by less merges nothing
_OF_SPHERE = 12.0  # triangles of a sphere that is simplified by its radius
_COARSENESSES = (1.0, 2.0**0.5, 2.0, 2.0**1.5, 4.0)  # the last one: what is ten pixels wide is no point
_LOOSE = 1.5  # by which a budget may be missed before anything is sent again
_POINT_EDGES = 2.0  # how many times the error a point is wide: as wide as the widest object that is a row of them
_MOST_IN_ROW = 8  # points
_GOLDEN = (np.sqrt(5.0) - 1.0) / 2.0  # so many pieces at one place do not begin with the same cells


class Look(NamedTuple):
    """The place of a browser's camera, and how finely it sees."""

    position: np.ndarray  # (3,) world
    pixels: float  # of its picture to a radian in the middle; infinite: it may see everything as it is


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


def with_margin(errors: np.ndarray, sizes: Sizes) -> np.ndarray:
    """Return how far objects may be off that may be off by (k,) errors, so that it is good for a moving camera, too.

    These are powers of the root of two, so that many have the same, and 0 where this would make no triangle larger.
    """
    is_some = np.isfinite(errors) & (errors > 0.0)
    made = 2.0 ** (np.floor(2.0 * np.log2(_MARGIN * np.where(is_some, errors, 1.0))) / 2.0)
    return np.where(is_some & (made * np.sqrt(sizes.triangles) > _FINE_EDGES * sizes.radii), made, 0.0)


class Sizes(NamedTuple):
    """Sizes of objects, which say from which distance on these look the same simplified, in columns (k,)."""

    radii: np.ndarray
    triangles: np.ndarray
    narrow: np.ndarray  # from which error on a row of points may stand for them, world; infinite for never


def widest_points(errors: np.ndarray, coarseness: float) -> np.ndarray:
    """Return how narrow objects that may be off by (k,) errors must be so that there are points in place of them."""
    return np.where(np.isfinite(errors), _MARGIN * coarseness * errors, 0.0)


def drawn_counts(errors: np.ndarray, sizes: Sizes, coarseness: float) -> np.ndarray:
    """Estimate (k,) float64 triangles and points that a browser draws of objects that may be off by (k,) errors."""
    with np.errstate(divide="ignore", over="ignore"):
        simplified = _OF_SPHERE * (sizes.radii / (_MARGIN * errors)) ** 2
    is_point = sizes.narrow <= widest_points(errors, coarseness)
    return np.where(is_point, 1.0, np.minimum(sizes.triangles, 4.0 + simplified))


def coarseness_for(budget: float, errors: np.ndarray, sizes: Sizes, present: float) -> float:
    """Return how many times its error an object may be wide of which browsers get points, so that they keep a budget.

    Args:
        errors: (k,) of the objects that are seen.
        present: the present value, which stays unless the budget is clearly missed.
    """
    for coarseness in _COARSENESSES:
        slack = _LOOSE if coarseness == present else 1.0 if coarseness > present else 1.0 / _LOOSE
        if drawn_counts(errors, sizes, coarseness).sum() <= slack * budget:
            return coarseness
    return _COARSENESSES[-1]


def simpler(geometry: MergedGeometry, error: float, scales: np.ndarray | None = None) -> MergedGeometry:
    """Simplify objects that are larger than an error by so much; 0: not at all.

    Args:
        error: in the geometry's units, or in those in which it is shown.
        scales: (3,) by which the geometry is larger, axis by axis, where it is shown; None: it is not.
    """
    if not (error > 0.0 and geometry.element_count):
        return geometry
    if scales is None:
        return simplify(geometry, error)[0]
    scales = np.where(scales > 0.0, scales, 1.0)
    made = simplify(replace(geometry, positions=geometry.positions * scales), error)[0]
    return replace(made, positions=made.positions / scales)


class Specks(NamedTuple):
    """Points in place of small objects, in columns (p,)."""

    positions: np.ndarray  # (p, 3) float64, world
    colors: np.ndarray  # (p, 3) uint8 sRGB
    widths: np.ndarray  # (p,) float64, world; few different ones

    @classmethod
    def joined(cls, parts: list[Specks]) -> Specks:
        """Put points behind each other."""
        if not parts:
            return cls(np.empty((0, 3)), np.empty((0, 3), dtype=np.uint8), np.empty(0))
        return cls(*map(np.concatenate, zip(*parts, strict=True)))

    def by_width(self) -> dict[float, Specks]:
        """Divide points by their widths."""
        widths = np.unique(self.widths).tolist()
        return {width: Specks(*(column[self.widths == width] for column in self)) for width in widths}


def point_width(error: float) -> float:
    """Return how wide the points of an error are, in its units."""
    return _POINT_EDGES * error


def narrow_errors(scene: Scene, ids: np.ndarray) -> np.ndarray:
    """Return from which error on a row of points may stand for (k,) nodes: (k,) float64, infinite for never.

    Then they are no wider than the error to both sides of their longest axis. They consist of triangles alone.
    """
    rows, mesh_ids = scene.meshes.rows, scene.mesh_ids[ids]
    lengths = np.sort(np.linalg.norm(_half_axes(scene, ids), axis=1), axis=1)
    least = np.maximum(np.hypot(lengths[:, 0], lengths[:, 1]), lengths[:, 2] / _MOST_IN_ROW)
    has_others = (rows["line_count"][mesh_ids] > 0) | (rows["point_count"][mesh_ids] > 0)
    return np.where(has_others, np.inf, least)


def specks_of(scene: Scene, ids: np.ndarray, error: float, eye: np.ndarray) -> Specks:
    """Return points that cover as much of a picture as (k,) nodes do, which are narrow for an error, lit for an eye.

    Each node is a row of points along its longest axis. Space is divided into cells as wide as a point. A cell has one
    point, with the mean colour of those in it, at their mean place. If these cover less than a point does, only so many
    of such cells, one after the other, have theirs.
    """
    if len(ids) == 0:
        return Specks.joined([])
    edge = point_width(error)
    spans = 2.0 * np.linalg.norm(_half_axes(scene, ids), axis=1).max(axis=1)
    positions, areas, colors = _points_in_rows(scene, ids, np.ceil(spans / edge), eye)
    cells = np.floor(positions / edge)
    firsts, kinds = unique_rows(*cells.T)
    covered = np.bincount(kinds, areas, len(firsts))
    shares = np.cumsum(np.minimum(covered / edge**2, 1.0)) + ids[0] * _GOLDEN % 1.0
    is_kept = np.floor(shares) > np.floor(np.concatenate([[0.0], shares[:-1]]))
    is_kept[0] |= not is_kept.any()  # what is alone and far away stays seen
    weights = areas / np.maximum(covered[kinds], 1e-300)

    def mean(values: np.ndarray) -> np.ndarray:
        return np.stack([np.bincount(kinds, weights * column, len(firsts)) for column in values.T], axis=1)[is_kept]

    positions = mean(positions)
    return Specks(positions, _in_bytes(mean(colors)), np.full(len(positions), edge))


def blocks_of(scene: Scene, ids: np.ndarray, eye: np.ndarray) -> Specks:
    """Return points as wide as (k,) nodes, in rows along their longest axes, lit for an eye; none is left out."""
    if len(ids) == 0:
        return Specks.joined([])
    lengths = np.sort(np.linalg.norm(_half_axes(scene, ids), axis=1), axis=1)
    thickness = np.linalg.norm(lengths[:, :2], axis=1) / np.sqrt(2.0)
    counts = np.round(lengths[:, 2] / np.maximum(thickness, 1e-300))
    positions, areas, colors = _points_in_rows(scene, ids, counts, eye)
    steps = np.round(np.log2(np.maximum(areas, 1e-300)))  # of areas: half as many of widths
    return Specks(positions, _in_bytes(colors), 2.0 ** (steps / 2.0))


def _points_in_rows(
    scene: Scene, ids: np.ndarray, counts: np.ndarray, eye: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return (k,) numbers of points, 1 to _MOST_IN_ROW, in rows along the longest axes of nodes.

    Returns:
        (p, 3) positions, (p,) areas that the node covers in a picture for each, (p, 3) mean colours as an eye sees it.
    """
    axes = _half_axes(scene, ids)
    lengths = np.linalg.norm(axes, axis=1)
    along = lengths.argmax(axis=1)
    longest = np.take_along_axis(axes, along[:, None, None], axis=2)[:, :, 0]
    counts = np.clip(counts, 1.0, _MOST_IN_ROW).astype(np.int64)
    owners = np.repeat(np.arange(len(ids)), counts)
    places = ((ranges(np.zeros_like(counts), counts) + 0.5) / counts[owners] * 2.0 - 1.0)[:, None]
    positions = (_box_centers(scene, ids)[owners] + places * longest[owners]).reshape(-1, 3)
    colors = mean_colors(scene.meshes, scene.mesh_ids[ids], scene.material_overrides[ids], scene.materials)
    x, y, z = 2.0 * lengths.T
    covered_by_each = (x * y + y * z + z * x) / 2.0 * colors[:, 3]  # a quarter of a box's surface: Cauchy
    return positions, (covered_by_each / counts)[owners], lit_colors(scene, ids, colors[:, :3], eye, along, counts)


def _in_bytes(colors: np.ndarray) -> np.ndarray:
    return np.asarray((colors * 255.0).round().astype(np.uint8))


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
        mesh_ids: (k,) int.
        overrides: (k,) int material in place of the mesh's own, -1 for none.
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
            placed = (np.nan_to_num(pool["uv"][chosen[rows]]) * material.uv_scale + material.uv_offset).T
            u, v = map(_within_image, placed, material.base_color_texture.wrap)
            row, column = ((1.0 - v) * height).astype(int), (u * width).astype(int)
            colors[rows] *= pixels[np.minimum(row, height - 1), np.minimum(column, width - 1)] / 255.0
    owners = np.repeat(np.arange(len(firsts)), counts)
    sums = np.stack([np.bincount(owners, column, len(firsts)) for column in colors.T], axis=1)
    return (sums / np.maximum(counts, 1)[:, None])[kinds]


def _within_image(along: np.ndarray, wrap: Wrap) -> np.ndarray:
    """Return where texture coordinates lie in their image, 0 to 1, along one of its sides."""
    if wrap == "clamp":
        return np.clip(along, 0.0, 1.0)
    return along % 1.0 if wrap == "repeat" else 1.0 - np.abs(along % 2.0 - 1.0)

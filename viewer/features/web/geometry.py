"""Geometry for a browser: meshes as GLB, transforms of their instances, and the frame that both are in.

three.js computes with float32, and viser's lights and handles suit objects of a few metres. So geometry is moved by the
scene's middle and scaled to about that size. The result is called the browser's frame.
"""

from __future__ import annotations

import io
import math
from dataclasses import dataclass, replace

import numpy as np

from octoscope.scene import MeshBatch, MeshData, Scene
from octoscope.scene.formats.gltf.writer import write_glb
from octoscope.scene.geometry.affine import are_plain, factorize
from octoscope.scene.merging.merged_geometry import MergedGeometry
from octoscope.scene.mesh.material import Material

_SIZE_BITS = 3  # the scene's diagonal is 2**3 to 2**4 units in the browser


@dataclass(frozen=True, eq=False)
class BrowserFrame:
    """The frame of what is sent to browsers: browser = (world - origin) * scale."""

    origin: np.ndarray  # (3,) float64, world
    scale: float  # a power of two, so that no digit is lost

    @staticmethod
    def around(bounds: tuple[np.ndarray, np.ndarray] | None) -> BrowserFrame:
        """Return the frame for a world box (lower, upper), or for a scene without objects."""
        if bounds is None:
            return BrowserFrame(np.zeros(3), 1.0)
        lower, upper = bounds
        diagonal = float(np.linalg.norm(upper - lower))
        exponent = _SIZE_BITS - math.floor(math.log2(diagonal)) if 1e-200 < diagonal < 1e200 else 0
        return BrowserFrame((lower + upper) / 2.0, 2.0**exponent)

    def points(self, world: np.ndarray) -> np.ndarray:
        """Return (..., 3) world points in the browser's frame, float64."""
        return (world - self.origin) * self.scale

    def world_points(self, browser: np.ndarray) -> np.ndarray:
        """Return (..., 3) points of the browser's frame in the world, float64."""
        return browser / self.scale + self.origin

    def matrices(self, world_from_local: np.ndarray) -> np.ndarray:
        """Return browser_from_local of (k, 4, 4) matrices."""
        result = world_from_local.copy()
        result[:, :3, :3] *= self.scale
        result[:, :3, 3] = self.points(world_from_local[:, :3, 3])
        return result


@dataclass(frozen=True, eq=False)
class InstanceRows:
    """Transforms of the instances of one mesh, as viser takes them."""

    positions: np.ndarray  # (k, 3) float32, browser
    wxyzs: np.ndarray  # (k, 4) float32 unit quaternions
    scales: np.ndarray  # (k, 3) float32

    @staticmethod
    def of(browser_from_local: np.ndarray, center: np.ndarray) -> InstanceRows:
        """Take (k, 4, 4) matrices, none of which shears, and the (3,) local point that the vertices are about."""
        factors = factorize(browser_from_local[:, :3, :3])
        positions = browser_from_local[:, :3, :3] @ center + browser_from_local[:, :3, 3]
        return InstanceRows(
            positions.astype(np.float32),
            factors.rotations[:, [3, 0, 1, 2]].astype(np.float32),
            factors.scales.astype(np.float32),
        )


def can_be_instances(world_from_local: np.ndarray) -> np.ndarray:
    """Return which of (k, 4, 4) matrices a browser can place a mesh by: (k,) bool; not those that shear or mirror."""
    return are_plain(world_from_local[:, :3, :3])


def by_material(geometry: MergedGeometry) -> list[MeshData]:
    """Divide a geometry by material, and by whether triangles are flat; lines and points go with these.

    viser computes the normals of a GLB again, as the mean around each vertex, and shows a mesh without any flat
    altogether. So flat triangles are a mesh of their own, without normals: they share vertices, which are half as many
    as triangles and not three times as many.
    """
    elements = {"triangles": geometry.triangles, "lines": geometry.lines, "points": geometry.points}
    kinds = {name: 2 * geometry.material_ids[rows[:, 0]].astype(np.int64) for name, rows in elements.items()}
    kinds["triangles"] += np.any(geometry.normals, axis=1)[geometry.triangles].all(axis=1)
    meshes = []
    for kind in np.unique(np.concatenate(list(kinds.values()))).tolist():
        part = geometry.with_elements(*(rows[kinds[name] == kind] for name, rows in elements.items()))
        materials = np.full(len(part.positions), kind // 2)
        meshes.append(replace(part.mesh(), normals=part.normals if kind % 2 else None, material_ids=materials))
    return meshes


def clipped(geometry: MergedGeometry, plane: np.ndarray) -> MergedGeometry:
    """Return what lies inside a (4,) plane, n . p + d >= 0; lines and points are kept if they lie wholly inside."""
    heights = geometry.positions @ plane[:3] + plane[3]
    is_inside = heights >= 0.0
    inside = is_inside[geometry.triangles]
    counts = inside.sum(axis=1)
    # Corners are turned so that the first is alone on its side of the plane.
    alone = np.where(counts == 1, inside.argmax(axis=1), (~inside).argmax(axis=1))
    turned = np.take_along_axis(geometry.triangles, (alone[:, None] + np.arange(3)) % 3, axis=1)
    one, two = turned[counts == 1], turned[counts == 2]
    edges = np.concatenate([one[:, :2], one[:, ::2], two[:, :2], two[:, ::2]])
    made = np.split(len(heights) + np.arange(len(edges)), np.cumsum([len(one), len(one), len(two)]))
    triangles = [
        geometry.triangles[counts == 3],
        np.stack([one[:, 0], made[0], made[1]], axis=1),
        np.stack([made[2], two[:, 1], two[:, 2]], axis=1),
        np.stack([made[2], two[:, 2], made[3]], axis=1),
    ]
    begin, end = (geometry.of_vertices(edges[:, side]) for side in (0, 1))
    shares = (heights[edges[:, 0]] / (heights[edges[:, 0]] - heights[edges[:, 1]]))[:, None]
    columns = {}
    for name, rows in begin.items():
        if name not in ("material_ids", "objects"):  # all of a triangle's corners have the same
            rows = ((1.0 - shares) * rows + shares * end[name]).astype(rows.dtype)
        columns[name] = np.concatenate([getattr(geometry, name), rows])
    lines, points = (rows[is_inside[rows].all(axis=1)] for rows in (geometry.lines, geometry.points))
    return replace(geometry, **columns).with_elements(np.concatenate(triangles), lines, points)


def glb_of(meshes: list[MeshData], materials: tuple[Material, ...]) -> bytes:
    """Write meshes with materials of a scene as a GLB, a node for each."""
    part = Scene()
    part.materials = materials
    ids = part.meshes.extend(MeshBatch.of(meshes, ["part"] * len(meshes)))
    part.add_nodes(["part"] * len(meshes), mesh=np.arange(ids.start, ids.stop))
    file = io.BytesIO()
    write_glb(part, file)
    return file.getvalue()


def with_overrides(batch: MeshBatch, overrides: np.ndarray) -> MeshBatch:
    """Return meshes in the materials of the nodes that show them, (k,) int, -1 for a mesh's own."""
    override = np.repeat(overrides.astype(np.int32), batch.vertex_counts)  # as kernels take them
    return replace(batch, material_ids=np.where(override >= 0, override, batch.material_ids))


def cells_of(positions: np.ndarray, weights: np.ndarray, most: float) -> list[np.ndarray]:
    """Divide (n, 3) points into cells of an octree, each no heavier than `most` unless it cannot be divided further.

    Returns:
        the indices of each occupied cell's points, in the cells' Morton order.
    """
    from octoscope.octree.layout.morton import MAX_LEVEL, encode_3d

    if len(positions) == 0:
        return []
    lower = positions.min(axis=0)
    edge = float((positions.max(axis=0) - lower).max()) or 1.0
    cells = np.minimum((positions - lower) / edge * 2**MAX_LEVEL, 2**MAX_LEVEL - 1).astype(np.int64)
    keys = encode_3d(*cells.T)
    order = np.argsort(keys, kind="stable")
    keys, sums = keys[order], np.concatenate([[0.0], np.cumsum(weights[order])])
    found = []
    waiting = [(0, len(keys), 0)]
    while waiting:
        begin, end, level = waiting.pop()
        if level == MAX_LEVEL or end - begin == 1 or sums[end] - sums[begin] <= most:
            found.append(order[begin:end])
            continue
        child = keys[begin:end] >> 3 * (MAX_LEVEL - level - 1)
        starts = begin + np.flatnonzero(np.concatenate([[True], child[1:] != child[:-1]]))
        ends = [*starts[1:].tolist(), end]
        waiting += reversed([(int(s), e, level + 1) for s, e in zip(starts, ends, strict=True)])
    return found

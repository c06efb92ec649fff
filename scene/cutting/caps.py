"""Caps: the faces that close objects where a section's planes cut them open, computed on the processor.

They are ordinary triangles on the objects' own meshes, so everything that draws and picks triangles can take them. They
depend on the planes and the objects alone, not on a camera.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from octoscope.scene.cutting.contours import closed_lines, cut_lines
from octoscope.scene.cutting.fill import fill
from octoscope.scene.geometry.rotations import axes_along
from octoscope.scene.scene import Scene

_FLATTEST = 1e-7  # least over greatest scale of a node's matrix: a flatter one has no inside


@dataclass(frozen=True, eq=False)
class PlaneFrame:
    """Coordinates in a plane."""

    point: np.ndarray  # (3,) float64 world, on the plane: where both coordinates are 0
    axes: np.ndarray  # (3, 3) float64 rows: the directions of the two coordinates, and the plane's normal; a rotation

    @classmethod
    def across(cls, normal: np.ndarray, point: np.ndarray) -> PlaneFrame:
        """Return coordinates in the plane through a (3,) point of it, across a (3,) unit normal."""
        return cls(point, axes_along(normal))


@dataclass(frozen=True, eq=False)
class Caps:
    """The faces of all objects that are cut, as triangles."""

    nodes: np.ndarray  # (m,) int64 ascending ids of objects with such faces
    meshes: np.ndarray  # (m,) int32 ids of their meshes
    firsts: np.ndarray  # (m,) int64 first triangle of each
    counts: np.ndarray  # (m,) int64 number of them
    corners: np.ndarray  # (t, 3, 3) float64, in the frames of their nodes; front faces look towards what is cut away
    flat: np.ndarray  # (t, 3, 2) float64, the same in the coordinates of their planes
    planes: np.ndarray  # (t,) int64 indices of their planes
    # (m,) int64 vertices of the pool: a node's faces have their material, colour and texture coordinates
    vertices: np.ndarray
    frames: tuple[PlaneFrame, ...]  # the coordinates of each plane

    @cached_property
    def owners(self) -> np.ndarray:
        """(t,) int64 ids of the triangles' nodes."""
        return np.repeat(self.nodes, self.counts)

    def node_at(self, plane: int, point: np.ndarray) -> int:
        """Return the id of the node with a face in a plane at a (3,) world point in it, or -1."""
        if not len(self.nodes):
            return -1
        frame = self.frames[plane]
        place = frame.axes[:2] @ (point - frame.point)
        sides = np.roll(self.flat, -1, axis=1) - self.flat
        to_place = place - self.flat
        turns = sides[..., 0] * to_place[..., 1] - sides[..., 1] * to_place[..., 0]
        holds = (self.planes == plane) & ((turns >= 0.0).all(axis=1) | (turns <= 0.0).all(axis=1))
        found = np.flatnonzero(holds)
        return int(self.owners[found[0]]) if len(found) else -1


_NONE, _NO_CORNERS = np.empty(0, dtype=np.int64), np.empty((0, 3, 3))
NO_CAPS = Caps(_NONE, _NONE, _NONE, _NONE, _NO_CORNERS, _NO_CORNERS[..., :2], _NONE, _NONE, ())


def caps_of(scene: Scene, node_ids: np.ndarray, planes: np.ndarray, origin: np.ndarray) -> Caps:
    """Compute the faces of nodes that planes cut.

    What does not enclose anything, such as a sheet, gets none. Where objects lie within each other the smallest one is
    seen.

    Args:
        node_ids: (k,) int32.
        planes: (p, 4) float64 unit planes about `origin`, that keep what has n . p + d >= 0.
        origin: (3,) float64 world, near the nodes.
    """
    nodes = node_ids[scene.meshes.rows["triangle_count"][scene.mesh_ids[node_ids]] > 0]
    spheres = scene.world_spheres[nodes]
    depths = (spheres[:, :3] - origin) @ planes[:, :3].T + planes[:, 3]
    radii = spheres[:, 3]
    is_cut = (depths >= -radii[:, None]).all(axis=1) & (depths <= radii[:, None]).any(axis=1)
    nodes, depths, radii = nodes[is_cut], depths[is_cut], radii[is_cut]
    with np.errstate(all="ignore"):
        scales = np.linalg.svd(scene.world_from_local[nodes, :3, :3], compute_uv=False)
    # Of objects within each other the first is seen.
    order = np.argsort(radii, kind="stable")
    order = order[(scales[:, 2] > _FLATTEST * scales[:, 0])[order]]
    nodes, depths, radii = nodes[order], depths[order], radii[order]
    frames, parts = [], []
    for index, plane in enumerate(planes):
        frame = PlaneFrame.across(plane[:3], origin - plane[3] * plane[:3])
        frames.append(frame)
        cut = nodes[depths[:, index] <= radii]
        if len(cut):
            others = np.delete(planes, index, axis=0)
            parts.append((index, *_faces(scene, cut, frame, others, origin)))
    if not parts:
        return NO_CAPS
    triangles = np.concatenate([flat for _, flat, _, _, _ in parts])
    owners = np.concatenate([owner for _, _, owner, _, _ in parts])
    locals_ = np.concatenate([local for _, _, _, local, _ in parts])
    vertices = np.concatenate([vertex for *_, vertex in parts])
    of_plane = np.concatenate([np.full(len(owner), index) for index, _, owner, _, _ in parts])
    by_node = np.argsort(owners, kind="stable")
    owners = owners[by_node]
    found, firsts, counts = np.unique(owners, return_index=True, return_counts=True)
    return Caps(
        found,
        scene.mesh_ids[found],
        firsts,
        counts,
        locals_[by_node],
        triangles[by_node],
        of_plane[by_node],
        vertices[by_node][firsts],
        tuple(frames),
    )


def _faces(
    scene: Scene, nodes: np.ndarray, frame: PlaneFrame, others: np.ndarray, origin: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Compute the faces of nodes in one plane.

    Args:
        nodes: (m,) int32, that of several within each other the first is seen.
        others: (q, 4) planes about `origin` that cut the faces, too.
        origin: (3,) world.

    Returns:
        (t, 3, 2) triangles in the plane, (t,) ids of their nodes, (t, 3, 3) the triangles in the frames of the nodes,
        and (t,) vertices of the pool, as Caps.vertices.
    """
    meshes, rows = scene.meshes, scene.meshes.rows
    matrices = scene.world_from_local[nodes]
    linear, offsets = matrices[:, :3, :3], matrices[:, :3, 3] - frame.point
    plane_from_local = np.concatenate([frame.axes @ linear, (offsets @ frame.axes.T)[..., None]], axis=2)
    lines, owners, cut_triangles = cut_lines(
        scene.mesh_ids[nodes],
        plane_from_local,
        rows["first_vertex"],
        rows["vertex_count"],
        rows["first_triangle"],
        rows["triangle_count"],
        meshes.vertices["position"],
        meshes.triangles["corners"],
    )
    lines, like, agree = closed_lines(lines, owners, len(nodes))
    owners, cut_triangles = owners[like], cut_triangles[like]
    clips = np.column_stack([others[:, :3] @ frame.axes[:2].T, others[:, :3] @ (frame.point - origin) + others[:, 3]])
    flat, of = fill(lines, owners, agree, clips)
    places = flat @ frame.axes[:2] - offsets[of][:, None]
    corners = places @ np.linalg.inv(linear).transpose(0, 2, 1)[of]
    # The plane's normal looks away from what is cut away, and a mirrored node shows its triangles turned over.
    is_turned = np.linalg.det(linear)[of] > 0.0
    corners[is_turned] = corners[is_turned, ::-1]
    # A node's faces look like its longest line's triangle.
    by_length = np.argsort(np.hypot(*(lines[:, 2:] - lines[:, :2]).T), kind="stable")
    longest = np.zeros(len(nodes), dtype=np.int64)
    longest[owners[by_length]] = cut_triangles[by_length]
    first = meshes.triangles["corners"][longest[of], 0] + rows["first_vertex"][scene.mesh_ids[nodes[of]]]
    return flat, nodes[of], corners, first

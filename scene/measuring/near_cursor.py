"""Lines and points near the cursor: a click finds them in the picture, as they are too thin for a ray to hit.

The octree finds candidates by a frustum around the cursor; a kernel measures each in the picture, in pixels.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from octoscope.octree import Frustum
from octoscope.scene.node import Node
from octoscope.scene.nodes.hierarchy import marks_of_nodes
from octoscope.scene.nodes.layers import SHOWN
from octoscope.scene.scene import Scene
from octoscope.scene.spatial.cursor_kernels import nearest_in_picture
from octoscope.scene.spatial.frustum_select import NO_PLANES


@dataclass(frozen=True, eq=False, slots=True)
class NearHit:
    """A line or point near the cursor."""

    node: Node  # the one that shows it
    point: np.ndarray  # (3,) float64 world, the point on it that is nearest to the cursor in the picture
    depth: float  # of `point`, in normalised device coordinates: -1 at the near plane, 1 at the far one
    distance_px: float  # from the cursor to what is drawn; 0 where the cursor is on it
    vertices: tuple[int, int]  # of the mesh, where the line begins and ends; of a point, the same one twice
    share: float  # where `point` lies along the line, 0 at its beginning to 1; 0 for a point


def lines_and_points_near(
    scene: Scene,
    frustum: Frustum,
    pixels_from_relative: np.ndarray,
    cursor: tuple[float, float],
    tolerance_px: float,
    half_widths_px: tuple[float, float],
    among: np.ndarray,
    section: np.ndarray = NO_PLANES,
) -> list[NearHit]:
    """Find the nearest line or point of each node near the cursor.

    Of several in a node's mesh, the nearest in the picture counts; of equally near ones, the nearest to the camera.

    Args:
        frustum: contains everything that is drawn within the tolerance of the cursor; its origin is the camera's
            position.
        pixels_from_relative: (4, 4) float64, homogeneous, from the world's axes about that origin; z is clip space's.
        cursor: x, y in pixels.
        tolerance_px: the largest distance of the cursor from what is drawn.
        half_widths_px: of drawn lines, and of drawn points, which are squares.
        among: (n,) bool by node id: the nodes that count, none of those beyond it.
        section: (p, 4) float64 planes about the frustum's origin; outside of any of them, n . p + d < 0, nothing is
            drawn.

    Returns:
        hits, the likeliest first: those under the cursor by depth, then the others by distance.
    """
    meshes = scene.meshes
    ids = scene.index.cull(frustum, layers=SHOWN)
    ids = ids[marks_of_nodes(scene, among)[ids]]
    rows = meshes.rows
    found, vertices = np.empty((len(ids), 6)), np.empty((len(ids), 2), dtype=np.int64)
    nearest_in_picture(
        ids,
        scene.world_from_local,
        scene.mesh_ids,
        rows["first_vertex"],
        np.stack([rows["first_line"], rows["line_count"], rows["first_point"], rows["point_count"]], axis=1),
        meshes.vertices["position"],
        meshes.lines["ends"],
        meshes.points["vertex"],
        frustum.origin,
        pixels_from_relative,
        np.array(cursor, dtype=np.float64),
        np.array(half_widths_px, dtype=np.float64),
        float(tolerance_px),
        section,
        found,
        vertices,
    )
    hits = []
    for row in np.flatnonzero(found[:, 0] < np.inf).tolist():
        distance, depth, share, *relative = found[row].tolist()
        point = np.array(relative) + frustum.origin
        hits.append(NearHit(Node(scene, int(ids[row])), point, depth, distance, tuple(vertices[row].tolist()), share))
    return sorted(hits, key=lambda hit: (hit.distance_px, hit.depth))

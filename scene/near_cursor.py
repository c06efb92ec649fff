"""Lines and points near the cursor: a click finds them in the picture, as they are too thin for a ray to hit.

The octree finds candidates by a frustum around the cursor; a kernel measures each in the picture, in pixels.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from octree import Frustum
from octree.jit import kernel
from scene.node import Node
from scene.nodes.layers import SHOWN
from scene.nodes.node_table import marks_of_nodes
from scene.scene import Scene
from scene.spatial.frustum_select import NO_PLANES


@dataclass(frozen=True, eq=False, slots=True)
class NearHit:
    """A line or point near the cursor.

    Attributes:
        node: the one that shows it.
        point: (3,) float64 world, the point on it that is nearest to the cursor in the picture.
        depth: of `point`, in normalised device coordinates: -1 at the near plane, 1 at the far one.
        distance_px: from the cursor to what is drawn; 0 where the cursor is on it.
        vertices: of the mesh, where the line begins and ends; of a point, the same one twice.
        share: where `point` lies along the line, 0 at its beginning to 1; 0 for a point.
    """

    node: Node
    point: np.ndarray
    depth: float
    distance_px: float
    vertices: tuple[int, int]
    share: float


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
        scene: of the nodes.
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
    ids = ids[marks_of_nodes(among, scene.row_count)[ids]]
    rows = meshes.rows
    found, vertices = np.empty((len(ids), 6)), np.empty((len(ids), 2), dtype=np.int64)
    _nearest_in_picture(
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


@kernel
def _nearest_in_picture(
    ids: np.ndarray,
    world_from_local: np.ndarray,
    mesh_ids: np.ndarray,
    first_vertices: np.ndarray,
    elements: np.ndarray,
    positions: np.ndarray,
    lines: np.ndarray,
    points: np.ndarray,
    origin: np.ndarray,
    pixels_from_relative: np.ndarray,
    cursor: np.ndarray,
    half_widths: np.ndarray,
    tolerance: float,
    section: np.ndarray,
    found: np.ndarray,
    vertices: np.ndarray,
) -> None:
    """Write a row for each node: distance in pixels or inf, depth in clip space, share and relative point; and ends."""
    pair = np.empty(2, dtype=np.int64)
    ends = np.empty((2, 3))
    projected = np.empty((2, 4))
    for i in range(len(ids)):
        node = ids[i]
        mesh = mesh_ids[node]
        first = first_vertices[mesh]
        found[i, 0] = found[i, 1] = np.inf
        lines_begin, lines_count, points_begin, points_count = elements[mesh]
        for element in range(lines_count + points_count):
            is_point = element >= lines_count
            for end in range(2):
                if is_point:
                    pair[end] = points[points_begin + element - lines_count]
                else:
                    pair[end] = lines[lines_begin + element, end]
                _project(
                    world_from_local[node], positions[first + pair[end]], origin, pixels_from_relative, ends[end],
                    projected[end],
                )  # fmt: skip
            low, high = _seen_part(projected, ends, section)
            if low > high or not (is_point or (ends[0] != ends[1]).any()):  # a line without a length is not drawn
                continue
            share, aside, across = _nearest_share(projected, low, high, cursor)
            if is_point:
                distance = max(0.0, max(aside, across) - half_widths[1])
            else:
                distance = max(0.0, np.sqrt(aside * aside + across * across) - half_widths[0])
            if not distance <= tolerance:
                continue
            depth = projected[0, 2] + share * (projected[1, 2] - projected[0, 2])
            w = projected[0, 3] + share * (projected[1, 3] - projected[0, 3])
            depth /= w
            if distance < found[i, 0] or (distance == found[i, 0] and depth < found[i, 1]):
                found[i, 0] = distance
                found[i, 1] = depth
                found[i, 2] = share
                vertices[i] = pair
                for axis in range(3):
                    found[i, 3 + axis] = ends[0, axis] + share * (ends[1, axis] - ends[0, axis])


@kernel
def _project(
    matrix: np.ndarray,
    position: np.ndarray,
    origin: np.ndarray,
    pixels_from_relative: np.ndarray,
    relative: np.ndarray,
    projected: np.ndarray,
) -> None:
    for row in range(3):
        relative[row] = (
            matrix[row, 0] * position[0]
            + matrix[row, 1] * position[1]
            + matrix[row, 2] * position[2]
            + (matrix[row, 3] - origin[row])
        )
    for row in range(4):
        projected[row] = (
            pixels_from_relative[row, 0] * relative[0]
            + pixels_from_relative[row, 1] * relative[1]
            + pixels_from_relative[row, 2] * relative[2]
            + pixels_from_relative[row, 3]
        )


@kernel
def _seen_part(projected: np.ndarray, ends: np.ndarray, section: np.ndarray) -> tuple[float, float]:
    """Return the part of a line between the near and the far plane, and inside a section's planes.

    Args:
        projected: (2, 4) its ends in clip space.
        ends: (2, 3) its ends, about the origin of the planes.
        section: (p, 4).

    Returns:
        where it begins and ends, as shares of the length; 1 and 0 for nothing.
    """
    low, high = 0.0, 1.0
    for plane in range(2 + len(section)):
        if plane < 2:
            sign = 1.0 - 2.0 * plane
            begin = projected[0, 3] + sign * projected[0, 2]
            end = projected[1, 3] + sign * projected[1, 2]
        else:
            normal = section[plane - 2]
            begin = normal[0] * ends[0, 0] + normal[1] * ends[0, 1] + normal[2] * ends[0, 2] + normal[3]
            end = normal[0] * ends[1, 0] + normal[1] * ends[1, 1] + normal[2] * ends[1, 2] + normal[3]
        if begin < 0.0 and end < 0.0:
            return 1.0, 0.0
        if begin < 0.0:
            low = max(low, begin / (begin - end))
        elif end < 0.0:
            high = min(high, begin / (begin - end))
    return low, high


@kernel
def _nearest_share(projected: np.ndarray, low: float, high: float, cursor: np.ndarray) -> tuple[float, float, float]:
    """Find the share of a line's length that is nearest to the cursor in the picture, and its distances in x and y."""
    w_low = projected[0, 3] + low * (projected[1, 3] - projected[0, 3])
    w_high = projected[0, 3] + high * (projected[1, 3] - projected[0, 3])
    x = (projected[0, 0] + low * (projected[1, 0] - projected[0, 0])) / w_low
    y = (projected[0, 1] + low * (projected[1, 1] - projected[0, 1])) / w_low
    along_x = (projected[0, 0] + high * (projected[1, 0] - projected[0, 0])) / w_high - x
    along_y = (projected[0, 1] + high * (projected[1, 1] - projected[0, 1])) / w_high - y
    square = along_x * along_x + along_y * along_y
    part = 0.0
    if square > 0.0:
        part = min(1.0, max(0.0, ((cursor[0] - x) * along_x + (cursor[1] - y) * along_y) / square))
    aside, across = abs(x + part * along_x - cursor[0]), abs(y + part * along_y - cursor[1])
    # Equal steps in the picture are not equal steps along the line: perspective.
    whole = (1.0 - part) * w_high + part * w_low
    return low + (high - low) * (part * w_low / whole if whole > 0.0 else 0.0), aside, across

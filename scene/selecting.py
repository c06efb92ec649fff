"""Select nodes: all, the others, by name, material and size, parents, children, those of the same mesh or alike.

Pure functions that return sorted (k,) int32 node ids. `among` is (n,) bool by node id: the nodes that count; None for
all. An object is a node with a mesh; selectable ones are shown and let no click through.
"""

from __future__ import annotations

import numpy as np

from octoscope.scene.geometry.ranges import ranges
from octoscope.scene.material_use import MaterialUse
from octoscope.scene.nodes.bounds import own_boxes
from octoscope.scene.nodes.layers import SELECTABLE
from octoscope.scene.nodes.name_search import casefolded, fits_name
from octoscope.scene.scene import Scene


def selectable_ids(scene: Scene, among: np.ndarray | None = None) -> np.ndarray:
    """Return the selectable objects."""
    return _ids((scene.mesh_ids >= 0) & _selectable(scene, among))


def inverted_ids(scene: Scene, ids: np.ndarray, among: np.ndarray | None = None) -> np.ndarray:
    """Return the selectable objects that are not among `ids`."""
    others = np.ones(scene.row_count, dtype=bool)
    others[scene.checked_ids(ids)] = False
    return selectable_ids(scene, others if among is None else others & among)


def named_ids(scene: Scene, query: str, among: np.ndarray | None = None) -> np.ndarray:
    """Return the selectable nodes, with a mesh or without, whose names fit a query as in `fits_name`."""
    return _ids(fits_name(casefolded(scene.names), query) & _selectable(scene, among))


def material_ids_of(scene: Scene, ids: np.ndarray) -> np.ndarray:
    """Return the sorted (m,) int32 ids of the materials that nodes show: their own, or else their meshes'."""
    ids = scene.checked_ids(ids)
    ids = ids[scene.mesh_ids[ids] >= 0]
    overrides = scene.material_overrides[ids]
    meshes = np.unique(scene.mesh_ids[ids[overrides < 0]])
    rows = scene.meshes.rows
    vertices = ranges(rows["first_vertex"][meshes], rows["vertex_count"][meshes])
    of_meshes = scene.meshes.vertices["material"][vertices]
    return np.unique(np.concatenate([overrides[overrides >= 0], of_meshes])).astype(np.int32)


def with_material_ids(scene: Scene, material_ids: np.ndarray, among: np.ndarray | None = None) -> np.ndarray:
    """Return the selectable objects that show any of some materials, by an override or a vertex of their mesh."""
    shows = np.zeros(scene.row_count, dtype=bool)
    shows[np.concatenate(MaterialUse(scene).showing(material_ids))] = True
    return _ids(shows & _selectable(scene, among))


def of_size_ids(scene: Scene, least: float, most: float, among: np.ndarray | None = None) -> np.ndarray:
    """Return the selectable objects whose world box has a longest side of `least` to `most`."""
    ids = selectable_ids(scene, among)
    sides = np.ptp(own_boxes(scene, ids), axis=1).max(axis=1, initial=0.0)
    return ids[(sides >= least) & (sides <= most)]


def near_ids(scene: Scene, box: np.ndarray, distance: float, among: np.ndarray | None = None) -> np.ndarray:
    """Return the selectable objects whose world box is within a distance of a (2, 3) box, lower and upper corner."""
    ids = selectable_ids(scene, among)
    boxes = own_boxes(scene, ids)
    gaps = np.maximum(0.0, np.maximum(boxes[:, 0] - box[1], box[0] - boxes[:, 1]))
    return ids[np.linalg.norm(gaps, axis=1) <= distance]


def similar_ids(scene: Scene, node: int, tolerance: float, among: np.ndarray | None = None) -> np.ndarray:
    """Return the selectable objects that are as large as an object, in any rotation, and have as many triangles.

    Args:
        tolerance: 0 to 1, by what share each side of their own boxes, from the shortest to the longest, and the number
            of triangles may differ.
    """
    ids = selectable_ids(scene, among)
    if scene.mesh_ids[node] < 0:
        return ids[:0]
    rows, every = scene.meshes.rows, np.append(ids, node)
    meshes = scene.mesh_ids[every]
    lengths = np.linalg.norm(scene.world_from_local[every, :3, :3], axis=1)
    sides = np.sort(lengths * (rows["upper"][meshes] - rows["lower"][meshes]), axis=1)
    figures = np.column_stack([sides, rows["triangle_count"][meshes]])
    # A side that is nothing beside the others may differ by as much as these.
    slack = tolerance * figures[-1] + np.append(np.full(3, 1e-9 * figures[-1, 2]), 0.0)
    return ids[(np.abs(figures[:-1] - figures[-1]) <= slack).all(axis=1)]


def child_ids(scene: Scene, ids: np.ndarray) -> np.ndarray:
    """Return the children of nodes."""
    return _ids(_marked(scene, ids)[scene.parents] & (scene.parents >= 0) & scene.alive)


def parent_ids(scene: Scene, ids: np.ndarray) -> np.ndarray:
    """Return the parents of nodes."""
    parents = np.unique(scene.parents[scene.checked_ids(ids)])
    return parents[parents >= 0].astype(np.int32)


def same_mesh_ids(scene: Scene, ids: np.ndarray, among: np.ndarray | None = None) -> np.ndarray:
    """Return the selectable objects that show the same mesh as one of some nodes, these included."""
    wanted = np.zeros(len(scene.meshes) + 1, dtype=bool)
    wanted[scene.mesh_ids[scene.checked_ids(ids)]] = True
    wanted[-1] = False
    return _ids(wanted[scene.mesh_ids] & _selectable(scene, among))


def _selectable(scene: Scene, among: np.ndarray | None) -> np.ndarray:
    selectable = scene.alive & (scene.layers == SELECTABLE)
    return selectable if among is None else selectable & among


def _marked(scene: Scene, ids: np.ndarray) -> np.ndarray:
    marked = np.zeros(scene.row_count, dtype=bool)
    marked[scene.checked_ids(ids)] = True
    return marked


def _ids(mask: np.ndarray) -> np.ndarray:
    return np.flatnonzero(mask).astype(np.int32)

"""Separate: an object whose mesh has several connected components becomes as many objects."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from octoscope.guesses import advises
from octoscope.scene.editing.chosen import checked_nodes, title
from octoscope.scene.editing.edits import COLUMNS, Edit, EditError, change_nodes, combined, restore
from octoscope.scene.editing.structure import NODE_BYTES, CopyCost, require_room
from octoscope.scene.geometry.ranges import ranges
from octoscope.scene.mesh.connected_components import connected_components
from octoscope.scene.mesh.data import MeshBatch
from octoscope.scene.nodes import names_of_copies
from octoscope.scene.scene import Scene, all_or_nothing


@advises()
@all_or_nothing
def separate(scene: Scene, ids: ArrayLike) -> Edit:
    """Make an object of every connected component of nodes' meshes, where it is; selects them all.

    A node keeps its first component, its transform and its children; the others become its siblings. Nodes that shared
    a mesh share the components.

    Raises:
        EditError: no selected object has a mesh of several components; there is no room for so many objects.
    """
    ids = checked_nodes(scene, ids)
    ids = ids[scene.mesh_ids[ids] >= 0]
    if len(ids) == 0:
        raise EditError("no selected object has a mesh")
    meshes, which = np.unique(scene.mesh_ids[ids], return_inverse=True)
    batch = scene.meshes.batch(meshes)
    parts, counts = connected_components(batch)
    several = counts[which] > 1
    ids, which = ids[several], which[several]
    if len(ids) == 0:
        raise EditError("each mesh is already one connected part")
    more = counts[which] - 1
    require_room(CopyCost(int(more.sum()), int(more.sum()) * NODE_BYTES + batch.nbytes))
    first_parts = np.cumsum(counts) - counts
    # Meshes of one component stay as they are.
    wanted = np.repeat(counts > 1, counts)
    made = np.full(len(wanted), -1, dtype=np.int64)
    made[wanted] = scene.meshes.extend(_parted(batch, parts, counts, wanted))
    originals = np.repeat(ids, more)
    shown = made[ranges(first_parts[which] + 1, more)]
    values = {
        name: column.values(scene)[originals]
        for name, column in COLUMNS.items()
        if name not in ("alive", "name", "mesh")
    } | {"file_mesh": scene.stating_meshes(originals)}
    rows = scene.add_nodes(names_of_copies(scene, originals, 1), mesh=shown, alive=False, **values)
    return combined(
        scene,
        title(scene, "Separate", ids),
        change_nodes(scene, ids, mesh=made[first_parts[which]]),
        restore(scene, rows),
        selects=np.concatenate([ids, rows]),
    )


def _parted(batch: MeshBatch, parts: np.ndarray, counts: np.ndarray, wanted: np.ndarray) -> MeshBatch:
    """Make meshes of the `wanted` (p,) components that vertices are in (`parts`); `counts`: how many each mesh has."""
    part_count = len(wanted)
    meshes = np.repeat(np.arange(len(batch)), counts)
    is_kept = np.append(wanted, False)  # the last, for vertices in no part
    vertices = np.flatnonzero(is_kept[parts])
    vertices = vertices[np.argsort(parts[vertices], kind="stable")]
    vertex_counts = np.bincount(parts[vertices], minlength=part_count)
    index_in_part = np.empty(len(parts), dtype=np.int64)
    index_in_part[vertices] = ranges(np.zeros(part_count, dtype=np.int64), vertex_counts)

    def of_part(element: str) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Sort elements by component: their indices, their vertices, and how many each component has."""
        pool = batch.rows_of(element)
        own = parts[pool if pool.ndim == 1 else pool[:, 0]]
        order = np.flatnonzero(is_kept[own])
        order = order[np.argsort(own[order], kind="stable")]
        return order, index_in_part[pool[order]].astype(np.int32), np.bincount(own[order], minlength=part_count)

    triangle_order, triangles, triangle_counts = of_part("triangle")
    _, lines, line_counts = of_part("line")
    _, points, point_counts = of_part("point")
    return replace(
        batch,
        vertex_counts=vertex_counts[wanted],
        triangle_counts=triangle_counts[wanted],
        line_counts=line_counts[wanted],
        point_counts=point_counts[wanted],
        names=batch.names[meshes[wanted]],
        triangles=triangles,
        edges=batch.edges[triangle_order],
        lines=lines,
        points=points,
        **batch.of_vertices(vertices),
    )

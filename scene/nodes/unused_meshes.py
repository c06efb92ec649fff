"""Which meshes of a table of nodes nobody can show any more, and when their memory is freed."""

from __future__ import annotations

import numpy as np

from octoscope.scene.mesh.pool import NO_MESH, UNTIL_UNUSED
from octoscope.scene.nodes.node_columns import MeshHolder
from octoscope.scene.nodes.node_table import NodeTable

FREED_BYTES = 16 * 2**20  # to free fewer is not worth a copy of all others


def hold(table: NodeTable, edit: MeshHolder) -> None:
    """Note that an edit was made, so that its meshes stay as long as it lives; it may never be done."""
    table.edits[id(edit)] = edit
    table.unused_bytes += _bytes_of(table, meshes_of(table, edit))


def meshes_of(table: NodeTable, edit: MeshHolder) -> np.ndarray:
    """Return the ids of the meshes that nodes show before or after an edit, -1 among them; some twice.

    An edit that was made beside the scene may have nodes and meshes that are not there yet: they are left out.
    """
    held = [np.empty(0, dtype=np.int64)]
    for change in edit.changes:
        if change.column == "mesh":
            held += [change.before, change.after]
        elif change.column == "alive":
            held.append(table.kept_mesh_ids[change.ids[change.ids < table.row_count]])
    ids = np.concatenate(held)
    return ids[ids < len(table.meshes)]


def unused_meshes(table: NodeTable) -> np.ndarray:
    """Return (k,) int64 ids of the meshes that may be freed: no node shows them, nor would one after any living edit.

    A deleted node shows its mesh again only if a living edit restores it.
    """
    rows = table.meshes.rows
    is_used = np.append((rows["lifetime"] != UNTIL_UNUSED) | (rows["source"] >= 0), True)  # the last stands for -1
    is_used[table.mesh_ids] = True
    for reference in table.edits.valuerefs():  # a list: another thread may make an edit meanwhile
        edit = reference()
        if edit is not None:
            is_used[meshes_of(table, edit)] = True
    return np.flatnonzero(~is_used[:-1])


def show_instead(table: NodeTable, ids: np.ndarray, mesh_id: int) -> None:
    """Have nodes show another mesh; those that they showed are freed if nobody needs them any more."""
    let_go, stating = table.mesh_ids[ids], table.stating_meshes(ids)
    if (stating != table.file_mesh_ids[ids]).any():
        table.set_file_meshes(ids, stating)
    table.set_meshes(ids, mesh_id)
    free_unused_meshes(table, let_go)


def free_unused_meshes(table: NodeTable, let_go: np.ndarray) -> None:
    """Free the geometry of meshes that nobody can show any more, once that is much; their ids stay.

    Args:
        let_go: (k,) meshes that may be unused now, or -1; others are freed with them.
    """
    table.unused_bytes += _bytes_of(table, let_go)
    least = max(FREED_BYTES, table.meshes.nbytes // 2)
    if table.unused_bytes <= least:  # to look at all nodes and edits each time would take long
        return
    unused = unused_meshes(table)
    table.unused_bytes = _bytes_of(table, unused)
    if table.unused_bytes > least:
        table.unused_bytes = 0
        rows = np.flatnonzero(np.isin(table.kept_mesh_ids, unused))
        table.set_meshes_of_deleted(rows, np.full(len(rows), NO_MESH))
        table.replace_meshes(table.meshes.without_geometry_of(unused), np.empty(0, dtype=np.int64))


def _bytes_of(table: NodeTable, mesh_ids: np.ndarray) -> int:
    return table.meshes.nbytes_of(np.unique(mesh_ids[mesh_ids >= 0]))

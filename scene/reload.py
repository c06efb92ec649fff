"""Reloading: a file that changed on disk takes the place of what was read of it; everything else stays."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from scene.content import FileContent
from scene.meshes import NO_MESH, Meshes
from scene.scene import Scene


@dataclass(frozen=True)
class Reloaded:
    """What reloading a file changed.

    Attributes:
        kept: nodes whose object is still in it; they have the new mesh. gone: nodes whose object is not; they are empty
            now, until it comes back. new: objects that were not in it before; they have new nodes.
    """

    kept: int
    gone: int
    new: int


def reload(scene: Scene, source: int, content: FileContent) -> Reloaded:
    """Put what a file holds now in the place of what it held; names, places and edits of nodes stay.

    Objects are known again by name and occurrence. The pool is made anew, without the meshes that are no longer used,
    so mesh ids change.

    Args:
        source: the file's place in Scene.sources. content: what it holds now; used up.
    """
    old = scene.meshes
    rows = old.rows
    pool = Meshes()
    new_ids = np.full(len(old) + 1, NO_MESH, dtype=np.int64)  # one more: NO_MESH stays what it is
    for other in np.unique(rows["source"]).tolist():
        kept = np.flatnonzero(rows["source"] == other)
        if other != source:
            new_ids[kept] = np.array(pool.extend(old.batch(kept), source=other))
    first_material = len(scene.materials)
    scene.materials += content.materials
    added = np.array(pool.extend(content.meshes, first_material=first_material, source=source))
    nodes, names, occurrences = _nodes_of(scene, source)
    found = pool.find(added, names, occurrences)
    mesh_ids = new_ids[scene.mesh_ids]
    mesh_ids[nodes] = found
    scene.replace_meshes(pool, mesh_ids, nodes)
    gone = found == NO_MESH
    # Where a project keeps what it could not find: they are saved as they were, and found again if they come back.
    scene.project.missing_meshes.append(
        int(gone.sum()), node=nodes[gone], source=source, name=names[gone], occurrence=occurrences[gone]
    )
    is_new = ~np.isin(added, found)
    _add_new_nodes(scene, source, content, added, is_new)
    return Reloaded(kept=int((~gone).sum()), gone=int(gone.sum()), new=int(is_new.sum()))


def _nodes_of(scene: Scene, source: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(k,) nodes that show something of a file, or would if it were still in it; its names and occurrences."""
    rows = scene.meshes.rows
    shown = np.flatnonzero(scene.mesh_ids >= 0)
    shown = shown[rows["source"][scene.mesh_ids[shown]] == source]
    missing = scene.project.missing_meshes
    lacking = np.flatnonzero((missing["source"] == source) & (scene.mesh_ids[missing["node"]] == NO_MESH))
    _, firsts = np.unique(missing["node"][lacking], return_index=True)
    lacking = lacking[firsts]
    return (
        np.concatenate([shown, missing["node"][lacking]]),
        np.concatenate([rows["name"][scene.mesh_ids[shown]], missing["name"][lacking]]),
        np.concatenate([rows["occurrence"][scene.mesh_ids[shown]], missing["occurrence"][lacking]]),
    )


def _add_new_nodes(scene: Scene, source: int, content: FileContent, added: np.ndarray, is_new: np.ndarray) -> None:
    """Nodes for the objects that were not there before, under the node of their file, or at the top if it is gone."""
    shown = np.flatnonzero(content.node_meshes >= 0)
    shown = shown[is_new[content.node_meshes[shown]]]
    if len(shown) == 0:
        return
    of_file = np.flatnonzero(scene.mesh_ids >= 0)
    of_file = of_file[scene.meshes.rows["source"][scene.mesh_ids[of_file]] == source]
    parent = -1
    if len(of_file):
        parent = int(of_file[0])
        while scene.parents[parent] >= 0:
            parent = int(scene.parents[parent])
    columns = {
        name: column[shown]
        for name, column in (
            ("translation", content.translations),
            ("rotation", content.rotations),
            ("scale", content.scales),
        )
        if column is not None
    }
    scene.add_nodes(content.node_names[shown], parent=parent, mesh=added[content.node_meshes[shown]], **columns)

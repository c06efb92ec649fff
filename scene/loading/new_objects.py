"""Nodes of a file that is read again: those that show its objects, and new ones for new objects."""

from __future__ import annotations

import numpy as np

from octoscope.scene.content import FileContent
from octoscope.scene.mesh.pool import NO_MESH
from octoscope.scene.nodes.node_table import NO_PARENT
from octoscope.scene.scene import Scene


def nodes_of_source(scene: Scene, source: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the nodes that show meshes of a file, or would if these were still in it; deleted nodes included.

    Returns:
        (k,) node ids, (k,) names and (k,) occurrences of the meshes.
    """
    rows = scene.meshes.rows
    shown = np.flatnonzero(scene.mesh_ids >= 0)
    shown = shown[rows["source"][scene.mesh_ids[shown]] == source]
    missing = scene.project.unresolved_meshes
    _, lasts = np.unique(missing["node"][::-1], return_index=True)
    lacking = len(missing) - 1 - lasts  # the last entry of each node
    nodes = missing["node"][lacking]
    has_none = (scene.mesh_ids[nodes] == NO_MESH) & (scene.kept_mesh_ids[nodes] == NO_MESH)
    lacking = lacking[has_none & (missing["source"][lacking] == source)]
    return (
        np.concatenate([shown, missing["node"][lacking]]),
        np.concatenate([rows["name"][scene.mesh_ids[shown]], missing["name"][lacking]]),
        np.concatenate([rows["occurrence"][scene.mesh_ids[shown]], missing["occurrence"][lacking]]),
    )


def add_new_nodes(
    scene: Scene, source: int, content: FileContent, ids: np.ndarray, is_new: np.ndarray, material_ids: np.ndarray
) -> tuple[range, int]:
    """Add nodes for the objects that have none, below the node of the file and in the file's groups.

    Args:
        source: index of the file in Scene.sources.
        ids: (m,) mesh ids of the file's meshes.
        is_new: (m,) bool: the mesh has no node.
        material_ids: (n,) ids of the file's materials.

    Returns:
        the new nodes, including groups that were missing; and how many of them are objects.
    """
    is_object = content.node_meshes >= 0
    is_object[is_object] = is_new[content.node_meshes[is_object]]
    if not is_object.any():
        return range(0), 0
    added, parents = _nodes_to_add(scene, source, content, ids, is_object)
    new = scene.add_nodes(
        content.node_names[added],
        parent=parents,
        mesh=np.where(is_object[added], ids[content.node_meshes[added]], NO_MESH),
        instance=0 if content.node_instances is None else content.node_instances[added],
        material=np.append(material_ids, -1)[content.node_materials[added]],
        translation=content.translations[added],
        rotation=content.rotations[added],
        scale=content.scales[added],
    )
    return new, int(is_object.sum())


def _nodes_to_add(
    scene: Scene, source: int, content: FileContent, ids: np.ndarray, is_object: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Choose the nodes of a file that have to be added.

    Args:
        ids: (m,) mesh ids of the file's meshes.
        is_object: (n,) bool: the file's node is a new object.

    Returns:
        (k,) indices of the file's nodes, parents first, and (k,) ids of their parents in the scene.
    """
    parents = content.node_parents
    wanted = is_object.copy()
    above = parents[is_object]
    while len(above := np.unique(above[above >= 0])):
        wanted[above] = True
        above = parents[above]
    node_of = {-1: _node_of_file(scene, source, content.name)}
    added: list[int] = []
    below: list[int] = []
    for node in np.flatnonzero(wanted).tolist():
        parent = node_of[int(parents[node])]
        known = None
        if not is_object[node]:
            mesh = int(content.node_meshes[node])
            known = (
                _group_of(scene, parent, content.node_names[node])
                if mesh < 0
                else _first(np.flatnonzero(scene.mesh_ids == ids[mesh]))
            )
        if known is None and (is_object[node] or content.node_meshes[node] < 0):
            known = scene.row_count + len(added)
            added.append(node)
            below.append(parent)
        node_of[node] = parent if known is None else known  # nodes below a deleted object go below its parent
    return np.array(added, dtype=np.int64), np.array(below, dtype=np.int64)


def _group_of(scene: Scene, parent: int, name: str) -> int | None:
    """Return the child of a node with this name, or None."""
    below = np.flatnonzero(scene.alive & (scene.parents == parent))
    return _first(below[scene.names[below] == name])


def _first(nodes: np.ndarray) -> int | None:
    return int(nodes[0]) if len(nodes) else None


def _node_of_file(scene: Scene, source: int, name: str) -> int:
    """Return the node above a file's objects: the one with its name, else the topmost; NO_PARENT if there is none."""
    nodes = nodes_of_source(scene, source)[0]
    nodes = nodes[scene.alive[nodes]]
    if len(nodes) == 0:
        return NO_PARENT
    above = []
    node = int(scene.parents[nodes[0]])
    while node >= 0:
        above.append(node)
        node = int(scene.parents[node])
    return next((node for node in above if scene.names[node] == name), above[-1] if above else NO_PARENT)

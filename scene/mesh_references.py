"""What nodes refer to: the meshes that they show, or would show if these were still in their files."""

from __future__ import annotations

import numpy as np

from scene.scene import Scene


def references_of(scene: Scene, ids: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """What nodes show, or would if it was still there: (k,) files, names and occurrences; file -1: no file's."""
    rows, meshes = scene.meshes.rows, scene.mesh_ids[ids]
    sources = np.append(rows["source"], -1)[meshes]
    objects = np.append(rows["name"], np.array([""], dtype=rows["name"].dtype))[meshes]
    occurrences = np.append(rows["occurrence"], 0)[meshes]
    missing = scene.project.unresolved_meshes
    last = np.full(scene.row_count, -1, dtype=np.int64)
    last[missing["node"]] = np.arange(len(missing))
    lacking = np.flatnonzero((meshes < 0) & (last[ids] >= 0))
    which = last[ids[lacking]]
    sources[lacking] = missing["source"][which]
    objects[lacking] = missing["name"][which]
    occurrences[lacking] = missing["occurrence"][which]
    return sources, objects, occurrences


def lacking_nodes(scene: Scene) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Nodes whose meshes are not there: (k,) ids, and (k,) files, names and occurrences of what they would show."""
    ids = np.unique(scene.project.unresolved_meshes["node"]).astype(np.int64)
    ids = ids[scene.alive[ids] & (scene.mesh_ids[ids] < 0)]
    return ids, *references_of(scene, ids)


def refer_alike(scene: Scene, nodes: np.ndarray, originals: np.ndarray) -> None:
    """Let (k,) copies of nodes whose mesh is not there refer to what their originals do; others have their meshes."""
    if len(scene.project.unresolved_meshes) == 0:
        return
    lacking = np.flatnonzero(scene.mesh_ids[originals] < 0)
    sources, names, occurrences = references_of(scene, originals[lacking])
    refers = sources >= 0
    scene.project.unresolved_meshes.append(
        int(refers.sum()),
        node=nodes[lacking[refers]],
        source=sources[refers],
        name=names[refers],
        occurrence=occurrences[refers],
    )

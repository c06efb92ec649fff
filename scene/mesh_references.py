"""References of nodes to meshes of files, also to meshes that are not there."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from octoscope.scene.geometry.ranges import index_in
from octoscope.scene.scene import Scene


def files_in_use(scene: Scene) -> list[Path]:
    """Return those of Scene.sources from which nodes have meshes, or would have if these were still there."""
    sources, _, _ = references_of(scene, scene.ids)
    return list(dict.fromkeys(scene.sources[source] for source in np.unique(sources).tolist() if source >= 0))


def references_of(scene: Scene, ids: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the references of nodes to the meshes that they show, or would show if these were still in their files.

    Returns:
        (k,) index in Scene.sources, -1 for meshes of no file; (k,) names; (k,) occurrences.
    """
    meshes = scene.mesh_ids[ids]
    sources, objects, occurrences = references_to(scene, meshes)
    missing = scene.project.unresolved_meshes
    last = index_in(missing["node"], scene.row_count)
    lacking = np.flatnonzero((meshes < 0) & (last[ids] >= 0))
    which = last[ids[lacking]]
    sources[lacking] = missing["source"][which]
    objects[lacking] = missing["name"][which]
    occurrences[lacking] = missing["occurrence"][which]
    return sources, objects, occurrences


def references_to(scene: Scene, meshes: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return what `references_of` does of (k,) meshes, or -1."""
    rows = scene.meshes.rows
    names = np.append(rows["name"], np.array([""], dtype=rows["name"].dtype))
    return np.append(rows["source"], -1)[meshes], names[meshes], np.append(rows["occurrence"], 0)[meshes]


def nodes_without_their_mesh(scene: Scene) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Return (k,) ids of nodes whose meshes are not there, and (k,) sources, names, occurrences of these."""
    ids = np.unique(scene.project.unresolved_meshes["node"]).astype(np.int64)
    ids = ids[scene.alive[ids] & (scene.mesh_ids[ids] < 0)]
    return ids, *references_of(scene, ids)


def copy_references(scene: Scene, nodes: np.ndarray, originals: np.ndarray) -> None:
    """Give copies of nodes the references of their originals, where the mesh of these is not there; (k,) ids each."""
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

"""Files that hold one object: the node of such a file and its object are one thing to a person."""

from __future__ import annotations

import numpy as np

from octoscope.scene.scene import Scene


def one_object_files(scene: Scene) -> tuple[np.ndarray, np.ndarray]:
    """Find the nodes of files below which there is nothing but one object.

    A node is one of a file if it has the name of a file of the scene, with or without something behind it, as copies
    have.

    Returns:
        (k,) ids of the nodes of files, and (k,) ids of their objects.
    """
    parents = scene.parents
    ids = np.flatnonzero(scene.alive & (parents >= 0))
    child_counts = np.bincount(parents[ids], minlength=scene.row_count)
    objects = ids[(child_counts[ids] == 0) & (child_counts[parents[ids]] == 1) & (scene.mesh_ids[ids] >= 0)]
    objects = objects[scene.mesh_ids[parents[objects]] < 0]
    file_names = np.array(sorted({path.name for path in scene.sources}), dtype=np.dtypes.StringDType())
    if len(file_names) == 0:
        return objects[:0], objects[:0]
    names = scene.names[parents[objects]]
    before = file_names[np.maximum(np.searchsorted(file_names, names, side="right") - 1, 0)]  # or equal
    objects = objects[np.strings.startswith(names, before)]
    return parents[objects].astype(np.int64), objects


def with_whole_files(scene: Scene, ids: np.ndarray) -> np.ndarray:
    """Return (k,) ids of nodes, in place of each that is its file's one object the node of that file."""
    files, objects = one_object_files(scene)
    whole = np.arange(scene.row_count)
    whole[objects] = files
    return whole[ids]

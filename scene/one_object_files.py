"""Files that hold one object: the node of such a file and its object are one thing to a person."""

from __future__ import annotations

import numpy as np

from octoscope.scene.scene import Scene


def one_object_files(scene: Scene, ids: np.ndarray | None = None) -> tuple[np.ndarray, np.ndarray]:
    """Find the nodes of files (`Scene.file_roots`) below which there is nothing but one object.

    Args:
        ids: (k,) nodes to look among for the objects; None: all.

    Returns:
        (k,) ids of the nodes of files, and (k,) ids of their objects.
    """
    objects = scene.ids if ids is None else ids
    objects = objects[scene.parents[objects] >= 0]
    objects = objects[scene.file_roots[scene.parents[objects]] & (scene.mesh_ids[objects] >= 0)]
    if len(objects) == 0:  # most edits: nothing is searched
        return objects, objects
    files = scene.parents[objects].astype(np.int64)
    child_counts = np.bincount(scene.parents[scene.ids] + 1, minlength=scene.row_count + 1)[1:]
    is_one = (child_counts[files] == 1) & (child_counts[objects] == 0) & (scene.mesh_ids[files] < 0)
    return files[is_one], objects[is_one]


def file_of(scene: Scene, node: int) -> int:
    """Return the node of the outermost file that a node came with, or the node itself if that file has no other one."""
    file, above = node, int(scene.parents[node])
    while above >= 0:
        file = above if scene.file_roots[above] else file
        above = int(scene.parents[above])
    files, _ = one_object_files(scene, np.array([node]))
    return node if file in files else file


def with_whole_files(scene: Scene, ids: np.ndarray) -> np.ndarray:
    """Return (k,) ids of nodes, in place of each that is its file's one object the node of that file."""
    files, objects = one_object_files(scene, ids)
    whole = ids.astype(np.int64)
    whole[np.isin(ids, objects)] = files
    return whole


def with_objects_of_files(scene: Scene, ids: np.ndarray) -> np.ndarray:
    """Return (k,) ids of nodes, in place of each that is the node of a file with one object that object."""
    files, objects = one_object_files(scene)
    object_of = np.arange(scene.row_count)
    object_of[files] = objects
    return object_of[ids]

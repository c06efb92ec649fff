"""Parts of a file's elements, each of which can be meshed by itself."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from octoscope.scene.formats.obj.collected import Collected
from octoscope.scene.formats.obj.object_tree import ObjectTree, Runs
from octoscope.scene.formats.obj.vertices import LINE_OUT, POINT_OUT
from octoscope.scene.geometry.ranges import ranges


@dataclass(frozen=True, eq=False)
class Part:
    """Some meshes of a file, or pieces of one."""

    file: Collected  # with their elements alone
    tree: ObjectTree  # of that file; its nodes are those of the whole
    meshes: np.ndarray  # (k,) int64 the mesh of the whole file that each belongs to
    begin: np.ndarray  # (3,) int64 the first face, line and point


def parts_of(file: Collected, tree: ObjectTree, part_elements: int) -> Iterator[Part]:
    """Cut a file into parts of at most so many elements, in its order; a mesh of more faces is cut as well."""
    pieces = np.maximum(-(-np.diff(tree.first[:, 0]) // part_elements), 1)
    owners = np.repeat(np.arange(len(pieces)), pieces)
    within = ranges(np.zeros(len(pieces), dtype=np.int64), pieces)
    firsts = np.where(within[:, None] == 0, tree.first[owners], tree.first[owners + 1])
    firsts[:, 0] = tree.first[owners, 0] + within * part_elements
    firsts = np.concatenate([firsts, tree.first[-1:]])
    ends = np.cumsum(np.diff(firsts, axis=0).sum(axis=1))
    begin = corner = 0
    while begin < len(owners):
        before = ends[begin - 1] if begin else 0
        end = max(int(np.searchsorted(ends, before + part_elements, side="right")), begin + 1)
        sizes = file.face_sizes.values[firsts[begin, 0] : firsts[end, 0]]
        corners = slice(corner, corner + int(sizes.sum()))  # before a part is meshed, all sizes are positive
        corner = corners.stop
        yield Part(
            file.part(firsts[begin], firsts[end], corners),
            replace(
                tree,
                mesh_names=tree.mesh_names[owners[begin:end]],
                mesh_lines=tree.mesh_lines[owners[begin:end]],
                first=firsts[begin : end + 1] - firsts[begin],
                materials=_from(tree.materials, firsts[begin]),
                smoothing=_from(tree.smoothing, firsts[begin]),
            ),
            owners[begin:end],
            firsts[begin],
        )
        begin = end


def _from(runs: Runs, begin: np.ndarray) -> Runs:
    """Return runs over the elements from some on."""
    return Runs(np.maximum(runs.first - begin, 0), runs.value)


def add_faults(total: np.ndarray, faults: np.ndarray, begin: np.ndarray) -> None:
    """Add the faults of a part to those of the file, (6, 2) int64 each as in Unified; parts come in their order."""
    for kind in range(len(total)):
        if faults[kind, 0]:
            element = {LINE_OUT: 1, POINT_OUT: 2}.get(kind, 0)
            if total[kind, 0] == 0:
                total[kind, 1] = faults[kind, 1] + begin[element]
            total[kind, 0] += faults[kind, 0]

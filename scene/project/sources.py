"""Read the files that a project refers to, each once, and report what is not in them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike

from octoscope.scene.content import FileContent
from octoscope.scene.mesh.data import MeshBatch, MeshData
from octoscope.scene.mesh.pool import NO_PLACE
from octoscope.scene.project.paths import is_project
from octoscope.scene.scene import Scene
from octoscope.scene.system.paths import abspath
from octoscope.scene.system.report import Problems
from octoscope.scene.system.text_file import ReadError, printable

Reader = Callable[[Path], FileContent]


def find_meshes(
    scene: Scene,
    files: np.ndarray,
    names: np.ndarray,
    occurrences: np.ndarray,
    read: Reader,
    problems: Problems,
    *,
    shown: ArrayLike = True,
) -> np.ndarray:
    """Find the meshes that (k,) references mean, -1 for missing ones; files that were not read yet are read.

    Args:
        shown: (k,) flags; False: the mesh only says what a node is. If it is missing, a stand-in keeps the reference.
    """
    ids = np.full(len(files), -1, dtype=np.int64)
    rows_of = _by_value(files)
    read_before = _meshes_by_file(scene)
    files_of: dict[str, list[int]] = {}
    for number in rows_of:
        files_of.setdefault(abspath(scene.sources[number]), []).append(number)
    for absolute, numbers in files_of.items():
        places = np.concatenate([rows_of[number] for number in numbers])
        there = read_before.get(absolute)
        if there is None:
            path = scene.sources[numbers[0]]
            try:
                if is_project(path):
                    raise ReadError(path, "a project; its own files can be referred to, not itself")
                content = read(path)
            except ReadError as error:
                reason = error.beside(path)
                done = "its objects are shown as empty nodes, and saved as they are"
                problems.report("source-missing", reason, done, count=len(places), file=path)
                continue
            there = np.array(scene.add_meshes(content, numbers[0]))
        found = scene.meshes.find(there, names[places], occurrences[places])
        ids[places] = found
        gone = int((found < 0).sum())
        if gone:
            first = names[places][found < 0][0]
            problems.report(
                "source-object",
                f"objects that are no longer in it (the first is '{printable(first[:60])}')",
                "shown as empty nodes, and saved as they are",
                count=gone,
                file=scene.sources[numbers[0]],
            )
    lacking = np.flatnonzero((ids < 0) & ~np.asarray(shown))
    ids[lacking] = _stand_ins(scene, files[lacking], names[lacking], occurrences[lacking])
    return ids


def _stand_ins(scene: Scene, files: np.ndarray, names: np.ndarray, occurrences: np.ndarray) -> np.ndarray:
    """Return (k,) meshes that files lack, as such that were in them: a point each, until the file has them again."""
    ids, pool = np.empty(len(files), dtype=np.int64), scene.meshes
    for number, rows in _by_value(files).items():
        wanted = names[rows], occurrences[rows]
        is_lacking = pool.find(np.flatnonzero(pool.rows["source"] == number), *wanted) < 0
        new = dict.fromkeys(zip(*(column[is_lacking].tolist() for column in wanted), strict=True))
        if new:
            nothing, one = np.empty((0, 3), dtype=np.int32), np.zeros(1, dtype=np.int32)
            point = MeshData(np.zeros((1, 3), dtype=np.float32), nothing, None, one, points=one)
            made = pool.extend(MeshBatch.of([point] * len(new), [name for name, _ in new]), source=number)
            pool.rows["occurrence"][made.start :] = [occurrence for _, occurrence in new]
            pool.rows["place"][made.start :] = NO_PLACE
        ids[rows] = pool.find(np.flatnonzero(pool.rows["source"] == number), *wanted)
    return ids


def _meshes_by_file(scene: Scene) -> dict[str, np.ndarray]:
    """Return the mesh ids of each file that was read before, by absolute path; the first source that is it counts."""
    by_source = reversed(_by_value(scene.meshes.rows["source"]).items())
    return {abspath(scene.sources[number]): ids for number, ids in by_source if number in scene.loaded_sources}


def _by_value(values: np.ndarray) -> dict[int, np.ndarray]:
    """Return the indices of each value in an array."""
    order = np.argsort(values, kind="stable")
    found, firsts = np.unique(values[order], return_index=True)
    return dict(zip(found.tolist(), np.split(order, firsts[1:]), strict=True)) if len(values) else {}

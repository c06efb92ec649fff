"""Read the files that a project refers to, each once, and report what is not in them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np

from octoscope.scene.content import FileContent
from octoscope.scene.project.paths import is_project
from octoscope.scene.scene import Scene
from octoscope.scene.system.paths import abspath
from octoscope.scene.system.report import Problems
from octoscope.scene.system.text_file import ReadError, printable

Reader = Callable[[Path], FileContent]


def find_meshes(
    scene: Scene, files: np.ndarray, names: np.ndarray, occurrences: np.ndarray, read: Reader, problems: Problems
) -> np.ndarray:
    """Find the meshes that (k,) references mean, -1 for missing ones; files that were not read yet are read."""
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
    return ids


def _meshes_by_file(scene: Scene) -> dict[str, np.ndarray]:
    """Return the mesh ids of each file that was read before, by absolute path; the first source that is it counts."""
    by_source = reversed(_by_value(scene.meshes.rows["source"]).items())
    return {abspath(scene.sources[number]): ids for number, ids in by_source if number >= 0}


def _by_value(values: np.ndarray) -> dict[int, np.ndarray]:
    """Return the indices of each value in an array."""
    order = np.argsort(values, kind="stable")
    found, firsts = np.unique(values[order], return_index=True)
    return dict(zip(found.tolist(), np.split(order, firsts[1:]), strict=True)) if len(values) else {}

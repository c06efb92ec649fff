"""Relink nodes without meshes to the file that has these meshes now."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np

from octoscope.scene.editing.edits import Edit, EditError, change_nodes, combined
from octoscope.scene.formats.endings import stem_of
from octoscope.scene.formats.readers import read_file
from octoscope.scene.mesh_references import nodes_without_their_mesh
from octoscope.scene.project.sources import find_meshes
from octoscope.scene.scene import Scene, all_or_nothing
from octoscope.scene.system.file_finder import FileFinder
from octoscope.scene.system.paths import abspath
from octoscope.scene.system.report import Problems
from octoscope.scene.system.text_file import printable


@all_or_nothing
def relink(scene: Scene, source: int, path: Path) -> Edit:
    """Make the edit that gives nodes without meshes those of another file, found by name.

    Other missing files are relinked as well if files of their names lie beside the chosen one. Transforms, materials
    and names of the nodes stay. After undo the nodes refer to the previous file again.

    Raises:
        EditError: no node lacks meshes of that file, or the other file cannot be read or has none of them.
    """
    ids, sources, names, occurrences = nodes_without_their_mesh(scene)
    if not (sources == source).any():
        raise EditError("no object waits for that file")
    edits, count, files = [], 0, {source: path} | _found_beside(scene, source, path, np.unique(sources).tolist())
    problems = Problems(path)
    for missing, file in files.items():
        of_file = np.flatnonzero(sources == missing)
        wanted = _renamed(names[of_file], scene.sources[missing], file)
        number = np.full(len(of_file), scene.add_source(file))
        meshes = find_meshes(scene, number, wanted, occurrences[of_file], read_file, problems)
        is_there = meshes >= 0
        if missing == source and not is_there.any():
            raise EditError(f"{printable(file)}: {problems[0].what}")
        edits.append(change_nodes(scene, ids[of_file[is_there]], mesh=meshes[is_there]))
        count += int(is_there.sum())
    what = printable(path.name) if len(files) == 1 else f"{len(files):,} files"
    label = f"Relink {count:,} {'object' if count == 1 else 'objects'} to {what}"
    gone = (sources == source).sum() - len(edits[0].changes[0].ids)
    notes = [f"{gone:,} of what waited for it is not in it"] if gone else []
    solved = [str(scene.sources[missing]) for missing in files]
    scene.report.problems = [problem for problem in scene.report.problems if problem.file not in solved]
    return combined(scene, label, *edits, notes=notes)


def _found_beside(scene: Scene, source: int, path: Path, lacking: list[int]) -> dict[int, Path]:
    """Find other missing files beside the chosen one, at the same relative path or by their names."""
    old_folder = os.path.dirname(abspath(scene.sources[source]))
    finder = FileFinder(Path(abspath(path)).parent)
    found = {}
    for other in lacking:
        missing = scene.sources[other]
        if other != source and not os.path.isfile(missing):
            try:
                names = [os.path.relpath(abspath(missing), old_folder), missing.name]
            except ValueError:  # on another drive
                names = [missing.name]
            there = finder.find(names)
            if there is not None and there.path.is_file():
                found[other] = there.path
    return found


def _renamed(names: np.ndarray, old: Path, new: Path) -> np.ndarray:
    """Return names of meshes; those equal to the old file's name become the new file's name."""
    before, after = (printable(stem_of(path)) for path in (old, new))
    return np.where(names == before, after, names).astype(names.dtype)

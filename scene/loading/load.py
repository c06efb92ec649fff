"""Open files into a new scene."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from octoscope.guesses import advises
from octoscope.scene.conventions.length_unit import NO_UNIT
from octoscope.scene.conventions.up_axis import UpAxis
from octoscope.scene.formats.readers import AS_USUAL, FileProgress, ReadOptions
from octoscope.scene.loading.file_import import add_file
from octoscope.scene.loading.folders import unread_in, with_files_of_folders
from octoscope.scene.loading.read import read_path
from octoscope.scene.scene import Scene
from octoscope.scene.system.paths import StrPath
from octoscope.scene.system.report import warn
from octoscope.scene.system.text_file import ReadError


@advises()
def load(
    paths: StrPath | Sequence[StrPath],
    *,
    progress: FileProgress | None = None,
    max_memory_bytes: int | None = None,
    up_axis: UpAxis | None = None,
    smooth_degrees: float | None = None,
) -> Scene:
    """Open one or more files into a new scene: a node for each file, and below it the file's own tree.

    A folder stands for the files in it, and one of 3D Tiles for its tileset. A project (.octo.json) comes first: the
    others are added to it. A file that cannot be opened is a warning, and the others are opened all the same; print
    the scene's report to see that again, and what was skipped or guessed in those.

    Args:
        progress: called now and then while a file is read; what it raises, such as Cancelled, ends the loading.
        max_memory_bytes: memory that reading a file may take; None: most of what is free.
        up_axis: of the scene, "y" or "z"; files that say what is up are turned to it. None: that of a project, or "y".
        smooth_degrees: meshes without normals get smooth ones, split where triangles meet at a larger angle; None: they
            stay flat.

    Raises:
        TypeError: a path is none.
        ReadError: none of the files could be opened; a line for each.
    """
    options = ReadOptions(max_memory_bytes, smooth_degrees)
    scene = opened(paths, progress=progress, options=options, up_axis=up_axis)
    for error in scene.report.errors:
        warn(error)
    return scene


def opened(
    paths: StrPath | Sequence[StrPath],
    *,
    progress: FileProgress | None = None,
    options: ReadOptions = AS_USUAL,
    up_axis: UpAxis | None = None,
    length_unit: str = NO_UNIT,
) -> Scene:
    """Do as `load`, and leave it to the caller to tell what is in the report.

    Args:
        length_unit: of the scene, if it is no project that says another one; files that say theirs are scaled to it.
    """
    given = [paths] if isinstance(paths, (str, os.PathLike)) else list(paths)
    if not all(map(os.fspath, given)):
        raise ValueError("paths: a path is empty")
    scene = Scene(up_axis=up_axis)
    scene.length_unit = length_unit
    files = list(map(Path, given))
    scene.report.problems += filter(None, map(unread_in, files))
    for path in with_files_of_folders(files):
        add_file(scene, path, read_path(path, progress, options=options))
    if scene.report.errors and not scene.report.opened:
        raise ReadError(None, "\n".join(scene.report.errors))
    scene.length_unit = scene.length_unit or length_unit
    return scene

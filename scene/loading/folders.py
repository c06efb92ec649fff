"""The files of a folder that can be opened, in the order that a person reads: part2 before part10.

Imports nothing that takes long.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

from octoscope.scene.formats.endings import MODEL_ENDINGS
from octoscope.scene.project.paths import PROJECT_ENDINGS
from octoscope.scene.system.natural_order import natural_key
from octoscope.scene.system.report import Problem
from octoscope.scene.system.text_file import printable

_TILE_ENDINGS = (".glb", ".gltf")
MOST_FILES = 1000  # of a folder that are opened without a question


def files_in(folder: Path) -> list[Path]:
    """Return the files with meshes in a folder, none of those in folders below; empty if it cannot be read.

    A folder of 3D Tiles counts as its tileset.
    """
    names = _names(folder)
    for name in MODEL_ENDINGS:
        if not name.startswith(".") and name in names:  # in place of the many files of its tiles
            return [folder / name]
    return _chosen(folder, names, MODEL_ENDINGS)


def unread_in(folder: Path) -> Problem | None:
    """Return what is to be told of a folder that counts as its tileset and holds other models; None if it holds none.

    Files of glTF are not told: they may be the tiles.
    """
    names = _names(folder)
    whole = next((name for name in MODEL_ENDINGS if not name.startswith(".") and name in names), None)
    if whole is None:
        return None
    others = _chosen(
        folder, [name for name in names if not name.lower().endswith((whole, *_TILE_ENDINGS))], MODEL_ENDINGS
    )
    if not others:
        return None
    many = f"{len(others):,} other models" if len(others) > 1 else f"'{printable(others[0].name)}'"
    return Problem(
        str(folder), None, "folder", f"a folder that is read as its {whole}", f"{many} not read; name what to open"
    )


def neighbours(path: Path) -> list[Path]:
    """Return all files that can be opened in the folder of a file, projects too."""
    return _chosen(path.parent, _names(path.parent), (*MODEL_ENDINGS, *PROJECT_ENDINGS))


def with_files_of_folders(paths: Iterable[Path]) -> list[Path]:
    """Return paths, with the files in them in place of folders; a folder without any stays, for a line about it."""
    expanded: list[Path] = []
    for path in paths:
        expanded += (files_in(path) if os.path.isdir(path) else []) or [path]
    return expanded


def with_folders_of_files(paths: Sequence[Path], failed: Iterable[Path] = ()) -> list[Path]:
    """Return paths, with a folder in place of several files that are, with those that failed, all in it."""
    several = [path for path, count in Counter(path.parent for path in set(paths)).items() if count > 1]
    whole = [folder for folder in several if {*paths, *failed}.issuperset(files_in(folder))]
    return list(dict.fromkeys(path.parent if path.parent in whole else path for path in paths))


def _names(folder: Path) -> list[str]:
    try:
        return os.listdir(folder)
    except OSError:
        return []


def _chosen(folder: Path, names: list[str], endings: tuple[str, ...]) -> list[Path]:
    chosen = [name for name in names if name.lower().endswith(endings) and not name.startswith(".")]
    chosen.sort(key=lambda name: (natural_key(name), name))
    return [folder / name for name in chosen if os.path.isfile(folder / name)]

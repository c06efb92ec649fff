"""Paths in a project file: relative to its folder, with slashes, so that folder and files can be moved."""

from __future__ import annotations

import os
from pathlib import Path

from octoscope.scene.system.paths import abspath, realpath, without_parents

PROJECT_ENDINGS = (".octo.json",)


def path_to_json(path: Path, folder: Path | None) -> str:
    """Return a path as a project file in `folder` (absolute, links followed) writes it: relative where it can be.

    In None, a text that is in no folder, it is absolute.
    """
    absolute = abspath(path)
    if folder is None:
        return Path(absolute).as_posix()
    followed = os.path.join(realpath(os.path.dirname(absolute)), os.path.basename(absolute))
    try:
        ways = [Path(os.path.relpath(way, folder)) for way in (absolute, followed)]
    except ValueError:
        return Path(absolute).as_posix()
    return min(ways, key=lambda way: way.parts.count("..")).as_posix()


def path_from_json(written: str, folder: Path) -> Path:
    """Return the path that a project file in `folder` writes so."""
    return Path(without_parents(folder / written))


def is_project(path: Path) -> bool:
    """Return whether a file name is that of a project."""
    return path.name.lower().endswith(PROJECT_ENDINGS)

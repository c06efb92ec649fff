"""Paths as a project file writes them: relative to its own folder, with slashes, so that both can move together."""

from __future__ import annotations

import os
from pathlib import Path

from scene.system.paths import abspath, realpath


def written_path(path: Path, folder: Path) -> str:
    """How a file in `folder` (absolute, links followed) names `path`: relative, by the way that leads up least often.

    Absolute where no relative path leads there (another drive).
    """
    absolute = abspath(path)
    followed = os.path.join(realpath(os.path.dirname(absolute)), os.path.basename(absolute))
    try:
        ways = [Path(os.path.relpath(way, folder)) for way in (absolute, followed)]
    except ValueError:
        return Path(absolute).as_posix()
    return min(ways, key=lambda way: way.parts.count("..")).as_posix()


def path_from(written: str, folder: Path) -> Path:
    """The path that a file in `folder` writes so."""
    return folder / written


def is_project(path: Path) -> bool:
    """Whether a path is named like a project file."""
    return path.name.lower().endswith(".octo.json")

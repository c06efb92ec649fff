"""The rows that a path box lists, and the path that typed text stands for."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

MOST_LISTED = 20_000


@dataclass(frozen=True)
class FolderRow:
    """A file or folder in a list."""

    name: str
    is_folder: bool


def list_folder(folder: Path, endings: Sequence[str]) -> list[FolderRow]:
    """Return the folders, then the files with these endings (lower case); nothing if the folder cannot be read.

    At most MOST_LISTED are listed. Names that begin with a dot come last.
    """
    rows: list[FolderRow] = []
    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                is_folder = entry.is_dir()
                if is_folder or entry.name.lower().endswith(tuple(endings)):
                    rows.append(FolderRow(entry.name, is_folder))
                if len(rows) == MOST_LISTED:
                    break
    except (OSError, ValueError):  # ValueError: not a valid path
        pass
    return sorted(rows, key=lambda row: (not row.is_folder, row.name.startswith("."), row.name.lower()))


@dataclass(frozen=True)
class PathInput:
    """The meaning of the text in a path box."""

    path: Path
    folder: Path  # the one to list
    part: str  # of a name, lower case; only rows that contain it are listed


def parse_path_input(folder: Path, text: str) -> PathInput:
    """Return the meaning of a text relative to a folder; "~" is the home folder, a final "/" lists a folder."""
    path = folder / os.path.expanduser(text)
    if not text:
        return PathInput(path, folder, "")
    if text.endswith(("/", os.sep)):
        return PathInput(path, path, "")
    return PathInput(path, path.parent, path.name.lower())


def with_ending(path: Path, endings: Sequence[str]) -> Path:
    """Return a path that has one of these endings; the first is added if it has none."""
    if path.name.lower().endswith(tuple(endings)):
        return path
    return path.with_name(path.name + endings[0])

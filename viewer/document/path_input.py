"""What a path box lists, and what is meant by what is typed into it."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

MOST_LISTED = 20_000


@dataclass(frozen=True)
class Row:
    """A name in a folder."""

    name: str
    is_folder: bool


def list_folder(folder: Path, endings: Sequence[str]) -> list[Row]:
    """Folders first, and files whose names end so (lower case); nothing where the folder cannot be looked into.

    At most MOST_LISTED of them; names that begin with a dot come last.
    """
    rows: list[Row] = []
    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                is_folder = entry.is_dir()
                if is_folder or entry.name.lower().endswith(tuple(endings)):
                    rows.append(Row(entry.name, is_folder))
                if len(rows) == MOST_LISTED:
                    break
    except (OSError, ValueError):  # ValueError: a path that cannot be one
        pass
    return sorted(rows, key=lambda row: (not row.is_folder, row.name.startswith("."), row.name.lower()))


@dataclass(frozen=True)
class PathInput:
    """What a text in a path box means.

    Attributes:
        path: the text as a path. folder: that is to be listed. part: of a name, lower case, that rows must have.
    """

    path: Path
    folder: Path
    part: str


def parse_path_input(folder: Path, text: str) -> PathInput:
    """What is meant by a text, relative to a folder; '~' is the person's own, '/' at the end goes into a folder."""
    path = folder / os.path.expanduser(text)
    if not text:
        return PathInput(path, folder, "")
    if text.endswith(("/", os.sep)):
        return PathInput(path, path, "")
    return PathInput(path, path.parent, path.name.lower())


def with_ending(path: Path, endings: Sequence[str]) -> Path:
    """A path whose name ends in one of these, the first where it has none of them."""
    if path.name.lower().endswith(tuple(endings)):
        return path
    return path.with_name(path.name + endings[0])

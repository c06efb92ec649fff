"""File types and default names; requests for a path, folders as lists, and what typed paths mean; the sample scene."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from octoscope.scene.formats.endings import MODEL_ENDINGS
from octoscope.scene.project.paths import PROJECT_ENDINGS, is_project
from octoscope.scene.system.paths import abspath, current_folder
from octoscope.viewer.settings.recent_files import read_recent

OPENED = (*PROJECT_ENDINGS, *MODEL_ENDINGS)

_MORE = re.compile(r" and \d+ more$")
MOST_LISTED = 20_000
UNTITLED = "untitled"  # a scene without a name


@dataclass(frozen=True)
class PathRequest:
    """A request that the user names a file."""

    title: str
    endings: tuple[str, ...]
    # called with the path, or with a ConfirmedPath, or with a tuple of paths where several may be chosen; a flow that
    # yields the request needs none
    choose: Callable[..., object] = field(default=lambda path: None, compare=False)
    # path of a new file, which the user may change; None: an existing file is to be chosen
    suggestion: Path | None = None
    folder: Path | None = None  # the first that is listed, until the user has gone to another
    several: bool = False
    becomes_project: bool = False  # whether that file is the scene's project from then on


@dataclass(frozen=True)
class ConfirmedPath:
    """The path of a new file, chosen in a dialog that has asked whether to overwrite a file that is there."""

    path: Path


def folder_of(files: Sequence[str | Path]) -> Path:
    """Return the folder of the first file; the working folder if there are no files."""
    return Path(abspath(files[0])).parent if len(files) else working_folder()


def working_folder() -> Path:
    """Return the folder that the program was started in; where it cannot write there, the user's own."""
    folder = current_folder()
    return folder if os.access(folder, os.W_OK) else Path.home()


def recent_projects(config: Path | None) -> list[Path]:
    """Return the projects among the recent files, the last one first; `config`: the folder of their list, or None."""
    return [] if config is None else [path for path in read_recent(config)[0] if is_project(path)]


def title_of_files(paths: Sequence[str | Path]) -> str:
    """Return a title for a scene of these files: the name of the first, and the number of others; UNTITLED if none."""
    if not paths:
        return UNTITLED
    name = Path(paths[0]).name
    return f"{name} and {len(paths) - 1} more" if len(paths) > 1 else name


def suggested_path(folder: Path, name: str, ending: str) -> Path:
    """Return a path for a scene of that name with another ending; "a.obj and 2 more" becomes "untitled"."""
    name = UNTITLED if _MORE.search(name) else name
    known = next((each for each in OPENED if name.lower().endswith(each)), "")
    stem = name[: len(name) - len(known)].replace("/", "-")
    return folder / f"{stem or 'scene'}{ending}"


@cache
def sample_path() -> Path:
    """Return the path of the sample scene: in the checkout's assets/, or where the program is installed."""
    from importlib import resources  # only here: it takes long to import

    return Path(str(resources.files("octoscope.assets").joinpath("harbour.obj")))


def is_sample(path: str | Path) -> bool:
    """Return whether a path leads to the sample scene."""
    sample = sample_path()
    return os.path.exists(path) and sample.exists() and os.path.samefile(path, sample)


@dataclass(frozen=True)
class FolderRow:
    """A file or folder in a list."""

    name: str
    is_folder: bool
    size: int = 0  # bytes
    changed_ns: int = 0  # when it was changed, nanoseconds since 1970


def list_folder(folder: Path, endings: Sequence[str]) -> list[FolderRow]:
    """Return folders, then files with these endings (lower case), at most MOST_LISTED; names with a dot come last."""
    rows: list[FolderRow] = []
    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                is_folder = entry.is_dir()
                if is_folder or entry.name.lower().endswith(tuple(endings)):
                    rows.append(FolderRow(entry.name, is_folder, *_facts_of(entry)))
                if len(rows) == MOST_LISTED:
                    break
    except (OSError, ValueError):  # ValueError: not a valid path
        pass
    return in_order(rows, "name")


def _facts_of(entry: os.DirEntry[str]) -> tuple[int, int]:
    try:
        facts = entry.stat()
    except OSError:  # a link that leads nowhere, or gone by now
        return 0, 0
    return facts.st_size, facts.st_mtime_ns


# Keys of a list's orders, by their names; folders come first in all, and what is hidden last.
ORDERS: dict[str, Callable[[FolderRow], object]] = {
    "name": lambda row: row.name.lower(),
    "size": lambda row: (-row.size, row.name.lower()),
    "date": lambda row: (-row.changed_ns, row.name.lower()),
}


def in_order(rows: Sequence[FolderRow], order: str) -> list[FolderRow]:
    """Return rows by one of ORDERS: the largest or the newest first."""
    key = ORDERS[order]
    return sorted(rows, key=lambda row: (not row.is_folder, row.name.startswith("."), key(row)))


@dataclass(frozen=True)
class PathInput:
    """The meaning of the text in a path box."""

    path: Path
    folder: Path  # the one to list
    part: str  # of a name, lower case; only rows that contain it are listed


def parse_path_input(folder: Path, text: str) -> PathInput:
    """Return the meaning of a text relative to a folder; "~" is the home folder, a final "/" lists a folder."""
    text = os.path.expanduser(text)
    parent, part = os.path.split(text)
    return PathInput(folder / text, folder / parent, part.lower())


def with_ending(path: Path, endings: Sequence[str]) -> Path:
    """Return a path that has one of these endings; the first is added if it has none."""
    if path.name.lower().endswith(tuple(endings)):
        return path
    return path.with_name(path.name + endings[0])


def chosen_path(answer: Path | ConfirmedPath, endings: Sequence[str]) -> tuple[Path, bool]:
    """Return the path of a new file, with one of the endings, and whether overwriting that very file is confirmed."""
    chosen = answer.path if isinstance(answer, ConfirmedPath) else answer
    path = with_ending(chosen, endings)
    return path, isinstance(answer, ConfirmedPath) and path == chosen

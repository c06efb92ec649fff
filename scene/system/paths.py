"""Absolute paths, also when the folder that the program runs in was removed: os.path cannot make any then."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

StrPath = str | os.PathLike[str]  # what every public function takes that takes a path

_last = os.environ.get("PWD", os.sep)


def current_folder() -> Path:
    """Return the folder that relative paths begin at; after it was removed, its last path."""
    global _last
    with suppress(OSError):
        _last = os.getcwd()
    return Path(_last)


def abspath(path: StrPath) -> str:
    """Make a path absolute and remove '..', as os.path.abspath does."""
    return os.path.normpath(path if os.path.isabs(path) else os.path.join(current_folder(), path))


def realpath(path: StrPath) -> str:
    """Make a path absolute and follow its links, as os.path.realpath; ValueError if no path can be written so."""
    return os.path.realpath(os.path.join(current_folder(), path))


def without_parents(path: StrPath) -> str:
    """Remove '..' from a path, unless that would lead to another file because of links."""
    if os.pardir in Path(path).parts:
        with suppress(ValueError):  # no path can be written so
            shorter = os.path.normpath(path)
            return shorter if realpath(shorter) == realpath(path) else os.fspath(path)
    return os.fspath(path)


current_folder()  # while it still exists


def stat_of(path: StrPath) -> tuple[int, int, int] | None:
    """Return time of change in nanoseconds, size and inode, which tell a changed file; None if there is no file."""
    try:
        status = os.stat(path)
    except (OSError, ValueError):
        return None
    return status.st_mtime_ns, status.st_size, status.st_ino


def is_standard_input(path: Path) -> bool:
    """Return whether a path means what comes through a pipe, which cannot be read again."""
    return str(path) == "-"

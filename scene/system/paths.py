"""Absolute paths, also where the folder that the program runs in was removed: os.path then knows none any more."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

_last = os.environ.get("PWD", os.sep)


def current_folder() -> Path:
    """The folder that relative paths begin at; once that was removed, where it was."""
    global _last
    with suppress(OSError):
        _last = os.getcwd()
    return Path(_last)


def abspath(path: str | os.PathLike[str]) -> str:
    """As os.path.abspath: with the current folder before it, and without '..'."""
    return os.path.normpath(os.path.join(current_folder(), path))


def realpath(path: str | os.PathLike[str]) -> str:
    """As os.path.realpath: absolute, links followed. ValueError: a path that cannot be one."""
    return os.path.realpath(os.path.join(current_folder(), path))


current_folder()  # before anybody can remove it

"""Autosaves: projects that hold scenes which were never saved, until they are, or until a person lets go of them.

One lies in a folder of the program's own data as a project and its journal. As long as the program runs that made it,
the journal is locked; one that is not locked belongs to a program that was killed.
"""

from __future__ import annotations

import os
import re
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from scene.project.journal import journal_path
from scene.system.file_lock import is_locked

_ENDING = ".octo.json"
_LONGEST_NAME = 60


@dataclass(frozen=True)
class Lost:
    """An autosave that a program has left behind. `name` is what the scene was called; `at` in seconds since 1970."""

    path: Path
    name: str
    at: float


def new_autosave(folder: Path, name: str) -> Path:
    """A free path for the autosave of a scene of that name; the folder is made. OSError: it cannot be."""
    folder.mkdir(parents=True, exist_ok=True)
    stem = re.sub(r"[^\w. -]+", "-", name)[:_LONGEST_NAME].strip(" .-") or "scene"
    return folder / f"{stem} {time.strftime('%Y%m%d-%H%M%S')}-{os.getpid()}{_ENDING}"


def autosave_name(path: Path) -> str:
    """What the scene of an autosave was called."""
    return path.name.removesuffix(_ENDING).rpartition(" ")[0] or path.name


def find_lost(folder: Path) -> list[Lost]:
    """The autosaves that no running program has, the newest first."""
    found = []
    with suppress(OSError):
        for path in folder.glob(f"*{_ENDING}"):
            if not _is_free(journal_path(path)):
                continue
            files = [each for each in (path, journal_path(path)) if each.exists()]
            found.append(Lost(path, autosave_name(path), max(each.stat().st_mtime for each in files)))
    return sorted(found, key=lambda lost: -lost.at)


def remove_autosave(path: Path) -> None:
    """Let go of an autosave and its journal."""
    for each in (path, journal_path(path)):
        with suppress(OSError):
            each.unlink()


def _is_free(journal: Path) -> bool:
    try:
        return not is_locked(journal)
    except FileNotFoundError:
        return True
    except OSError:
        return False

"""Autosaves: projects of scenes that were never saved, until they are saved or the user discards them.

An autosave is a project and its journal in a folder of the program's own data. The program that writes it holds a lock
on the journal; an autosave that is not locked belongs to a program that was killed.
"""

from __future__ import annotations

import os
import re
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from octoscope.scene.project.journal import journal_path
from octoscope.scene.system.file_lock import is_locked

_ENDING = ".octo.json"
_LONGEST_NAME = 60


@dataclass(frozen=True)
class LostAutosave:
    """An autosave of a killed program."""

    path: Path
    name: str
    at: float  # time of the last change, seconds since 1970


def new_autosave(folder: Path, name: str) -> Path:
    """Return a free path for the autosave of a scene, and make the folder.

    Raises:
        OSError: the folder cannot be made.
    """
    folder.mkdir(parents=True, exist_ok=True)
    stem = re.sub(r"[^\w. -]+", "-", name)[:_LONGEST_NAME].strip(" .-") or "scene"
    return folder / f"{stem} {time.strftime('%Y%m%d-%H%M%S')}-{os.getpid()}{_ENDING}"


def autosave_name(path: Path) -> str:
    """Return the name of the scene in an autosave."""
    return path.name.removesuffix(_ENDING).rpartition(" ")[0] or path.name


def find_lost(folder: Path) -> list[LostAutosave]:
    """Return the autosaves that no running program writes, the newest first."""
    found = []
    with suppress(OSError):
        for path in folder.glob(f"*{_ENDING}"):
            if not _is_free(journal_path(path)):
                continue
            times = []
            for each in (path, journal_path(path)):
                with suppress(OSError):
                    times.append(each.stat().st_mtime)
            if times:  # else another program has just removed it, or it is a link to nothing
                found.append(LostAutosave(path, autosave_name(path), max(times)))
    return sorted(found, key=lambda lost: -lost.at)


def remove_autosave(path: Path) -> None:
    """Remove an autosave and its journal."""
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

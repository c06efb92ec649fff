"""Find the files that a file names, also when it was written on another system or has been moved."""

from __future__ import annotations

import enum
import os
import re
import stat
import unicodedata
from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from urllib.parse import unquote

from octoscope.scene.system.elsewhere import place_of
from octoscope.scene.system.paths import without_parents
from octoscope.scene.system.text_file import ReadError, printable

_LONGEST_NAME = 4096  # characters; no system opens a longer one
_MOST_ENTRIES = 100_000  # of a folder
_MOST_ENTRIES_BELOW = 20_000  # of a folder and those in it, down to a depth
_DEEPEST = 4
_MOST_MISSES = 10_000  # after which only names that stand as they are written are found
_FOLDERS_BESIDE = ("texture", "textures")


class Match(enum.Enum):
    """The way in which a file that was found agrees with its name."""

    NAMED = enum.auto()  # as written; of a path on another machine, its last part beside the file that names it
    OTHER_CASE = enum.auto()
    ELSEWHERE = enum.auto()


@dataclass(frozen=True)
class FoundFile:
    """A file that was found; it may be a folder or device where no regular file has the name."""

    path: Path
    match: Match


class FileFinder:
    """Find files by the names that another file gives them. Folders are listed once and remembered.

    Relative names begin at `folders`, the likeliest first. Of a name on a network only the last part counts.
    """

    def __init__(self, *folders: Path) -> None:
        self._folders = list(dict.fromkeys(os.fspath(folder) for folder in folders))
        self._listings: dict[str, dict[str, list[str]]] = {}
        self._below: dict[str, list[str]] | None = None
        self._misses = 0

    def find(self, names: Iterable[str], *, guess: bool = True, anywhere: bool = False) -> FoundFile | None:
        """Find the file that has one of these possible readings of a name, the likeliest first; or None.

        Args:
            guess: whether to look for a name's last part in the folders.
            anywhere: with `guess`, also below the first folder and in a folder of textures beside it.
        """
        names = [name for name in dict.fromkeys(names) if name and len(name) <= _LONGEST_NAME]
        local = list(dict.fromkeys(form for name in names for form in _local_forms(name)))
        irregular = None
        for path in self._paths(local):
            try:
                is_regular = stat.S_ISREG(os.stat(path).st_mode)
            except (OSError, ValueError):
                continue
            if is_regular:
                return FoundFile(Path(path), Match.NAMED)
            irregular = irregular or FoundFile(Path(path), Match.NAMED)
        if self._misses < _MOST_MISSES:
            found = self._in_other_case(local) or (self._by_last_part(names, anywhere) if guess else None)
            if found is not None:
                return found
            self._misses += 1
        return irregular

    def expected(self, name: str) -> Path | None:
        """Return the path that a file of that name should have, whether it exists or not; None: no file can have it."""
        if not name or len(name) > _LONGEST_NAME or "\0" in name:
            return None
        if _begins_elsewhere(name):
            name = re.split(r"[\\/:]+", name.rstrip("\\/"))[-1]
        return Path(without_parents(os.path.join(self._folders[0], name.replace("\\", "/"))))

    def _paths(self, names: list[str]) -> Iterator[str]:
        return (without_parents(os.path.join(folder, name)) for name in names for folder in self._folders)

    def _in_other_case(self, names: list[str]) -> FoundFile | None:
        for name in names:
            for folder in self._folders:
                path = self._path_in_other_case(folder, name)
                if path is not None and os.path.isfile(path):
                    return FoundFile(Path(path), Match.OTHER_CASE)
        return None

    def _path_in_other_case(self, folder: str, name: str) -> str | None:
        if os.path.isabs(name):
            return None
        path = folder
        for part in name.split("/"):
            if part == "..":
                path = os.path.join(path, part)
            elif part not in ("", "."):
                entries = self._listing(path).get(_key(part), [])
                if part in entries:
                    entries = [part]
                if len(entries) != 1:
                    return None
                path = os.path.join(path, entries[0])
        return without_parents(path)

    def _by_last_part(self, names: list[str], anywhere: bool) -> FoundFile | None:
        for name in names:
            parts = re.split(r"[\\/]+", name.rstrip("\\/"))
            last = re.sub(r"^[A-Za-z]:", "", parts[-1])
            if last in ("", ".", "..") or last == name:
                continue
            match = Match.NAMED if _begins_elsewhere(name) else Match.ELSEWHERE
            for path in self._paths([last]):
                if os.path.isfile(path):
                    return FoundFile(Path(path), match)
            found = self._in_other_case([last])
            if found is not None:
                return found
        for name in names if anywhere else ():
            parts = [_key(part) for part in re.split(r"[\\/]+", name)]
            candidates = self._files_below().get(parts[-1])
            if candidates:
                return FoundFile(Path(min(candidates, key=lambda path: _unlikeness(path, parts))), Match.ELSEWHERE)
        return None

    def _listing(self, folder: str) -> dict[str, list[str]]:
        """Return the names in a folder, by `_key`, which is the same for names that differ in case."""
        listing = self._listings.get(folder)
        if listing is None:
            listing = self._listings[folder] = {}
            for entry in _entries(folder, _MOST_ENTRIES):
                listing.setdefault(_key(entry.name), []).append(entry.name)
        return listing

    def _files_below(self) -> dict[str, list[str]]:
        """Return the paths of files below the first folder, and in folders of textures beside it, by `_key`."""
        if self._below is None:
            self._below = {}
            parent = without_parents(os.path.join(self._folders[0], os.pardir))
            beside = [name for key in _FOLDERS_BESIDE for name in self._listing(parent).get(key, ())]
            folders = deque([(self._folders[0], 0), *((os.path.join(parent, name), 0) for name in beside)])
            remaining = _MOST_ENTRIES_BELOW
            while folders and remaining > 0:
                folder, depth = folders.popleft()
                for entry in _entries(folder, remaining):
                    remaining -= 1
                    if entry.is_dir(follow_symlinks=False):
                        if depth < _DEEPEST:
                            folders.append((entry.path, depth + 1))
                    elif os.path.isfile(entry.path):
                        self._below.setdefault(_key(entry.name), []).append(entry.path)
        return self._below


def _local_forms(name: str) -> list[str]:
    """Return a name as it is and with this system's separators; nothing for a path on a network."""
    if re.match(r"[\\/]{2}", name):
        return []
    return [name, name.replace("\\", "/")]


def _begins_elsewhere(name: str) -> bool:
    """Tell whether a name begins at the root of some machine; then it does not say where the file lies here."""
    return re.match(r"[\\/]|[A-Za-z][A-Za-z0-9+.-]*:", name) is not None


def _entries(folder: str, most: int) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            return sorted(islice(entries, most), key=lambda entry: entry.name)
    except (OSError, ValueError):
        return []


def _key(name: str) -> str:
    """Return a form that is the same for names that differ in case, or in how a system composes accents."""
    return unicodedata.normalize("NFC", name).casefold()


def _unlikeness(path: str, named: list[str]) -> tuple[int, int, str]:
    """Return a sort key: least for the path that shares the most folders with the named one, then for the shortest."""
    parts = [_key(part) for part in re.split(r"[\\/]+", path)]
    shared = 0
    while shared < min(len(parts), len(named)) and parts[-1 - shared] == named[-1 - shared]:
        shared += 1
    return -shared, len(parts), path


def file_beside(path: Path, uri: object, *, within: Path | None = None) -> Path:
    """Return the file that a URI names; it must be below the folder of the file that names it, or below `within`."""
    shown = printable(str(uri)[:60])
    place = place_of(path)
    if place is not None and isinstance(uri, str) and (named := place.beside(path, uri, within)) is not None:
        return named
    if not isinstance(uri, str) or re.match(r"[A-Za-z][A-Za-z0-9+.-]+:|//", uri):
        raise ReadError(path, f"'{shown}' is not fetched: put the file beside it and name it there")
    folder = path.parent.resolve()
    found: Path | None = None
    with suppress(OSError, ValueError, RuntimeError):  # a cycle of links, or a name that no file can have
        found = (folder / unquote(uri)).resolve()
    if found is None or not found.is_relative_to(within or folder):
        raise ReadError(path, f"'{shown}' is outside its folder; put the file beside it")
    return found

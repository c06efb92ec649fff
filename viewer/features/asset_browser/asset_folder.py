"""AssetFolder: the folder that the browser shows, what of it and below it is looked for, favourites, recent folders."""

from __future__ import annotations

import hashlib
import os
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from octoscope.scene.formats.endings import MODEL_ENDINGS
from octoscope.scene.nodes.name_search import casefolded, fits_name
from octoscope.viewer.document.file_names import MOST_LISTED, FolderRow, PathInput, list_folder, parse_path_input
from octoscope.viewer.editing.jobs import JobKind, Jobs, Progress

_MOST_RECENT = 8
# Another one makes all thumbnails anew, after a change of how they look or of what is kept about files.
_EDITION = 2


@dataclass(frozen=True)
class Asset:
    """A file that can be placed, as it was when its folder was listed."""

    path: Path
    size: int  # bytes
    changed_ns: int

    @property
    def key(self) -> str:
        """A name for what was found out about the file; another one after it has changed."""
        facts = f"{_EDITION}|{self.path}|{self.size}|{self.changed_ns}"
        return hashlib.sha1(facts.encode(errors="surrogateescape"), usedforsecurity=False).hexdigest()


class AssetFolder:
    """A folder as rows, and other folders that the user comes back to, by their paths.

    The first is that of the scene, else that of the scene before, else the user's own.

    Args:
        scene_folder: returns the folder of the scene's file, or None.

    Attributes:
        favourites: folders, the one that was added first comes first.
        before: the folder's path in the scene before, or "".
        recent: folders from which something was placed, the last one first.
    """

    def __init__(self, scene_folder: Callable[[], Path | None], jobs: Jobs) -> None:
        self._query = ""
        self.favourites: list[str] = []
        self.recent: list[str] = []
        self.before = ""
        self._jobs = jobs
        self._scene_folder = scene_folder
        self._of_scene: Path | None = None
        self._chosen: Path | None = None
        self._listed: tuple[Path, list[FolderRow]] | None = None
        self._below: list[FolderRow] | None = None  # what is in folders below; None until somebody looks for something
        self._found: tuple[str, list[FolderRow]] | None = None  # a query, and the rows for it

    @property
    def query(self) -> str:
        """A part of the names of the rows, or a pattern for them; then folders below are looked through, too.

        A path lists the folder that it leads to.
        """
        return self._query

    @query.setter
    def query(self, query: str) -> None:
        before, self._query = self.path, query
        if self.path != before:
            self.refresh()

    def _start(self) -> Path:
        self._of_scene = self._of_scene or self._scene_folder()  # it stays when the scene is saved elsewhere
        return self._of_scene or Path(self.before or Path.home())

    @property
    def _folder(self) -> Path:
        return self._chosen or self._start()

    @property
    def _typed(self) -> PathInput:
        return parse_path_input(self._folder, self._query.strip())

    @property
    def path(self) -> Path:
        """The folder that is listed."""
        return self._typed.folder

    def go(self, folder: str | Path) -> None:
        """Show another folder."""
        self._chosen, self._query = Path(folder), ""
        self.refresh()

    @property
    def chosen(self) -> str:
        """The folder's path, or "" as long as it is the one to begin with."""
        return "" if self.path == self._start() else str(self.path)

    def choose(self, folder: str) -> None:
        """Show a folder that was chosen before, or with "" the one to begin with."""
        self._chosen = Path(folder) if folder else None
        self.refresh()

    def enter(self) -> bool:
        """Go to the folder that the query is the path of, and return whether there is one."""
        is_folder = bool(self._query) and os.path.isdir(self._typed.path)
        if is_folder:
            self.go(self._typed.path)
        return is_folder

    def refresh(self) -> None:
        """List the folder again."""
        self._listed = self._below = self._found = None
        self._jobs.forget(JobKind.LIST)

    @property
    def is_searching(self) -> bool:
        """True while folders below are looked through."""
        return self._jobs.is_busy(JobKind.LIST)

    @property
    def rows(self) -> list[FolderRow]:
        """The folders, then the files with meshes in it; with a query those that match, then those of folders below."""
        folder, query = self.path, self._typed.part
        if self._listed is None or self._listed[0] != folder:
            self.refresh()
            self._listed = folder, _shown_in(folder)
        if not query:
            return self._listed[1]
        if folder == self._folder and self._below is None and not self.is_searching:
            self._jobs.begin(JobKind.LIST, "listing folders", lambda tell: rows_below(folder, tell), self._take_below)
        if self._found is None or self._found[0] != query:
            rows = [*self._listed[1], *(self._below or [])]
            names = casefolded(np.array([os.path.basename(row.name) for row in rows], dtype=np.dtypes.StringDType()))
            self._found = query, [rows[place] for place in np.flatnonzero(fits_name(names, query))]
        return self._found[1]

    def _take_below(self, rows: list[FolderRow]) -> None:
        self._below, self._found = rows, None

    def asset(self, row: FolderRow) -> Asset:
        """Return a row's file."""
        return Asset(self.path / row.name, row.size, row.changed_ns)

    def toggle_favourite(self, folder: str) -> None:
        """Add a folder to the favourites, or take it from them."""
        others = [each for each in self.favourites if each != folder]
        self.favourites = others if folder in self.favourites else [*self.favourites, folder]

    def note_used(self, path: Path) -> None:
        """Note that a file was placed."""
        folder = os.path.dirname(path)
        self.recent = [folder, *(each for each in self.recent if each != folder)][:_MOST_RECENT]


def rows_below(folder: Path, tell: Progress) -> list[FolderRow]:
    """Return what the folders in a folder hold, near ones first, at most MOST_LISTED; names are paths from the folder.

    Links to folders are not followed.
    """
    rows: list[FolderRow] = []
    waiting = deque(row.name for row in _shown_in(folder) if row.is_folder)
    while waiting and len(rows) < MOST_LISTED:
        tell(0, 0)
        above = waiting.popleft()
        if not os.path.islink(folder / above):
            inside = [replace(row, name=os.path.join(above, row.name)) for row in _shown_in(folder / above)]
            rows += inside
            waiting += (row.name for row in inside if row.is_folder)
    return rows[:MOST_LISTED]


def _shown_in(folder: Path) -> list[FolderRow]:
    return [row for row in list_folder(folder, MODEL_ENDINGS) if not row.name.startswith((".", "__pycache__"))]

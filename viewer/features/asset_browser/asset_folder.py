"""AssetFolder: the folder that the browser shows, what of it is looked for, favourites and recent folders."""

from __future__ import annotations

import hashlib
import os
from dataclasses import dataclass
from pathlib import Path

from octoscope.scene.formats.endings import MODEL_ENDINGS
from octoscope.viewer.document.file_names import FolderRow, list_folder

_MOST_RECENT = 8
# Another one makes all thumbnails anew, after a change of how they look.
_EDITION = 1


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

    Attributes:
        query: a part of the names of the rows.
        favourites: folders, the one that was added first comes first.
        recent: folders from which something was placed, the last one first.
    """

    def __init__(self, start: Path) -> None:
        self.query = ""
        self.favourites: list[str] = []
        self.recent: list[str] = []
        self._folder = start
        self._listed: list[FolderRow] | None = None

    @property
    def path(self) -> Path:
        """The folder."""
        return self._folder

    @property
    def text(self) -> str:
        """Its path."""
        return str(self._folder)

    def go(self, folder: str | Path) -> None:
        """Show another folder."""
        self._folder = Path(folder)
        self._listed, self.query = None, ""

    def refresh(self) -> None:
        """List the folder again."""
        self._listed = None

    @property
    def rows(self) -> list[FolderRow]:
        """The folders, then the files with meshes in it, of those that match the query."""
        if self._listed is None:
            rows = list_folder(self._folder, MODEL_ENDINGS)
            self._listed = [row for row in rows if not row.name.startswith(".")]
        part = self.query.casefold()
        return [row for row in self._listed if part in row.name.casefold()] if part else self._listed

    def asset(self, row: FolderRow) -> Asset:
        """Return a row's file."""
        return Asset(self._folder / row.name, row.size, row.changed_ns)

    @property
    def is_favourite(self) -> bool:
        """Whether the folder is one of the favourites."""
        return self.text in self.favourites

    def toggle_favourite(self) -> None:
        """Add the folder to the favourites, or take it from them."""
        others = [each for each in self.favourites if each != self.text]
        self.favourites = others if self.is_favourite else [*others, self.text]

    def note_used(self, path: Path) -> None:
        """Note that a file was placed."""
        folder = os.path.dirname(path)
        self.recent = [folder, *(each for each in self.recent if each != folder)][:_MOST_RECENT]

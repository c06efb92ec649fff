"""ProjectState: data of the project file that a scene keeps so that the next save writes it again."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from octoscope.scene.annotations.bookmarks import Bookmark
from octoscope.scene.file_ids import FileIds
from octoscope.scene.mesh.table import ColumnTable

# The kind of the problem that changes are in the scene and, until it is saved, in the journal alone.
UNSAVED_CHANGES = "unsaved-changes"


@dataclass(frozen=True)
class FileMark:
    """The content of a file at one time.

    Attributes:
        digest: of its bytes.
        stat: time of change in nanoseconds, size and inode, for a quick comparison; None: unknown.
    """

    digest: str
    stat: tuple[int, int, int] | None


@dataclass(frozen=True)
class JournalMark:
    """A journal as it was when the project was opened."""

    digest: str  # of its bytes
    sound_bytes: int  # length of its beginning that was replayed
    keep_aside: bool  # the rest is more than a line that was cut off, or all of it belongs to another file
    unsaved: int  # number of its edits that were replayed and not undone
    edits: tuple[Any, ...]  # these, and behind them those that were undone: of scene.editing.edits.Edit


@dataclass(eq=False)  # two are equal only if they are the same object: their parts hold arrays
class ProjectState:
    """Data of the project file that a scene keeps."""

    path: Path | None = None  # of the file, links followed; None: never saved
    content: FileMark | None = None  # the file as it was last read or written; None: never saved
    found_journal: JournalMark | None = None  # the journal as it was when the project was opened, or None
    camera: Bookmark | None = None  # where the window looked from when the file was saved; None: nobody said
    # fields at the top of the file that this release does not know
    fields: dict[str, object] = field(default_factory=dict)
    # the path of each source as the file writes it, by index in Scene.sources
    paths: dict[int, str] = field(default_factory=dict)
    material_ids: range = range(0)  # the scene's materials that came from the file
    file_ids: FileIds = field(default_factory=FileIds)  # the ids of nodes and meshes in the file and the journal
    # references of nodes to meshes that are not there. Columns: node int32, source int32 (index in Scene.sources),
    # name, occurrence int32. An entry counts only while its node has no mesh.
    unresolved_meshes: ColumnTable = field(
        default_factory=lambda: ColumnTable(
            node=(np.int32, ()), source=(np.int32, ()), name=(np.dtypes.StringDType(), ()), occurrence=(np.int32, ())
        )
    )

    def saved_file(self) -> tuple[Path, FileMark]:
        """Return path and content of the file; ValueError: the scene was never saved."""
        if self.path is None or self.content is None:
            raise ValueError("a scene needs a project file before it has a journal")
        return self.path, self.content

    def copy(self) -> ProjectState:
        """Copy the state; the copy shares no container with it."""
        return replace(
            self,
            fields=dict(self.fields),
            paths=dict(self.paths),
            file_ids=self.file_ids.copy(),
            unresolved_meshes=self.unresolved_meshes.copy(),
        )

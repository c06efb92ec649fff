"""ProjectState: what a scene keeps of its project file, to give back by the next save what it does not hold itself."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from scene.file_ids import FileIds
from scene.mesh.table import ColumnTable

# What is wrong and what was done, of changes that are in the scene and, until it is saved, in the journal alone.
UNSAVED_CHANGES = "changes were not saved last time", "they are in the scene again; save the project to keep them"


@dataclass(frozen=True)
class FileMark:
    """One content of one file.

    Attributes:
        digest: of its bytes. stat: time of change in nanoseconds, size and inode, to see quickly that it is the same.
    """

    digest: str
    stat: tuple[int, int, int] | None


@dataclass(frozen=True)
class JournalMark:
    """A journal as opening the project found it.

    Attributes:
        digest: of its bytes. sound_bytes: what of it belongs to the scene, from its begin.
        keep_aside: whether what follows is more than a record that was cut off, or all of it is another file's.
        unsaved: the number of its edits that are done in the scene.
    """

    digest: str
    sound_bytes: int
    keep_aside: bool
    unsaved: int


@dataclass
class ProjectState:
    """What a scene keeps of its project file.

    Attributes:
        path: the file, links followed, or None: never saved.
        content: the file as it was last read or written, or None.
        found_journal: the journal beside it when it was opened, or None.
        fields: fields at the top of the file that this release does not know.
        unread_textures: textures that cannot be read, as the file writes them: by material id, by field of Material.
        paths: how the file writes the path of a source, by source.
        material_ids: which of the scene's materials came from the file.
        file_ids: what nodes and meshes are called in the file and in the journal.
        unresolved_meshes: nodes whose mesh is not there, and what it is called. Columns: node int32, source int32 (its
            place in Scene.sources), name, occurrence int32. A node that has a mesh again counts no more.
    """

    path: Path | None = None
    content: FileMark | None = None
    found_journal: JournalMark | None = None
    fields: dict[str, object] = field(default_factory=dict)
    unread_textures: dict[int, dict[str, object]] = field(default_factory=dict)
    paths: dict[int, str] = field(default_factory=dict)
    material_ids: range = range(0)
    file_ids: FileIds = field(default_factory=FileIds)
    unresolved_meshes: ColumnTable = field(
        default_factory=lambda: ColumnTable(
            node=(np.int32, ()),
            source=(np.int32, ()),
            name=(np.dtypes.StringDType(), ()),
            occurrence=(np.int32, ()),
        )
    )

    def saved_file(self) -> tuple[Path, FileMark]:
        """Return the path and the content of the file; ValueError: the scene was never saved."""
        if self.path is None or self.content is None:
            raise ValueError("a scene needs a project file before it has a journal")
        return self.path, self.content

    def copy(self) -> ProjectState:
        """Return the same state in containers of its own."""
        return replace(
            self,
            fields=dict(self.fields),
            unread_textures=dict(self.unread_textures),
            paths=dict(self.paths),
            file_ids=self.file_ids.copy(),
            unresolved_meshes=self.unresolved_meshes.copy(),
        )

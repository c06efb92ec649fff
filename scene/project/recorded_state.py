"""RecordedState: a scene as its project file and the journal behind it describe it together.

A record of the journal is the difference between this and the scene. So what was set by no edit, but by a script or by
reloading a file, is recorded with the next edit, and replaying gives the scene to the bit, whatever led to it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import reduce
from typing import Any

import numpy as np

from scene.editing.edits import BOOKMARKS, COLUMNS, MEASUREMENTS, Edit
from scene.geometry.forest import depths_of
from scene.measurement import IN_WORLD
from scene.mesh.table import ColumnTable
from scene.project.records import Assignment, encoded_edit
from scene.scene import Scene

_NO_IDS = np.empty(0, dtype=np.int32)


@dataclass(frozen=True)
class Difference:
    """What a scene has that a RecordedState does not know.

    Attributes:
        added: (k,) ids of nodes that had no file id, parents before their children.
        changes: what is set, those nodes among it; it can be set in this order.
        is_of_edit: whether the edit has made all of it, and taking the edit back restores what was known.
    """

    added: np.ndarray
    changes: list[Assignment]
    is_of_edit: bool

    def record(self, scene: Scene, state: RecordedState, label: str) -> dict[str, object]:
        """Return the record of it. With it go the meshes and files that the state does not know."""
        folder = scene.project.saved_file()[0].parent
        return encoded_edit(scene, state.file_ids, folder, label=label, added=self.added, changes=self.changes)


class RecordedState:
    """The state of a scene in file and journal.

    Args:
        scene: as its file describes it; nodes without a file id are not known yet.

    Attributes:
        file_ids: the ids of what is known.
    """

    def __init__(self, scene: Scene) -> None:
        self.file_ids = scene.project.file_ids
        self._columns = ColumnTable(**{name: (column.dtype, column.row_shape) for name, column in COLUMNS.items()})
        self._columns.append(scene.row_count, **_columns_of(scene))
        self._columns["alive"][self.file_ids.nodes(scene.row_count) < 0] = False
        self._versions = scene.column_versions
        self._lists = self._lists_of(scene)

    def copy(self) -> RecordedState:
        """Return the same state, which goes on by itself."""
        copy = object.__new__(RecordedState)
        vars(copy).update(vars(self) | {"file_ids": self.file_ids.copy(), "_columns": self._columns.copy()})
        return copy

    def follow(self, scene: Scene, edit: Edit, *, is_step: bool = False) -> Difference:
        """Know from now on what a scene has; return how that differs from what was known.

        Args:
            edit: the edit that was applied last; without changes where there is none.
            is_step: whether the edit does or takes back what the journal holds, whatever the scene had before.
        """
        self._columns.append(scene.row_count - len(self._columns))
        known = self._columns
        has_id = self.file_ids.nodes(scene.row_count) >= 0
        alive, was_alive = scene.alive, known["alive"]
        added = np.flatnonzero(alive & ~has_id)
        if (scene.parents[added] > added).any():
            added = added[np.argsort(depths_of(scene.parents)[added], kind="stable")]
        columns = _columns_of(scene) if len(added) else _columns_of(scene, set_since=self._versions)
        self._versions = scene.column_versions
        is_told = has_id & (alive | was_alive)
        rows_of = {name: _differing_rows(known[name], values) for name, values in columns.items() if name != "alive"}
        told_of = {name: rows.compress(is_told.take(rows)) for name, rows in rows_of.items() if len(rows)}
        parents = told_of.pop("parent", _NO_IDS)
        # Nodes come before what hangs below them, and go after what does.
        changes: list[Assignment] = [
            ("alive", np.flatnonzero(alive & ~was_alive), alive),
            *((name, rows, columns[name]) for name, rows in told_of.items()),
            ("parent", parents, scene.parents),
            ("alive", np.flatnonzero(was_alive & ~alive), alive),
        ]
        changes = [change for change in changes if len(change[1])]
        is_of_edit = self._is_of_edit(edit, changes, has_id, is_step)
        self.file_ids.add_nodes(added)
        for name, values in columns.items() if len(added) else ():
            known[name][added] = values[added]
        for name, rows, values in changes:
            if 4 * len(rows) > len(alive) and len(rows) == len(rows_of.get(name, ())):  # all of it is quicker
                known[name][:] = values
            else:
                known[name][rows] = values[rows]
        lists, before = self._lists_of(scene), self._lists
        changes += [(name, _NO_IDS, values) for name, values in lists.items() if values != before[name]]
        self._lists = lists
        set_by_edit = {change.column: lists[change.column] for change in edit.changes if change.column in lists}
        return Difference(added, changes, is_of_edit and lists == before | set_by_edit)

    def _is_of_edit(self, edit: Edit, changes: list[Assignment], has_id: np.ndarray, is_step: bool) -> bool:
        touched = {name: np.zeros(len(has_id), dtype=np.bool_) for name in {change.column for change in edit.changes}}
        for change in edit.changes:
            if change.column in COLUMNS:
                is_set = touched[change.column]
                if not is_step:
                    first = has_id.take(change.ids) & ~is_set.take(change.ids)
                    chosen = slice(None) if first.all() else first  # which copies nothing
                    known = self._columns[change.column].take(change.ids[chosen], axis=0)
                    if len(_differing_rows(known, change.before[chosen])):
                        return False
                is_set[change.ids] = True
        return all(name in touched and touched[name].take(rows).all() for name, rows, _ in changes)

    def _lists_of(self, scene: Scene) -> dict[str, list[Any]]:
        """Return a scene's bookmarks, and those measurements whose nodes have file ids."""
        file_ids = self.file_ids.nodes(scene.row_count)
        measurements = [
            measurement
            for measurement in scene.measurements
            if all(anchor.node == IN_WORLD or file_ids[anchor.node] >= 0 for anchor in measurement.anchors)
        ]
        return {BOOKMARKS: list(scene.bookmarks.items()), MEASUREMENTS: measurements}


def _columns_of(scene: Scene, *, set_since: Mapping[str, int] | None = None) -> dict[str, np.ndarray]:
    """Return the columns of nodes by name, those of deleted nodes as if they were there.

    Args:
        scene: the scene.
        set_since: Scene.column_versions of before: columns that nobody has set since are left out.
    """
    versions = scene.column_versions
    is_set = {name for name in versions if set_since is None or versions[name] != set_since[name]}
    columns = {name: column.values(scene) for name, column in COLUMNS.items() if name in is_set}
    if not is_set.isdisjoint(("alive", "mesh", "kept_mesh")):
        columns["mesh"] = np.where(scene.alive, scene.mesh_ids, scene.kept_mesh_ids)
    return columns


def _differing_rows(values: np.ndarray, others: np.ndarray) -> np.ndarray:
    """Return the rows that differ, to the bit."""
    if values.dtype == np.float64:
        values, others = (np.ascontiguousarray(each).view(np.int64) for each in (values, others))
    differ = values != others
    if differ.ndim == 1:
        return np.flatnonzero(differ)
    if 8 * np.count_nonzero(differ) < len(differ):
        rows = np.flatnonzero(differ) // differ.shape[1]
        return rows[np.diff(rows, prepend=-1) > 0]
    return np.flatnonzero(reduce(np.logical_or, differ.T))  # a third of the time of differ.any(axis=1)

"""RecordedState: the scene as project file and journal describe it.

A record of the journal is the difference between this and the scene. So changes that no edit made, such as by a script
or by reloading a file, are recorded with the next edit, and replaying restores the scene bit for bit.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import reduce
from typing import Any

import numpy as np

from octoscope.scene.editing.edits import COLUMNS, SCENE_VALUES, Edit, frozen_value
from octoscope.scene.geometry.forest import depths_of
from octoscope.scene.mesh.table import ColumnTable
from octoscope.scene.nodes.coloring import keep_materials
from octoscope.scene.project.records import Assignment, edit_to_json
from octoscope.scene.scene import Scene

_NO_IDS = np.empty(0, dtype=np.int32)


@dataclass(frozen=True)
class Difference:
    """Changes of a scene that are not recorded yet."""

    added: np.ndarray  # (k,) ids of nodes without a file id, parents before their children
    changes: list[Assignment]  # values to set, also of these nodes; to be set in this order
    is_of_edit: bool  # the edit has made all of them, and undoing it restores the recorded state

    def record(self, scene: Scene, state: RecordedState, label: str) -> dict[str, object]:
        """Return the record of the changes, with the meshes and files that no record has yet."""
        folder = scene.project.saved_file()[0].parent
        return edit_to_json(scene, state.file_ids, folder, label=label, added=self.added, changes=self.changes)


class RecordedState:
    """The state of a scene in project file and journal; at first that of its nodes with a file id."""

    def __init__(self, scene: Scene) -> None:
        self.file_ids = scene.project.file_ids  # the ids of what is recorded
        self._columns = ColumnTable(**{name: (column.dtype, column.row_shape) for name, column in COLUMNS.items()})
        self._columns.append(scene.row_count, **_columns_of(scene))
        keep_materials(scene, self._columns["material"])
        self._columns["alive"][self.file_ids.nodes(scene.row_count) < 0] = False
        self._versions = scene.column_versions
        self._scene_values = self._scene_values_of(scene)

    def copy(self) -> RecordedState:
        """Copy the state."""
        copy = object.__new__(RecordedState)
        vars(copy).update(vars(self) | {"file_ids": self.file_ids.copy(), "_columns": self._columns.copy()})
        return copy

    def follow(self, scene: Scene, edit: Edit, *, is_step: bool = False) -> Difference:
        """Update the state to that of the scene, and return the difference.

        Args:
            is_step: the edit does or undoes a step that the journal has, whatever the scene was before.
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
        if "material" in columns:
            keep_materials(scene, columns["material"])
        is_told = has_id & (alive | was_alive)
        rows_of = {name: _differing_rows(known[name], values) for name, values in columns.items() if name != "alive"}
        told_of = {name: rows.compress(is_told.take(rows)) for name, rows in rows_of.items() if len(rows)}
        parents = told_of.pop("parent", _NO_IDS)
        # Nodes are restored before their children are put below them, and deleted after these were moved away.
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
            if 4 * len(rows) > len(alive) and len(rows) == len(rows_of.get(name, ())):  # copying the column is faster
                known[name][:] = values
            else:
                known[name][rows] = values[rows]
        values_now, before = self._scene_values_of(scene), self._scene_values
        changes += [(name, _NO_IDS, value) for name, value in values_now.items() if value != before[name]]
        self._scene_values = values_now
        set_by_edit = {change.column for change in edit.changes}
        unchanged = all(values_now[name] == before[name] for name in values_now.keys() - set_by_edit)
        return Difference(added, changes, is_of_edit and unchanged)

    def _is_of_edit(self, edit: Edit, changes: list[Assignment], has_id: np.ndarray, is_step: bool) -> bool:
        touched = {name: np.zeros(len(has_id), dtype=np.bool_) for name in {change.column for change in edit.changes}}
        for change in edit.changes:
            if change.column in COLUMNS:
                is_set = touched[change.column]
                if not is_step:
                    first = has_id.take(change.ids) & ~is_set.take(change.ids)
                    chosen = slice(None) if first.all() else first  # a view, no copy
                    known = self._columns[change.column].take(change.ids[chosen], axis=0)
                    if len(_differing_rows(known, change.before[chosen])):
                        return False
                is_set[change.ids] = True
        return all(name in touched and touched[name].take(rows).all() for name, rows, _ in changes)

    def _scene_values_of(self, scene: Scene) -> dict[str, Any]:
        """Return the SCENE_VALUES, of measurements and labels those whose nodes have file ids."""
        values = {name: frozen_value(scene, name) for name in SCENE_VALUES}
        if not (scene.measurements or scene.labels):
            return values
        has_id = np.append(self.file_ids.nodes(scene.row_count) >= 0, True)  # the last one is that of IN_WORLD, -1
        return values | {
            name: tuple(each for each in values[name] if all(has_id[anchor.node] for anchor in each.anchors))
            for name in ("measurements", "labels")
        }


def _columns_of(scene: Scene, *, set_since: Mapping[str, int] | None = None) -> dict[str, np.ndarray]:
    """Return the columns of nodes with other versions than `set_since`; deleted nodes as they would be restored."""
    versions = scene.column_versions
    is_set = {name for name in versions if set_since is None or versions[name] != set_since[name]}
    columns = {name: column.values(scene) for name, column in COLUMNS.items() if name in is_set}
    if not is_set.isdisjoint(("alive", "mesh", "kept_mesh")):
        columns["mesh"] = np.where(scene.alive, scene.mesh_ids, scene.kept_mesh_ids)
    return columns


def _differing_rows(values: np.ndarray, others: np.ndarray) -> np.ndarray:
    """Return the indices of rows that differ in any bit."""
    if values.dtype == np.float64:
        values, others = (np.ascontiguousarray(each).view(np.int64) for each in (values, others))
    differ = values != others
    if differ.ndim == 1:
        return np.flatnonzero(differ)
    if 8 * np.count_nonzero(differ) < len(differ):
        rows = np.flatnonzero(differ) // differ.shape[1]
        return rows[np.diff(rows, prepend=-1) > 0]
    return np.flatnonzero(reduce(np.logical_or, differ.T))  # a third of the time of differ.any(axis=1)

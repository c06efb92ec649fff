"""Recording: an edit of whatever is set on a scene, by assignments too, that becomes one entry of the history."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from octoscope.scene.editing.edits import (
    COLUMNS,
    SCENE_VALUES,
    Change,
    Edit,
    changed,
    changed_values,
    differing_rows,
    frozen_value,
)
from octoscope.scene.history.selection import Selection
from octoscope.scene.history.transaction import Transaction
from octoscope.scene.nodes.coloring import keep_materials
from octoscope.scene.scene import Scene

Changes = dict[str, Change]  # by column


class Recording(Transaction):
    """An edit of all that is done to a scene inside `with`, once or again and again (History.record_changes).

    Vertices, scalars and colours count, as they give nodes other meshes and materials; files that are added do not.
    """

    def __init__(
        self,
        label: str,
        scene: Scene,
        selection: Selection,
        apply: Callable[[Edit], object],
        end: Callable[[Edit | None], object],
    ) -> None:
        super().__init__(label, apply, end)
        self._scene = scene
        self._selection = selection
        self._selected_before = selection.ids
        self._changes: Changes = {}
        self._before: tuple[Scene, Edit] | None = None  # inside `with`: the scene at its beginning, and what holds it

    @property
    def is_running(self) -> bool:
        """True inside `with`."""
        return self._before is not None

    def __enter__(self) -> Recording:
        """Begin to record. Meshes and materials that are shown now stay as they are, for undo."""
        self._require_running()
        scene = self._scene
        ids, shown = scene.ids, scene.mesh_ids[scene.ids]
        keep_materials(scene, scene.material_overrides)
        self._before = scene.copy(), Edit("", (Change("mesh", ids, shown, shown),), scene=scene)
        return self

    def __exit__(self, *_: object) -> None:
        """Record no more, until `with` begins again."""
        if self._before is not None:
            self._changes = joined(self._changes, difference(self._before[0], self._scene))
            self._keep(_edit_of(self._scene, self._changes))
            self._before = None

    def add(self, edit: Edit) -> None:
        """Do an edit inside `with`, as Transaction.add."""
        self._require_running()
        self._apply(edit)

    def commit(self) -> None:
        """End it, inside `with` too; what is set from then on is not recorded."""
        self.__exit__()
        selected, self._selection.ids = self._selection.ids, self._selected_before
        self.edit = replace(self.edit, selects=selected)
        super().commit()


def difference(before: Scene, scene: Scene) -> Changes:
    """Return the changes, by column, that lead from a copy of a scene to the scene as it is now."""
    ids, was_alive = before.ids, np.zeros(scene.row_count, dtype=np.bool_)
    was_alive[ids] = True
    versions, were = scene.column_versions, before.column_versions
    columns = [name for name in COLUMNS if name == "mesh" or (name != "alive" and versions[name] != were[name])]
    then, now = ({name: COLUMNS[name].values(each)[ids] for name in columns} for each in (before, scene))
    now["mesh"] = np.where(scene.alive[ids], now["mesh"], scene.kept_mesh_ids[ids])  # a deleted node shows none
    values = ({name: frozen_value(each, name) for name in SCENE_VALUES} for each in (before, scene))
    lives = changed(np.arange(scene.row_count), {"alive": was_alive}, {"alive": scene.alive})
    found = (*lives.changes, *changed(ids, then, now).changes, *changed_values(*values))
    return {change.column: change for change in found}


def joined(first: Changes, second: Changes) -> Changes:
    """Join two differences, the second from any time after the first, to one that does both.

    What is done to a node that the first adds is no change: it is added as it is in the end.
    """
    changes = {**first, **second}
    for name in first.keys() & second.keys():
        changes[name] = _one_after_other(first[name], second[name])
    lives = changes.get("alive")
    added = [] if lives is None else lives.ids[~lives.before]
    for name, change in changes.items():
        if name not in SCENE_VALUES:
            differ = differing_rows(change.before, change.after)
            changes[name] = _of_rows(change, differ if name == "alive" else differ & ~np.isin(change.ids, added))
    return changes


def _one_after_other(first: Change, second: Change) -> Change:
    """Return the change of the rows of two, from what is before the first to what is after the second."""
    if first.column in SCENE_VALUES:
        return replace(second, before=first.before)
    ids = np.concatenate([first.ids, second.ids])
    both, begin = np.unique(ids, return_index=True)
    end = len(ids) - 1 - np.unique(ids[::-1], return_index=True)[1]
    before = np.concatenate([first.before, second.before])[begin]
    return Change(first.column, both, before, np.concatenate([first.after, second.after])[end])


def _of_rows(change: Change, rows: np.ndarray) -> Change:
    return replace(change, ids=change.ids[rows], before=change.before[rows], after=change.after[rows])


def _edit_of(scene: Scene, changes: Changes) -> Edit:
    """Return a difference as an edit that is done already.

    Nodes that it deletes get the parents and meshes that they had first: undo restores nodes before all else. It adds
    nodes first and deletes others last, as others may have got the former as parents, and have left the latter.
    """
    ordered = {name: change for name, change in changes.items() if name != "alive"}
    born, dead = [], []
    if (lives := changes.get("alive")) is not None:
        born, dead = [_of_rows(lives, lives.after)], [_of_rows(lives, ~lives.after)]
        for name, set_deleted in (("parent", scene.set_parents_of_deleted), ("mesh", scene.set_meshes_of_deleted)):
            if name in ordered:
                rows = np.isin(ordered[name].ids, dead[0].ids)
                set_deleted(ordered[name].ids[rows], ordered[name].before[rows])
                ordered[name] = _of_rows(ordered[name], ~rows)
    kept = (each for each in (*born, *ordered.values(), *dead) if len(each.ids) or each.column in SCENE_VALUES)
    return Edit("", tuple(kept), scene=scene)

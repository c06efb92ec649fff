"""History: undo and redo of edits and of the selection, recorded in the journal.

The viewer shares its Selection with the history, since selecting can be undone as well.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from octoscope.guesses import advises
from octoscope.scene.editing.edits import Change, Edit, EditError, apply, changed_since, inverse
from octoscope.scene.file_state import JournalMark
from octoscope.scene.history.background_edit import BackgroundEdit
from octoscope.scene.history.recording import Recording
from octoscope.scene.history.selection import Selection
from octoscope.scene.history.transaction import Transaction
from octoscope.scene.nodes.unused_meshes import free_unused_meshes, hold, meshes_of
from octoscope.scene.project.recorder import PreparedRecord, Recorder
from octoscope.scene.scene import Scene

MEMORY_CAP_BYTES = 512 * 2**20


@dataclass(frozen=True, eq=False)
class Entry:
    """One edit that can be undone."""

    edit: Edit
    selected_before: np.ndarray  # (s,) int32, the selection before it
    selected_after: np.ndarray  # (s,) int32, the selection after it
    mesh_bytes: int = 0  # memory of the meshes that were made for it

    @property
    def label(self) -> str:
        """The label of the edit."""
        return self.edit.label

    @property
    def nbytes(self) -> int:
        """Memory of the edit, its meshes and the selection after it; that before is shared with the previous entry."""
        return self.edit.nbytes + self.mesh_bytes + self.selected_after.nbytes


class History:
    """The edits of a scene that can be undone and redone: those that `do` applies.

    What a script sets without it, by assignments such as node.translation = ..., setters or scene.delete, it does not
    record, nor does the history of a window. Where undo or redo would overwrite that, it raises an EditError once and
    leaves the entry out; the next call goes on with the next entry. What shall be undone is an edit of
    octoscope.editing, such as change_nodes, or set while `record_changes` records it.

    Examples:
        >>> history = History(scene)
        >>> history.do(octoscope.editing.change_nodes(scene, scene["lighthouse_tower"], translation=(0, 5, 0)))
        >>> history.undo()
        True

    Meshes that only dropped entries refer to, and no edit that a script holds, are freed once they are many.

    Args:
        recorder: records edits, undo and redo in the journal, or None.
        memory_cap_bytes: memory for the entries; beyond it the oldest are dropped, but never the last one.

    Attributes:
        entries: up to `position` those that can be undone, then those that can be redone; oldest first.
        position: the number of entries that are done.
        forgotten: the number of entries that were dropped.
        listeners: called with every edit that was applied, also to undo.
        undoes_selections: whether entries that only select are steps, too. If not, as at first, `undo` and `redo` go on
            past them to the next that changes the scene, and selecting keeps what can be redone.
    """

    @advises()
    def __init__(
        self,
        scene: Scene,
        recorder: Recorder | None = None,
        *,
        memory_cap_bytes: int = MEMORY_CAP_BYTES,
        selection: Selection | None = None,
    ) -> None:
        self.scene = scene
        self.recorder = recorder
        self.entries: list[Entry] = []
        self.position = 0
        self.forgotten = 0
        self.selection = Selection() if selection is None else selection
        self.transaction: Transaction | None = None
        self.listeners: list[Callable[[Edit], object]] = []
        self.undoes_selections = False
        self._memory_cap_bytes = memory_cap_bytes
        self._nbytes = 0
        self._mesh_count = len(scene.meshes)  # after the last entry
        self._saved_position: int | None = 0

    @property
    def nbytes(self) -> int:
        """Memory of the entries."""
        return self._nbytes

    @property
    def last_done(self) -> Entry | None:
        """The entry that was done last, or None."""
        return self.entries[self.position - 1] if self.position else None

    @property
    def undo_label(self) -> str | None:
        """The label of what `undo` would undo, or None."""
        return self._label_of(self._next_step(range(self.position - 1, -1, -1)))

    @property
    def redo_label(self) -> str | None:
        """The label of what `redo` would redo, or None."""
        return self._label_of(self._next_step(range(self.position, len(self.entries))))

    def _label_of(self, index: int | None) -> str | None:
        return None if index is None else self.entries[index].label

    def _next_step(self, indices: range) -> int | None:
        """Return the first of some entries that undo and redo do not pass over, or None."""
        entries = self.entries
        return next((each for each in indices if self.undoes_selections or entries[each].edit.changes), None)

    @property
    def is_dirty(self) -> bool:
        """True if the scene has changed since it was saved; the selection does not count."""
        if self.transaction is not None and self.transaction.edit.changes:
            return True
        if self._saved_position is None:
            return True
        between = slice(*sorted((self._saved_position, self.position)))
        return any(entry.edit.changes for entry in self.entries[between])

    def mark_saved(self) -> None:
        """Note that the scene is saved as it is now."""
        self._saved_position = self.position

    def resume(self, journal: JournalMark) -> None:
        """Add an entry for each edit of a journal that opening the project has replayed, before any other entry."""
        nothing = np.empty(0, dtype=np.int32)
        for edit in journal.edits:
            hold(self.scene, edit)
            self.entries.append(Entry(edit, nothing, nothing))
        self._nbytes += sum(entry.nbytes for entry in self.entries)
        self.position = journal.unsaved
        self._forget_oldest()

    def mark_unsaved(self) -> None:
        """Note that the scene is not saved as it is now, such as after recovering changes."""
        self._saved_position = None

    @advises()
    def do(self, edit: Edit) -> None:
        """Apply an edit and add an entry for it; one that changes and selects nothing gets none.

        A transaction that has begun is committed first. What an edit cannot do exactly, such as to keep the shape of
        what would need shear, it says in `edit.notes`, lines for a person.

        Raises:
            TypeError: it is no edit.
            EditError: it was made for another scene, or what it would set has changed since it was made, such as by
                itself: undo would not lead back; nothing has changed.
            ValueError: it cannot be done; nothing has changed.
            IndexError: the same, because of an id.
            SaveError: it is done, but the journal could not be written.
        """
        recording = self.transaction
        if not (isinstance(recording, Recording) and recording.is_running):
            recording = None
            self.commit()
        if what := changed_since(self.scene, edit):
            raise EditError(f"{edit.label or 'an edit'!r}: {what} has changed since the edit was made; make it anew")
        if edit.selects is not None:
            self.scene.checked_ids(edit.selects)
        if recording is None:
            self._apply(edit)
            self._remember(edit)
            return
        recording.add(edit)
        if edit.selects is not None:
            self._select_alive(edit.selects)

    def join(self, background: BackgroundEdit) -> Edit:
        """Apply an edit that was prepared on another thread, and add an entry for it as `do` does.

        Raises:
            EditError: the scene has changed meanwhile and stays as it is.
            SaveError: as `do`.
        """
        self.commit()
        edit = background.join()
        for listener in self.listeners:
            listener(edit)
        self._remember(edit, background.record)
        return edit

    def select(self, ids: ArrayLike, *, label: str | None = None) -> None:
        """Select nodes as an entry that can be undone; IndexError: no such node."""
        ids = self.scene.checked_ids(ids).astype(np.int32)
        if label is None:
            label = _selection_label(self.scene, ids)
        self.do(Edit(label, (), selects=ids))

    def undo(self) -> bool:
        """Undo the last entry (`undoes_selections` says which count); return whether there was one.

        Raises:
            EditError: the scene was changed without the history since, which undoing would overwrite; the scene is as
                it was, and the entry is left out.
            SaveError: as `do`.
        """
        self.commit()
        index = self._next_step(range(self.position - 1, -1, -1))
        if index is not None:
            self.go_to(index)
        return index is not None

    def redo(self) -> bool:
        """Redo the entry that was undone last, as `undo`; return whether there was one. Raises as `undo`."""
        self.commit()
        index = self._next_step(range(self.position, len(self.entries)))
        if index is not None:
            self.go_to(index + 1)
        return index is not None

    def _undo_last(self) -> None:
        entry = self.entries[self.position - 1]
        back = inverse(entry.edit)
        self._require_unchanged(back, self.position - 1)
        edit = _with_descendants(self.scene, back)
        self._apply(edit)
        if edit is not back:  # so that redo restores the same nodes
            again = replace(entry, edit=replace(entry.edit, changes=inverse(edit).changes))
            self._nbytes += again.nbytes - entry.nbytes
            self.entries[self.position - 1] = again
        self.position -= 1
        self._select_alive(entry.selected_before)
        # Where nothing is unsaved any more, the project of an autosave is removed: no need to record the undo there.
        if self.recorder is not None and (self.is_dirty or not self.recorder.is_of_autosave):
            self.recorder.record_undo(entry.edit, None if edit is back else edit)

    def _redo_next(self) -> None:
        entry = self.entries[self.position]
        self._require_unchanged(entry.edit, self.position)
        self._apply(entry.edit)
        self.position += 1
        self._select_alive(entry.selected_after)
        if self.recorder is not None:
            self.recorder.record(entry.edit)

    @advises()
    def go_to(self, position: int) -> None:
        """Undo or redo until `position` entries are done; one that has begun is committed first."""
        self.commit()
        if not 0 <= position <= len(self.entries):
            raise ValueError(f"positions are 0 to {len(self.entries)}")
        while self.position > position:
            self._undo_last()
        while self.position < position:
            self._redo_next()

    def changes(self, ids: np.ndarray) -> np.ndarray:
        """Return (k,) bool for (k,) node ids: an entry, done or undone, or the open transaction changes the node."""
        ids = self.scene.checked_ids(ids)
        edits = [entry.edit for entry in self.entries]
        if self.transaction is not None:
            edits.append(self.transaction.edit)
        changed = np.zeros(self.scene.row_count, dtype=np.bool_)
        for edit in edits:
            for change in edit.changes:
                changed[change.ids] = True
                if change.column == "parent":  # the parents are needed as well
                    for parents in (change.before, change.after):
                        changed[parents[parents >= 0]] = True
        return changed[ids]

    def begin(self, label: str = "") -> Transaction:
        """Begin an edit of several steps, such as a drag, that becomes one entry.

        One that has begun is committed first.
        """
        self.commit()
        self.transaction = Transaction(label, self._apply, self._end_transaction)
        return self.transaction

    def record_changes(self, label: str = "") -> Recording:
        """Begin an entry for whatever is set on the scene inside `with`, by assignments too.

        One that has begun is committed first. Edits that `do` applies inside become part of it; undo, redo and `begin`
        end it.

        Examples:
            >>> history = History(scene)
            >>> with history.record_changes("Raise the tower") as recording:
            ...     scene["lighthouse_tower"].translation += (0, 5, 0)
            >>> recording.commit()
        """
        self.commit()
        recording = Recording(label, self.scene, self.selection, self._apply, self._end_transaction)
        self.transaction = recording
        return recording

    def commit(self) -> None:
        """Commit the transaction that has begun, if any; raises SaveError as `do`."""
        if self.transaction is not None:
            self.transaction.commit()

    def cancel(self) -> None:
        """Cancel the transaction that has begun, if any."""
        if self.transaction is not None:
            self.transaction.cancel()

    def clear(self) -> None:
        """Drop all entries; the scene stays as it is, and unsaved if it was."""
        self.commit()
        self._saved_position = None if self.is_dirty else 0
        self.forgotten += self.position
        dropped = list(self.entries)
        self.entries.clear()
        self.position = 0
        self._drop(dropped)

    def _select_alive(self, ids: np.ndarray) -> None:
        """Select nodes, without those that reloading a file has deleted since."""
        is_there = self.scene.alive[ids]
        self.selection.ids = ids if is_there.all() else ids[is_there]

    def _require_unchanged(self, edit: Edit, index: int) -> None:
        """Check that an edit, which undoes or redoes an entry, overwrites nothing; leave the entry out if it does."""
        what = changed_since(self.scene, edit)
        if not what:
            touched = (change.ids for change in edit.changes if change.column != "alive")
            revived = [change.ids[change.after] for change in edit.changes if change.column == "alive"]
            is_there = self.scene.alive.copy()
            is_there[np.concatenate([*revived, np.empty(0, dtype=np.int32)])] = True
            gone = [int(ids[~is_there[ids]][0]) for ids in touched if not is_there[ids].all()]
            what = f"whether there is {str(self.scene.names[gone[0]])!r}" if gone else ""
        if not what:
            return
        is_done = index < self.position
        if self._saved_position is not None:
            if (index < self._saved_position) != is_done:  # the saved state can no longer be reached
                self._saved_position = None
            elif is_done:
                self._saved_position -= 1
        self.position -= is_done
        self._drop([self.entries.pop(index)])
        raise EditError(
            f"{edit.label or 'an edit'!r} can no longer be {'undone' if is_done else 'redone'} and is left out: "
            f"{what} was changed without the history, which records history.do(octoscope.editing...), not assignments "
            "or scene.delete"
        )

    def _apply(self, edit: Edit) -> None:
        apply(self.scene, edit)
        for listener in self.listeners:
            listener(edit)

    def _end_transaction(self, edit: Edit | None) -> None:
        self.transaction = None
        if edit is not None:
            self._remember(edit)

    def _remember(self, edit: Edit, prepared: PreparedRecord | None = None) -> None:
        if edit.scene is None:
            edit = replace(edit, scene=self.scene)  # so that the scene knows what it may show again
        before = self.selection.ids
        after = before if edit.selects is None else edit.selects
        after = after[self.scene.alive[after]]
        if not edit.changes and np.array_equal(before, after):
            return
        keeps_undone = not (self.undoes_selections or edit.changes)
        if self._saved_position is not None and self._saved_position > self.position:
            self._saved_position = self._saved_position + 1 if keeps_undone else None
        undone = [] if keeps_undone else self.entries[self.position :]
        del self.entries[self.position : self.position + len(undone)]
        self.selection.ids = after
        entry = Entry(edit, before, self.selection.ids, self._bytes_of_new_meshes())
        self.entries.insert(self.position, entry)
        self._nbytes += entry.nbytes
        self.position += 1
        if self.position < len(self.entries):  # undoing what follows leads back to this selection
            following = self.entries[self.position]
            self.entries[self.position] = replace(following, selected_before=after)
            self._nbytes += self.entries[self.position].nbytes - following.nbytes
        self._drop(undone)
        self._forget_oldest()
        if self.recorder is not None:
            self.recorder.record(edit, prepared)

    def _forget_oldest(self) -> None:
        count, nbytes = 0, self._nbytes
        while nbytes > self._memory_cap_bytes and count < self.position - 1:
            nbytes -= self.entries[count].nbytes
            count += 1
        if count == 0:
            return
        if self._saved_position is not None and self._saved_position < count:
            changed = any(entry.edit.changes for entry in self.entries[self._saved_position : count])
            self._saved_position = None if changed else count
        dropped = self.entries[:count]
        del self.entries[:count]
        self._drop(dropped)
        self.position -= count
        self.forgotten += count
        if self._saved_position is not None:
            self._saved_position -= count

    def _bytes_of_new_meshes(self) -> int:
        """Return the memory of the meshes that were made since the last entry; those of files do not count."""
        meshes, first = self.scene.meshes, self._mesh_count
        self._mesh_count = len(meshes)
        return meshes.nbytes_of(first + np.flatnonzero(meshes.rows["source"][first:] < 0))

    def _drop(self, dropped: list[Entry]) -> None:
        """Release what entries took that are no longer among the others; the list is emptied."""
        self._nbytes -= sum(entry.nbytes for entry in dropped)
        let_go = [meshes_of(self.scene, entry.edit) for entry in dropped]
        dropped.clear()  # no edit that is held here keeps its meshes
        free_unused_meshes(self.scene, np.concatenate([np.empty(0, dtype=np.int64), *let_go]))


def _with_descendants(scene: Scene, edit: Edit) -> Edit:
    """Extend an edit that deletes nodes to all nodes below them, such as those that reloading a file has added.

    Returns:
        the very same edit if it deletes all of them already.
    """
    if not any(change.column == "alive" and not change.after.all() for change in edit.changes):
        return edit
    parents, alive = scene.parents.copy(), scene.alive.copy()
    changes, is_longer = list(edit.changes), False
    for place, change in enumerate(changes):
        if change.column == "parent":
            parents[change.ids] = change.after
        elif change.column == "alive":
            alive[change.ids] = change.after
            more = []
            while len(left := np.flatnonzero(alive & (parents >= 0) & ~alive[parents])):
                alive[left] = False
                more.append(left)
            if more:
                is_longer = True
                further = np.concatenate(more).astype(np.int32)
                were = np.ones(len(further), dtype=np.bool_)
                before, after = np.append(change.before, were), np.append(change.after, ~were)
                changes[place] = Change("alive", np.append(change.ids, further), before, after)
    return replace(edit, changes=tuple(changes)) if is_longer else edit


def _selection_label(scene: Scene, ids: np.ndarray) -> str:
    if len(ids) == 0:
        return "Select nothing"
    return f"Select {scene.names[ids[0]]}" if len(ids) == 1 else f"Select {len(ids):,} objects"

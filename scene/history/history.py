"""History: everything that was done to a scene, to be undone and done again, one entry a gesture.

Selecting is part of it: whoever draws the selection keeps it in step by a Selection that both hold.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import ArrayLike

from scene.editing.edits import Change, Edit, apply, inverse
from scene.history.background_edit import BackgroundEdit
from scene.history.gesture import Gesture
from scene.nodes.arguments import checked_rows
from scene.project.recorder import PreparedRecord, Recorder
from scene.scene import Scene

MEMORY_CAP_BYTES = 512 * 2**20


@dataclass
class Selection:
    """What is selected.

    Attributes:
        ids: (s,) int32 node ids, the first chosen first. Set it whole; the arrays are shared, and never written.
        on_change: called after it was set to something else.
    """

    _ids: np.ndarray = field(default_factory=lambda: np.empty(0, dtype=np.int32))
    _mask: np.ndarray = field(default_factory=lambda: np.empty(0, dtype=np.bool_))
    on_change: Callable[[], None] | None = None

    @property
    def ids(self) -> np.ndarray:
        return self._ids

    @ids.setter
    def ids(self, ids: ArrayLike) -> None:
        ids = checked_rows("node", ids, 2**31).astype(np.int32).ravel()
        if not np.array_equal(ids, self._ids):
            self._ids, self._mask = ids, np.empty(0, dtype=np.bool_)
            if self.on_change is not None:
                self.on_change()

    def mask(self, count: int) -> np.ndarray:
        """Return (count,) bool by node id: which of so many nodes are selected. It is shared, and never written."""
        if len(self._mask) != count:
            self._mask = np.zeros(count, dtype=np.bool_)
            self._mask[self._ids] = True
        return self._mask


@dataclass(frozen=True, eq=False)
class Entry:
    """One gesture that was done.

    Attributes:
        edit: what it did. selected_before, selected_after: (s,) int32 what was selected then.
    """

    edit: Edit
    selected_before: np.ndarray
    selected_after: np.ndarray

    @property
    def label(self) -> str:
        return self.edit.label

    @property
    def nbytes(self) -> int:
        """Memory that it takes. Selections that the next entry begins with are the same array."""
        return self.edit.nbytes + self.selected_after.nbytes


class History:
    """What was done to a scene, and what was undone and can be done again.

    Nodes and meshes that an edit adds stay in memory with the scene, whatever is forgotten here.

    Args:
        recorder: writes down what is done, undone and done again, or None.
        memory_cap_bytes: what the entries may take; the oldest are forgotten beyond it, but never the last one.
        selection: the viewer's, or None: its own.

    Attributes:
        entries: those that can be undone, and behind `position` those that can be done again; oldest first.
        position: how many of them are done.
        forgotten: how many there were before the first, which can no longer be undone.
        selection: what is selected.
        recorder: as given; it may be set at any time.
        listeners: each is called with every edit that was applied, those that take something back among them.
    """

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
        self.gesture: Gesture | None = None
        self.listeners: list[Callable[[Edit], object]] = []
        self._memory_cap_bytes = memory_cap_bytes
        self._nbytes = 0
        self._saved_position: int | None = 0

    @property
    def nbytes(self) -> int:
        """Memory that the entries take."""
        return self._nbytes

    @property
    def last_done(self) -> Entry | None:
        """What `undo` would take back, or None: nothing. As long as it is the same one, nothing else is done."""
        return self.entries[self.position - 1] if self.position else None

    @property
    def undo_label(self) -> str | None:
        """What `undo` would take back, or None: nothing."""
        return None if self.last_done is None else self.last_done.label

    @property
    def redo_label(self) -> str | None:
        """What `redo` would do again, or None: nothing."""
        return self.entries[self.position].label if self.position < len(self.entries) else None

    @property
    def is_dirty(self) -> bool:
        """Whether the scene is another than when it was saved; what is selected does not count."""
        if self.gesture is not None and self.gesture.edit.changes:
            return True
        if self._saved_position is None:
            return True
        between = slice(*sorted((self._saved_position, self.position)))
        return any(entry.edit.changes for entry in self.entries[between])

    def mark_saved(self) -> None:
        """Say that the scene was saved as it is now."""
        self._saved_position = self.position

    def mark_unsaved(self) -> None:
        """Say that the scene was never saved as it is now, such as after changes were recovered."""
        self._saved_position = None

    def do(self, edit: Edit) -> None:
        """Apply an edit and remember it; one that changes and selects nothing is not remembered.

        A gesture that is under way is committed first.

        Raises:
            ValueError, IndexError: it cannot be done; nothing has changed. SaveError: it is done, and the journal
                could not be written.
        """
        self.commit()
        if edit.selects is not None:
            self.scene.checked_ids(edit.selects)
        self._apply(edit)
        self._remember(edit)

    def join(self, background: BackgroundEdit) -> Edit:
        """Apply an edit that was prepared on another thread, and remember it as `do` does.

        Raises:
            EditError: the scene was changed meanwhile; it stays as it is. SaveError: as `do`.
        """
        self.commit()
        edit = background.join()
        for listener in self.listeners:
            listener(edit)
        self._remember(edit, background.record)
        return edit

    def select(self, ids: ArrayLike, *, label: str | None = None) -> None:
        """Select nodes, as an entry that can be undone; IndexError: there was never such a node."""
        ids = self.scene.checked_ids(ids).astype(np.int32)
        if label is None:
            label = _selection_label(self.scene, ids)
        self.do(Edit(label, (), selects=ids))

    def undo(self) -> bool:
        """Take the last entry back; False: there is none. SaveError: as `do`."""
        self.commit()
        if self.position == 0:
            return False
        entry = self.entries[self.position - 1]
        back = inverse(entry.edit)
        edit = _with_all_below(self.scene, back)
        self._apply(edit)
        if edit is not back:  # done again, it brings all of them back
            again = replace(entry, edit=replace(entry.edit, changes=inverse(edit).changes))
            self._nbytes += again.nbytes - entry.nbytes
            self.entries[self.position - 1] = again
        self.position -= 1
        self._select_those_there(entry.selected_before)
        if self.recorder is not None:
            self.recorder.record_undo(entry.edit, None if edit is back else edit)
        return True

    def redo(self) -> bool:
        """Do what was undone last again; False: there is nothing. SaveError: as `do`."""
        self.commit()
        if self.position == len(self.entries):
            return False
        entry = self.entries[self.position]
        self._apply(entry.edit)
        self.position += 1
        self._select_those_there(entry.selected_after)
        if self.recorder is not None:
            self.recorder.record(entry.edit)
        return True

    def go_to(self, position: int) -> None:
        """Undo or redo until so many of the entries are done, a gesture that is under way among them."""
        self.commit()
        if not 0 <= position <= len(self.entries):
            raise ValueError(f"positions are 0 to {len(self.entries)}")
        while self.position > position:
            self.undo()
        while self.position < position:
            self.redo()

    def changes(self, ids: np.ndarray) -> np.ndarray:
        """(k,) bool: which of some nodes are changed by an entry, be it done or undone, or by the gesture under way."""
        ids = self.scene.checked_ids(ids)
        edits = [entry.edit for entry in self.entries]
        if self.gesture is not None:
            edits.append(self.gesture.edit)
        changed = np.zeros(self.scene.row_count, dtype=np.bool_)
        for edit in edits:
            for change in edit.changes:
                changed[change.ids] = True
                if change.column == "parent":  # what hangs others below it is needed by them
                    for parents in (change.before, change.after):
                        changed[parents[parents >= 0]] = True
        return changed[ids]

    def begin(self, label: str = "") -> Gesture:
        """Begin a gesture that changes the scene many times, such as a drag, and becomes one entry.

        One that is under way is committed first.
        """
        self.commit()
        self.gesture = Gesture(label, self._apply, self._end_gesture)
        return self.gesture

    def commit(self) -> None:
        """End the gesture that is under way, if there is one; what it did is one entry. SaveError: as `do`."""
        if self.gesture is not None:
            self.gesture.commit()

    def cancel(self) -> None:
        """End the gesture that is under way, if there is one, and take back what it did."""
        if self.gesture is not None:
            self.gesture.cancel()

    def clear(self) -> None:
        """Forget everything; the scene stays as it is, and counts as not saved if it was not."""
        self.commit()
        self._saved_position = None if self.is_dirty else 0
        self.forgotten += self.position
        self.entries.clear()
        self.position = self._nbytes = 0

    def _select_those_there(self, ids: np.ndarray) -> None:
        """Select what was selected, but for what reloading a file has deleted since."""
        is_there = self.scene.alive[ids]
        self.selection.ids = ids if is_there.all() else ids[is_there]

    def _apply(self, edit: Edit) -> None:
        apply(self.scene, edit)
        for listener in self.listeners:
            listener(edit)

    def _end_gesture(self, edit: Edit | None) -> None:
        self.gesture = None
        if edit is not None:
            self._remember(edit)

    def _remember(self, edit: Edit, prepared: PreparedRecord | None = None) -> None:
        before = self.selection.ids
        after = before if edit.selects is None else edit.selects
        after = after[self.scene.alive[after]]
        if not edit.changes and np.array_equal(before, after):
            return
        if self._saved_position is not None and self._saved_position > self.position:
            self._saved_position = None
        for entry in self.entries[self.position :]:
            self._nbytes -= entry.nbytes
        del self.entries[self.position :]
        self.selection.ids = after
        self.entries.append(Entry(edit, before, self.selection.ids))
        self._nbytes += self.entries[-1].nbytes
        self.position += 1
        self._forget_oldest()
        if self.recorder is not None:
            self.recorder.record(edit, prepared)

    def _forget_oldest(self) -> None:
        count = 0
        while self._nbytes > self._memory_cap_bytes and count < len(self.entries) - 1:
            self._nbytes -= self.entries[count].nbytes
            count += 1
        if count == 0:
            return
        if self._saved_position is not None and self._saved_position < count:
            changed = any(entry.edit.changes for entry in self.entries[self._saved_position : count])
            self._saved_position = None if changed else count
        del self.entries[:count]
        self.position -= count
        self.forgotten += count
        if self._saved_position is not None:
            self._saved_position -= count


def _with_all_below(scene: Scene, edit: Edit) -> Edit:
    """An edit that deletes, and with that all below: what no entry has added, such as a file's new objects, too.

    It is the very same edit where it deletes all of them.
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

"""Recorder: records the edits of a scene in its project's journal.

The journal has a line for each edit, undo and redo, in order: it is the scene's history.
"""

from __future__ import annotations

import weakref
from contextlib import suppress
from dataclasses import dataclass

from octoscope.scene.editing.edits import Edit, inverse
from octoscope.scene.project.journal import EDIT, REDO, UNDO, Journal, digest_of, line_of
from octoscope.scene.project.opening import LARGEST_BYTES
from octoscope.scene.project.recorded_state import RecordedState
from octoscope.scene.scene import Scene
from octoscope.scene.system.atomic_file import SaveError
from octoscope.scene.system.paths import stat_of
from octoscope.scene.system.report import Problem
from octoscope.scene.system.text_file import ReadError, printable, read_bytes

# Changes of these columns can be undone from the record of the edit alone. Others cannot: the material or mesh of an id
# may have been replaced, and measurements may be of nodes that the file lacks.
_TAKEN_BACK = {
    "alive",
    "translation",
    "rotation",
    "scale",
    "name",
    "parent",
    "hidden",
    "unselectable",
    "order",
    "file_root",
}

# An edit in the journal, and whether its record is that of its undo; None: nobody can undo it.
Step = tuple[weakref.ref[Edit], bool] | None


@dataclass(frozen=True)
class PreparedRecord:
    """The line of an edit that was made in a copy of the scene (Recorder.prepare)."""

    base: RecordedState  # the recorded state that it continues
    state: RecordedState  # the recorded state after it
    line: bytes  # bytes for the journal
    step: Step  # the entry of the recorder for it


class Recorder:
    """Records the edits of a scene that has a project file, after those that opening the project has replayed.

    While it is open no other program can record edits of the project or save it. Lines of the journal that were not
    replayed are kept in a copy of the journal, which the scene's report names.

    Args:
        described: the scene as its file describes it, with the same node ids; None: as it is now.
        is_of_autosave: the project is removed as soon as nothing is unsaved.

    Raises:
        ProjectHeldError: another program has the project open.
        SaveError: another program has changed the project since it was opened, or the journal cannot be written.
        ValueError: the scene was never saved.
    """

    def __init__(self, scene: Scene, *, described: Scene | None = None, is_of_autosave: bool = False) -> None:
        state = scene.project
        path, mark = state.saved_file()
        self.scene = scene
        # Until it is saved under a name; meanwhile an undo after which nothing is unsaved need not be recorded.
        self.is_of_autosave = is_of_autosave
        self._journal, found = Journal(path), state.found_journal
        try:
            content = self._journal.content(mark.digest)
            if is_changed(scene) or (content and content.digest) != (found and found.digest):
                what = "changed by another program since it was opened; open it again"
                raise SaveError(f"{printable(path)}: {what}")
            if found is not None and found.keep_aside:
                aside = self._journal.keep_aside()
                said = "the part that was not replayed", f"kept as {printable(aside.name)}"
                scene.report.problems.append(Problem(str(self._journal.path), None, "journal", *said))
            if found is None or found.sound_bytes == 0:
                self._journal.begin(mark.digest)
            else:
                self._journal.resume(found.sound_bytes, holds_unsaved=found.unsaved > 0)
        except BaseException:
            self._journal.close()
            raise
        self._state = RecordedState(described or scene)
        self._steps: list[Step] = [] if found is None else [(weakref.ref(edit), False) for edit in found.edits]
        self._position = 0 if found is None else found.unsaved  # the number of steps that are done
        state.found_journal = None

    @property
    def journal(self) -> Journal:
        """The journal."""
        return self._journal

    def record(self, edit: Edit, prepared: PreparedRecord | None = None) -> None:
        """Record an edit that was applied or redone, if it changes anything; when this returns, it is on disk.

        Raises:
            SaveError: it cannot be written; the next call tries again, this record first.
        """
        if not edit.changes:
            return
        if prepared is None or prepared.base is not self._state:
            self._write(edit, edit, takes_back=False)
            return
        self._state = prepared.state
        self.scene.project.file_ids = prepared.state.file_ids
        self._push(prepared.step)
        self._append(prepared.line)

    def record_undo(self, edit: Edit, applied: Edit | None = None) -> None:
        """Record, as `record` does, that an edit was undone, by the edit `applied`; None: by its inverse."""
        if edit.changes:
            self._write(edit, applied or inverse(edit), takes_back=True, is_inverse=applied is None)

    def record_difference(self) -> None:
        """Record, as `record` does, the changes since the last record that no edit made."""
        difference = self._state.follow(self.scene, Edit("", ()))
        if difference.changes:
            self._push(None)
            self._append(line_of(difference.record(self.scene, self._state, "")))

    def prepare(self, copy: Scene, edit: Edit) -> PreparedRecord:
        """Make the record of an edit that was applied to a copy of the scene, on any thread."""
        state = self._state.copy()
        difference = state.follow(copy, edit)
        step = (weakref.ref(edit), False) if difference.is_of_edit else None
        return PreparedRecord(self._state, state, line_of(difference.record(copy, state, edit.label)), step)

    def start_over(self, journal: Journal | None = None) -> None:
        """Start over after a save; under another name with that file's journal, and the old one is removed."""
        if journal is not None:
            self._journal.close(remove=True)
            self._journal, self.is_of_autosave = journal, False
        with suppress(SaveError):  # the next record tries again
            self._journal.begin(self.scene.project.saved_file()[1].digest)
        self._state = RecordedState(self.scene)
        self._steps.clear()
        self._position = 0

    def close(self, *, forget: bool = False) -> None:
        """Stop recording. A journal with unsaved edits stays for the next opening, unless `forget` is set."""
        self._journal.close(remove=forget)

    def _write(self, edit: Edit, applied: Edit, *, takes_back: bool, is_inverse: bool = True) -> None:
        kind = self._kind_of(edit, takes_back)
        difference = self._state.follow(self.scene, applied, is_step=kind != EDIT)
        if not difference.changes:
            return
        if not difference.is_of_edit:
            kind = EDIT
        if kind == EDIT:
            self._push((weakref.ref(edit), takes_back) if difference.is_of_edit else None)
        else:
            self._position += -1 if kind == UNDO else 1
        if kind != EDIT and is_inverse and all(name in _TAKEN_BACK for name, _, _ in difference.changes):
            self._append(line_of({"kind": kind}))
        else:
            self._append(line_of(difference.record(self.scene, self._state, edit.label) | {"kind": kind}))

    def _kind_of(self, edit: Edit, takes_back: bool) -> str:
        """Return UNDO or REDO if such a step does this, otherwise EDIT."""
        before = self._steps[self._position - 1] if self._position else None
        behind = self._steps[self._position] if self._position < len(self._steps) else None
        if before is not None and before[0]() is edit and before[1] != takes_back:
            return UNDO
        if behind is not None and behind[0]() is edit and behind[1] == takes_back:
            return REDO
        return EDIT

    def _push(self, step: Step) -> None:
        self._steps[self._position :] = [step]
        self._position += 1

    def _append(self, lines: bytes) -> None:
        self._journal.append(lines, holds_unsaved=self._position > 0)


def detach_project(scene: Scene) -> None:
    """Make a scene one that was never saved; what its file held is kept for the next save."""
    state = scene.project
    state.path = state.content = state.found_journal = None


def is_changed(scene: Scene) -> bool:
    """Return whether the project file has changed since it was opened or saved; a missing file has not."""
    path, mark = scene.project.saved_file()
    stat = stat_of(path)
    if stat is None or stat == mark.stat:
        return False
    try:
        return digest_of(read_bytes(path, largest_bytes=LARGEST_BYTES)) != mark.digest
    except ReadError:
        return True

"""Recorder: writes down what is done to a scene in its project's journal, which so is the scene's history.

The journal holds a line for each edit, in their order, and one for each step back and forth among them.
"""

from __future__ import annotations

import weakref
from contextlib import suppress
from dataclasses import dataclass

from scene.editing.edits import Edit, inverse
from scene.project.journal import EDIT, REDO, UNDO, Journal, digest_of, line_of
from scene.project.opening import LARGEST_BYTES, stat_of
from scene.project.recorded_state import RecordedState
from scene.scene import Scene
from scene.system.atomic_file import SaveError
from scene.system.report import Problem
from scene.system.text_file import ReadError, printable, read_bytes

# What an edit sets of these, taking it back by its record sets the other way round. Materials and meshes may become
# others under their ids, and there may be measurements of nodes that the file does not have.
_TAKEN_BACK = {"alive", "translation", "rotation", "scale", "name", "parent", "hidden", "unselectable"}

# An edit that the journal holds, and whether it holds what takes it back; None: nobody will ask for it again.
Step = tuple[weakref.ref[Edit], bool] | None


@dataclass(frozen=True)
class PreparedRecord:
    """The line for an edit that was made beside the scene (Recorder.prepare).

    Attributes:
        base: the state that it was made for. state: what is known with it.
        line: what the journal gets. step: what that is.
    """

    base: RecordedState
    state: RecordedState
    line: bytes
    step: Step


class Recorder:
    """Records what is done to a scene that has a project, behind what opening that has replayed.

    As long as it is open no other program can record edits of the project, nor save it. What stands in the journal
    and was not replayed is kept aside, which the scene's report says.

    Args:
        scene: the scene.
        described: the scene as its file describes it, with the same ids of nodes; None: as it is now.

    Raises:
        ProjectHeldError: another program has the project open.
        SaveError: the project was changed by another program since it was opened, or the journal cannot be written.
        ValueError: the scene was never saved.
    """

    def __init__(self, scene: Scene, *, described: Scene | None = None) -> None:
        state = scene.project
        path, mark = state.saved_file()
        self.scene = scene
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
                self._journal.go_on(found.sound_bytes, holds_unsaved=found.unsaved > 0)
        except BaseException:
            self._journal.close()
            raise
        self._state = RecordedState(described or scene)
        self._steps: list[Step] = [None] * (0 if found is None else found.unsaved)
        self._position = len(self._steps)  # so many of them are done
        state.found_journal = None

    @property
    def journal(self) -> Journal:
        """The journal that is written."""
        return self._journal

    def record(self, edit: Edit, prepared: PreparedRecord | None = None) -> None:
        """Write down an edit that was applied to the scene, or done again; when this returns, the disk has it.

        Args:
            edit: the edit; one that changes nothing is not written.
            prepared: what was made for it, or None.

        Raises:
            SaveError: it cannot be written; the next call tries again, with this one first.
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
        """Write down, as `record` does, that an edit was taken back.

        Args:
            edit: the edit.
            applied: what was applied for that, or None: the edit's inverse.
        """
        if edit.changes:
            self._write(edit, applied or inverse(edit), takes_back=True, is_inverse=applied is None)

    def record_difference(self) -> None:
        """Write down, as `record` does, what was set by no edit since the last record."""
        difference = self._state.follow(self.scene, Edit("", ()))
        if difference.changes:
            self._push(None)
            self._append(line_of(difference.record(self.scene, self._state, "")))

    def prepare(self, copy: Scene, edit: Edit) -> PreparedRecord:
        """Make the record of an edit that was applied to a copy of the scene; on any thread."""
        state = self._state.copy()
        difference = state.follow(copy, edit)
        step = (weakref.ref(edit), False) if difference.is_of_edit else None
        return PreparedRecord(self._state, state, line_of(difference.record(copy, state, edit.label)), step)

    def begin_anew(self, journal: Journal | None = None) -> None:
        """Go on behind a file that has just been saved, in its journal.

        Args:
            journal: of that file, if it is another; the one until now goes.
        """
        if journal is not None:
            self._journal.close(remove=True)
            self._journal = journal
        with suppress(SaveError):  # tried again by the next record
            self._journal.begin(self.scene.project.saved_file()[1].digest)
        self._state = RecordedState(self.scene)
        self._steps.clear()
        self._position = 0

    def close(self, *, forget: bool = False) -> None:
        """Stop recording. A journal with edits that were not saved stays for the next opening, unless `forget`."""
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
        """Return the kind of step that does an edit, or takes it back; EDIT: none does."""
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


def leave_project(scene: Scene) -> None:
    """Let a scene go on as one that was never saved; the next save gives back what the file held all the same."""
    state = scene.project
    state.path = state.content = state.found_journal = None


def is_changed(scene: Scene) -> bool:
    """Whether the scene's project file is not what it was when it was opened or saved; one that is gone is not."""
    path, mark = scene.project.saved_file()
    stat = stat_of(path)
    if stat is None or stat == mark.stat:
        return False
    try:
        return digest_of(read_bytes(path, largest_bytes=LARGEST_BYTES)) != mark.digest
    except ReadError:
        return True

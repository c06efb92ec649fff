"""Recording what is done to a scene in its project's journal."""

from __future__ import annotations

from contextlib import suppress

import numpy as np

from scene.editing.edits import Edit
from scene.file_state import JournalMark
from scene.project.journal import Journal, ProjectHeldError, digest_of, journal_path, line_of, read_journal
from scene.project.opening import LARGEST_BYTES, stat_of
from scene.project.records import REDO, UNDO, is_taken_back_by_name, written_edit, written_step
from scene.scene import Scene
from scene.system.atomic_file import SaveError
from scene.system.file_lock import is_locked
from scene.system.report import Problem
from scene.system.text_file import ReadError, printable, read_bytes


def start_journal(scene: Scene) -> None:
    """Begin to record gestures, behind those that opening the project has replayed.

    Until `close_journal` no other program can do the same, nor save to the project. What stands in the journal and
    was not replayed is kept aside, and said in the scene's report.

    Raises:
        ProjectHeldError: another program has the project open. SaveError: it was changed by another program since it
            was opened, or the journal cannot be written.
        ValueError: the scene was never saved.
    """
    state = scene.project
    if state.path is None or state.content is None:
        raise ValueError("a scene needs a project file before it has a journal")
    if state.journal is not None:
        return
    journal, found = Journal(state.path), state.found_journal
    try:
        content = journal.content(state.content.digest)
        if is_changed(scene) or (content and content.digest) != (found and found.digest):
            raise SaveError(f"{printable(state.path)}: changed by another program since it was opened; open it again")
        if found is not None and found.keep_aside:
            aside = journal.keep_aside()
            said = "the part that was not replayed", f"kept as {printable(aside.name)}"
            scene.report.problems.append(Problem(str(journal.path), None, "journal", *said))
        if found is None or found.sound_bytes == 0:
            journal.begin(state.content.digest)
        else:
            journal.go_on(found.sound_bytes, holds_unsaved=found.unsaved > 0)
    except BaseException:
        journal.close()
        raise
    state.journal, state.found_journal = journal, None


class PreparedRecord:
    """What a scene's journal is to get for an edit, made beside it; it counts as long as nothing else is recorded.

    Made before the copy of the scene that the edit is applied to.
    """

    def __init__(self, scene: Scene) -> None:
        state = scene.project
        self._scene = scene
        self._begin = state, state.places, state.journal
        self._gesture_count = 0 if state.journal is None else state.journal.gesture_count
        self.line: bytes | None = None
        self.places = state.places
        self.can_be_named = False

    def prepare(self, copy: Scene, edit: Edit) -> None:
        """Make it, of an edit that was applied to a copy (scene.snapshot); on any thread."""
        state, _, journal = self._begin
        if journal is not None and edit.changes:
            unknown = _unknown_nodes(copy)
            self.line = line_of(written_edit(edit, copy, state.path.parent))
            self.places = copy.project.places
            self.can_be_named = is_taken_back_by_name(edit, unknown, copy)

    @property
    def is_sound(self) -> bool:
        """Whether it was made, and the journal is as it was when it was begun."""
        state, (begun, places, journal) = self._scene.project, self._begin
        same = state is begun and state.places is places and state.journal is journal
        return self.line is not None and same and journal.gesture_count == self._gesture_count


def record_edit(
    scene: Scene,
    edit: Edit,
    *,
    may_be_undone: bool = False,
    prepared: PreparedRecord | None = None,
    is_as_saved: bool = False,
) -> None:
    """Write a gesture that was done down, if a journal was started; when this returns, the disk has it.

    Args:
        may_be_undone: its `before` is what the scene had, so that `record_undo` need only name it.
        prepared: for this edit, or None.
        is_as_saved: whether the scene is now as it was saved last: after a crash nothing is lost.

    Raises:
        SaveError: it cannot be written; the next call tries again, with this one first.
    """
    state = scene.project
    if state.journal is not None and edit.changes:
        if prepared is not None and prepared.is_sound:
            state.places, can_be_named, written = prepared.places, prepared.can_be_named, prepared.line
        else:
            unknown = _unknown_nodes(scene)
            written = written_edit(edit, scene, state.path.parent)
            can_be_named = is_taken_back_by_name(edit, unknown, scene)
        if may_be_undone and can_be_named and is_in_step(scene):
            state.journal.undoable[edit] = state.journal.gesture_count
        state.journal.record(written, as_saved_upon=state.content.digest if is_as_saved else None)
    elif state.unrecorded is not None and edit.changes:
        state.unrecorded.append(edit)


def record_undo(scene: Scene, done: Edit, edit: Edit, *, is_as_saved: bool = False) -> None:
    """Write down, as `record_edit`, that `edit` has taken back what `done` did, as exactly its inverse."""
    if not _record_step(scene, UNDO, done, is_as_saved):
        record_edit(scene, edit, is_as_saved=is_as_saved)


def record_redo(scene: Scene, edit: Edit, *, may_be_undone: bool = False, is_as_saved: bool = False) -> None:
    """Write down, as `record_edit`, that an edit that was taken back was done again."""
    if not _record_step(scene, REDO, edit, is_as_saved):
        record_edit(scene, edit, may_be_undone=may_be_undone, is_as_saved=is_as_saved)


def _record_step(scene: Scene, kind: str, edit: Edit, is_as_saved: bool) -> bool:
    """Write a step through the history down as the number of an edit's record; False: that would not say all."""
    journal = scene.project.journal
    number = None if journal is None else journal.undoable.get(edit)
    if number is None or not is_in_step(scene) or len(_unknown_nodes(scene)):
        return False
    as_saved_upon = scene.project.content.digest if is_as_saved else None
    journal.record(written_step(kind, journal.gesture_count - number), as_saved_upon=as_saved_upon)
    return True


def is_in_step(scene: Scene) -> bool:
    """Whether nothing of nodes was set but by edits that are in the project's file or journal, or will be."""
    return scene.write_count == scene.project.write_count


def keep_in_step(scene: Scene) -> None:
    """Say that all that was set so far is in the file or the journal, or will be; if there is no journal, it is not."""
    state = scene.project
    if state.journal is not None or state.unrecorded is not None:
        state.write_count = scene.write_count


def fall_out_of_step(scene: Scene) -> None:
    """Say that file and journal do not tell what the scene has, until the next save: all is written down in full."""
    scene.project.write_count = -1


def _unknown_nodes(scene: Scene) -> np.ndarray:
    """(k,) ids of the nodes that neither the file nor the journal has."""
    return np.flatnonzero(scene.alive & (scene.project.places.nodes(scene.row_count) < 0))


def close_journal(scene: Scene, *, forget: bool = False) -> None:
    """Stop recording. A journal with gestures that were not saved stays for the next opening, or is forgotten."""
    state = scene.project
    if state.journal is not None:
        state.journal.close(remove=forget)
        state.journal = None


def leave_project(scene: Scene) -> None:
    """Let a scene go on as one that was never saved; the next save gives back what the file held all the same."""
    close_journal(scene)
    state = scene.project
    state.path = state.content = state.found_journal = None


def take_journal(scene: Scene) -> bytes | None:
    """Stop recording, and take what stands in the journal away: `put_journal_back` has it again; None: it cannot."""
    journal = scene.project.journal
    content = None
    if journal is not None:
        with suppress(OSError):
            content = journal.path.read_bytes()
    close_journal(scene, forget=True)
    return content


def put_journal_back(scene: Scene, content: bytes) -> None:
    """Write a journal anew as it was taken away, and go on recording behind that.

    Raises:
        SaveError: as start_journal, after which the journal stands there all the same, if it can be written, and is
            no other program's.
    """
    state = scene.project
    path = journal_path(state.path)
    try:
        if path.exists() and is_locked(path):
            raise ProjectHeldError(state.path)
        path.write_bytes(content)
        found = read_journal(path, state.content.digest)
    except OSError as error:
        raise SaveError(f"{printable(path)}: cannot be written ({error.strerror}); save the scene") from None
    except ReadError as error:
        raise SaveError(str(error)) from None
    if found is not None:
        unsaved = found.unsaved(len(found.gestures))
        state.found_journal = JournalMark(found.digest, found.sound_bytes, bool(found.fault), unsaved)
    start_journal(scene)


def is_changed(scene: Scene) -> bool:
    """Whether the scene's project file is not what it was when it was opened or saved; one that is gone is not."""
    state = scene.project
    stat = stat_of(state.path)
    if stat is None or stat == state.content.stat:
        return False
    try:
        return digest_of(read_bytes(state.path, largest_bytes=LARGEST_BYTES)) != state.content.digest
    except ReadError:
        return True

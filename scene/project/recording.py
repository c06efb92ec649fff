"""Recording what is done to a scene in its project's journal."""

from __future__ import annotations

from scene.atomic_file import SaveError
from scene.edits import Edit
from scene.project.journal import Journal, digest_of
from scene.project.opening import LARGEST_BYTES, stat_of
from scene.project.records import written_edit
from scene.report import Problem
from scene.scene import Scene
from scene.text_file import ReadError, printable, read_bytes


def start_journal(scene: Scene) -> None:
    """Begin to record gestures, behind those that opening the project has replayed.

    Until `close_journal` no other program can do the same, nor save to the project. What stands in the journal and
    was not replayed is kept aside, and said in the scene's report.

    Raises:
        SaveError: another program has the project open or has changed it, or the journal cannot be written.
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
            said = "what of it was not replayed", f"kept as {printable(aside.name)}"
            scene.report.problems.append(Problem(str(journal.path), None, "journal", *said))
        if found is None or found.sound_bytes == 0:
            journal.begin(state.content.digest)
        else:
            journal.go_on(found.sound_bytes, is_empty=found.gestures == 0)
    except BaseException:
        journal.close()
        raise
    state.journal, state.found_journal = journal, None


def record_edit(scene: Scene, edit: Edit) -> None:
    """Write a gesture that was done down, if a journal was started; when this returns, the disk has it.

    Raises:
        SaveError: it cannot be written; the next call tries again, with this one first.
    """
    state = scene.project
    if state.journal is not None and edit.changes:
        state.journal.record(written_edit(edit, scene, state.path.parent))
    elif state.unrecorded is not None and edit.changes:
        state.unrecorded.append(edit)


def close_journal(scene: Scene, *, forget: bool = False) -> None:
    """Stop recording. A journal with gestures that were not saved stays for the next opening, or is forgotten."""
    state = scene.project
    if state.journal is not None:
        state.journal.close(remove=forget)
        state.journal = None


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

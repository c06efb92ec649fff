"""Save a project: its file is replaced as a whole, and its journal kept until it is no longer needed."""

from __future__ import annotations

import os
from contextlib import ExitStack, suppress
from pathlib import Path

from octoscope.guesses import advises
from octoscope.scene.file_ids import FileIds
from octoscope.scene.file_state import UNSAVED_CHANGES, FileMark
from octoscope.scene.project.journal import Journal, digester, journal_path
from octoscope.scene.project.opening import LARGEST_BYTES
from octoscope.scene.project.recorder import Recorder, is_changed
from octoscope.scene.project.writer import embedded_meshes, project_text, source_paths
from octoscope.scene.scene import Scene
from octoscope.scene.system.atomic_file import SaveError, WriteProgress, atomic_file
from octoscope.scene.system.paths import StrPath, realpath, stat_of
from octoscope.scene.system.report import Problem
from octoscope.scene.system.text_file import printable


@advises()
def save_project(
    scene: Scene,
    path: StrPath,
    *,
    recorder: Recorder | None = None,
    even_if_changed: bool = False,
    progress: WriteProgress | None = None,
) -> list[str]:
    """Write a scene to a project file, which is the scene's own from now on.

    Args:
        recorder: the scene's, if it has one; it goes on with the journal of that file.
        even_if_changed: overwrite what another program has written to the scene's project since it was opened.
        progress: called now and then; what it raises ends the writing, and nothing was changed.

    Returns:
        a line for each kind of thing that the file holds less of than there was, as the writers of other formats.

    Raises:
        SaveError: it cannot be written, or another program has it open or has changed it; nothing was changed.
    """
    if scene.read_only is not None:  # only a part of it is here
        raise SaveError(scene.read_only)
    state = scene.project
    try:
        target = Path(realpath(path))
    except ValueError as error:
        raise SaveError(f"{printable(path)}: cannot be saved ({error}); name another file") from None
    is_own, has_journal = state.path == target, os.path.lexists(journal_path(target))
    with ExitStack() as stack:
        if is_own and not even_if_changed:
            _require_unchanged(scene, path)
            if recorder is None and has_journal:
                recorder = Recorder(scene)  # the scene contains the steps of the journal
                stack.callback(recorder.close)
        if is_own and recorder is not None:
            notes = _write(scene, path, target, recorder.journal, progress, even_if_changed=even_if_changed)
            recorder.start_over()
            return notes
        if recorder is not None or has_journal:
            return _write_over(scene, path, target, recorder, progress, even_if_changed=even_if_changed or not is_own)
        return _write(scene, path, target, None, progress, even_if_changed=even_if_changed or not is_own)


def _require_unchanged(scene: Scene, path: StrPath) -> None:
    if is_changed(scene):
        raise SaveError(
            f"{printable(path)}: changed by another program since it was opened; "
            "save under another name, or open it again"
        )


def _write_over(
    scene: Scene,
    path: StrPath,
    target: Path,
    recorder: Recorder | None,
    progress: WriteProgress | None,
    *,
    even_if_changed: bool,
) -> list[str]:
    """Write where the scene's journal is not; keep aside what the journal of another scene holds there."""
    journal, aside = Journal(target), None
    try:
        content = journal.content("")
        if content is not None and content.fault:
            aside = journal.keep_aside()
        notes = _write(scene, path, target, None, progress, even_if_changed=even_if_changed)
    except BaseException:
        journal.close()
        if aside is not None:
            with suppress(OSError):
                aside.unlink()
        raise
    if aside is not None:
        said = "it held changes to the project that was saved over", f"kept as {printable(aside.name)}"
        scene.report.problems.append(Problem(str(journal.path), None, "journal", *said))
    if recorder is None:
        journal.close(remove=True)
    else:
        recorder.start_over(journal)
    return notes


def _write(
    scene: Scene,
    path: StrPath,
    target: Path,
    journal: Journal | None,
    progress: WriteProgress | None,
    *,
    even_if_changed: bool,
) -> list[str]:
    digest, size = digester(), 0
    notes: list[str] = []
    paths = source_paths(scene, target.parent)
    with atomic_file(path) as file:
        if not even_if_changed:  # checked again: another program may have saved meanwhile, but cannot from here on
            _require_unchanged(scene, path)
        for piece in project_text(scene, target.parent, notes, progress=progress):
            size += len(piece)
            if size > LARGEST_BYTES:
                raise SaveError(f"{printable(path)}: more than {LARGEST_BYTES:,} bytes; export it as OBJ or GLB")
            digest.update(piece)
            file.write(piece)
        if journal is not None:
            # If this fails and the program crashes before the journal is started over, the journal is kept aside.
            with suppress(SaveError):
                journal.mark_saved(digest.hexdigest())
    state = scene.project
    state.path = target
    state.content = FileMark(digest.hexdigest(), stat_of(target))
    state.found_journal = None
    problems = scene.report.problems
    problems[:] = [problem for problem in problems if problem.kind != UNSAVED_CHANGES]
    state.paths = dict(enumerate(paths))
    state.file_ids = FileIds.of(scene.ids, embedded_meshes(scene), len(scene.sources))
    return notes

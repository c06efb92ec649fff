"""Saving a project: the file whole or not at all, and its journal emptied at no moment when it is needed."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from scene.file_ids import Places
from scene.file_state import UNSAVED_CHANGES, FileMark
from scene.project.journal import Journal, digester, journal_path
from scene.project.opening import LARGEST_BYTES, stat_of
from scene.project.recording import close_journal, is_changed, start_journal
from scene.project.writer import embedded_meshes, project_text, source_paths
from scene.scene import Scene
from scene.system.atomic_file import SaveError, WriteProgress, atomic_file
from scene.system.paths import realpath
from scene.system.report import Problem
from scene.system.text_file import printable


def save_project(
    scene: Scene, path: str | Path, *, even_if_changed: bool = False, progress: WriteProgress | None = None
) -> None:
    """Write a scene to a project file, which from now on is the scene's; a journal that was started goes on there.

    Args:
        even_if_changed: overwrite what another program has written to the scene's project since it was opened.
        progress: called now and then; what it raises ends the writing, and nothing was changed.

    Raises:
        SaveError: it cannot be written, or another program has it open or has changed it; nothing was changed.
    """
    state = scene.project
    try:
        target = Path(realpath(path))
    except ValueError as error:
        raise SaveError(f"{printable(path)}: cannot be saved ({error}); name another file") from None
    is_own, keeps_journal = state.path == target, state.journal is not None
    if is_own and not even_if_changed:
        _require_unchanged(scene, path)
        if not keeps_journal and os.path.lexists(journal_path(target)):
            start_journal(scene)  # what it holds is in the scene
    if is_own and state.journal is not None:
        digest = _write(scene, path, target, state.journal, progress, even_if_changed=even_if_changed)
        with suppress(SaveError):  # tried again by the next gesture
            state.journal.begin(digest)
        if not keeps_journal:
            close_journal(scene)
    elif keeps_journal or os.path.lexists(journal_path(target)):
        _write_over(scene, path, target, progress, even_if_changed=even_if_changed or not is_own)
    else:
        _write(scene, path, target, None, progress, even_if_changed=even_if_changed or not is_own)


def _require_unchanged(scene: Scene, path: str | Path) -> None:
    if is_changed(scene):
        raise SaveError(
            f"{printable(path)}: changed by another program since it was opened; "
            "save under another name, or open it again"
        )


def _write_over(
    scene: Scene, path: str | Path, target: Path, progress: WriteProgress | None, *, even_if_changed: bool
) -> None:
    """Write where the scene's journal is not; gestures that another scene left there are kept aside."""
    state = scene.project
    journal, aside = Journal(target), None
    try:
        content = journal.content("")
        if content is not None and content.fault:
            aside = journal.keep_aside()
        digest = _write(scene, path, target, None, progress, even_if_changed=even_if_changed)
    except BaseException:
        journal.close()
        if aside is not None:
            with suppress(OSError):
                aside.unlink()
        raise
    if aside is not None:
        said = "it held changes to the project that was saved over", f"kept as {printable(aside.name)}"
        scene.report.problems.append(Problem(str(journal.path), None, "journal", *said))
    with suppress(SaveError):
        journal.begin(digest)
    if state.journal is None:
        journal.close(remove=True)
    else:
        state.journal.close(remove=True)
        state.journal = journal


def _write(
    scene: Scene,
    path: str | Path,
    target: Path,
    journal: Journal | None,
    progress: WriteProgress | None,
    *,
    even_if_changed: bool,
) -> str:
    """Write the file and note that it is the scene's; returns its digest."""
    digest, size = digester(), 0
    paths = source_paths(scene, target.parent)
    with atomic_file(path) as file:
        if not even_if_changed:  # another program may have saved since this was asked, but not from here on
            _require_unchanged(scene, path)
        for piece in project_text(scene, target.parent, progress=progress):
            size += len(piece)
            if size > LARGEST_BYTES:
                raise SaveError(f"{printable(path)}: more than {LARGEST_BYTES:,} bytes; save a part of the scene")
            digest.update(piece)
            file.write(piece)
        if journal is not None:
            # Without it, a crash before the journal begins anew leaves one that nobody knows: kept, not replayed.
            with suppress(SaveError):
                journal.mark_saved(digest.hexdigest())
    state = scene.project
    state.path = target
    state.content = FileMark(digest.hexdigest(), stat_of(target))
    state.found_journal = None
    problems = scene.report.problems
    problems[:] = [problem for problem in problems if (problem.what, problem.done) != UNSAVED_CHANGES]
    state.write_count = scene.write_count
    state.paths = dict(enumerate(paths))
    state.places = Places.of(scene.ids, embedded_meshes(scene), len(scene.sources))
    return digest.hexdigest()

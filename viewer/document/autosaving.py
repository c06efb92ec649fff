"""Autosaver: keeps the journal, and autosaves of scenes that were never saved, so that a crash loses nothing.

An autosave is a project and its journal in a folder of the program's own data. The program that writes it holds a lock
on the journal; an autosave that is not locked belongs to a program that was killed, and so do changes in the journal of
any project.
"""

from __future__ import annotations

import itertools
import math
import os
import re
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from octoscope.scene import SaveError, Scene, save_project
from octoscope.scene.project.journal import ProjectHeldError, digest_of, journal_path, read_journal
from octoscope.scene.project.recorder import Recorder, detach_project
from octoscope.scene.project.writer import first_file
from octoscope.scene.system.file_lock import is_locked
from octoscope.scene.system.paths import realpath
from octoscope.scene.system.text_file import ReadError, printable, reason_of
from octoscope.viewer.editing.editor import JOURNAL, Editor
from octoscope.viewer.editing.jobs import JobKind
from octoscope.viewer.editing.writing import Fraction, write_snapshot

_RETRY_SECONDS = 60.0  # until an autosave that failed is tried again
_AUTOSAVE = "autosave"  # subject of its messages
_ENDING = ".octo.json"
_LONGEST_NAME = 60
_NUMBERS = itertools.count(1)  # of this program's autosaves, of which two may begin in one second


class Autosaver:
    """Writes a journal of all edits; a scene without a project is first saved as an autosave.

    A project that is open in another window keeps that window's journal. Here it becomes a copy without a project, with
    all edits of the other window so far.
    """

    def __init__(self, editor: Editor, folder: Path | None) -> None:
        self._editor = editor
        self._scene = editor.scene
        self._folder = folder
        self.copy_of: Path | None = None  # the project that another window has open, or None
        self._autosave: Path | None = None  # path of the autosave, even before it is written
        self._next_try = -math.inf
        self._ended = False

    def is_autosave(self, path: Path) -> bool:
        """Return whether a path is that of an autosave, and not of a project that the user has saved."""
        return self._folder is not None and path.parent == Path(realpath(self._folder))

    @property
    def chosen_path(self) -> Path | None:
        """The path of the project, or None if the user never saved the scene."""
        path = self._scene.project.path
        return None if path is None or self.is_autosave(path) else path

    def start_recording(self, described: Scene | None = None) -> None:
        """Start the journal, unless it is written already; `described` as for a Recorder."""
        if self._editor.history.recorder is not None:
            return
        try:
            path = self._scene.project.path
            is_of_autosave = path is not None and self.is_autosave(path)
            self._editor.history.recorder = Recorder(self._scene, described=described, is_of_autosave=is_of_autosave)
        except ProjectHeldError:
            path = self.copy_of = self._scene.project.path
            assert path is not None  # else nobody could have it open
            detach_project(self._scene)
            reason = (
                "open in another Octoscope; this is a copy, with all changes so far, to be saved under another name"
            )
            self._editor.log.say("warning", f"{printable(path.name)}: {reason}")
        except SaveError as error:
            self._editor.log.say("warning", str(error), JOURNAL)

    def autosave(self, title: str) -> None:
        """Save the scene, once a frame, as an autosave if it has edits and no project; after a failure again later."""
        history = self._editor.history
        is_writing = self._editor.jobs.is_busy(JobKind.WRITE)
        if self._folder is None or self._ended or is_writing or history.transaction is not None:
            return
        path = self._scene.project.path
        if path is not None and self.is_autosave(path) and not history.is_dirty:
            self._forget_copy(path)  # everything was undone
        if path is not None or not history.is_dirty or time.monotonic() < self._next_try:
            return
        self._next_try = time.monotonic() + _RETRY_SECONDS
        try:
            path = self._autosave = self._autosave or new_autosave(self._folder, title)
        except OSError as error:
            reason = f"no autosave can be written there ({reason_of(error)}); save the scene"
            self._editor.log.report(_AUTOSAVE, [("warning", f"{printable(self._folder)}: {reason}")])
            return

        def write(scene: Scene, advance: Fraction) -> Scene:
            save_project(scene, path, progress=advance)
            return scene

        write_snapshot(self._editor, "saving an autosave", write, self._go_on_with_copy, subject=_AUTOSAVE)

    def _go_on_with_copy(self, copy: Scene) -> None:
        """Make the autosave the scene's project, and write to its journal what was edited while it was saved."""
        copy.project.unresolved_meshes = self._scene.project.unresolved_meshes  # also of nodes that were added since
        self._scene.project = copy.project
        self.start_recording(copy)
        try:
            if self._editor.history.recorder is not None:
                self._editor.history.recorder.record_difference()
        except SaveError as error:
            self._editor.log.say("warning", str(error), JOURNAL)

    def _forget_copy(self, path: Path) -> None:
        """Remove the autosave of a scene whose edits were all undone; the next edit saves another."""
        self._stop(forget=True)
        remove_autosave(path)
        detach_project(self._scene)
        self._next_try = -math.inf

    def _stop(self, *, forget: bool) -> None:
        recorder, self._editor.history.recorder = self._editor.history.recorder, None
        if recorder is not None:
            recorder.close(forget=forget)

    def end(self, *, forget: bool) -> None:
        """Stop writing; `forget` removes journal and autosave, otherwise they can be recovered."""
        path = self._scene.project.path
        self._ended = True
        self._stop(forget=forget)
        if forget and path is not None and self.is_autosave(path):
            remove_autosave(path)


@dataclass(frozen=True)
class LostScene:
    """A scene with changes that a killed program has not saved."""

    path: Path
    name: str
    at: float  # time of the last change, seconds since 1970
    is_autosave: bool  # else it is a project of the user's
    file: Path | None  # the project, or the first file of a scene that has none


def new_autosave(folder: Path, name: str) -> Path:
    """Return a free path for the autosave of a scene, and make the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    stem = re.sub(r"[^\w. -]+", "-", name)[:_LONGEST_NAME].strip(" .-") or "scene"
    return folder / f"{stem} {time.strftime('%Y%m%d-%H%M%S')}-{os.getpid()}-{next(_NUMBERS)}{_ENDING}"


def autosave_name(path: Path) -> str:
    """Return the name of the scene in an autosave."""
    return path.name.removesuffix(_ENDING).rpartition(" ")[0] or path.name


def find_lost(folder: Path, projects: Sequence[Path] = ()) -> list[LostScene]:
    """Return the autosaves of a folder, and projects with changes, that a killed program has left; the newest first."""
    found = []
    for path in (*_autosaves_in(folder), *filter(_has_unsaved_changes, projects)):
        if not _is_free(journal_path(path)):
            continue
        times = []
        for each in (path, journal_path(path)):
            with suppress(OSError):
                times.append(each.stat().st_mtime)
        if times:  # else another program has just removed it, or it is a link to nothing
            is_autosave = path.parent == folder
            name = autosave_name(path) if is_autosave else printable(path.name)
            file = first_file(path) if is_autosave else path
            found.append(LostScene(path, name, max(times), is_autosave, file))
    return sorted(found, key=lambda lost: -lost.at)


def may_have_lost(folder: Path, projects: Sequence[Path] = ()) -> bool:
    """Return False where `find_lost` finds nothing, without reading any journal."""
    return any(_is_free(journal_path(path)) for path in _autosaves_in(folder)) or any(map(_has_free_journal, projects))


def _autosaves_in(folder: Path) -> list[Path]:
    try:
        return list(folder.glob(f"*{_ENDING}"))
    except OSError:
        return []


def _has_free_journal(project: Path) -> bool:
    return journal_path(project).exists() and _is_free(journal_path(project))


def _has_unsaved_changes(project: Path) -> bool:
    """Return whether the journal of a project has steps that are not in its file."""
    try:
        if not _has_free_journal(project):
            return False
        content = read_journal(journal_path(project), digest_of(project.read_bytes()))
    except (OSError, ReadError):
        return False
    return content is not None and bool(content.steps)


def remove_autosave(path: Path) -> None:
    """Remove an autosave and its journal."""
    for each in (path, journal_path(path)):
        with suppress(OSError):
            each.unlink()


def _is_free(journal: Path) -> bool:
    try:
        return not is_locked(journal)
    except FileNotFoundError:
        return True
    except OSError:
        return False

"""Keeper: sees to it that nothing that was done is lost, whatever becomes of the program."""

from __future__ import annotations

import math
import time
from pathlib import Path

from scene import SaveError, Scene, save_project
from scene.project.journal import ProjectHeldError
from scene.project.recorder import Recorder, leave_project
from scene.system.paths import realpath
from scene.system.text_file import printable
from viewer.document.autosave_files import new_autosave, remove_autosave
from viewer.editing.editor import JOURNAL, Editor
from viewer.editing.jobs import Lane
from viewer.editing.writing import Fraction, write_snapshot

_RETRY_SECONDS = 60.0  # until an autosave that failed is tried again
_AUTOSAVE = "autosave"  # subject of what is said of it


class Keeper:
    """Keeps a journal of what is done to a scene that has a project; one that has none gets an autosave.

    A project that another window has open keeps that one's journal. The scene, with what was done there so far,
    goes on as a copy that was never saved.

    Args:
        folder: of autosaves, or None: there are none.

    Attributes:
        copy_of: the project that another window has, or None.
    """

    def __init__(self, editor: Editor, folder: Path | None) -> None:
        self._editor = editor
        self._scene = editor.scene
        self._folder = folder
        self.copy_of: Path | None = None
        self._autosave: Path | None = None  # where it is, or is to be
        self._next_try = -math.inf
        self._ended = False

    def is_autosave(self, path: Path) -> bool:
        """Whether a project is an autosave, which is no place that a person has chosen."""
        return self._folder is not None and path.parent == Path(realpath(self._folder))

    @property
    def chosen_path(self) -> Path | None:
        """The scene's project, if it was ever saved."""
        path = self._scene.project.path
        return None if path is None or self.is_autosave(path) else path

    def start_recording(self, described: Scene | None = None) -> None:
        """Begin to write down what is done, if that is not so yet; `described`: as for a Recorder."""
        if self._editor.history.recorder is not None:
            return
        try:
            self._editor.history.recorder = Recorder(self._scene, described=described)
        except ProjectHeldError:
            path = self.copy_of = self._scene.project.path
            leave_project(self._scene)
            reason = "open in another Octoscope; this is a copy, to be saved under another name"
            self._editor.log.say("warning", f"{printable(path.name)}: {reason}")
        except SaveError as error:
            self._editor.log.say("warning", str(error), JOURNAL)

    def autosave(self, title: str) -> None:
        """A scene that was never saved becomes an autosave with its first edit; to be called now and then.

        Where that fails, such as on a full disk, it is tried again later.
        """
        history = self._editor.history
        is_writing = self._editor.jobs.is_busy(Lane.WRITE)
        if self._folder is None or self._ended or is_writing or history.gesture is not None:
            return
        path = self._scene.project.path
        if path is not None and self.is_autosave(path) and not history.is_dirty:
            self._forget_copy(path)  # all was taken back
        if path is not None or not history.is_dirty or time.monotonic() < self._next_try:
            return
        self._next_try = time.monotonic() + _RETRY_SECONDS
        try:
            path = self._autosave = self._autosave or new_autosave(self._folder, title)
        except OSError as error:
            reason = f"no autosave there ({error.strerror}); save the scene"
            self._editor.log.tell(_AUTOSAVE, [("warning", f"{printable(self._folder)}: {reason}")])
            return

        def write(scene: Scene, advance: Fraction) -> Scene:
            save_project(scene, path, progress=advance)
            return scene

        write_snapshot(self._editor, "keeping a copy", write, self._go_on_with_copy, subject=_AUTOSAVE)

    def _go_on_with_copy(self, copy: Scene) -> None:
        """The scene as it was is an autosave; what was done since goes to that one's journal."""
        copy.project.unresolved_meshes = self._scene.project.unresolved_meshes  # of nodes that came since, too
        self._scene.project = copy.project
        self.start_recording(copy)
        try:
            if self._editor.history.recorder is not None:
                self._editor.history.recorder.record_difference()
        except SaveError as error:
            self._editor.log.say("warning", str(error), JOURNAL)

    def _forget_copy(self, path: Path) -> None:
        """Let the scene be one that was never saved; the next edit makes another copy."""
        self._stop(forget=True)
        remove_autosave(path)
        leave_project(self._scene)
        self._next_try = -math.inf

    def _stop(self, *, forget: bool) -> None:
        recorder, self._editor.history.recorder = self._editor.history.recorder, None
        if recorder is not None:
            recorder.close(forget=forget)

    def end(self, *, forget: bool) -> None:
        """Write no more down; what was is forgotten, or stays to be recovered."""
        path = self._scene.project.path
        self._ended = True
        self._stop(forget=forget)
        if forget and path is not None and self.is_autosave(path):
            remove_autosave(path)

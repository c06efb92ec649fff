"""SourceIntegrator: adds files that were read in the background to the scene, and reports their problems."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

import numpy as np

from octoscope.viewer.document.import_report import Message, messages_of, news_of
from octoscope.viewer.document.source_files import SourceFiles
from octoscope.viewer.editing.log import OF_FILES, Log
from octoscope.viewer.frame.redraw import Damage
from octoscope.viewer.frame.view import View

_READING_SHARE = 4.0  # between two pictures, reading gets this times the time of a picture


class SourceIntegrator:
    """Adds files to the scene of a window, and shows and reports what came of them."""

    def __init__(self, view: View, files: SourceFiles, log: Log, *, message_keys: Callable[[], str]) -> None:
        self._view = view
        self._files = files
        self._log = log
        self._message_keys = message_keys
        self.messages: list[Message] = []  # problems of opened files, as from `messages_of`
        self._not_drawn: Sequence[str] = ()
        self.problem_count = 0  # one message may stand for many
        self._reported_count = 0  # problems in the scene's report when the messages were made
        self._broken_ids = view.index.broken_ids()  # at that time
        # Then new files are framed.
        self._camera_untouched = view.scene.project.camera is None or len(view.scene) == 0
        self._has_more = self._has_added = False  # since the last picture
        self._next_picture = 0.0

    def note_camera_moved(self) -> None:
        """Note that the user has moved the camera: new files are not framed any more, unless the scene is empty."""
        self._camera_untouched &= len(self._view.scene) == 0

    def note_picture(self, seconds: float, not_drawn: Sequence[str]) -> None:
        """Note how long the last picture took, and what it leaves out (Renderer.messages)."""
        self._not_drawn = not_drawn
        self._next_picture = time.perf_counter() + _READING_SHARE * seconds
        # Edits bring objects out of range, and back.
        has_moved = not np.array_equal(self._broken_ids, self._view.index.broken_ids())
        if has_moved or not {message.text for message in self.messages}.issuperset(not_drawn):
            self.tell()

    def poll(self) -> None:
        """Add files that were read since, or read again, and request a picture of them."""
        notes = dict(self._files.notes)
        added, reloaded = self._files.add(), self._files.reload()
        self._has_more |= added or reloaded
        self._has_added |= added
        if self._has_more and (not self._files.reading or time.perf_counter() >= self._next_picture):
            self._show()
        # Saving the scene removes some of the problems.
        has_problems = len(self._view.scene.report.problems) != self._reported_count
        has_news = added or reloaded or self._files.notes != notes or has_problems
        if has_news:
            self.tell()
            self._view.redraw.request(Damage.PANELS)

    def _show(self) -> None:
        """Request a picture of all that was added, and frame it if the user has not moved the camera."""
        self._view.redraw.request(Damage.SCENE)
        if self._has_added and self._camera_untouched:
            self._view.update()
            self._view.framing.frame_nodes(None, every=True)
        self._has_more = self._has_added = False

    def tell(self) -> None:
        """List the problems of opened files, and show messages about new ones; outdated messages disappear."""
        self._reported_count = len(self._view.scene.report.problems)
        self._broken_ids = self._view.index.broken_ids()
        self.messages = messages_of(self._view.scene, self._view.index, not_drawn=self._not_drawn)
        self.problem_count = sum(each.count for each in self.messages)
        for subject, note in self._files.notes.items():
            self._log.report(subject, [note])
        if not self._files.reading:  # else each of many files would show its own message
            self._log.report(OF_FILES, news_of(self.messages, self._message_keys()))

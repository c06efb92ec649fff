"""Loading: files that were read beside the window join what it shows, and what came of them is told."""

from __future__ import annotations

import time
from collections.abc import Callable

from viewer.document.import_report import Message, messages_of, news_of
from viewer.document.source_files import OpenFiles
from viewer.editing.log import Log
from viewer.frame.view import View
from viewer.rendering.renderer import Renderer

_READING_SHARE = 4.0  # times as long as a picture takes, reading has the machine to itself between two of them


class Loading:
    """Lets a window's files into its scene.

    Args:
        renderer: has the scene's meshes brought to the card. message_keys: those that show the list of messages.

    Attributes:
        messages: what opening files brought, as messages_of has it.
    """

    def __init__(
        self,
        view: View,
        files: OpenFiles,
        renderer: Renderer,
        log: Log,
        *,
        picture_size: Callable[[], tuple[float, float]],
        message_keys: Callable[[], str],
    ) -> None:
        self._view = view
        self._files = files
        self._log = log
        self._picture_size = picture_size
        self._renderer = renderer
        self._message_keys = message_keys
        self.messages: list[Message] = []
        self._problem_count = 0  # that they were made of
        self._camera_untouched = True  # what is added is then brought in the picture
        self._picture_behind = False  # of what was read; redrawn now and then while reading goes on
        self._next_picture = 0.0

    @property
    def wants_picture(self) -> bool:
        """Whether the picture is behind what was read, and it is time for the next."""
        return self._picture_behind and (not self._files.reading or time.perf_counter() >= self._next_picture)

    def note_camera_moved(self) -> None:
        """A person has chosen where to look from, if there was anything to look at."""
        self._camera_untouched &= len(self._view.scene) == 0

    def note_picture(self, seconds: float) -> None:
        """A picture was drawn, which took so long."""
        self._picture_behind = False
        self._next_picture = time.perf_counter() + _READING_SHARE * seconds
        if not {message.text for message in self.messages}.issuperset(self._renderer.messages):
            self.tell()

    def upload_more(self) -> bool:
        """Bring more of the meshes to the card that the last picture had no time for; whether that were the last."""
        if not self._renderer.is_behind:
            return False
        self._renderer.upload_more()
        return not self._renderer.is_behind

    def turn(self) -> bool:
        """Add the files that were read since, and those that changed; whether there is something to show of it."""
        notes = dict(self._files.notes)
        added, reloaded = self._files.add(), self._files.reload()
        if added or reloaded:
            self._picture_behind = True
            self._view.update()
            if added and self._camera_untouched:
                self._view.frame_box_of(None, self._picture_size(), every=True)
        # Saving the scene takes some of them away.
        has_problems = len(self._view.scene.report.problems) != self._problem_count
        has_news = added or reloaded or self._files.notes != notes or has_problems
        if has_news:
            self.tell()
        return has_news

    def tell(self) -> None:
        """List what opening files brought, and say what is new of it; what is so no longer is not left to be read."""
        self._problem_count = len(self._view.scene.report.problems)
        self.messages = messages_of(self._view.scene, self._view.index, not_drawn=self._renderer.messages)
        for subject, note in self._files.notes.items():
            self._log.tell(subject, [note])
        if not self._files.reading:  # of many files the first would each be told, and then counted again and again
            self._log.tell("files", news_of(self.messages, self._message_keys()))

"""Patience: how long a window may sleep until an event comes, so that one in which nothing happens costs nothing."""

from __future__ import annotations

import math
import time

from viewer.app.waiting import Waiting
from viewer.editing.editor import Editor
from viewer.tools.hover import Hover

_BUSY_SECONDS = 0.004  # between two looks at what goes on beside the window
_LONGEST_SECONDS = 0.5  # what counts by the clock, such as a toast, is that late at most
_REST_SECONDS = 0.45  # that the mouse has rested when Dear ImGui shows a tooltip


class Patience:
    """Of one window.

    Attributes:
        longest_seconds: that it sleeps, whatever does not happen.
    """

    def __init__(self, waiting: Waiting, editor: Editor, hover: Hover) -> None:
        self._waiting = waiting
        self._editor = editor
        self._hover = hover
        self.longest_seconds = _LONGEST_SECONDS
        self._rests_at = math.inf  # when the mouse will have rested for a tooltip

    @property
    def is_busy(self) -> bool:
        """Whether something goes on that the window must look at now and then."""
        return self._waiting.is_busy or self._editor.is_going or self._hover.is_due

    @property
    def seconds(self) -> float:
        """How long there will be nothing to do, if nothing happens and all that there is to show is shown."""
        if self.is_busy:
            return min(_BUSY_SECONDS, self.longest_seconds)
        return max(0.0, min(self.longest_seconds, self._rests_at - time.perf_counter()))

    def look(self, any_event: bool) -> bool:
        """Take note of a turn; whether panels are to be drawn, for something happened, or a tooltip may be due."""
        now = time.perf_counter()
        is_due = now >= self._rests_at
        if any_event or is_due:
            self._rests_at = now + _REST_SECONDS if any_event else math.inf
        return any_event or is_due

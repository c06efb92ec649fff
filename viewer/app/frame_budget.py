"""FrameBudget: long work of a window is shared out over turns, so that it looks at the person in between."""

from __future__ import annotations

import time
from enum import IntEnum

from viewer.frame.view import View

_LONG_SECONDS = 0.03


class FrameStage(IntEnum):
    """What can wait for the next turn, in the order in which it is done."""

    UPDATE, INDEX, PANELS, PICTURE = range(1, 5)


class FrameBudget:
    """Tells whether a turn has time left for its next stage; none is put off twice, whatever is done meanwhile."""

    def __init__(self) -> None:
        self._begin = 0.0
        self._reached = 0

    def begin(self) -> None:
        """A turn begins."""
        self._begin = time.perf_counter()

    def puts_off(self, stage: FrameStage) -> bool:
        """Whether the turn has lasted long, and a stage and those behind it come with the next."""
        if stage <= self._reached or time.perf_counter() - self._begin < _LONG_SECONDS:
            return False
        self._reached = stage
        return True

    def update(self, view: View) -> bool:
        """Before panels and picture look at a scene: what follows from what was done; whether it is their turn."""
        if self.puts_off(FrameStage.UPDATE):
            return False
        view.update_world()
        if self.puts_off(FrameStage.INDEX):
            return False
        view.update_index()
        return not self.puts_off(FrameStage.PANELS)

    def end(self) -> None:
        """All stages are done."""
        self._reached = 0

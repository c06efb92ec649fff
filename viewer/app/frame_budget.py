"""FrameBudget: postpones stages of a long frame to the next one, so that events are handled in between."""

from __future__ import annotations

import time
from enum import IntEnum

from octoscope.viewer.frame.view import View

_LONG_SECONDS = 0.03


class FrameStage(IntEnum):
    """A stage that can be postponed, in their order."""

    UPDATE, INDEX, PANELS, PICTURE = range(1, 5)


class FrameBudget:
    """Says whether a frame has time left for its next stage; no stage is postponed twice."""

    def __init__(self) -> None:
        self._begin = 0.0
        self._reached = 0

    def begin(self) -> None:
        """Start the clock of a frame."""
        self._begin = time.perf_counter()

    @property
    def milliseconds(self) -> float:
        """The time since the frame began."""
        return 1e3 * (time.perf_counter() - self._begin)

    def puts_off(self, stage: FrameStage) -> bool:
        """Return whether the frame has lasted so long that this stage and all later ones wait for the next."""
        if stage <= self._reached or self.milliseconds < 1e3 * _LONG_SECONDS:
            return False
        self._reached = stage
        return True

    def update(self, view: View) -> bool:
        """Update world matrices and octree before panels and picture, and return whether it is time for these."""
        if self.puts_off(FrameStage.UPDATE):
            return False
        view.update_world()
        if self.puts_off(FrameStage.INDEX):
            return False
        view.update_index()
        return not self.puts_off(FrameStage.PANELS)

    def end(self) -> None:
        """Note that all stages are done."""
        self._reached = 0

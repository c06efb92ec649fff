"""HoverPicker: picks what a click would select while the mouse moves, without making frames slower."""

from __future__ import annotations

import time

from octoscope.viewer.frame.view import View
from octoscope.viewer.frame.viewports import PointerLocation

_BUDGET_SECONDS = 1.0 / 60.0
_REST = 20.0  # a pick over the budget is followed by a rest of 20 times its time, so that picks take a twentieth of all
_LONGEST_REST_SECONDS = 2.0  # the very first pick takes long because it is compiled


class HoverPicker:
    """Keeps View.hovered up to date."""

    def __init__(self, view: View) -> None:
        self._view = view
        self._enabled = True
        self._location: PointerLocation | None = None
        self._stale = False
        self._next_pick = 0.0

    def move(self, location: PointerLocation | None) -> None:
        """Take note of the mouse's location; None: it is not over the scene, or used for something else."""
        self._location = location
        self._stale = True

    def refresh(self) -> None:
        """Take note that another picture is under the mouse."""
        self._stale = True

    @property
    def is_due(self) -> bool:
        """True while `update` has yet to pick."""
        return self._stale

    @property
    def enabled(self) -> bool:
        """False leaves nothing hovered."""
        return self._enabled

    @enabled.setter
    def enabled(self, enabled: bool) -> None:
        self._enabled = enabled
        self.refresh()

    def update(self) -> None:
        """Pick once, if that is due and the rest after a slow pick is over."""
        wanted = self._location if self.enabled else None
        if not self._stale or (wanted is not None and time.perf_counter() < self._next_pick):
            return
        self._stale = False
        hovered = None
        if wanted is not None:
            begin = time.perf_counter()
            hit = self._view.locate(wanted.pixel).pick()  # there may be another viewport by now
            end = time.perf_counter()
            if end - begin > _BUDGET_SECONDS:
                self._next_pick = end + min(_REST * (end - begin), _LONGEST_REST_SECONDS)
            hovered = None if hit is None else hit.node.id
        self._view.hovered = hovered

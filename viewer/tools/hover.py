"""HoverPicker: what a click would select, found while the mouse moves, and never slower than a frame."""

from __future__ import annotations

import time

from viewer.frame.view import View
from viewer.frame.viewports import PointerLocation

_BUDGET_SECONDS = 1.0 / 60.0
_REST = 20.0  # times as long as a pick that was too slow took: then it costs a twentieth of the time
_LONGEST_REST_SECONDS = 2.0  # one that took for ever was the first, which is compiled


class HoverPicker:
    """Keeps View.hovered up to date."""

    def __init__(self, view: View) -> None:
        self._view = view
        self._enabled = True
        self._location: PointerLocation | None = None
        self._stale = False
        self._next_pick = 0.0

    def move(self, location: PointerLocation | None) -> None:
        """The mouse is somewhere else; None: not over the scene, or it has something else to do."""
        self._location = location
        self._stale = True

    def refresh(self) -> None:
        """There is another picture under the mouse."""
        self._stale = True

    @property
    def is_due(self) -> bool:
        """Whether `look` is still to pick."""
        return self._stale

    @property
    def enabled(self) -> bool:
        """Whether anything is hovered over."""
        return self._enabled

    @enabled.setter
    def enabled(self, enabled: bool) -> None:
        self._enabled = enabled
        self.refresh()

    def update(self) -> None:
        """Pick once, if it is due and quick enough."""
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
        if hovered != self._view.hovered:
            self._view.hovered = hovered

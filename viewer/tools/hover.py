"""Hover: what a click would select, found while the mouse moves, and never slower than a frame."""

from __future__ import annotations

import time

from viewer.frame.picking import Point
from viewer.frame.view import View

_BUDGET_SECONDS = 1.0 / 60.0
_REST = 20.0  # times as long as a pick that was too slow took: then it costs a twentieth of the time
_LONGEST_REST_SECONDS = 2.0  # one that took for ever was the first, which is compiled


class Hover:
    """Keeps View.hovered up to date.

    Attributes:
        enabled: off, nothing is hovered over.
    """

    def __init__(self, view: View) -> None:
        self._view = view
        self.enabled = True
        self._point: Point | None = None
        self._stale = False
        self._next_pick = 0.0

    def move(self, point: Point | None) -> None:
        """The mouse is somewhere else; None: not over the scene, or it has something else to do."""
        self._point = point
        self._stale = True

    def refresh(self) -> None:
        """There is another picture under the mouse."""
        self._stale = True

    @property
    def is_due(self) -> bool:
        """Whether `look` is still to pick."""
        return self._stale

    def look(self) -> bool:
        """Pick once, if it is due and quick enough; whether another node is hovered over now."""
        wanted = self._point if self.enabled else None
        if not self._stale or (wanted is not None and time.perf_counter() < self._next_pick):
            return False
        self._stale = False
        hovered = None
        if wanted is not None:
            begin = time.perf_counter()
            hit = self._view.pick(wanted)
            end = time.perf_counter()
            if end - begin > _BUDGET_SECONDS:
                self._next_pick = end + min(_REST * (end - begin), _LONGEST_REST_SECONDS)
            hovered = None if hit is None else hit.node.id
        changed = hovered != self._view.hovered
        self._view.hovered = hovered
        return changed

"""Pace: how quickly a browser draws. No message says so, nor whether the browser has a graphics card.

A page tells its camera with each picture in which that moves, at most 50 times a second, and a camera goes on moving
for some pictures after every drag and turn of the wheel. So the time between two messages is that of a picture.
"""

from __future__ import annotations

from collections import deque

import numpy as np

_GAPS = 5  # between messages, of which the median is the time of a picture: a pause of the user is one of them
_SLOW_SECONDS = 0.05  # a picture that takes longer is slow because of what it shows
_REST_SECONDS = 0.5  # without a message, after which a camera rests
_SLOW_AT_REST_SECONDS = 0.25  # of a picture that is drawn once: the first one when the camera moves again
_FIRST_BUDGET = 3e6  # triangles and points until anything is known: some seconds without a graphics card
_TELLING = 3e5  # so many are drawn in time by a graphics card alone


class Pace:
    """The pace of one browser."""

    def __init__(self) -> None:
        # triangles and points that it draws in a second; infinite: it is quick enough; None: not known yet
        self.per_second: float | None = None
        self._last = -np.inf
        self._times: deque[float] = deque(maxlen=_GAPS + 1)

    def budget(self, seconds: float) -> float:
        """Return the triangles and points of a picture that is drawn quickly enough now; more if the camera rests."""
        if self.per_second is None:
            return _FIRST_BUDGET
        is_at_rest = seconds - self._last > _REST_SECONDS
        return self.per_second * (_SLOW_AT_REST_SECONDS if is_at_rest else _SLOW_SECONDS)

    @property
    def is_slow(self) -> bool:
        """True once it is known that the browser does not draw everything quickly enough."""
        return self.per_second is not None and self.per_second < np.inf

    @property
    def has_news(self) -> bool:
        """True once so many messages have come that `update` has something to do."""
        return len(self._times) > _GAPS

    def note(self, seconds: float) -> None:
        """Note when a message about its camera came; may be called on any thread."""
        self._last = seconds
        self._times.append(seconds)

    def update(self, drawn: float) -> None:
        """Take in messages that have come; `drawn`: triangles and points that it is drawing."""
        if not self.has_news:
            return
        times = list(self._times)
        self._times.clear()
        seconds = float(np.median(np.diff(times)))
        measured = drawn / max(seconds, 1e-3)
        if seconds > _SLOW_SECONDS:
            self.per_second = measured
        elif self.per_second is not None:
            self.per_second = max(self.per_second, measured)
        elif drawn > _TELLING:
            self.per_second = np.inf

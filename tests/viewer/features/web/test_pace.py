"""Pace: how quickly a browser draws, by its camera's messages."""

import numpy as np

from octoscope.viewer.features.web.pace import Pace


def noted(pace: Pace, gaps: list[float], drawn: float) -> Pace:
    """Tell a pace of messages with these gaps, seconds, between them while a browser drew so much; return the pace."""
    for time in np.cumsum([0.0, *gaps]):
        pace.note(float(time))
    pace.update(drawn)
    return pace


def test_a_browser_is_quick_until_its_pictures_take_long():
    assert noted(Pace(), [0.02] * 5, 1e6).budget(0.1) == np.inf
    assert noted(Pace(), [0.02, 0.02, 30.0, 0.02, 5.0], 1e6).budget(36.0) == np.inf, "its user has paused"
    assert noted(Pace(), [0.5, 0.5], 1e6).budget(1.1) == 3e6, "too few to say"
    assert noted(Pace(), [0.02] * 5, 1e5).budget(0.1) == 3e6, "any browser draws so little in time"
    slow = noted(Pace(), [0.5, 0.5, 0.001, 0.5, 0.6], 1e6)
    assert slow.per_second == 2e6 and slow.budget(2.2) == 1e5
    assert slow.budget(9.0) == 5e5, "more while its camera rests"
    assert noted(slow, [0.03] * 5, 6e4).per_second == 2e6, "as it should be"
    assert noted(slow, [0.02] * 5, 1e5).per_second == 5e6, "quicker than it was"
    assert noted(slow, [0.1] * 5, 1e5).per_second == 1e6

"""RowScroll: brings a row of a list in sight by a short motion, which shows the way that the list went."""

from __future__ import annotations

from imgui_bundle import imgui

from octoscope.viewer.frame.redraw import Damage
from octoscope.viewer.frame.view import View

SECONDS = 0.15
_LONGEST_STEP_SECONDS = 1.0 / 30.0  # the first frame after a rest would else be the last one of the motion


class RowScroll:
    """The motion of one list, unless the view has motions switched off; methods are for inside the list's window."""

    def __init__(self, view: View) -> None:
        self._view = view
        self._begin = self._end = 0.0  # logical pixels from the top of the list
        self._done = 1.0  # share of the motion

    def reveal(self, row: int, height: float, room: float) -> None:
        """Go to a row, unless it is in sight; `height` of each and `room` for all are logical pixels."""
        top = imgui.get_scroll_y()
        if top <= row * height <= top + room - 2.0 * height:
            return
        self._end = max(0, round(row + 0.5 - room / (2.0 * height))) * height  # no row is cut above
        self._begin = min(max(top, self._end - room), self._end + room)  # the last page of a long way
        self._done = 0.0

    def follow(self) -> None:
        """Go on; a turn of the wheel ends it."""
        io = imgui.get_io()
        if self._done == 1.0 or io.mouse_wheel:
            self._done = 1.0
            return
        seconds = min(io.delta_time, _LONGEST_STEP_SECONDS)
        self._done = min(1.0, self._done + seconds / SECONDS) if self._view.layout.eases else 1.0
        share = self._done * self._done * (3.0 - 2.0 * self._done)
        imgui.set_scroll_y(self._begin + share * (self._end - self._begin))
        if self._done < 1.0:
            self._view.redraw.request(Damage.PANELS)

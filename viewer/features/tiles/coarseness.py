"""Coarseness: by how many pixels tiles may be off, more while the cameras move and fewer step by step once they rest.

The time of a picture grows with its triangles, and these with the inverse square of the pixels by which a tile may be
off: half of these pixels is up to four times as many triangles.
"""

from __future__ import annotations

import math

COARSEST = 16.0  # times as coarse as the picture at rest, at most
REST_SECONDS = 0.25  # from the last move to the first finer picture
_TRIANGLES_A_STEP = 4.0  # times as many, at most, for half the pixels
_USUAL_GROWTH = 2.0  # in place of that, where no step was measured yet
# Of a picture at rest, which nothing interrupts: half a second where the processor draws.
_LONGEST_LOAD = 5.0


class Coarseness:
    """Chooses by how many pixels tiles may be off, by the load of pictures: their time as a share of what it may be."""

    def __init__(self, finest_pixels: float) -> None:
        self.pixels = finest_pixels  # by which tiles may be off now
        self._finest_pixels = finest_pixels
        self._moving_pixels = finest_pixels
        self._resting_pixels = finest_pixels  # of what is seen now: finer pictures would take too long
        self._last_move = -math.inf
        self._last_load = 0.0  # of the last picture with these pixels
        self._triangles = self._triangles_before = 0  # of the last picture, and of the last one a step coarser

    @property
    def is_finest(self) -> bool:
        """True where tiles are as fine as they become at rest."""
        return self.pixels <= self._resting_pixels

    @property
    def is_held_back(self) -> bool:
        """True where tiles stay coarser than they should be, as pictures would take too long."""
        return self.is_finest and self.pixels > self._finest_pixels

    @property
    def is_refining(self) -> bool:
        """True where tiles are finer than pictures of cameras that move could show them."""
        return self.pixels < self._moving_pixels

    def note_move(self, seconds: float) -> None:
        """Note that the cameras moved, at a time in seconds by any clock."""
        self._last_move = seconds
        self._resting_pixels = self._finest_pixels
        self._change(self._moving_pixels)

    def refine(self, seconds: float) -> bool:
        """Go a step finer if the cameras have rested for long enough, and return whether they have."""
        if self.is_finest or seconds < self._last_move + REST_SECONDS:
            return False
        before = self._triangles
        self._change(max(self.pixels / 2.0, self._finest_pixels))
        self._triangles_before = before
        return True

    def note_picture(self, load: float, *, is_whole: bool, triangles: int = 0) -> None:
        """Note how long a picture took, and choose what cameras that move see next, and how fine this becomes at rest.

        Args:
            load: its time as a share of what a picture may take while the cameras move.
            is_whole: whether it showed all tiles that are as fine as `pixels` asks for.
            triangles: that it showed; 0: unknown.
        """
        load_of_two, self._last_load = min(load, self._last_load), load
        self._triangles = triangles
        if load_of_two > 1.0:  # one that is slow alone may have added tiles, or waited for another program
            steps = max(1, round(math.log(load_of_two, _TRIANGLES_A_STEP)))
            coarser = min(self.pixels * 2.0**steps, COARSEST * self._finest_pixels)
            self._moving_pixels = max(self._moving_pixels, coarser)
        elif load <= 1.0 and is_whole:
            finer = self.pixels / 2.0 if load * _TRIANGLES_A_STEP < 1.0 else self.pixels
            self._moving_pixels = max(min(self._moving_pixels, finer), self._finest_pixels)
        if load_of_two > _LONGEST_LOAD:
            steps = math.ceil(math.log(load_of_two / _LONGEST_LOAD, _TRIANGLES_A_STEP))
            self._resting_pixels = min(self.pixels * 2.0**steps, COARSEST * self._finest_pixels)
            self._change(self._resting_pixels)
        elif is_whole and load * self._growth > _LONGEST_LOAD:
            self._resting_pixels = self.pixels

    @property
    def _growth(self) -> float:
        """Times as many triangles as the last picture had that the next step is expected to have: as the last step."""
        if not (self._triangles and self._triangles_before):
            return _USUAL_GROWTH
        return min(max(self._triangles / self._triangles_before, 1.0), _TRIANGLES_A_STEP)

    def _change(self, pixels: float) -> None:
        if pixels != self.pixels:
            self.pixels = pixels
            self._last_load = 0.0
            self._triangles_before = 0

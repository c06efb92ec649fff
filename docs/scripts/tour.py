"""The moving picture of the README: the real window at work, as window_pictures has it."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from PIL import Image

from docs.scripts.window_pictures import opened
from tests.viewer.windows.xvfb import Point, Window

_SIZE = (800, 450)
_SHORT_MS, _LONG_MS = 80, 900


class _Film:
    """Pictures of a window, each with the time for which it is shown."""

    def __init__(self, window: Window) -> None:
        self._window = window
        self._frames: list[Image.Image] = []
        self._shown_ms: list[int] = []

    def take(self, shown_ms: int = _SHORT_MS) -> None:
        """Wait until the window rests, and take a picture."""
        self._add(self._window.picture(), shown_ms)

    def take_while_moving(self, key: str, seconds: float = 2.0) -> None:
        """Press a key, and take each picture of what follows."""
        self._window.press(key)
        last, end = None, time.monotonic() + seconds
        while time.monotonic() < end:
            now = self._window.shown().copy()
            if last is None or (now != last).any():
                self._add(now, _SHORT_MS)
            last = now
            time.sleep(0.04)

    def take_drag(self, begin: Point, step: Sequence[float], count: int) -> None:
        """Drag with the left button from a point, and take a picture after each step."""
        with self._window.held_button(begin, 1):
            for number in range(1, count + 1):
                self._window.move(tuple(np.round(np.add(begin, np.multiply(step, number))).astype(int)))
                self.take()

    def _add(self, pixels: np.ndarray, shown_ms: int) -> None:
        self._frames.append(Image.fromarray(np.ascontiguousarray(pixels)).resize(_SIZE, Image.Resampling.LANCZOS))
        self._shown_ms.append(shown_ms)

    def save(self, path: Path) -> None:
        """Write an animated picture that begins again at its end."""
        first, *others = self._frames
        first.save(
            path,
            save_all=True,
            append_images=others,
            duration=self._shown_ms,
            loop=0,
            quality=60,
            method=6,
            minimize_size=True,
        )
        print(f"{path.name}: {len(self._frames)} pictures, {path.stat().st_size / 1000:,.0f} kB")


def main(folder: Path) -> None:
    """Orbit, select, move, undo, show the octree, cut open."""
    with opened(films=True) as window:
        film = _Film(window)
        window.move((520, 600))
        film.take(_LONG_MS)
        film.take_drag((520, 600), (20, 1), 8)
        film.take_drag((680, 608), (-20, -1), 8)
        window.click(_TOWER)
        window.move((520, 600))
        film.take(_LONG_MS)
        film.take_while_moving("f")
        window.press("w")
        film.take(_LONG_MS)
        film.take_drag(_ARROW, (11, 6), 8)
        film.take(_LONG_MS)
        window.press("ctrl+z", "q")
        film.take(_LONG_MS)
        window.press("shift+c")
        film.take(_LONG_MS)
        film.take_drag(_SECTION_ARROW, (-8, 3.7), 8)
        film.take(_LONG_MS)
        window.press("shift+c", "alt+a")
        window.rest()
        film.take_while_moving("Home")
        window.press("o")
        film.take(2 * _LONG_MS)
        film.save(folder / "tour.webp")


_TOWER, _ARROW, _SECTION_ARROW = (790, 345), (683, 406), (585, 398)  # with the window as it opens; framed; cut

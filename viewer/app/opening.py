"""The first frame: a window that says what is being opened, before what takes long is imported.

Imports little but the window's library, which needs numpy: Pillow draws, and its picture is copied without a shader.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from PIL import Image, ImageDraw, ImageFont

from octoscope.viewer.settings.config import WindowState, config_folder, read_config, read_window_state
from octoscope.viewer.window.place import USUAL_SIZE
from octoscope.viewer.window.window import Window

_FRAME_SECONDS = 0.1
_FONT_SIZE, _BAR_SIZE, _BAR_BELOW_TEXT = 18, (260, 3), 18  # logical pixels
_LIT_SHARE = 0.3  # of the bar
_TURN_SECONDS = 1.5
_COLORS = {  # by theme: of the ground, and of the text
    "dark": ((46, 50, 57), (222, 226, 232)),
    "light": ((212, 217, 223), (40, 44, 50)),
}

_T = TypeVar("_T")


def open_window(size: tuple[int, int] | None, state: WindowState, title: str = "Octoscope") -> Window:
    """Open a window of this size, logical pixels; None: with the size and at the place that it was closed with."""
    window = Window(size or USUAL_SIZE, title)
    if size is None:
        window.put_back(state.place, maximised=state.maximised)
    return window


class OpeningWindow:
    """A window that says "opening", with a bar that moves, until the program takes it over."""

    def __init__(self, name: str, size: tuple[int, int] | None) -> None:
        folder = config_folder()
        state, _ = read_window_state(folder)
        self._theme = read_config(folder).shown_theme
        self._text = f"opening {name}"
        self.window = open_window(size, state, self._text)
        self._began = time.monotonic()
        self._draw()

    def show_while(self, work: Callable[[], _T]) -> _T | None:
        """Call a function on another thread, and answer the person meanwhile; return None if they closed the window."""
        # It is waited for in any case: an import that is cut off by the end of the program may crash it.
        with ThreadPoolExecutor(1, "opening") as pool:
            result = pool.submit(work)
            while not (result.done() or self.window.is_closing):
                self.window.dispatch_events(_FRAME_SECONDS)
                self._draw()
            is_left = bool(self.window.is_closing)
            if is_left or result.exception() is not None:
                self.window.close()
        return None if is_left else result.result()

    def tell_compiling(self, fraction: float) -> None:
        """Say how much is compiled in place of what is opened; called from any thread."""
        self._text = f"compiling for this computer, once: {fraction:.0%}"

    def _draw(self) -> None:
        window = self.window
        size = window.buffer_size
        if min(*size, *window.size) == 0:  # it is minimised
            return
        turn = (time.monotonic() - self._began) / _TURN_SECONDS % 1.0
        picture = _picture(self._text[:1].upper() + self._text[1:], turn, size, size[0] / window.size[0], self._theme)
        rows_from_below = picture.transpose(Image.Transpose.FLIP_TOP_BOTTOM)
        texture = window.ctx.texture(size, 3, rows_from_below.tobytes(), alignment=1)
        source = window.ctx.framebuffer([texture])
        window.ctx.copy_framebuffer(window.ctx.screen, source)
        window.show_frame()
        source.release()
        texture.release()


def _picture(text: str, turn: float, size: tuple[int, int], scale: float, theme: str) -> Image.Image:
    """Draw a text and a bar, on which a light has gone `turn` (0 to 1) of the way, in the middle of a picture."""
    ground, ink = _COLORS[theme]
    picture = Image.new("RGB", size, ground)
    draw = ImageDraw.Draw(picture)
    middle = size[0] / 2.0, size[1] / 2.0
    draw.text(middle, text, font=ImageFont.load_default(_FONT_SIZE * scale), fill=ink, anchor="ms")
    width, height = (side * scale for side in _BAR_SIZE)
    left, top = middle[0] - width / 2.0, middle[1] + _BAR_BELOW_TEXT * scale
    lit = left + turn * (1.0 + _LIT_SHARE) * width
    dim = tuple((channel + 2 * other) // 3 for channel, other in zip(ink, ground, strict=True))
    draw.rectangle((left, top, left + width, top + height), fill=dim)
    lit_from, lit_to = max(left, lit - _LIT_SHARE * width), min(left + width, lit)
    draw.rectangle((lit_from, top, max(lit_from, lit_to), top + height), fill=ink)
    return picture

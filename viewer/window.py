"""Opening a window, and the few things that only its own library can do."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from ctypes import byref

import moderngl_window

NativeWindow = moderngl_window.BaseWindow

_SMALLEST = (480, 320)


class WindowUnavailable(Exception):
    """No window can be opened here; the message is one line that says why."""


def display_is_missing() -> bool:
    """Whether a window is out of the question, which only X11 systems can tell beforehand."""
    return sys.platform.startswith("linux") and not os.environ.get("DISPLAY")


def open_window(size: tuple[int, int]) -> moderngl_window.BaseWindow:
    """A window of this size, logical pixels, with OpenGL 3.3 or later.

    Raises:
        WindowUnavailable: there is no display, or no OpenGL 3.3 on it.
    """
    if display_is_missing():
        raise WindowUnavailable("no display (DISPLAY is not set)")
    try:
        # Not at the top of the file: without a display the import itself fails.
        window_class = moderngl_window.get_window_cls("moderngl_window.context.pyglet.Window")
        window = window_class(title="Octoscope", gl_version=(3, 3), size=size, resizable=True, vsync=True, samples=0)
    except Exception as error:  # pyglet has an exception of its own for each thing that can be missing
        reason = " ".join(str(error).split()) or type(error).__name__
        reason = reason.replace('"None"', f'"{os.environ.get("DISPLAY")}"')  # pyglet's name for the usual display
        raise WindowUnavailable(f"no window can be opened ({reason})") from error
    window.exit_key = window.fullscreen_key = None
    window._window.set_minimum_size(*_SMALLEST)
    moderngl_window.activate_context(window=window)
    return window


def interface_scale(window: moderngl_window.BaseWindow) -> float:
    """How much larger than on a plain display text should be, beyond what the window's own pixels see to."""
    pixel_ratio = window.buffer_size[0] / max(1, window.size[0])
    return max(1.0, round(4.0 * window._window.scale / pixel_ratio) / 4.0)


def on_close_request(window: moderngl_window.BaseWindow, ask: Callable[[], object]) -> Callable[[], None]:
    """Call `ask` in place of closing when the window's cross is clicked, until what is returned is called."""

    def on_close() -> bool:
        ask()
        return True  # pyglet's own handler, which closes it, is not asked

    window._window.push_handlers(on_close=on_close)
    return lambda: window._window.remove_handlers(on_close=on_close)


def set_cursor(window: moderngl_window.BaseWindow, name: str | None) -> None:
    """Show the mouse cursor that pyglet calls so; None is the arrow."""
    native = window._window
    native.set_mouse_cursor(None if name is None else native.get_system_mouse_cursor(name))


def copy_text(window: moderngl_window.BaseWindow, text: str) -> None:
    """Put a text on the clipboard."""
    window._window.set_clipboard_text(text)


def answer_pastes(window: moderngl_window.BaseWindow) -> None:
    """On X11, where what is copied stays with the program that did it: hand it to those that ask.

    pyglet can do it, but looks for such requests only in its own event loop; without this, they wait for ever.
    """
    if not sys.platform.startswith("linux"):
        return
    from pyglet.libs.x11 import xlib  # only here: it fails where there is no X

    native, event = window._window, xlib.XEvent()
    for kind in (xlib.SelectionRequest, xlib.SelectionClear):
        while xlib.XCheckTypedWindowEvent(native._x_display, native._window, kind, byref(event)):
            native.dispatch_platform_event(event)

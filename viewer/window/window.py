"""Opening a window, and what only its own library can do: cursor, clipboard, full screen, waiting for events."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import moderngl_window

from viewer.window.place import SMALLEST, ScreenRectangle, on_screens

if TYPE_CHECKING:
    from viewer.window.x11 import X11Window

_X11 = "_octoscope_x11"  # where a window of pyglet's keeps what is done for it


class WindowUnavailable(Exception):
    """No window can be opened here; the message is one line that says why."""


def display_is_missing() -> bool:
    """Return True where no window can be opened, which can be told beforehand only on X11 systems."""
    return sys.platform.startswith("linux") and not os.environ.get("DISPLAY")


def open_window(size: tuple[int, int]) -> moderngl_window.BaseWindow:
    """Open a window of this size, logical pixels, with OpenGL 3.3 or later.

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
    window._window.set_minimum_size(*SMALLEST)
    if sys.platform.startswith("linux"):
        from viewer.window.x11 import X11Window  # only here: it fails where there is no X

        setattr(window._window, _X11, X11Window(window._window))
    moderngl_window.activate_context(window=window)
    return window


def interface_scale(window: moderngl_window.BaseWindow) -> float:
    """Return the scale of text on this display, beyond what the window's own pixel ratio does."""
    pixel_ratio = window.buffer_size[0] / max(1, window.size[0])
    return min(max(1.0, round(4.0 * window._window.scale / pixel_ratio) / 4.0), 4.0)


def put_back(window: moderngl_window.BaseWindow, place: Sequence[int], *, maximised: bool) -> None:
    """Move a window to its former place, or near it where the screens have changed; a new one stays."""
    if not place:
        return
    native = window._window
    screens = [ScreenRectangle(each.x, each.y, each.width, each.height) for each in native.display.get_screens()]
    left, top, width, height = on_screens(ScreenRectangle(*place), screens)
    native.set_size(width, height)
    native.set_location(left, top)
    if maximised:
        native.maximize()


def place_of(window: moderngl_window.BaseWindow) -> list[int] | None:
    """Return left, top, width and height of a window; None where it fills the screen, which only X11 tells."""
    x11 = _x11(window)
    return None if x11 is not None and x11.fills_screen else [*window._window.get_location(), *window.size]


def on_close_request(window: moderngl_window.BaseWindow, ask: Callable[[], object]) -> Callable[[], None]:
    """Call `ask` in place of closing when the window's cross is clicked, until what is returned is called."""

    def on_close() -> bool:
        ask()
        return True  # pyglet's own handler, which closes it, is not asked

    return push_handlers(window, on_close=on_close)


def set_cursor(window: moderngl_window.BaseWindow, name: str | None) -> None:
    """Show the mouse cursor that pyglet calls by this name; None is the arrow."""
    native = window._window
    native.set_mouse_cursor(None if name is None else native.get_system_mouse_cursor(name))


def toggle_fullscreen(window: moderngl_window.BaseWindow) -> None:
    """Switch the window between the whole screen and its own place."""
    x11 = _x11(window)
    if x11 is None:
        window._window.set_fullscreen(not window._window.fullscreen)
    else:  # pyglet would make another window
        x11.toggle_state(b"_NET_WM_STATE_FULLSCREEN")


def clipboard_of(window: moderngl_window.BaseWindow) -> tuple[Callable[[str], None], Callable[[], str]]:
    """Return functions that set and get the text of the clipboard; the latter returns "" where there is no text."""
    x11 = _x11(window)
    native = window._window
    return native.set_clipboard_text, native.get_clipboard_text if x11 is None else x11.pasted_text


def dispatch_events(window: moderngl_window.BaseWindow, wait_seconds: float = 0.0) -> None:
    """Call the window's handlers with all events.

    Args:
        window: whose events.
        wait_seconds: longest wait for an event where none has come; `wake` ends the wait too.
    """
    from pyglet import app

    native = window._window
    native._allow_dispatch_event = True  # else pyglet keeps events for its own `dispatch_events`, all with one time
    app.platform_event_loop.step(wait_seconds)
    native.dispatch_events()


def make_current(window: moderngl_window.BaseWindow) -> None:
    """Make the window's OpenGL context the current one."""
    window._window.switch_to()


def show_frame(window: moderngl_window.BaseWindow) -> None:
    """Show what was drawn, and nothing else: moderngl-window's own `swap_buffers` also handles events."""
    window._window.flip()


def push_handlers(window: moderngl_window.BaseWindow, **handlers: Callable[..., object]) -> Callable[[], None]:
    """Listen to events of pyglet's by their names, until what is returned is called."""
    window._window.push_handlers(**handlers)
    return lambda: window._window.remove_handlers(**handlers)


def wake() -> None:
    """End the wait of `dispatch_events`; may be called on any thread."""
    from pyglet import app

    app.platform_event_loop.notify()


def event_clock(window: moderngl_window.BaseWindow) -> Callable[[], float]:
    """Return a function that gives the time in seconds of the event that handlers are called with."""
    x11 = _x11(window)
    return time.monotonic if x11 is None else x11.event_seconds


def _x11(window: moderngl_window.BaseWindow) -> X11Window | None:
    """Return the additions for X11; None on other systems."""
    return getattr(window._window, _X11, None)

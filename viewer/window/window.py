"""Window: an OpenGL window of GLFW's, its events in plain words, and what only its library can do.

GLFW is imported when the first window opens: without a display, and for a picture from the command line, it is not
needed.
"""

from __future__ import annotations

import importlib.util
import os
import sys
import time
from collections.abc import Callable, Sequence
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any

import moderngl

from octoscope.viewer.window.keys import NAME_BY_GLFW_NAME, name_on_layout
from octoscope.viewer.window.opengl_versions import VERSIONS
from octoscope.viewer.window.place import SMALLEST, ScreenRectangle, most_covered, on_screens

if TYPE_CHECKING:
    from octoscope.viewer.window.x11_clipboard import X11Clipboard

# An event that is handed out later than this after a wait began came at that moment; one before was there already.
_AT_ONCE_SECONDS = 0.002
_LIBRARY_VARIABLE = "PYGLFW_LIBRARY"  # of the environment: the file that the package is to load


class WindowUnavailable(Exception):
    """No window can be opened here; the message is one line that says why."""


class WindowListener:
    """Takes a window's events, in their order. Points are logical pixels from the top left of the window.

    A window that nobody listens to has one of these, which does nothing.
    """

    def on_move(self, x: float, y: float) -> None:
        """Take note that the pointer is here, with no button held."""

    def on_drag(self, x: float, y: float) -> None:
        """Take note that the pointer is here, with a button held."""

    def on_leave(self) -> None:
        """Take note that the pointer has left the window."""

    def on_button(self, button: int, pressed: bool) -> None:
        """Take note that a mouse button was pressed or released where the pointer is: 1 left, 2 right, 3 middle."""

    def on_scroll(self, x_steps: float, y_steps: float) -> None:
        """Take note that the wheel was turned; above 0 is to the right and away from the person."""

    def on_key(self, name: str, pressed: bool, place: str) -> None:
        """Take note that a key was pressed or released.

        Args:
            name: as in `viewer.window.keys`; "" is any other.
            pressed: False if it was released.
            place: name of the key that a keyboard of the United States has there.
        """

    def on_character(self, text: str) -> None:
        """Take note that a character was typed, be it by a key, a held key or an input method."""

    def on_drop(self, paths: Sequence[str]) -> None:
        """Take note that files were dropped on the window."""

    def on_focus_lost(self) -> None:
        """Take note that another window has the keyboard now."""

    def on_change(self) -> None:
        """Take note that the window was resized, uncovered or the like, and is to be drawn again."""


def display_is_missing() -> bool:
    """Tell whether no window can open because there is no display; other systems than Linux always have one."""
    return sys.platform.startswith("linux") and not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


class Window:
    """A window with OpenGL 3.3 or later, whose context is current once it is open.

    Args:
        size: logical pixels; it is made smaller where the screen has less room beside bars and the window's frame.
        title: of the title bar at first.

    Attributes:
        ctx: the window's OpenGL context.
        is_closing: True once the person has closed it, unless `ask_before_closing` was called.

    Raises:
        WindowUnavailable: there is no display, or no OpenGL 3.3 on it.
    """

    _open_count = 0  # of all windows: with the last one GLFW ends

    def __init__(self, size: tuple[int, int], title: str = "Octoscope") -> None:
        if display_is_missing():
            raise WindowUnavailable("no display (neither DISPLAY nor WAYLAND_DISPLAY is set)")
        self.is_closing = False
        self._glfw, self._native = _open(size, title)
        Window._open_count += 1
        glfw = self._glfw
        self._listener = WindowListener()
        self._ask_before_closing: Callable[[], object] | None = None
        self._title = title
        self._buttons_held: set[int] = set()
        self._read_until = self._wait_begin = time.monotonic()
        self._place_before_fullscreen: ScreenRectangle | None = None
        self._cursors: dict[str, Any] = {}
        self._clipboard: X11Clipboard | None = None
        try:
            glfw.make_context_current(self._native)
            glfw.swap_interval(1)
            self.ctx = moderngl.create_context(require=330)
        except Exception as error:  # moderngl's and its loader's, which are many
            self.close()
            raise WindowUnavailable(f"no window can be opened ({' '.join(str(error).split())})") from error
        if _is_platform(glfw, "PLATFORM_X11"):
            from octoscope.viewer.window.x11_clipboard import X11Clipboard

            self._clipboard = X11Clipboard.connect()
        self._key_names = _key_names(glfw)
        self._fit()
        self._listen_to_native()

    def _listen_to_native(self) -> None:
        """Set GLFW's callbacks, which call the methods of the listener."""
        glfw, native = self._glfw, self._native
        glfw.set_cursor_pos_callback(native, self._on_move)
        glfw.set_cursor_enter_callback(native, lambda _, enters: None if enters else self._listener.on_leave())
        glfw.set_mouse_button_callback(native, self._on_button)
        glfw.set_scroll_callback(native, lambda _, x, y: self._listener.on_scroll(x, y))
        glfw.set_key_callback(native, self._on_key)
        glfw.set_char_callback(native, lambda _, code: self._listener.on_character(chr(code)))
        glfw.set_drop_callback(native, lambda _, paths: self._listener.on_drop(paths))
        glfw.set_window_focus_callback(native, lambda _, gains: None if gains else self._listener.on_focus_lost())
        glfw.set_window_close_callback(native, self._on_close)
        for set_callback in (
            glfw.set_window_size_callback,
            glfw.set_framebuffer_size_callback,
            glfw.set_window_iconify_callback,
            glfw.set_window_refresh_callback,
        ):
            set_callback(native, lambda *_: self._listener.on_change())

    # Events.

    def listen(self, listener: WindowListener | None) -> None:
        """Tell this listener alone of events from now on; None: nobody."""
        self._listener = listener or WindowListener()

    def ask_before_closing(self, ask: Callable[[], object] | None) -> None:
        """Call this in place of closing when the person closes the window; None: it closes."""
        self._ask_before_closing = ask

    def dispatch_events(self, wait_seconds: float = 0.0) -> None:
        """Tell the listener what came.

        Args:
            wait_seconds: how long to wait at most where nothing has come; an event ends the wait, and so does `wake`.
        """
        self._wait_begin = time.monotonic()
        if wait_seconds > 0.0:
            self._glfw.wait_events_timeout(wait_seconds)
        else:
            self._glfw.poll_events()
        self._read_until = time.monotonic()

    def event_seconds(self) -> tuple[float, float]:
        """Return the earliest and the latest time at which the event that is handed out may have come.

        GLFW does not tell when an event came. While a slow frame is drawn it waits, since it was last asked for.
        """
        now = time.monotonic()
        has_waited = now - self._wait_begin < _AT_ONCE_SECONDS
        return (self._read_until if has_waited else now), now

    def _on_move(self, _: object, x: float, y: float) -> None:
        if self._buttons_held:
            self._listener.on_drag(x, y)
        else:
            self._listener.on_move(x, y)

    def _on_button(self, _: object, button: int, action: int, modifiers: int) -> None:
        button += 1
        pressed = action == self._glfw.PRESS
        (self._buttons_held.add if pressed else self._buttons_held.discard)(button)
        self._listener.on_button(button, pressed)

    def _on_key(self, _: object, key: int, scancode: int, action: int, modifiers: int) -> None:
        if action == self._glfw.REPEAT:  # Dear ImGui counts repeats itself, as long as it is drawn
            self._listener.on_change()
            return
        name = place = self._key_names.get(key, "")  # as on a keyboard of the United States
        if (character := self._glfw.get_key_name(key, scancode)) is not None and not name.startswith("NUMPAD"):
            name = name_on_layout(name, character)
        self._listener.on_key(name, action == self._glfw.PRESS, place)

    def _on_close(self, _: object) -> None:
        if self._ask_before_closing is None:
            self.is_closing = True
        else:
            self._ask_before_closing()

    # Size, place and looks.

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in logical pixels."""
        return self._glfw.get_window_size(self._native)

    @property
    def buffer_size(self) -> tuple[int, int]:
        """Width and height of what is drawn, in pixels."""
        return self._glfw.get_framebuffer_size(self._native)

    @property
    def interface_scale(self) -> float:
        """Scale of text on this display, beyond what the ratio of the window's pixels does."""
        scale = self._glfw.get_window_content_scale(self._native)[0]
        pixel_ratio = self.buffer_size[0] / max(1, self.size[0])
        return min(max(1.0, round(4.0 * scale / pixel_ratio) / 4.0), 4.0)

    @property
    def title(self) -> str:
        """Text of the window's title bar."""
        return self._title

    @title.setter
    def title(self, title: str) -> None:
        self._title = title
        self._glfw.set_window_title(self._native, title)

    @property
    def place(self) -> ScreenRectangle | None:
        """Position and size on the screens; None where it fills one, and under Wayland, which does not tell."""
        return self._rectangle if self._has_places and not self.fills_screen else None

    @property
    def _rectangle(self) -> ScreenRectangle:
        """Position and size now; the position is 0, 0 where there is none."""
        left, top = self._glfw.get_window_pos(self._native) if self._has_places else (0, 0)
        return ScreenRectangle(left, top, *self.size)

    @property
    def fills_screen(self) -> bool:
        """True if the window is maximised or has the whole screen."""
        is_maximised = bool(self._glfw.get_window_attrib(self._native, self._glfw.MAXIMIZED))
        return is_maximised or self._place_before_fullscreen is not None

    def _fit(self) -> None:
        """Make a window that is too large for its screen smaller, and bring it wholly there; another stays put."""
        opened = self._rectangle
        placed = on_screens(opened, [room for _, room in self._screens()])
        if (placed.width, placed.height) != (opened.width, opened.height):
            self._move(placed)

    def put_back(self, place: Sequence[int], *, maximised: bool) -> None:
        """Bring the window to where it was, or near that where the screens have changed; a new one stays put."""
        if not place:
            return
        self._move(on_screens(ScreenRectangle(*place), [room for _, room in self._screens()]))
        if maximised:
            self._glfw.maximize_window(self._native)

    def toggle_fullscreen(self) -> None:
        """Give the window the whole of the screen that it is on, or its own place again."""
        glfw, native = self._glfw, self._native
        before = self._place_before_fullscreen
        if before is not None:
            self._place_before_fullscreen = None
            glfw.set_window_monitor(native, None, *before, glfw.DONT_CARE)
            return
        before = self._rectangle
        screens = self._screens()
        if not screens:
            return
        monitor, _ = screens[most_covered([screen for _, screen in screens], before)]
        mode = glfw.get_video_mode(monitor)
        self._place_before_fullscreen = before
        glfw.set_window_monitor(native, monitor, 0, 0, mode.size.width, mode.size.height, mode.refresh_rate)

    def set_cursor(self, shape: str | None) -> None:
        """Show a mouse cursor: "text", "hand", "size_left_right" or "size_up_down"; None is the arrow."""
        glfw = self._glfw
        standard = {
            "text": glfw.IBEAM_CURSOR,
            "hand": glfw.HAND_CURSOR,
            "size_left_right": glfw.HRESIZE_CURSOR,
            "size_up_down": glfw.VRESIZE_CURSOR,
        }
        if shape is not None and shape not in self._cursors:
            self._cursors[shape] = glfw.create_standard_cursor(standard[shape])
        glfw.set_cursor(self._native, None if shape is None else self._cursors[shape])

    @property
    def _has_places(self) -> bool:
        """True where a window knows its position: not under Wayland."""
        return not _is_platform(self._glfw, "PLATFORM_WAYLAND")

    def _screens(self) -> list[tuple[Any, ScreenRectangle]]:
        """Return each monitor with the room on it for this window, beside the desktop's bars and its own frame."""
        glfw, screens = self._glfw, []
        frame_left, frame_top, frame_right, frame_bottom = glfw.get_window_frame_size(self._native)
        for monitor in glfw.get_monitors():
            left, top, width, height = glfw.get_monitor_workarea(monitor)
            width = max(width - frame_left - frame_right, SMALLEST[0])
            height = max(height - frame_top - frame_bottom, SMALLEST[1])
            screens.append((monitor, ScreenRectangle(left + frame_left, top + frame_top, width, height)))
        return screens

    def _move(self, place: ScreenRectangle) -> None:
        self._glfw.set_window_size(self._native, place.width, place.height)
        if self._has_places:
            self._glfw.set_window_pos(self._native, place.left, place.top)

    # Clipboard.

    def copy(self, text: str) -> None:
        """Put a text on the clipboard."""
        self._glfw.set_clipboard_string(None, text)
        if self._clipboard is not None:
            self._clipboard.note_copied(text)

    def paste(self) -> str:
        """Return the text on the clipboard; "" where it holds none, or its program does not answer."""
        if self._clipboard is not None:
            return self._clipboard.text()
        return (self._glfw.get_clipboard_string(None) or b"").decode("utf-8", "replace")

    # Drawing, and the end.

    def make_current(self) -> None:
        """Send OpenGL's calls to this window from now on: others may have been opened or closed."""
        self._glfw.make_context_current(self._native)

    def show_frame(self) -> None:
        """Show what was drawn since the last call."""
        self._glfw.swap_buffers(self._native)

    def close(self) -> None:
        """Close the window; nothing of it can be used any more."""
        if self._clipboard is not None:
            self._clipboard.close()
        self._glfw.destroy_window(self._native)
        Window._open_count -= 1
        if not Window._open_count:
            self._glfw.terminate()


def wake() -> None:
    """End the wait of `Window.dispatch_events`; may be called on any thread."""
    if "glfw" in sys.modules:  # else there is no window that waits
        sys.modules["glfw"].post_empty_event()


def _open(size: tuple[int, int], title: str) -> tuple[Any, Any]:
    """Return GLFW and a new window of this size, logical pixels."""
    try:
        glfw = _import_glfw()
    except ImportError as error:
        raise WindowUnavailable(f"no window can be opened ({error})") from error
    problems: list[str] = []
    glfw.set_error_callback(lambda _, text: problems.append(text.decode("utf-8", "replace")))
    native = None
    if glfw.init():
        glfw.default_window_hints()
        glfw.window_hint(glfw.OPENGL_PROFILE, glfw.OPENGL_CORE_PROFILE)
        glfw.window_hint(glfw.OPENGL_FORWARD_COMPAT, True)
        # Where there is a way to say so, a reset of the driver is told in place of ending the program.
        for version, robustness in product(VERSIONS, (glfw.LOSE_CONTEXT_ON_RESET, glfw.NO_ROBUSTNESS)):
            glfw.window_hint(glfw.CONTEXT_VERSION_MAJOR, version[0])
            glfw.window_hint(glfw.CONTEXT_VERSION_MINOR, version[1])
            glfw.window_hint(glfw.CONTEXT_ROBUSTNESS, robustness)
            problems.clear()  # those of the last attempt tell why there is no window
            if native := glfw.create_window(*size, title, None, None):
                break
    if not native:
        raise WindowUnavailable(f"no window can be opened ({' '.join(' '.join(problems).split())})")
    glfw.set_window_size_limits(native, *SMALLEST, glfw.DONT_CARE, glfw.DONT_CARE)
    return glfw, native


def _import_glfw() -> Any:
    """Return GLFW, with the library that its package brings for X11, or for Wayland where there is no X11.

    X11 comes first: under Wayland a window does not know its place, and has no frame on some desktops. Left alone, the
    package would start a process for each library that it finds.
    """
    if not sys.platform.startswith("linux"):
        import glfw

        return glfw
    system = "x11" if os.environ.get("DISPLAY") else "wayland"
    if system == "wayland":  # Dear ImGui's package imports GLFW too, with a library of its own that knows X11 alone
        for name in ("glfw", "glfw.library"):
            sys.modules.pop(name, None)
    found, before = importlib.util.find_spec("glfw"), os.environ.get(_LIBRARY_VARIABLE)
    for folder in (found.submodule_search_locations or ()) if found is not None else ():
        if (library := Path(folder, system, "libglfw.so")).exists():  # not so where it was built from source
            os.environ[_LIBRARY_VARIABLE] = str(library)
    try:
        import glfw
    finally:
        os.environ.pop(_LIBRARY_VARIABLE, None)
        if before is not None:
            os.environ[_LIBRARY_VARIABLE] = before
    return glfw


def _key_names(glfw: Any) -> dict[int, str]:
    """Return the names of keys, as in `viewer.window.keys`, by GLFW's numbers of them."""
    constants = {constant.removeprefix("KEY_"): value for constant, value in vars(glfw).items() if "KEY_" in constant}
    return {value: NAME_BY_GLFW_NAME.get(name, name) for name, value in constants.items() if name != "LAST"}


def _is_platform(glfw: Any, name: str) -> bool:
    """Tell whether GLFW runs on a window system; before version 3.4 it has one on each operating system."""
    if not hasattr(glfw, "get_platform"):
        return name == "PLATFORM_X11" and sys.platform.startswith("linux")
    return glfw.get_platform() == getattr(glfw, name)

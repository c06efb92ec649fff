"""Window: a window of moderngl-window's, by its GLFW backend, and its events in plain words.

moderngl-window opens the window and its OpenGL context, and tells of buttons, the wheel, characters and sizes. What its
class lacks goes through the handle that GLFW has for the window:

    keys         are named by what they type on the keyboard's own layout, for which it hands on no scancode
    pointer      it rounds points to whole pixels, and does not tell that the pointer has left
    events       it tells nothing of dropped files, lost focus, uncovered windows and other scales
    waiting      its loop always draws; here, a window on which nothing changes waits for an event. Its `swap_buffers`
                 hands out events, too, and what `wake` sends: nobody could wait for those any more.
    full screen  it takes the first screen, not the window's
    the end      it ends GLFW, and with it other windows

It is imported when the first window opens: a picture from the command line does without.
"""

from __future__ import annotations

import ctypes
import importlib.util
import math
import os
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import nullcontext, suppress
from functools import cache
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import moderngl

from octoscope.viewer.window.keys import NAME_BY_GLFW_NAME, name_on_layout
from octoscope.viewer.window.opengl_request import opengl_request
from octoscope.viewer.window.place import SMALLEST, ScreenRectangle, most_covered, on_screens
from octoscope.viewer.window.wayland_seat import compositor_has_seat

if TYPE_CHECKING:
    from octoscope.viewer.window.x11_clipboard import X11Clipboard

# An event that is handed out later than this after a wait began came at that moment; one before was there already.
_AT_ONCE_SECONDS = 0.002
_BACKEND = "moderngl_window.context.glfw.window"
_LIBRARY_VARIABLE = "PYGLFW_LIBRARY"  # of the environment: the file that the package is to load


class WindowUnavailable(Exception):
    """No window can be opened here; the message is one line that says why."""


def display_is_missing() -> bool:
    """Tell whether no window can open because there is no display; other systems than Linux always have one."""
    return sys.platform.startswith("linux") and not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


class Window:
    """A window with OpenGL 3.3 or later, whose context is current once it is open.

    Args:
        size: logical pixels; it is made smaller where the screen has less room beside bars and the window's frame.

    Raises:
        WindowUnavailable: there is no display, or no OpenGL 3.3 on it.
    """

    _open_count = 0  # of all windows: with the last one GLFW ends
    _granted: ClassVar[list[tuple[tuple[int, int], int]]] = []  # version of OpenGL and robustness that the driver has

    def __init__(self, size: tuple[int, int], title: str = "Octoscope") -> None:
        if display_is_missing():
            raise WindowUnavailable("no display (neither DISPLAY nor WAYLAND_DISPLAY is set)")
        self._tell: Callable[..., object] = _tell_nobody
        self._ask_before_closing: Callable[[], object] | None = None
        self._read_until = self._wait_begin = time.monotonic()
        self._place_before_fullscreen: ScreenRectangle | None = None
        self._cursors: dict[str, Any] = {}
        self._open(size, title)
        Window._open_count += 1
        self._clipboard: X11Clipboard | None = None
        if _is_platform(self._glfw, "PLATFORM_X11"):
            from octoscope.viewer.window.x11_clipboard import X11Clipboard

            self._clipboard = X11Clipboard.connect()
        self._key_names = _key_names(self._glfw)

    def _open(self, size: tuple[int, int], title: str) -> None:
        self._glfw, self._native = _open(size, title)
        self._handle = self._native._window
        self.ctx: moderngl.Context = self._native.ctx
        if _is_platform(self._glfw, "PLATFORM_WAYLAND"):
            self._glfw.swap_interval(0)  # no picture tears there, and while it is hidden a window would wait for ever
        self._fit(size)
        self._listen_to_native()

    def open_anew(self) -> None:
        """Open the window again where it is, with another OpenGL context in place of one that was lost.

        Raises:
            WindowUnavailable: the driver makes none.
        """
        lost, was_fullscreen = self._handle, self._place_before_fullscreen is not None
        place, is_maximised = self._place_before_fullscreen or self._rectangle, self.fills_screen and not was_fullscreen
        self._place_before_fullscreen = None
        self._open((place.width, place.height), self.title)
        self._glfw.destroy_window(lost)
        if self._has_places:
            self.put_back(place, maximised=is_maximised)
        if was_fullscreen:
            self.toggle_fullscreen()
        self._tell("focus_lost")  # what is held is released in no window

    def _listen_to_native(self) -> None:
        """Have moderngl-window's events, and GLFW's where it has none, told to who listens."""
        native, glfw, handle = self._native, self._glfw, self._handle
        native.mouse_press_event_func = lambda x, y, button: self._tell("button", button, True)
        native.mouse_release_event_func = lambda x, y, button: self._tell("button", button, False)
        native.mouse_scroll_event_func = lambda x, y: self._tell("scroll", x, y)
        native.unicode_char_entered_func = lambda text: self._tell("character", text)
        native.close_func = self._on_close
        native.resize_func = native.iconify_func = lambda *_: self._tell("change")
        glfw.set_cursor_pos_callback(
            handle, lambda _, x, y: self._tell("drag" if native.mouse_states.any else "move", x, y)
        )
        glfw.set_cursor_enter_callback(handle, lambda _, enters: None if enters else self._tell("leave"))
        glfw.set_key_callback(handle, self._on_key)
        glfw.set_drop_callback(handle, lambda _, paths: self._tell("drop", paths))
        glfw.set_window_focus_callback(handle, lambda _, gains: None if gains else self._tell("focus_lost"))
        glfw.set_framebuffer_size_callback(handle, lambda *_: self._tell("change"))
        glfw.set_window_content_scale_callback(handle, lambda *_: self._tell("change"))  # another screen
        glfw.set_window_refresh_callback(handle, lambda _: self._tell("change"))

    # Events.

    def listen(self, tell: Callable[..., object] | None) -> None:
        """Call this, and nothing else, with each event from now on; None: nothing.

        It takes the name of the event, and what there is to say of it. Points are logical pixels from the window's top
        left, names of keys those of `viewer.window.keys`, "" any other.

            move, drag  x, y: where the pointer is, without and with a button held
            leave       the pointer has left the window
            button      1 left, 2 right, 3 middle, where the pointer is; True if it was pressed, False if released
            scroll      steps to the right and away from the person
            key         name; True if it was pressed; name of the key that a keyboard of the United States has there
            character   text that was typed, be it by a key, a held key or an input method
            drop        paths of files
            focus_lost  another window has the keyboard
            change      the window was resized, uncovered or the like, and is to be drawn again
        """
        self._tell = tell or _tell_nobody

    def ask_before_closing(self, ask: Callable[[], object] | None) -> None:
        """Call this in place of closing when the person closes the window; None: it closes."""
        self._ask_before_closing = ask

    def dispatch_events(self, wait_seconds: float = 0.0) -> None:
        """Tell who listens what came; where nothing has, wait so long for an event, or for `wake`."""
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

    def _on_key(self, _: object, key: int, scancode: int, action: int, modifiers: int) -> None:
        if action == self._glfw.REPEAT:  # Dear ImGui counts repeats itself, as long as it is drawn
            self._tell("change")
            return
        name = place = self._key_names.get(key, "")  # as on a keyboard of the United States
        if (character := self._glfw.get_key_name(key, scancode)) is not None and not name.startswith("NUMPAD"):
            name = name_on_layout(name, character)
        self._tell("key", name, action == self._glfw.PRESS, place)

    def _on_close(self) -> None:
        if self._ask_before_closing is not None:
            self._native.is_closing = False
            self._ask_before_closing()

    @property
    def is_closing(self) -> bool:
        """True once the person has closed the window, unless `ask_before_closing` was called."""
        return bool(self._native.is_closing)

    # Size, place and looks.

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in logical pixels."""
        return self._glfw.get_window_size(self._handle)

    @property
    def buffer_size(self) -> tuple[int, int]:
        """Width and height of what is drawn, in pixels."""
        return self._glfw.get_framebuffer_size(self._handle)

    @property
    def interface_scale(self) -> float:
        """Scale of text on this display, beyond what the ratio of the window's pixels does."""
        scale = self._glfw.get_window_content_scale(self._handle)[0]
        pixel_ratio = self.buffer_size[0] / max(1, self.size[0])
        return min(max(1.0, round(4.0 * scale / pixel_ratio) / 4.0), 4.0)

    @property
    def title(self) -> str:
        """Text of the window's title bar."""
        return self._native.title

    @title.setter
    def title(self, title: str) -> None:
        self._native.title = title

    @property
    def place(self) -> ScreenRectangle | None:
        """Position and size on the screens; None where it fills one, and under Wayland, which does not tell."""
        return self._rectangle if self._has_places and not self.fills_screen else None

    @property
    def _rectangle(self) -> ScreenRectangle:
        left, top = self._native.position if self._has_places else (0, 0)
        return ScreenRectangle(left, top, *self.size)

    @property
    def fills_screen(self) -> bool:
        """True if the window is maximised or has the whole screen."""
        is_maximised = bool(self._glfw.get_window_attrib(self._handle, self._glfw.MAXIMIZED))
        return is_maximised or self._place_before_fullscreen is not None

    def _fit(self, size: tuple[int, int]) -> None:
        """Give the window this size; where the screen has less room, make it smaller and bring it wholly there."""
        opened = self._rectangle
        if self._has_places and self._glfw.get_window_content_scale(self._handle) != (1.0, 1.0):
            self._native.size = size  # moderngl-window has multiplied it by the scale
            opened = opened._replace(width=size[0], height=size[1])
        placed = on_screens(opened, [room for _, room in self._screens()])
        if (placed.width, placed.height) != (opened.width, opened.height):
            self._move(placed)

    def put_back(self, place: Sequence[int], *, maximised: bool) -> None:
        """Bring the window to where it was, or near that where the screens have changed; a new one stays put."""
        if not place:
            return
        self._move(on_screens(ScreenRectangle(*place), [room for _, room in self._screens()]))
        if maximised:
            self._glfw.maximize_window(self._handle)

    def toggle_fullscreen(self) -> None:
        """Give the window the whole of the screen that it is on, or its own place again."""
        glfw, handle = self._glfw, self._handle
        before = self._place_before_fullscreen
        if before is not None:
            self._place_before_fullscreen = None
            glfw.set_window_monitor(handle, None, *before, glfw.DONT_CARE)
            return
        before = self._rectangle
        screens = self._screens()
        if not screens:
            return
        monitor, _ = screens[most_covered([screen for _, screen in screens], before)]
        mode = glfw.get_video_mode(monitor)
        self._place_before_fullscreen = before
        glfw.set_window_monitor(handle, monitor, 0, 0, mode.size.width, mode.size.height, mode.refresh_rate)

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
        glfw.set_cursor(self._handle, None if shape is None else self._cursors[shape])

    @property
    def _has_places(self) -> bool:
        """True where a window knows its position: not under Wayland."""
        return not _is_platform(self._glfw, "PLATFORM_WAYLAND")

    def _screens(self) -> list[tuple[Any, ScreenRectangle]]:
        """Return each monitor with the room on it for this window, beside the desktop's bars and its own frame."""
        glfw, screens = self._glfw, []
        frame_left, frame_top, frame_right, frame_bottom = glfw.get_window_frame_size(self._handle)
        for monitor in glfw.get_monitors():
            left, top, width, height = glfw.get_monitor_workarea(monitor)
            width = max(width - frame_left - frame_right, SMALLEST[0])
            height = max(height - frame_top - frame_bottom, SMALLEST[1])
            screens.append((monitor, ScreenRectangle(left + frame_left, top + frame_top, width, height)))
        return screens

    def _move(self, place: ScreenRectangle) -> None:
        self._native.size = place.width, place.height
        if self._has_places:
            self._native.position = place.left, place.top

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
        self._glfw.make_context_current(self._handle)

    def show_frame(self) -> None:
        """Show what was drawn since the last call."""
        self._glfw.swap_buffers(self._handle)

    def close(self) -> None:
        """Close the window; nothing of it can be used any more."""
        if self._clipboard is not None:
            self._clipboard.close()
        self._glfw.destroy_window(self._handle)
        Window._open_count -= 1
        if not Window._open_count:
            self._native.destroy()


def _tell_nobody(*event: object) -> None:
    pass


def wake() -> None:
    """End the wait of `Window.dispatch_events`; may be called on any thread."""
    if (backend := sys.modules.get(_BACKEND)) is not None:  # else there is no window that waits
        backend.glfw.post_empty_event()


def _open(size: tuple[int, int], title: str) -> tuple[Any, Any]:
    """Return GLFW and a new window of moderngl-window's: of this size in logical pixels, or that times the scale."""
    try:
        backend = _import_backend()
    except ImportError as error:
        raise WindowUnavailable(f"no window can be opened ({error})") from error
    if _uses_wayland() and not compositor_has_seat():
        raise WindowUnavailable("no window can be opened (the Wayland compositor has no keyboard and no mouse)")
    glfw, problems = backend.glfw, []
    glfw.set_error_callback(lambda _, text: problems.append(text.decode("utf-8", "replace")))
    # Where there is a way to say so, a reset of the driver is told in place of ending the program. A version that was
    # refused has ended GLFW, and whatever windows there were: later ones ask for what the first one got.
    request = opengl_request()
    attempts = product(request.versions, (glfw.LOSE_CONTEXT_ON_RESET, glfw.NO_ROBUSTNESS))
    for version, robustness in Window._granted or attempts:
        problems.clear()  # those of the last attempt tell why there is no window
        if not glfw.init():
            break
        glfw.default_window_hints()
        glfw.window_hint(glfw.CONTEXT_ROBUSTNESS, robustness)
        glfw.window_hint(glfw.OPENGL_DEBUG_CONTEXT, request.tells_messages)
        with suppress(ValueError):  # the driver refuses
            native = backend.Window(
                title=title, size=size, gl_version=version, context_creation_func=lambda: _context(glfw)
            )
            native.exit_key = native.fullscreen_key = None  # keys are for commands
            largest = native.ctx.info["GL_MAX_TEXTURE_SIZE"] // math.ceil(native.pixel_ratio)
            glfw.set_window_size_limits(native._window, *SMALLEST, largest, largest)
            Window._granted = [(version, robustness)]
            _keep_opengl_loaded()
            return glfw, native
    raise WindowUnavailable(f"no window can be opened ({' '.join(' '.join(problems).split())})")


@cache
def _keep_opengl_loaded() -> None:
    """Have the OpenGL libraries that GLFW has loaded stay when it ends, with the last window.

    Without this the 211th window of a loop found no OpenGL. The supposed cause: each time that Mesa is loaded it takes
    some of the 1,024 keys of a process for values of threads, and does not give them back.
    """
    if sys.platform.startswith("linux"):
        for name in ("libGLX.so.0", "libEGL.so.1", "libGL.so.1"):
            with suppress(OSError):  # it is not loaded
                ctypes.CDLL(name, mode=os.RTLD_LAZY | os.RTLD_NOLOAD)


class _Loader(nullcontext):
    """Finds OpenGL's functions for moderngl, which would run other programs to search for OpenGL's libraries."""

    def __init__(self, glfw: Any) -> None:
        super().__init__()
        self._glfw = glfw

    def load_opengl_function(self, name: str) -> int:
        """Return the address of a function of the context that is current; 0: there is none."""
        return self._glfw.get_proc_address(name) or 0

    def release(self) -> None:
        """Do nothing: the context is its window's."""


def _context(glfw: Any) -> moderngl.Context:
    """Return moderngl's context of the window that is being opened."""
    try:
        loader: Any = _Loader(glfw)  # moderngl's types say a dict
        ctx = moderngl.create_context(require=330, context=loader)
    except Exception as error:  # moderngl's and its loader's, which are many
        glfw.destroy_window(glfw.get_current_context())
        raise WindowUnavailable(f"no window can be opened ({' '.join(str(error).split())})") from error
    ctx.version_code = opengl_request().used_version(ctx.version_code)
    return ctx


def _uses_wayland() -> bool:
    return sys.platform.startswith("linux") and not os.environ.get("DISPLAY")


def _import_backend() -> Any:
    """Return moderngl-window's module for GLFW, with the library that GLFW's package brings for this display.

    X11 comes first: under Wayland a window does not know its place, and has no frame on some desktops. Left alone, the
    package would start a process for each library that it finds.
    """
    before, libraries = os.environ.get(_LIBRARY_VARIABLE), []
    if sys.platform.startswith("linux") and _BACKEND not in sys.modules:
        system = "wayland" if _uses_wayland() else "x11"
        if system == "wayland":  # Dear ImGui's package imports GLFW too, with a library of its own that knows X11 alone
            for name in ("glfw", "glfw.library"):
                sys.modules.pop(name, None)
        found = importlib.util.find_spec("glfw")
        folders = (found.submodule_search_locations or ()) if found is not None else ()
        libraries = [library for folder in folders if (library := Path(folder, system, "libglfw.so")).exists()]
    if libraries:  # not so where it was built from source
        os.environ[_LIBRARY_VARIABLE] = str(libraries[0])
    try:
        from moderngl_window.context.glfw import window
    finally:
        os.environ.pop(_LIBRARY_VARIABLE, None)
        if before is not None:
            os.environ[_LIBRARY_VARIABLE] = before
    return window


def _key_names(glfw: Any) -> dict[int, str]:
    """Return the names of keys, as in `viewer.window.keys`, by GLFW's numbers of them."""
    constants = {constant.removeprefix("KEY_"): value for constant, value in vars(glfw).items() if "KEY_" in constant}
    return {value: NAME_BY_GLFW_NAME.get(name, name) for name, value in constants.items() if name != "LAST"}


def _is_platform(glfw: Any, name: str) -> bool:
    """Tell whether GLFW runs on a window system; before version 3.4 it has one on each operating system."""
    if not hasattr(glfw, "get_platform"):
        return name == "PLATFORM_X11" and sys.platform.startswith("linux")
    return glfw.get_platform() == getattr(glfw, name)

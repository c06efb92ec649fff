"""X11Clipboard: reads the clipboard of X11 within a time.

GLFW waits for the program that holds the clipboard until it answers: one that hangs would hang Octoscope too. So the
text is asked for here, over a connection of its own.

Source: Inter-Client Communication Conventions Manual, 2.
"""

from __future__ import annotations

import time
from ctypes import (
    CDLL,
    POINTER,
    Structure,
    Union,
    byref,
    c_char_p,
    c_int,
    c_long,
    c_ubyte,
    c_ulong,
    c_void_p,
    string_at,
)

_ANSWER_SECONDS = 0.5  # after which a program that holds the clipboard is given up
_PAUSE_SECONDS = 0.001  # between two looks for its answer
_MOST_BYTES = 1 << 26  # that are pasted: no field is for more
_MOST_WORDS = _MOST_BYTES // 4  # as Xlib counts a property's length
_SELECTION_NOTIFY = 31
_ANY_TYPE = 0


class _Selection(Structure):
    """XSelectionEvent: an answer to XConvertSelection; property 0: there is no such text."""

    _fields_ = (
        ("type", c_int),
        ("serial", c_ulong),
        ("send_event", c_int),
        ("display", c_void_p),
        *((name, c_ulong) for name in ("requestor", "selection", "target", "property", "time")),
    )


class _Event(Union):
    """XEvent."""

    _fields_ = (("selection", _Selection), ("padding", c_long * 24))


class X11Clipboard:
    """The clipboard, by a connection to the X server and a window that is never shown."""

    def __init__(self, xlib: CDLL, display: int) -> None:
        self._xlib, self._display = xlib, display
        self._window = xlib.XCreateSimpleWindow(display, xlib.XDefaultRootWindow(display), 0, 0, 1, 1, 0, 0, 0)
        names = (b"CLIPBOARD", b"UTF8_STRING", b"INCR", b"OCTOSCOPE_PASTED")
        self._clipboard, self._utf8, self._incremental, self._pasted = (
            xlib.XInternAtom(display, name, False) for name in names
        )
        self._copied, self._own_window = "", 0  # what was copied here, and the window that has it for others

    @classmethod
    def connect(cls) -> X11Clipboard | None:
        """Return a new one, or None where Xlib or the server is out of reach."""
        try:
            xlib = CDLL("libX11.so.6")
        except OSError:
            return None
        for name, result, arguments in _FUNCTIONS:
            function = getattr(xlib, name)
            function.restype, function.argtypes = result, arguments
        display = xlib.XOpenDisplay(None)
        return cls(xlib, display) if display else None

    def close(self) -> None:
        """End the connection."""
        self._xlib.XCloseDisplay(self._display)

    def note_copied(self, text: str) -> None:
        """Take note that GLFW holds this text for other programs: it cannot answer while it is asked from here."""
        self._copied, self._own_window = text, self._owner()

    def text(self) -> str:
        """Return the text on the clipboard; "" where it is none, or its program does not answer, or not to the end."""
        owner = self._owner()
        if owner == self._own_window:
            return self._copied
        xlib, event = self._xlib, _Event()
        while xlib.XCheckTypedEvent(self._display, _SELECTION_NOTIFY, byref(event)):
            pass  # answers that came too late
        xlib.XConvertSelection(self._display, self._clipboard, self._utf8, self._pasted, self._window, 0)
        deadline = time.monotonic() + _ANSWER_SECONDS
        while not xlib.XCheckTypedEvent(self._display, _SELECTION_NOTIFY, byref(event)):
            if time.monotonic() > deadline:
                return ""
            time.sleep(_PAUSE_SECONDS)
        if not event.selection.property:
            return ""
        kind, data = self._take()
        return (self._take_parts() if kind == self._incremental else data).decode("utf-8", "replace")

    def _owner(self) -> int:
        """Return the window that holds the clipboard, 0: none."""
        return self._xlib.XGetSelectionOwner(self._display, self._clipboard)

    def _take_parts(self) -> bytes:
        """Return a text that comes in parts: the program sends one whenever the last was taken away (2.7.2, INCR)."""
        parts: list[bytes] = []
        deadline = time.monotonic() + _ANSWER_SECONDS
        while time.monotonic() < deadline and sum(map(len, parts)) < _MOST_BYTES:
            kind, part = self._take()
            if not kind:
                time.sleep(_PAUSE_SECONDS)
            elif part:
                parts.append(part)
                deadline = time.monotonic() + _ANSWER_SECONDS
            else:  # an empty part is the last one
                return b"".join(parts)
        return b""  # half of a text would look like all of it

    def _take(self) -> tuple[int, bytes]:
        """Return type and bytes of what was pasted, and remove it; type 0: there is nothing."""
        kind, bits, count, left, data = c_ulong(), c_int(), c_ulong(), c_ulong(), POINTER(c_ubyte)()
        answer = (byref(kind), byref(bits), byref(count), byref(left), byref(data))
        self._xlib.XGetWindowProperty(
            self._display, self._window, self._pasted, 0, _MOST_WORDS, True, _ANY_TYPE, *answer
        )
        taken = string_at(data, count.value) if data and bits.value == 8 else b""
        if data:
            self._xlib.XFree(data)
        return kind.value, taken


_DISPLAY, _WINDOW, _ATOM, _OUT = c_void_p, c_ulong, c_ulong, c_void_p
_FUNCTIONS: tuple[tuple[str, type, list[type]], ...] = (
    ("XOpenDisplay", c_void_p, [c_char_p]),
    ("XCloseDisplay", c_int, [_DISPLAY]),
    ("XDefaultRootWindow", _WINDOW, [_DISPLAY]),
    ("XCreateSimpleWindow", _WINDOW, [_DISPLAY, _WINDOW, *[c_int] * 5, c_ulong, c_ulong]),
    ("XInternAtom", _ATOM, [_DISPLAY, c_char_p, c_int]),
    ("XGetSelectionOwner", _WINDOW, [_DISPLAY, _ATOM]),
    ("XConvertSelection", c_int, [_DISPLAY, _ATOM, _ATOM, _ATOM, _WINDOW, c_ulong]),
    ("XCheckTypedEvent", c_int, [_DISPLAY, c_int, _OUT]),
    ("XGetWindowProperty", c_int, [_DISPLAY, _WINDOW, _ATOM, c_long, c_long, c_int, _ATOM, *[_OUT] * 5]),
    ("XFree", c_int, [c_void_p]),
)

"""X11Window: what pyglet's window lacks on X11: clipboard, dropped files, keys by their position, event times.

pyglet cuts copied text short where that is not ASCII, waits for ever where the other program does not answer, fails
where less than four kinds of data are dragged, and does not tell the other program that it is done.

It also names a key by the symbol that it has at the moment: with Shift it presses one key and releases another.

Sources: the Inter-Client Communication Conventions Manual, 2; and the XDND protocol, version 5
(freedesktop.org).
"""

from __future__ import annotations

import time
from collections.abc import Callable
from ctypes import POINTER, byref, c_ubyte, c_ulong, cast, string_at

from pyglet.libs.x11 import xlib  # fails where there is no X
from pyglet.window import BaseWindow, key

_ANSWER_SECONDS = 0.5  # after which a program that holds the clipboard is given up
_MOST_BYTES = 2**26  # that are pasted: no field is for more
_TOGGLE = 2  # of _NET_WM_STATE's actions
_ANY_KIND, _XA_ATOM, _XA_STRING = 0, 4, 31
_TIMED = (xlib.KeyPress, xlib.KeyRelease, xlib.ButtonPress, xlib.ButtonRelease, xlib.MotionNotify)


class X11Window:
    """Additions for one pyglet window."""

    def __init__(self, native: BaseWindow) -> None:
        self._native = native
        self._display = native._x_display
        self._text_atoms = (native._utf8_atom, _XA_STRING, self._atom(b"TEXT"))
        self._milliseconds = 0  # of the event under way, by the server's clock
        # Two windows, one in the other, and either may get keys: it depends on where the pointer is.
        native.dispatch_platform_event = self._noting_time(native.dispatch_platform_event)
        native.dispatch_platform_event_view = self._noting_time(native.dispatch_platform_event_view)
        native.display._window_map[native._window] = native.dispatch_platform_event
        native.display._window_map[native._view] = native.dispatch_platform_event_view
        native._event_handlers[xlib.SelectionRequest] = self._answer_request
        native._event_handlers[xlib.SelectionNotify] = self._take_drop
        native._event_drag_enter = self._drag_enters
        self._symbols: dict[int, int] = {}  # of the keys that are held, by key code
        self._text_and_symbol = native._event_text_symbol
        native._event_text_symbol = self._text_and_key
        native.push_handlers(on_deactivate=self._forget_keys)

    def event_seconds(self) -> float:
        """Return the time at which the present event came, not the time at which it is handled."""
        return self._milliseconds / 1000.0 if self._milliseconds else time.monotonic()

    def _text_and_key(self, event: xlib.XEvent) -> tuple[str | None, int | None]:
        """Give a key event's text, and a symbol that stays the same from the key's press to its release.

        It is the one that the key has without Shift: what is a chord is the key, and Shift is a part of it already.
        """
        text, symbol = self._text_and_symbol(event)
        code = event.xkey.keycode
        if symbol is None or code == 0:  # an input method's
            return text, symbol
        if event.type == xlib.KeyRelease:
            return text, self._symbols.pop(code, symbol)
        if code not in self._symbols:  # else it is held, and repeats
            self._symbols[code] = _symbol_without_shift(event)
        return text, self._symbols[code]

    def _forget_keys(self) -> None:
        """Count no key as held: releases in other windows are not heard of."""
        self._symbols.clear()
        getattr(self._native, "pressed_keys", self._symbols).clear()  # pyglet has it where the server tells of repeats

    def pasted_text(self) -> str:
        """Return the text of the clipboard; "" where there is none, or its program does not answer in time."""
        native = self._native
        clipboard = native._clipboard_atom
        owner = xlib.XGetSelectionOwner(self._display, clipboard)
        if owner == native._window:
            return native._clipboard_str or ""
        if not owner:
            return ""
        xlib.XConvertSelection(self._display, clipboard, native._utf8_atom, clipboard, native._window, xlib.CurrentTime)
        event, deadline = xlib.XEvent(), time.monotonic() + _ANSWER_SECONDS
        while time.monotonic() < deadline:
            if not xlib.XCheckTypedWindowEvent(self._display, native._window, xlib.SelectionNotify, byref(event)):
                time.sleep(0.001)
            elif event.xselection.selection == clipboard:
                if not event.xselection.property:
                    return ""
                _, data = self._taken(clipboard)
                if data is None:
                    data = self._received_in_parts(clipboard)
                return data.decode("utf-8", "replace")
        return ""

    def _taken(self, name: int) -> tuple[bool, bytes | None]:
        """Delete a property of our own window; return if it was there, and its text (None: in parts)."""
        native = self._native
        data, count, kind = native.get_single_property(native._window, name, _ANY_KIND)
        found = string_at(data, count) if data and kind == native._utf8_atom else b""
        if data:
            xlib.XFree(data)
        xlib.XDeleteProperty(self._display, native._window, name)
        return bool(kind), None if kind == native._incr_atom else found

    def _received_in_parts(self, name: int) -> bytes:
        """Return what another program sends in parts, each once the last was deleted (ICCCM 2.7.2, INCR)."""
        parts: list[bytes] = []
        event, deadline = xlib.XEvent(), time.monotonic() + _ANSWER_SECONDS
        while time.monotonic() < deadline and sum(map(len, parts)) < _MOST_BYTES:
            window = self._native._window
            if not xlib.XCheckTypedWindowEvent(self._display, window, xlib.PropertyNotify, byref(event)):
                time.sleep(0.0005)
            elif event.xproperty.atom == name and event.xproperty.state == xlib.PropertyNewValue:
                is_there, part = self._taken(name)
                if part:
                    parts.append(part)
                    deadline = time.monotonic() + _ANSWER_SECONDS
                elif is_there:  # an empty one is the last
                    return b"".join(parts)
        return b""  # half of a text would look like all of it

    def _atom(self, name: bytes) -> int:
        return xlib.XInternAtom(self._display, name, False)

    def _property(self, name: int, kind: int) -> bytes:
        """Return a property of our own window if it is of that kind, else b""."""
        data, count, actual = self._native.get_single_property(self._native._window, name, kind)
        found = string_at(data, count) if data and actual == kind else b""
        if data:
            xlib.XFree(data)
        return found

    def _noting_time(self, dispatch: Callable[[xlib.XEvent], None]) -> Callable[[xlib.XEvent], None]:
        def note_and_dispatch(event: xlib.XEvent) -> None:
            if event.type in _TIMED:
                self._milliseconds = event.xkey.time
            dispatch(event)

        return note_and_dispatch

    @property
    def fills_screen(self) -> bool:
        """True while the window manager has maximised the window or given it the whole screen."""
        native = self._native
        data, count, _ = native.get_single_property(native._window, self._atom(b"_NET_WM_STATE"), _XA_ATOM)
        states = list(cast(data, POINTER(c_ulong))[:count]) if data else []
        if data:
            xlib.XFree(data)
        names = (b"_NET_WM_STATE_MAXIMIZED_HORZ", b"_NET_WM_STATE_MAXIMIZED_VERT", b"_NET_WM_STATE_FULLSCREEN")
        return any(self._atom(name) in states for name in names)

    def toggle_state(self, *names: bytes) -> None:
        """Ask the window manager to turn states on or off (Extended Window Manager Hints, _NET_WM_STATE)."""
        request = xlib.XEvent()
        request.xclient.type = xlib.ClientMessage
        request.xclient.window = self._native._window
        request.xclient.message_type = self._atom(b"_NET_WM_STATE")
        request.xclient.format = 32
        request.xclient.data.l[0] = _TOGGLE
        for place, name in enumerate(names, start=1):
            request.xclient.data.l[place] = self._atom(name)
        mask = xlib.SubstructureRedirectMask | xlib.SubstructureNotifyMask
        xlib.XSendEvent(self._display, xlib.XDefaultRootWindow(self._display), False, mask, byref(request))
        xlib.XFlush(self._display)

    def _answer_request(self, event: xlib.XEvent) -> None:
        """Send the copied text to a program that asks for it."""
        native, request = self._native, event.xselectionrequest
        name = request.property or request.target  # older programs leave it open
        answer = xlib.XEvent()
        answer.xselection.type = xlib.SelectionNotify
        answer.xselection.requestor, answer.xselection.selection = request.requestor, request.selection
        answer.xselection.target, answer.xselection.time = request.target, request.time
        text = native._clipboard_str if request.selection == native._clipboard_atom else None
        if text is not None and request.target == native._target_atom:
            atoms = (c_ulong * 4)(native._target_atom, *self._text_atoms)
            self._change(request.requestor, name, _XA_ATOM, 32, cast(atoms, POINTER(c_ubyte)), len(atoms))
            answer.xselection.property = name
        elif text is not None and request.target in self._text_atoms:
            encoded = text.encode("latin-1" if request.target == _XA_STRING else "utf-8", "replace")
            kind = native._utf8_atom if request.target == self._text_atoms[2] else request.target
            data = (c_ubyte * len(encoded)).from_buffer_copy(encoded)
            self._change(request.requestor, name, kind, 8, data, len(encoded))
            answer.xselection.property = name
        xlib.XSendEvent(self._display, request.requestor, False, 0, byref(answer))
        xlib.XFlush(self._display)

    def _change(self, window: int, name: int, kind: int, bits: int, data: object, count: int) -> None:
        xlib.XChangeProperty(self._display, window, name, kind, bits, xlib.PropModeReplace, data, count)

    def _drag_enters(self, event: xlib.XEvent) -> None:
        """Take note whether what is dragged over the window is files."""
        native, data = self._native, event.xclient.data.l
        native._xdnd_source, native._xdnd_version = data[0], data[1] >> 24
        kinds = [data[place] for place in (2, 3, 4)]
        if data[1] & 1:  # more than the message has room for
            listed, count, _ = native.get_single_property(data[0], native._xdnd_atoms["XdndTypeList"], _XA_ATOM)
            kinds = list(cast(listed, POINTER(c_ulong))[:count]) if listed else []
            if listed:
                xlib.XFree(listed)
        files = native._xdnd_atoms["text/uri-list"]
        native._xdnd_format = files if files in kinds else None

    def _take_drop(self, event: xlib.XEvent) -> None:
        """Take the names of dropped files from the program that they come from."""
        native, selection = self._native, event.xselection
        if selection.selection != native._xdnd_atoms["XdndSelection"]:
            return
        named = self._property(selection.property, selection.target) if selection.property else b""
        done = xlib.XEvent()
        done.xclient.type = xlib.ClientMessage
        done.xclient.message_type = native._xdnd_atoms["XdndFinished"]
        done.xclient.window = native._xdnd_source
        done.xclient.format = 32
        done.xclient.data.l[0] = native._window
        done.xclient.data.l[1] = int(bool(named))
        done.xclient.data.l[2] = native._xdnd_atoms["XdndActionCopy"] if named else 0
        xlib.XSendEvent(self._display, native._xdnd_source, False, 0, byref(done))
        xlib.XFlush(self._display)
        lines = [line for line in named.decode("utf-8", "replace").splitlines() if line.startswith("file:")]
        paths = native.parse_filenames("\n".join(lines))
        if paths:
            x, y = native._xdnd_position
            native.dispatch_event("on_file_drop", x, native.height - y, paths)


def _symbol_without_shift(event: xlib.XEvent) -> int:
    """Return pyglet's symbol of a key event's key, as if Shift were not held."""
    plain = xlib.XKeyEvent.from_buffer_copy(event.xkey)
    plain.state &= ~xlib.ShiftMask
    symbol = xlib.KeySym()
    xlib.XLookupString(byref(plain), None, 0, byref(symbol), None)
    small = ord(chr(symbol.value).lower()) if symbol.value < 0x110000 else 0  # with Caps Lock
    known = (each for each in (symbol.value, small) if each in key._key_names)
    return next(known, key.user_key(plain.keycode))

"""Another program on the same screen: it copies, pastes, or drags files onto a window. Run as a script.

x_client.py paste                    print what is on the clipboard
x_client.py copy TEXT                hold it on the clipboard until another program copies; prints "copied" first
x_client.py copy-in-parts TEXT       the same, but hand it over a few bytes at a time, as what is long
x_client.py hold TEXT                hold the clipboard, and answer nobody; prints "copied" first
x_client.py drop WINDOW X Y URI...   drag URIs onto a window's point of the screen; prints what came of it
"""

from __future__ import annotations

import itertools
import math
import sys
import time
from collections.abc import Iterator
from ctypes import POINTER, Array, byref, c_int, c_ubyte, c_ulong, cast, string_at

from pyglet.libs.x11 import xlib

SECONDS = 20.0  # until it gives up
XDND_VERSION = 5


class Client:
    """A window that is never shown, which owns and asks for selections."""

    def __init__(self) -> None:
        self.display = xlib.XOpenDisplay(None)
        root = xlib.XDefaultRootWindow(self.display)
        self.window = xlib.XCreateSimpleWindow(self.display, root, 0, 0, 1, 1, 0, 0, 0)

    def atom(self, name: str) -> int:
        return xlib.XInternAtom(self.display, name.encode(), False)

    def events(self, seconds: float = SECONDS) -> Iterator[xlib.XEvent]:
        """Events as they come, until the time is over."""
        deadline, event = time.monotonic() + seconds, xlib.XEvent()
        while time.monotonic() < deadline:
            if xlib.XPending(self.display):
                xlib.XNextEvent(self.display, byref(event))
                yield event
            else:
                time.sleep(0.005)

    def events_while_owner(self) -> Iterator[xlib.XEvent]:
        """Events as they come, until another program copies, or this one is killed."""
        yield from itertools.takewhile(lambda event: event.type != xlib.SelectionClear, self.events(math.inf))

    def own(self, selection: str) -> None:
        xlib.XSetSelectionOwner(self.display, self.atom(selection), self.window, 0)
        xlib.XSync(self.display, False)

    def hand_over(self, event: xlib.XEvent, kind: str, data: bytes) -> None:
        """Answer a request for what is owned: with the data, or that there is none of that kind."""
        request = event.xselectionrequest
        is_asked_for = request.target == self.atom(kind)
        if is_asked_for:
            buffer = (c_ubyte * len(data)).from_buffer_copy(data)
            self.set_property(request.requestor, request.property, kind, 8, buffer, len(data))
        self.answer(event, request.property if is_asked_for else 0)

    def set_property(self, window: int, name: int, kind: str, bits: int, data: Array, count: int) -> None:
        values = cast(data, POINTER(c_ubyte))
        xlib.XChangeProperty(self.display, window, name, self.atom(kind), bits, 0, values, count)
        xlib.XFlush(self.display)

    def answer(self, event: xlib.XEvent, name: int) -> None:
        """Say in which property the data is that was asked for; 0: there is none of that kind."""
        request, answer = event.xselectionrequest, xlib.XEvent()
        answer.xselection.type = xlib.SelectionNotify
        answer.xselection.requestor, answer.xselection.selection = request.requestor, request.selection
        answer.xselection.target, answer.xselection.time = request.target, request.time
        answer.xselection.property = name
        xlib.XSendEvent(self.display, request.requestor, False, 0, byref(answer))
        xlib.XFlush(self.display)

    def message(self, window: int, kind: str, *data: int) -> None:
        event = xlib.XEvent()
        event.xclient.type, event.xclient.window, event.xclient.format = xlib.ClientMessage, window, 32
        event.xclient.message_type = self.atom(kind)
        for place, number in enumerate((self.window, *data)):
            event.xclient.data.l[place] = number
        xlib.XSendEvent(self.display, window, False, 0, byref(event))
        xlib.XFlush(self.display)


def paste() -> str:
    client = Client()
    kind, place = client.atom("UTF8_STRING"), client.atom("PASTED")
    xlib.XConvertSelection(client.display, client.atom("CLIPBOARD"), kind, place, client.window, 0)
    for event in client.events():
        if event.type == xlib.SelectionNotify:
            actual, bits, count, left = c_ulong(), c_int(), c_ulong(), c_ulong()
            data = POINTER(c_ubyte)()
            xlib.XGetWindowProperty(
                client.display,
                client.window,
                place,
                0,
                1 << 20,
                False,
                kind,
                byref(actual),
                byref(bits),
                byref(count),
                byref(left),
                byref(data),
            )
            return string_at(data, count.value).decode() if event.xselection.property else "nothing"
    return "no answer"


def copy(text: str) -> None:
    client = Client()
    client.own("CLIPBOARD")
    print("copied", flush=True)
    for event in client.events_while_owner():
        if event.type == xlib.SelectionRequest:
            client.hand_over(event, "UTF8_STRING", text.encode())


def copy_in_parts(text: str, part_bytes: int = 1000) -> None:
    """Hold a text on the clipboard as `copy` does, and hand it over in parts (INCR of the ICCCM)."""
    client, data = Client(), text.encode()
    client.own("CLIPBOARD")
    print("copied", flush=True)
    left: list[bytes] = []
    requestor = place = 0
    for event in client.events_while_owner():
        if event.type == xlib.SelectionRequest and event.xselectionrequest.target == client.atom("UTF8_STRING"):
            requestor, place = event.xselectionrequest.requestor, event.xselectionrequest.property
            left = [data[first : first + part_bytes] for first in range(0, len(data), part_bytes)] + [b""]
            xlib.XSelectInput(client.display, requestor, xlib.PropertyChangeMask)
            client.set_property(requestor, place, "INCR", 32, (c_ulong * 1)(len(data)), 1)
            client.answer(event, place)
        elif event.type == xlib.PropertyNotify and event.xproperty.state == xlib.PropertyDelete and left:
            part = left.pop(0)
            client.set_property(requestor, place, "UTF8_STRING", 8, (c_ubyte * len(part))(*part), len(part))


def hold() -> None:
    client = Client()
    client.own("CLIPBOARD")
    print("copied", flush=True)
    for _ in client.events_while_owner():
        pass


def drop(window: int, x: int, y: int, uris: list[str]) -> str:
    """Drop files on a window as a file manager does (XDND); return "accepted" once the window says that it has them."""
    client = Client()
    client.own("XdndSelection")
    client.message(window, "XdndEnter", XDND_VERSION << 24, client.atom("text/uri-list"), 0, 0)
    client.message(window, "XdndPosition", 0, x << 16 | y, 0, client.atom("XdndActionCopy"))
    for event in client.events():
        if event.type == xlib.SelectionRequest:
            client.hand_over(event, "text/uri-list", "".join(f"{uri}\r\n" for uri in uris).encode())
        elif event.type == xlib.ClientMessage and event.xclient.message_type == client.atom("XdndStatus"):
            if not event.xclient.data.l[1] & 1:
                client.message(window, "XdndLeave", 0, 0, 0, 0)
                return "refused"
            client.message(window, "XdndDrop", 0, 0, 0, 0)
        elif event.type == xlib.ClientMessage and event.xclient.message_type == client.atom("XdndFinished"):
            from_window = event.xclient.data.l[0] == window
            # The protocol's bit 0 says that it was accepted; GLFW gives the number of bytes instead.
            return "accepted" if from_window and event.xclient.data.l[1] else "failed"
    return "no answer"


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["paste"]:
            print(paste())
        case ["copy", text]:
            copy(text)
        case ["copy-in-parts", text]:
            copy_in_parts(text)
        case ["hold", _]:
            hold()
        case ["drop", window, x, y, *uris]:
            print(drop(int(window), int(x), int(y), uris))

"""A compositor is asked whether it has a seat; the test plays the compositor."""

from __future__ import annotations

import socket
import struct
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from threading import Thread

import pytest

from octoscope.viewer.window import window
from octoscope.viewer.window.wayland_seat import compositor_has_seat
from octoscope.viewer.window.window import Window, WindowUnavailable

OTHERS = ("wl_compositor", "wl_shm", "wl_seat_like", "xdg_wm_base")
REGISTRY, CALLBACK = 2, 3


def _event(source: int, content: bytes) -> bytes:
    return struct.pack("=II", source, (8 + len(content)) << 16) + content


def _global(number: int, name: str) -> bytes:
    text = name.encode() + b"\0"
    return _event(REGISTRY, struct.pack("=II", number, len(text)) + text + bytes(-len(text) % 4) + struct.pack("=I", 1))


@pytest.fixture
def play(monkeypatch: pytest.MonkeyPatch):
    """A function that plays a compositor that has some globals, or hangs up (None), for one connection."""
    with tempfile.TemporaryDirectory() as folder, socket.socket(socket.AF_UNIX) as server:
        server.bind(str(Path(folder) / "wayland-7"))
        server.listen(1)
        monkeypatch.setenv("XDG_RUNTIME_DIR", folder)
        monkeypatch.setenv("WAYLAND_DISPLAY", "wayland-7")
        monkeypatch.delenv("DISPLAY", raising=False)

        def serve(names: Sequence[str] | None) -> None:
            connection, _ = server.accept()
            with connection:
                asked = struct.unpack("=6I", connection.recv(24, socket.MSG_WAITALL))
                assert asked == (1, 12 << 16 | 1, REGISTRY, 1, 12 << 16, CALLBACK)
                if names is not None:
                    told = b"".join(_global(number, name) for number, name in enumerate(names))
                    connection.sendall(told + _event(CALLBACK, bytes(4)))

        threads: list[Thread] = []

        def play(names: Sequence[str] | None) -> None:
            threads.append(Thread(target=serve, args=(names,)))
            threads[-1].start()

        yield play
        for thread in threads:
            thread.join()


def test_a_seat_is_found_among_what_a_compositor_has(play: Callable[..., None]) -> None:
    for names, has_seat in (((*OTHERS, "wl_seat"), True), (("wl_seat", *OTHERS), True), (OTHERS, False), ((), False)):
        play(names)
        assert compositor_has_seat() is has_seat, names


def test_a_compositor_that_does_not_answer_is_left_to_glfw(play, monkeypatch) -> None:
    play(None)
    assert compositor_has_seat()
    monkeypatch.setenv("WAYLAND_DISPLAY", "wayland-8")
    assert compositor_has_seat()


def test_without_a_seat_a_line_says_why_there_is_no_window(play, monkeypatch) -> None:
    monkeypatch.setattr(window, "_import_backend", lambda: None)
    play(OTHERS)
    with pytest.raises(WindowUnavailable, match=r"^no window can be opened \(the Wayland compositor has no keyboard"):
        Window((64, 48))

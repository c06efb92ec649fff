"""A Wayland session without X11: the compositor sway, with a screen in memory and a pointer that tests move."""

from __future__ import annotations

import io
import json
import os
import shutil
import socket
import struct
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
from PIL import Image

from octoscope.viewer.settings.config import FOLDER_VARIABLE, WindowState, save_window_state
from tests.viewer.windows.xvfb import PLAIN, Point, wait_for

SIZE = (1280, 720)
_NOBODY = 65534  # sway refuses to run as root
_LEFT_BUTTON = 0x110  # as Linux numbers it
_TOOLS = ("sway", "swaymsg", "grim")


def missing_tools() -> list[str]:
    """The programs that these tests need and this machine lacks."""
    return [tool for tool in _TOOLS if shutil.which(tool) is None]


class Pointer:
    """A mouse, plugged in by the protocol wlr-virtual-pointer-unstable-v1. Points are pixels of the screen."""

    _DISPLAY = 1  # the id of the first object; others follow one by one

    def __init__(self, path: Path) -> None:
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.connect(str(path))
        self._last_id = self._DISPLAY
        registry, interface = self._new_id(), b"zwlr_virtual_pointer_manager_v1\0"
        self._send(self._DISPLAY, 1, struct.pack("=I", registry))  # get_registry
        offered = [arguments for source, arguments in self._wait_until_handled() if source == registry]
        (name,) = [arguments[:4] for arguments in offered if arguments[8:].startswith(interface)]
        manager, self._pointer = self._new_id(), self._new_id()
        length = struct.pack("=I", len(interface))
        self._send(registry, 0, name + length + interface + struct.pack("=II", 1, manager))  # bind
        self._send(manager, 0, struct.pack("=II", 0, self._pointer))  # create_virtual_pointer
        self._wait_until_handled()

    def click(self, point: Point) -> None:
        """Go to a point; press and release the left button there."""
        self._send(self._pointer, 1, struct.pack("=5I", 0, *point, *SIZE))  # motion_absolute
        self._send(self._pointer, 4)  # frame
        for pressed in (1, 0):
            self._send(self._pointer, 2, struct.pack("=3I", 0, _LEFT_BUTTON, pressed))  # button
            self._send(self._pointer, 4)
        self._wait_until_handled()

    def close(self) -> None:
        self._socket.close()

    def _new_id(self) -> int:
        self._last_id += 1
        return self._last_id

    def _send(self, target: int, opcode: int, arguments: bytes = b"") -> None:
        self._socket.sendall(struct.pack("=II", target, (8 + len(arguments)) << 16 | opcode) + arguments)

    def _wait_until_handled(self) -> list[tuple[int, bytes]]:
        """Wait for the compositor; return what it has told until then: the object, and the event's arguments."""
        callback, events = self._new_id(), []
        self._send(self._DISPLAY, 0, struct.pack("=I", callback))  # sync
        while not events or events[-1][0] != callback:
            source, length = struct.unpack("=II", self._socket.recv(8, socket.MSG_WAITALL))
            arguments = self._socket.recv((length >> 16) - 8, socket.MSG_WAITALL)
            assert (source, length & 0xFFFF) != (self._DISPLAY, 0), f"the compositor refuses: {arguments!r}"
            events.append((source, arguments))
        return events


class Desktop:
    """A Wayland session with one screen, which its only window fills."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        runtime = folder / "runtime"
        runtime.mkdir(mode=0o700)
        (folder / "sway").write_text(f"output * resolution {SIZE[0]}x{SIZE[1]}\ndefault_border none\n")
        (folder / "sway").chmod(0o644)
        without = ("DISPLAY", "WAYLAND_DISPLAY", "SWAYSOCK")
        base = {name: value for name, value in os.environ.items() if name not in without}
        base |= {"XDG_RUNTIME_DIR": str(runtime), "XDG_SESSION_TYPE": "wayland", "LIBGL_ALWAYS_SOFTWARE": "1"}
        headless = {"WLR_BACKENDS": "headless", "WLR_RENDERER": "pixman", "WLR_LIBINPUT_NO_DEVICES": "1"}
        user: dict[str, object] = {}
        if os.geteuid() == 0:
            os.chown(runtime, _NOBODY, _NOBODY)
            user = {"user": _NOBODY, "group": _NOBODY, "extra_groups": []}
        self._sway = subprocess.Popen(
            ["sway", "-c", str(folder / "sway")],
            env={**base, **headless, "HOME": str(runtime)},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            **user,
        )
        control = wait_for(lambda: [*runtime.glob("sway-ipc.*")], "the compositor")[0]
        display = wait_for(lambda: [*runtime.glob("wayland-*[0-9]")], "the compositor's socket")[0]
        config = folder / "config"
        save_window_state(config, WindowState(panels=False, settings=PLAIN))
        names = {"WAYLAND_DISPLAY": display.name, "SWAYSOCK": str(control), FOLDER_VARIABLE: str(config)}
        self.environment = {**base, **names}
        self.pointer = Pointer(display)

    def titles(self) -> list[str]:
        """Return the titles of all windows."""
        leaves, nodes = [], [json.loads(self._told("swaymsg", "-t", "get_tree"))]
        while nodes:
            node = nodes.pop()
            nodes += node["nodes"] + node["floating_nodes"]
            leaves += [node["name"]] if node.get("pid") else []
        return leaves

    def picture(self) -> np.ndarray:
        """(h, w, 3) uint8: the screen as it is now."""
        return np.asarray(Image.open(io.BytesIO(self._told("grim", "-"))).convert("RGB"))

    def ask_to_close(self) -> None:
        """Ask the window that has the keys to close, as the cross in a title bar does."""
        self._told("swaymsg", "kill")

    def go_to_workspace(self, number: int) -> None:
        """Show another workspace: what lies on the first one is hidden, and is not asked for pictures."""
        self._told("swaymsg", "workspace", str(number))

    def scale(self, factor: float) -> None:
        """Make the screen one of more or fewer pixels to a logical one, as a window meets that is moved to another."""
        self._told("swaymsg", "output", "*", "scale", str(factor))

    def _told(self, *command: str) -> bytes:
        return subprocess.run(command, env=self.environment, stdout=subprocess.PIPE, check=True, timeout=60).stdout

    def close(self) -> None:
        self.pointer.close()
        self._sway.terminate()
        self._sway.wait(timeout=20)


@contextmanager
def open_desktop() -> Iterator[Desktop]:
    """Start a session; it ends with the block."""
    # Not one of pytest's folders: those are for their owner alone, and their names are too long for sockets.
    with tempfile.TemporaryDirectory(prefix="octoscope-wayland-") as name:
        Path(name).chmod(0o755)
        desktop = Desktop(Path(name))
        try:
            yield desktop
        finally:
            desktop.close()

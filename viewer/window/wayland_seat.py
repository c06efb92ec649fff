"""Ask a Wayland compositor whether it has a seat: keyboard and mouse, without which GLFW crashes when it starts.

Compositors without one run where nobody sits, such as weston with its headless backend.
"""

from __future__ import annotations

import os
import socket
import struct

_SECONDS = 2.0  # to wait for the compositor
_DISPLAY, _REGISTRY, _CALLBACK = 1, 2, 3  # ids of the objects of a connection; the first one is always there


def compositor_has_seat() -> bool:
    """Return False if the compositor of WAYLAND_DISPLAY says that it has none."""
    path = os.path.join(os.environ.get("XDG_RUNTIME_DIR", ""), os.environ.get("WAYLAND_DISPLAY", ""))
    try:
        with socket.socket(socket.AF_UNIX) as connection:
            connection.settimeout(_SECONDS)
            connection.connect(path)
            # get_registry, which tells all that the compositor has; sync, which is answered after that.
            connection.sendall(struct.pack("=6I", _DISPLAY, 12 << 16 | 1, _REGISTRY, _DISPLAY, 12 << 16, _CALLBACK))
            source, names = 0, []
            while source != _CALLBACK:
                source, length = struct.unpack("=II", connection.recv(8, socket.MSG_WAITALL))
                names.append(connection.recv((length >> 16) - 8, socket.MSG_WAITALL)[8:])
    except (OSError, struct.error):  # there is none, or it does not answer: GLFW tells what is wrong
        return True
    return any(name.startswith(b"wl_seat\0") for name in names)

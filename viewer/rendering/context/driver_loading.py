"""Load the graphics driver while the program is still being imported.

The driver of a software renderer brings a compiler along, which takes longer to load than all of a small picture takes
to draw. ctypes lets Python go on meanwhile; moderngl would not.
"""

from __future__ import annotations

import ctypes
import os
import sys
from contextlib import suppress
from threading import Thread

LIBRARY = "libEGL.so.1"  # by this name every Linux has it; to search for it runs another program, three times
_PLATFORM_DEVICE = 0x313F  # EGL_PLATFORM_DEVICE_EXT


def load_driver_beside() -> None:
    """Load the driver of the display that `create_context` will use, in a thread; what fails there will fail again."""
    if not sys.platform.startswith("linux"):
        return
    os.environ.setdefault("EGL_LOG_LEVEL", "fatal")  # a missing part of the driver is no news: the context tells
    Thread(target=_load_driver, name="driver").start()  # the program waits for it: no library ends while it loads


def _load_driver() -> None:
    """Initialize the display of EGL's first device, as moderngl does."""
    with suppress(OSError):
        library = ctypes.CDLL(LIBRARY)
        library.eglGetProcAddress.restype = ctypes.c_void_p
        pointer, count = ctypes.c_void_p, ctypes.c_int(0)
        device = pointer()
        addresses = [library.eglGetProcAddress(name) for name in (b"eglQueryDevicesEXT", b"eglGetPlatformDisplayEXT")]
        if not all(addresses):
            return
        query = ctypes.CFUNCTYPE(ctypes.c_uint, ctypes.c_int, pointer, pointer)(addresses[0])
        display_of = ctypes.CFUNCTYPE(pointer, ctypes.c_uint, pointer, pointer)(addresses[1])
        if query(1, ctypes.byref(device), ctypes.byref(count)) and count.value > 0:
            library.eglInitialize.argtypes = [pointer] * 3
            library.eglInitialize(display_of(_PLATFORM_DEVICE, device, None), None, None)

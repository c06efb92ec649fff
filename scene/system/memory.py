"""Measure how much memory is free or was taken; read amounts that users state as text; keep memory or give it back."""

from __future__ import annotations

import ctypes
import gc
import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import numpy as np

_ASSUMED_BYTES = 4 * 2**30  # where the system does not say
# glibc's numbers of what `mallopt` sets, and the largest block of freed memory that it keeps.
_TRIM_THRESHOLD, _MMAP_THRESHOLD, _MOST_ARENAS = -1, -3, -8
_KEPT_BYTES = 2**20
_KEPT_AT_END_BYTES = 2**26  # of the heap: what a software renderer takes for each picture, as keep_freed_memory says
_LARGEST_HEAP_BLOCK_BYTES = 2**25  # of glibc, which maps larger blocks one by one, whatever was freed before


def free_memory_bytes() -> int:
    """Return how many bytes the system can give without writing any to disk."""
    with suppress(OSError, ValueError, IndexError):  # Linux
        for line in Path("/proc/meminfo").read_text().splitlines():
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) * 1024
    with suppress(OSError, ValueError, AttributeError):
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 2
    return _ASSUMED_BYTES


def bytes_called(text: str) -> int:
    """Return a number of bytes, from a text such as "500M" or "2G"; ValueError if it is none."""
    match = re.fullmatch(r"(\d+(?:\.\d*)?) ?([KMGT]?)(?:i?B)?", text.strip(), re.IGNORECASE)
    if match is None:
        raise ValueError(f"{text.strip()!r} is not a size, such as 500M or 2G")
    given = float(match[1]) * 1024 ** " KMGT".index(match[2].upper() or " ")
    if not 1.0 <= given < sys.maxsize:
        raise ValueError(f"{text.strip()!r}: the size must be above 0, and one that a machine can have")
    return int(given)


def data_memory_bytes() -> int:
    """Return the memory that counts for RLIMIT_DATA, in use or not; 0 where the system does not say."""
    with suppress(OSError, ValueError, IndexError):
        for line in Path("/proc/self/status").read_text().splitlines():
            if line.startswith("VmData:"):
                return int(line.split()[1]) * 1024
    return 0


def peak_memory_bytes() -> int | None:
    """Return the most memory that this process, or one that it has started and that has ended, ever had at a time.

    Memory that is shared with other processes, such as libraries, counts; None where the system does not say.
    """
    try:
        import resource
    except ImportError:  # Windows
        return None
    unit = 1 if sys.platform == "darwin" else 1024
    return unit * max(resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))


@contextmanager
def no_collections() -> Iterator[None]:
    """Switch the garbage collector off: among millions of new objects without garbage it takes half of the time."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def give_back_freed_memory() -> None:
    """Give back to the system what this process frees from now on, where that can be chosen (glibc).

    Its allocator keeps freed blocks of up to 32 MiB for later, and what is read and dropped again and again ends up
    scattered between them: a process takes two or three times the memory that it uses. Larger blocks than these are
    mapped one by one, which takes some more time.
    """
    with suppress(OSError, AttributeError):  # another system, or another C library
        library = ctypes.CDLL(None)
        if library.gnu_get_libc_version:
            library.mallopt(_MMAP_THRESHOLD, _KEPT_BYTES)
            library.mallopt(_TRIM_THRESHOLD, _KEPT_AT_END_BYTES)
            library.mallopt(_MOST_ARENAS, 2)


def keep_freed_memory() -> None:
    """Keep what this process frees from now on for later, where the allocator chooses by what was freed (glibc).

    llvmpipe takes and frees memory for the triangles of each picture, 35 MB for 100,000 of them. What goes back to the
    system is filled with zeros, page by page, whenever it is taken again, which takes a third of the time of a picture.
    glibc keeps up to twice the largest block that was ever freed, unless somebody has chosen otherwise.
    """
    with suppress(MemoryError):
        np.empty(_LARGEST_HEAP_BLOCK_BYTES - 2**16, np.uint8)  # no page of it is ever touched


def readable_bytes(count: float) -> str:
    """Write a number of bytes for a person."""
    for unit in ("bytes", "KiB", "MiB", "GiB"):
        if count < 999.5:  # which would be written as 1e+03
            return f"{count:.3g} {unit}"
        count /= 1024.0
    return f"{count:.3g} TiB"

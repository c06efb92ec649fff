"""Files that one program at a time writes; the lock goes with the program that holds it, however that ends."""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from pathlib import Path

try:
    import fcntl
except ImportError:  # Windows: who writes last, wins
    fcntl = None


def open_locked(path: Path, *, mode: int = 0o666) -> int | None:
    """Open a file for reading and writing, made if it is not there, and lock it.

    Args:
        mode: of a file that is made, before the umask.

    Returns:
        a file descriptor, or None: another program, or another part of this one, holds the lock.

    Raises:
        OSError: the path is a link or no regular file, or cannot be opened.
    """
    flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
    while True:
        descriptor = os.open(path, flags, mode)
        try:
            if not stat.S_ISREG(os.fstat(descriptor).st_mode):
                raise OSError("not a regular file")
            if not _lock(descriptor):
                os.close(descriptor)
                return None
            with suppress(FileNotFoundError):
                if os.path.samestat(os.fstat(descriptor), os.stat(path)):
                    return descriptor
        except BaseException:
            os.close(descriptor)
            raise
        os.close(descriptor)  # its last holder has removed it meanwhile: the lock is on a file that nobody sees


def is_locked(path: Path) -> bool:
    """Whether a program holds a file's lock (`open_locked`), this one or another; OSError: it cannot be opened."""
    # A pipe would wait for whoever writes to it.
    descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
    try:
        return stat.S_ISREG(os.fstat(descriptor).st_mode) and not _lock(descriptor, shared=True)
    finally:
        os.close(descriptor)


def _lock(descriptor: int, *, shared: bool = False) -> bool:
    if fcntl is None:
        return True
    try:
        fcntl.flock(descriptor, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:  # a file system without locks
        return True
    return True

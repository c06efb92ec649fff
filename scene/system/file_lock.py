"""Lock files so that one program at a time writes each; a lock ends with the program that holds it, however it ends."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]  # mypy has no optional modules
    import msvcrt

# Windows lets no other program read or write the bytes that are locked. So the locked byte lies behind the end of the
# file, which must not be longer than this; msvcrt reaches no further.
LOCKED_BYTE = 2**31 - 1


def open_locked(path: Path, *, mode: int = 0o666) -> int | None:
    """Open a regular file for reading and writing, no link, made if it is not there, and lock it.

    Returns:
        a file descriptor, for `close_locked`, `remove_locked` or `rename_locked`; None: another program, or another
        part of this one, holds the lock.
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
        close_locked(descriptor)  # its last holder has removed it meanwhile: the lock is on a file that nobody sees


def close_locked(descriptor: int) -> None:
    """Close a file that `open_locked` has opened, and so let others lock it."""
    _unlock(descriptor)
    os.close(descriptor)


def remove_locked(descriptor: int, path: Path) -> None:
    """Remove a file that `open_locked` has opened, if that can be done, and close it."""
    with _closing(descriptor), suppress(OSError):
        os.unlink(path)


def rename_locked(descriptor: int, path: Path, target: Path) -> None:
    """Put a file that `open_locked` has opened in the place of another, or else remove it, and close it."""
    with _closing(descriptor):
        try:
            os.replace(path, target)
        except OSError:
            with suppress(OSError):
                os.unlink(path)
            raise


def is_locked(path: Path) -> bool:
    """Tell whether a program, this one or another, holds a file's lock (`open_locked`)."""
    # A pipe would wait for whoever writes to it.
    descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            return False
        is_free = _lock(descriptor, shared=True)
        if is_free:
            _unlock(descriptor)
        return not is_free
    finally:
        os.close(descriptor)


@contextmanager
def _closing(descriptor: int) -> Iterator[None]:
    """Close a locked file after the block that changes its path; on Windows before it.

    With the lock still held no other program can have taken the path. Windows changes no path of an open file, so there
    the file is closed first; a program that opens it in between keeps its path for the same reason.
    """
    if fcntl is None:
        close_locked(descriptor)
    try:
        yield
    finally:
        if fcntl is not None:
            close_locked(descriptor)


def _lock(descriptor: int, *, shared: bool = False) -> bool:
    """Lock an open file, without waiting; return whether the lock is held. `shared` has no effect on Windows."""
    try:
        if fcntl is None:
            _lock_byte(descriptor, msvcrt.LK_NBLCK)
        else:
            fcntl.flock(descriptor, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):  # flock's answer, Windows' answer
        return False
    except OSError:  # a file system without locks
        return True
    return True


def _unlock(descriptor: int) -> None:
    """Release a lock at once; Windows delays that for files that are closed."""
    if fcntl is None:
        with suppress(OSError):  # a file system without locks
            _lock_byte(descriptor, msvcrt.LK_UNLCK)


def _lock_byte(descriptor: int, mode: int) -> None:
    """Lock or unlock LOCKED_BYTE on Windows; the file's position stays as it was."""
    position = os.lseek(descriptor, 0, os.SEEK_CUR)
    os.lseek(descriptor, LOCKED_BYTE, os.SEEK_SET)
    try:
        msvcrt.locking(descriptor, mode, 1)  # type: ignore[attr-defined]  # only on Windows
    finally:
        os.lseek(descriptor, position, os.SEEK_SET)

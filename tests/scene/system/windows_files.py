"""Windows' rules for files that are open or locked, on Linux: as far as `scene.file_lock` has to do with them."""

from __future__ import annotations

import errno
import fcntl
import os
import struct
from collections.abc import Callable
from pathlib import Path

import pytest

from octoscope.scene.system import file_lock

_LONGEST_POSITION = 2**31 - 1  # that msvcrt.locking can begin at: C's `long` has 32 bits there


class Msvcrt:
    """Python's msvcrt, with Linux's locks of an open file: on bytes, between processes, gone with who holds them."""

    LK_UNLCK, LK_NBLCK = 0, 2

    @classmethod
    def locking(cls, descriptor: int, mode: int, count: int) -> None:
        position = os.lseek(descriptor, 0, os.SEEK_CUR)
        if position > _LONGEST_POSITION or mode not in (cls.LK_UNLCK, cls.LK_NBLCK):
            raise OSError(errno.EINVAL, os.strerror(errno.EINVAL))
        kind = fcntl.F_UNLCK
        if mode == cls.LK_NBLCK:  # only Linux asks for a file that can be written
            is_writable = fcntl.fcntl(descriptor, fcntl.F_GETFL) & os.O_ACCMODE != os.O_RDONLY
            kind = fcntl.F_WRLCK if is_writable else fcntl.F_RDLCK
        try:
            fcntl.fcntl(descriptor, fcntl.F_OFD_SETLK, struct.pack("hhqqi0q", kind, os.SEEK_SET, position, count, 0))
        except BlockingIOError:
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES)) from None


def obey_windows(patch: pytest.MonkeyPatch) -> None:
    """Lock by msvcrt alone, and change the name of no file that this process has open."""
    patch.setattr(file_lock, "fcntl", None)
    patch.setattr(file_lock, "msvcrt", Msvcrt, raising=False)
    for name in ("replace", "unlink"):
        patch.setattr(os, name, _refusing_open_files(getattr(os, name)))


def _refusing_open_files(change: Callable) -> Callable:
    def checked(path: str | Path, *others: str | Path) -> None:
        for each in (path, *others):
            if os.path.lexists(each) and any(os.path.samestat(os.lstat(each), status) for status in _open_files()):
                raise PermissionError(errno.EACCES, "another process is using the file", str(each))
        change(path, *others)

    return checked


def _open_files() -> list[os.stat_result]:
    found = []
    for name in os.listdir("/proc/self/fd"):
        try:
            found.append(os.fstat(int(name)))
        except OSError:  # the one that the listing itself had open
            continue
    return found

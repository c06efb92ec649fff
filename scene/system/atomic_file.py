"""Write files that appear whole or not at all, and that survive a power failure."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path
from typing import BinaryIO

from scene.system.file_lock import is_locked, open_locked, remove_locked, rename_locked
from scene.system.paths import realpath
from scene.system.text_file import printable

_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
# An attribute that our files have until they are complete: what has it was left, and may be written over.
_UNFINISHED = "user.octoscope.unfinished"

# Called with the fraction of a file that is written. An exception that it raises ends the writing; the old file stays.
WriteProgress = Callable[[float], None]


class SaveError(Exception):
    """A file that cannot be written; the message is one line that names it and says what to do."""


@contextmanager
def atomic_file(path: str | Path) -> Iterator[BinaryIO]:
    """Open a file beside `path` for writing; it takes the place of `path` when the block ends without an exception.

    A link is followed: the file that it points at is replaced. A file that was there hands on its mode and, where
    allowed, its owner. The file beside is called as `path` and `.saving`, with a number where somebody has a file of
    that name.

    Args:
        path: the file to write or to replace.

    Yields:
        the open file.

    Raises:
        SaveError: it cannot be written, is write-protected or no regular file, or another program is writing it.
    """
    target, old = check_savable(path)
    try:
        descriptor, beside = _open_beside(target, path, 0o666 if old is None else 0o600)
        try:
            with open(descriptor, "wb", closefd=False) as file:
                file.truncate()  # what a program left that was killed
                if old is not None:
                    _copy_owner_and_mode(old, descriptor)
                yield file
                file.flush()
                if hasattr(os, "removexattr"):
                    with suppress(OSError):  # a file system without attributes
                        os.removexattr(descriptor, _UNFINISHED)
                os.fsync(descriptor)
        except BaseException:
            remove_locked(descriptor, beside)
            raise
        rename_locked(descriptor, beside, target)
        sync_folder(target.parent)
    except OSError as error:
        raise _save_error(path, error) from None


def _open_beside(target: Path, path: str | Path, mode: int) -> tuple[int, Path]:
    """Open and lock the file that is to take the place of `target`; return its descriptor and path.

    Files of others are left alone, whatever they are called. What a killed program of ours has left is used again where
    files have attributes, by which it is known (Linux); elsewhere it stays.

    Raises:
        SaveError: another program is saving the file, which `path` names.
        OSError: it cannot be made.
    """
    for number in count():
        beside = target.with_name(f"{target.name}.saving" + (f".{number}" if number else ""))
        is_new = not _is_left(beside)
        try:
            descriptor = open_locked(beside, mode=mode, new=is_new)
        except FileExistsError:
            descriptor = None
            with suppress(OSError):  # no regular file, or one that we may not read: not ours
                is_new = not is_locked(beside)
            if is_new:
                continue
        if descriptor is None:
            break
        if is_new and hasattr(os, "setxattr"):
            with suppress(OSError):  # a file system without attributes
                os.setxattr(descriptor, _UNFINISHED, b"")
        return descriptor, beside
    raise SaveError(f"{printable(path)}: another program is saving it; try again when it is done")


def _is_left(beside: Path) -> bool:
    """Return whether a file is one that we have begun and not completed, or are writing."""
    if hasattr(os, "getxattr"):
        with suppress(OSError):
            os.getxattr(beside, _UNFINISHED, follow_symlinks=False)
            return True
    return False


def check_savable(path: str | Path) -> tuple[Path, os.stat_result | None]:
    """Check that `atomic_file` can write a file, as far as that can be told before any work is done for it.

    Args:
        path: the file to write or to replace.

    Returns:
        the path with links followed, and the status of the file that is there, or None.

    Raises:
        SaveError: it cannot be written.
    """
    try:
        target = Path(realpath(path))
        old = _replaceable(target)
        check_folder_above(target)
    except (OSError, ValueError) as error:  # ValueError: a path that cannot be one
        raise _save_error(path, error) from None
    return target, old


def check_folder_above(target: Path) -> None:
    """Check that something can be made in the folder that a path is in.

    Raises:
        OSError: the folder is missing or write-protected.
    """
    if not os.path.isdir(target.parent):
        raise OSError("there is no such folder")
    if not os.access(target.parent, os.W_OK):
        raise OSError("the folder is write-protected")


def sync_folder(folder: Path) -> None:
    """Write a folder's new, renamed and removed names to the disk."""
    if os.name == "nt":  # has no such thing
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    except OSError as error:
        if error.errno not in (errno.EINVAL, errno.ENOTSUP):  # a file system that syncs no folders
            raise
    finally:
        os.close(descriptor)


def _save_error(path: str | Path, error: Exception) -> SaveError:
    reason = printable(getattr(error, "strerror", None) or error)
    is_full = getattr(error, "errno", None) in _FULL
    mend = "free space there or save it in another folder" if is_full else "save it elsewhere or under another name"
    return SaveError(f"{printable(path)}: cannot be saved ({reason}); {mend}")


def _replaceable(target: Path) -> os.stat_result | None:
    """Return the status of the file that is to be replaced, or None when there is none.

    Raises:
        OSError: it must not be replaced.
    """
    try:
        status = os.stat(target)
    except FileNotFoundError:
        return None
    if not stat.S_ISREG(status.st_mode):
        raise OSError("a folder or a device, not a file")
    if not os.access(target, os.W_OK):
        raise OSError("the file is write-protected")
    return status


def _copy_owner_and_mode(old: os.stat_result, descriptor: int) -> None:
    """Give a new file the owner and mode of the one it replaces."""
    if hasattr(os, "fchown"):
        with suppress(OSError):  # only the system's administrator may give files away
            os.fchown(descriptor, old.st_uid, old.st_gid)
        os.fchmod(descriptor, stat.S_IMODE(old.st_mode))

"""Write files that appear whole or not at all, and that survive a power failure."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from octoscope.scene.system.file_lock import open_locked, remove_locked, rename_locked
from octoscope.scene.system.paths import StrPath, realpath
from octoscope.scene.system.text_file import printable, reason_of

_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
# Behind the name of what is written until it takes its place; nobody else's file is called so.
SAVING = ".octoscope-saving"


# Called with the fraction of a file that is written. An exception that it raises ends the writing; the old file stays.
WriteProgress = Callable[[float], None]


class SaveError(Exception):
    """A file that cannot be written; the message is one line that names it and says what to do."""


class WriteError(Exception):
    """A scene that a format cannot hold; the message is one line that says why and what to do."""


@contextmanager
def atomic_file(path: StrPath) -> Iterator[BinaryIO]:
    """Open a file beside `path` for writing; it takes the place of `path` when the block ends without an exception.

    A link is followed: the file that it points at is replaced. A file that was there hands on its mode and, where
    allowed, its owner.

    Raises:
        SaveError: it cannot be written, is write-protected or no regular file, or another program is writing it.
    """
    target, old = check_savable(path)
    beside = target.with_name(f"{target.name}{SAVING}")
    try:
        descriptor = open_locked(beside, mode=0o666 if old is None else 0o600)
        if descriptor is None:
            raise SaveError(f"{printable(path)}: another program is saving it; try again when it is done")
        try:
            with open(descriptor, "wb", closefd=False) as file:
                file.truncate()  # what a program left that was killed
                if old is not None:
                    _copy_owner_and_mode(old, descriptor)
                yield file
                file.flush()
                os.fsync(descriptor)
        except BaseException:
            remove_locked(descriptor, beside)
            raise
        rename_locked(descriptor, beside, target)
        sync_folder(target.parent)
    except OSError as error:
        raise _save_error(path, error) from None


def check_savable(path: StrPath) -> tuple[Path, os.stat_result | None]:
    """Check that `atomic_file` can write a file; return the path with links followed, and its status, or None."""
    try:
        target = Path(realpath(path))
        old = _replaceable(target)
        check_folder_above(target)
    except (OSError, ValueError) as error:  # ValueError: a path that cannot be one
        raise _save_error(path, error) from None
    return target, old


def check_folder_above(target: Path) -> None:
    """Raise OSError if the folder that a path is in is missing or write-protected."""
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


def _save_error(path: StrPath, error: Exception) -> SaveError:
    reason = reason_of(error)
    is_full = getattr(error, "errno", None) in _FULL
    mend = "free space there or save it in another folder" if is_full else "save it elsewhere or under another name"
    return SaveError(f"{printable(path)}: cannot be saved ({reason}); {mend}")


def _replaceable(target: Path) -> os.stat_result | None:
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
    if hasattr(os, "fchown"):
        with suppress(OSError):  # only the system's administrator may give files away
            os.fchown(descriptor, old.st_uid, old.st_gid)
        os.fchmod(descriptor, stat.S_IMODE(old.st_mode))

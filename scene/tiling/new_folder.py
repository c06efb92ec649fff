"""Write a folder that appears whole or not at all."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from octoscope.scene.system.atomic_file import SAVING, SaveError, check_folder_above, sync_folder
from octoscope.scene.system.file_lock import close_locked, open_locked, remove_locked
from octoscope.scene.system.paths import realpath
from octoscope.scene.system.text_file import printable, reason_of

_LOCK_NAME = "lock"


def check_new_folder(path: Path, *, known_by: str, holds: Collection[str], replaces: bool) -> Path:
    """Check that `new_folder` can write a folder before any work is done for it; return its path, links followed.

    Args:
        known_by: a file that every such folder holds: only a folder with it, or an empty one, may be replaced.
        holds: the names of all that such a folder can hold; one with anything else is not replaced.
    """
    shown = printable(path)
    try:
        target = Path(realpath(path))
        there = sorted(os.listdir(target)) if target.exists() else []
        check_folder_above(target)
    except NotADirectoryError:
        raise SaveError(f"{shown}: is a file; name a folder") from None
    except (OSError, ValueError) as error:
        reason = reason_of(error)
        raise SaveError(f"{shown}: cannot be written ({reason}); write it elsewhere") from None
    if there and known_by not in there:
        raise SaveError(f"{shown}: holds other files, which are never overwritten; name a new folder")
    others = sorted(set(there) - set(holds))
    if others:
        named = f"'{printable(others[0])}'" + (f" and {len(others) - 1:,} more" if len(others) > 1 else "")
        raise SaveError(f"{shown}: holds other files ({named}), which are never overwritten; move them elsewhere")
    if there and not replaces:
        raise SaveError(f"{shown}: is there already; add --force to replace it, or name a new folder")
    return target


@contextmanager
def new_folder(
    path: Path,
    *,
    known_by: str,
    holds: Collection[str],
    replaces: bool = False,
    keeps: Callable[[Path], bool] = lambda folder: False,
) -> Iterator[Path]:
    """Yield an empty folder beside `path`, which takes its place when the block ends without an exception.

    Args:
        keeps: tells whether what is in the folder is still of use. Then an exception leaves it there, and so the folder
            of the next call is not empty.
    """
    target = check_new_folder(path, known_by=known_by, holds=holds, replaces=replaces)
    beside = saving_folder(target)
    try:
        beside.mkdir(exist_ok=True)  # what a program left that was killed
        left = os.listdir(beside)
        if left and not {_LOCK_NAME, known_by} & set(left):
            raise SaveError(f"{printable(beside)}: holds other files, which are never overwritten; rename that folder")
        descriptor = open_locked(beside / _LOCK_NAME)
        if descriptor is None:
            raise SaveError(f"{printable(path)}: another program is writing it; try again when it is done")
        try:
            if not keeps(beside):
                clear(beside)
            yield beside
        except BaseException:
            if keeps(beside):
                close_locked(descriptor)
            else:
                remove_locked(descriptor, beside / _LOCK_NAME)
                shutil.rmtree(beside, ignore_errors=True)
            raise
        remove_locked(descriptor, beside / _LOCK_NAME)
        if hasattr(os, "sync"):  # all files at once, before any of them is seen
            os.sync()
        _put_in_place(beside, target)
    except OSError as error:
        reason = reason_of(error)
        raise SaveError(f"{printable(path)}: cannot be written ({reason}); write it elsewhere or free space") from None


def saving_folder(target: Path) -> Path:
    """Return the folder that `new_folder` yields for a path whose links were followed."""
    return target.with_name(f"{target.name}{SAVING}")


def clear(folder: Path) -> None:
    """Remove everything in a folder of `new_folder` but its lock."""
    for entry in os.scandir(folder):
        if entry.is_dir(follow_symlinks=False):
            shutil.rmtree(entry.path)
        elif entry.name != _LOCK_NAME:
            os.unlink(entry.path)


def _put_in_place(beside: Path, target: Path) -> None:
    """Rename a folder; one that is there goes aside first and is then removed."""
    # Aside under a name that nobody has: a folder called .old might be somebody's.
    aside = Path(tempfile.mkdtemp(prefix=f"{target.name[:40]}.", suffix=".old", dir=target.parent))
    old = aside / target.name
    try:
        if target.exists():
            os.rename(target, old)
        try:
            os.rename(beside, target)
        except OSError:
            with suppress(OSError):
                os.rename(old, target)
            raise
    except OSError:
        with suppress(OSError):
            aside.rmdir()  # unless it holds what was there
        raise
    sync_folder(target.parent)
    shutil.rmtree(aside, ignore_errors=True)

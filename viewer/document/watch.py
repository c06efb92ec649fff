"""Watcher: notices that files on disk have changed, or that missing ones have appeared."""

from __future__ import annotations

import os
import queue
import stat
import threading
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from watchfiles import watch

from octoscope.scene.system.paths import realpath

_LOOK_MS = 200  # between two looks at a file that may still be written
_POLL_SECONDS = 1.0
_Stamp = tuple[int, int] | None


class Watcher:
    """Watches files on a thread, by their folders: many programs write a new file and move it over the old one.

    A missing file is reported once it is there, also if its folder was missing.
    """

    def __init__(self, paths: Iterable[Path] = (), on_change: Callable[[], object] = lambda: None) -> None:
        self._on_change = on_change
        self._stamps: dict[Path, _Stamp] = {}  # of each file when it was read or reported
        self._changed: queue.SimpleQueue[Path] = queue.SimpleQueue()
        self._lock = threading.Lock()  # of the stamps
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="watcher", daemon=True)
        self.watch(paths)

    def watch(self, paths: Iterable[Path]) -> None:
        """Watch these files from now on, and no others; `take` still returns earlier changes."""
        resolved = dict.fromkeys(filter(None, map(resolved_path, paths)))
        with self._lock:
            before = self._stamps
            self._stamps = {path: before[path] if path in before else _stamp(path) for path in resolved}
        if self._stamps and not (self._thread.is_alive() or self._stop.is_set()):
            self._thread.start()

    def take(self) -> list[Path]:
        """Return the files that changed since the last call and were then left alone for a moment, links followed."""
        taken = []
        while not self._changed.empty():
            taken.append(self._changed.get())
        return list(dict.fromkeys(taken))

    def stop(self) -> None:
        """Stop watching."""
        self._stop.set()

    def _run(self) -> None:
        seen: dict[Path, _Stamp] = {}  # files that may still be written, as at the last look
        while not self._stop.is_set():
            stamps = self._stamps
            parents = {path.parent for path in stamps}
            folders = _identities(parents)
            try:
                for number, changes in enumerate(
                    watch(
                        *(folder for folder, identity in folders.items() if identity is not None),
                        watch_filter=lambda _, path: Path(path) in self._stamps,
                        stop_event=self._stop,
                        rust_timeout=_LOOK_MS,
                        yield_on_timeout=True,
                        raise_interrupt=False,
                        recursive=False,
                    )
                ):
                    self._look(seen, (Path(path) for _, path in changes))
                    if number == 0:  # the system watches by now, and has told nothing of what came before it did
                        seen |= _differing(stamps)
                    if self._stamps is not stamps or _identities(parents) != folders:
                        break
            except OSError:  # a folder has just gone, or there are too many to watch: look now and then
                self._stop.wait(_POLL_SECONDS)
                self._look(seen, ())
                seen |= _differing(stamps)

    def _look(self, seen: dict[Path, _Stamp], changed: Iterable[Path]) -> None:
        """Report files that have changed and are as they were at the last look: nobody is writing them any more."""
        with self._lock:
            stamps = self._stamps
            for path in {*changed, *seen}:
                stamp = _stamp(path)
                if path not in stamps:
                    seen.pop(path, None)
                elif path not in seen or stamp != seen[path]:
                    seen[path] = stamp
                else:
                    del seen[path]
                    is_other = stamp != stamps[path]
                    stamps[path] = stamp
                    if stamp is not None and is_other:
                        self._changed.put(path)
                        self._on_change()


def resolved_path(path: Path) -> Path | None:
    """Return a path with links followed; None where it is no valid one."""
    try:
        return Path(realpath(path))
    except (OSError, ValueError):  # not a valid path
        return None


def _identities(folders: Iterable[Path]) -> dict[Path, tuple[int, int] | None]:
    """Return device and inode of each folder, which tell it from a new one of its name; None if there is none."""
    identities: dict[Path, tuple[int, int] | None] = {}
    for folder in folders:
        try:
            status = os.stat(folder)
        except (OSError, ValueError):
            status = None
        if status is None or not stat.S_ISDIR(status.st_mode):
            identities[folder] = None
        else:
            identities[folder] = status.st_dev, status.st_ino
    return identities


def _differing(stamps: Mapping[Path, _Stamp]) -> dict[Path, _Stamp]:
    """Return the present stamps of files that have others than these."""
    now = {path: _stamp(path) for path in stamps}
    return {path: stamp for path, stamp in now.items() if stamp != stamps[path]}


def _stamp(path: Path) -> _Stamp:
    """Return size in bytes and time of change in ns, or None if there is no file."""
    try:
        status = os.stat(path)
    except (OSError, ValueError):
        return None
    return status.st_size, status.st_mtime_ns

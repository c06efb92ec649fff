"""Watcher: which of the files that a scene is made of changed on disk, or are there at last."""

from __future__ import annotations

import os
import queue
import stat
import threading
from collections.abc import Callable, Iterable
from pathlib import Path

from watchfiles import watch

from scene.system.paths import realpath

_LOOK_MS = 200  # between two looks at a file that is being written
_POLL_SECONDS = 1.0
_Stamp = tuple[int, int] | None


class Watcher:
    """Watches files on a thread, by their folders: many programs write a new file and put it in the old one's place.

    A file that is missing is told once it is there; so is one whose folder is.

    Args:
        paths: as for `watch`. on_change: called on the thread when `take` has something to give.
    """

    def __init__(self, paths: Iterable[Path] = (), on_change: Callable[[], object] = lambda: None) -> None:
        self._on_change = on_change
        self._stamps: dict[Path, _Stamp] = {}  # how each file was when it was read or told
        self._changed: queue.SimpleQueue[Path] = queue.SimpleQueue()
        self._lock = threading.Lock()  # of the stamps
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="watcher", daemon=True)
        self.watch(paths)

    def watch(self, paths: Iterable[Path]) -> None:
        """Watch these files from now on, and no others; what has changed of them and was not told yet still will be."""
        resolved = dict.fromkeys(filter(None, map(_resolved, paths)))
        with self._lock:
            before = self._stamps
            self._stamps = {path: before[path] if path in before else _stamp(path) for path in resolved}
        if self._stamps and not (self._thread.is_alive() or self._stop.is_set()):
            self._thread.start()

    def take(self) -> list[Path]:
        """The files that changed since the last call and were then left alone for a moment, links followed."""
        taken = []
        while not self._changed.empty():
            taken.append(self._changed.get())
        return list(dict.fromkeys(taken))

    def stop(self) -> None:
        """Watch no longer."""
        self._stop.set()

    def _run(self) -> None:
        seen: dict[Path, _Stamp] = {}  # files that are being written, and how they were when they were last looked at
        while not self._stop.is_set():
            stamps = self._stamps
            parents = {path.parent for path in stamps}
            folders = _identities(parents)
            # What changed before the system watches, such as in a folder that was not there yet.
            seen |= {path: _stamp(path) for path, known in stamps.items() if path not in seen and _stamp(path) != known}
            try:
                for changes in watch(
                    *(folder for folder, identity in folders.items() if identity is not None),
                    watch_filter=lambda _, path: Path(path) in self._stamps,
                    stop_event=self._stop,
                    rust_timeout=_LOOK_MS,
                    yield_on_timeout=True,
                    raise_interrupt=False,
                    recursive=False,
                ):
                    self._look(seen, (Path(path) for _, path in changes))
                    if self._stamps is not stamps or _identities(parents) != folders:
                        break
            except OSError:  # a folder that has just gone, or more of them than this system watches: look now and then
                self._stop.wait(_POLL_SECONDS)
                self._look(seen, ())

    def _look(self, seen: dict[Path, _Stamp], changed: Iterable[Path]) -> None:
        """Look at files that changed, and again at those that did before: whether they are as they were then."""
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


def _resolved(path: Path) -> Path | None:
    try:
        return Path(realpath(path))
    except (OSError, ValueError):  # no name that a system takes
        return None


def _identities(folders: Iterable[Path]) -> dict[Path, tuple[int, int] | None]:
    """What tells a folder from one that was made anew under its name; None where there is none."""
    identities: dict[Path, tuple[int, int] | None] = {}
    for folder in folders:
        try:
            status = os.stat(folder)
        except (OSError, ValueError):
            status = None
        is_folder = status is not None and stat.S_ISDIR(status.st_mode)
        identities[folder] = (status.st_dev, status.st_ino) if is_folder else None
    return identities


def _stamp(path: Path) -> _Stamp:
    """Size and time of change, or None where there is no file."""
    try:
        status = os.stat(path)
    except (OSError, ValueError):
        return None
    return status.st_size, status.st_mtime_ns

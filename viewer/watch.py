"""Watcher: which of the open files changed on disk."""

from __future__ import annotations

import os
import queue
import threading
from collections.abc import Callable, Iterable
from pathlib import Path

from watchfiles import watch

from scene.absolute import realpath

_LOOK_MS = 200  # between two looks at a file that is being written
_Stamp = tuple[int, int] | None


class Watcher:
    """Watches files on a thread, by their folders: many programs write a new file and put it in the old one's place.

    Args:
        paths: of files that exist. on_change: called on the thread when `take` has something to give.
    """

    def __init__(self, paths: Iterable[Path], on_change: Callable[[], object] = lambda: None) -> None:
        self._on_change = on_change
        self._stamps = {Path(realpath(path)): _stamp(path) for path in paths}
        self._changed: queue.SimpleQueue[Path] = queue.SimpleQueue()
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="watcher", daemon=True)
        if self._stamps:
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
        folders = {path.parent for path in self._stamps}
        seen: dict[Path, _Stamp] = {}  # files that are being written, and how they were when they were last looked at
        for changes in watch(
            *folders,
            watch_filter=lambda _, path: Path(path) in self._stamps,
            stop_event=self._stop,
            rust_timeout=_LOOK_MS,
            yield_on_timeout=True,
            raise_interrupt=False,
            recursive=False,
        ):
            for path in {Path(path) for _, path in changes} | seen.keys():
                stamp = _stamp(path)
                if path not in seen or stamp != seen[path]:
                    seen[path] = stamp
                    continue
                del seen[path]
                if stamp is not None and stamp != self._stamps[path]:
                    self._stamps[path] = stamp
                    self._changed.put(path)
                    self._on_change()


def _stamp(path: Path) -> _Stamp:
    """Size and time of change, or None where there is no file."""
    try:
        status = os.stat(path)
    except OSError:
        return None
    return status.st_size, status.st_mtime_ns

"""Read the files that somebody opens: here and now, or one after the other on a thread."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from octoscope.scene.content import FileContent
from octoscope.scene.formats.readers import AS_USUAL, FileProgress, ReadOptions, read_file
from octoscope.scene.project.paths import is_project
from octoscope.scene.scene import Scene
from octoscope.scene.system.text_file import ReadError

# What reading a file gives: a project is a scene of its own, and an error goes to whoever owns the scene.
ReadResult = FileContent | Scene | Exception


class Cancelled(Exception):
    """Raised by a progress function when the file is no longer wanted."""


def read_path(
    path: Path, progress: FileProgress | None = None, *, options: ReadOptions = AS_USUAL, replays: bool = True
) -> ReadResult:
    """Read a file with meshes (`read_file`) or a project (`open_project`); a ReadError is returned, not raised."""
    try:
        if is_project(path):
            from octoscope.scene.project.opening import open_project  # only here: it takes long to import

            return open_project(path, options, replays=replays, progress=progress)
        return read_file(path, options, progress=progress)
    except ReadError as error:
        return error


@dataclass(frozen=True)
class ReadingState:
    """The progress of a BackgroundReader.

    Attributes:
        path: the file that is being read.
        number: its number, from 1.
        files: the number of files.
        done_bytes, total_bytes: of this file; None: unknown.
    """

    path: Path
    number: int
    files: int
    done_bytes: int
    total_bytes: int | None


class BackgroundReader:
    """Reads files on a thread, so that a window stays alive; whoever owns the scene adds what `take` gives.

    Args:
        readers: a function for each file that reads it; None: `read_path`.
    """

    def __init__(
        self,
        paths: Sequence[str | Path],
        *,
        options: ReadOptions = AS_USUAL,
        replays: bool = True,
        readers: Sequence[Callable[[FileProgress], ReadResult]] | None = None,
    ) -> None:
        self._paths = [Path(path) for path in paths]
        self._readers = readers or [partial(read_path, path, options=options, replays=replays) for path in self._paths]
        self._results: queue.SimpleQueue[tuple[Path, ReadResult]] = queue.SimpleQueue()
        self.state: ReadingState | None = None  # the progress; None before the first file and after the last
        self.cancelled = False
        self.left_out: list[Path] = []  # the files that were not read because of that; complete once `finished`
        # A daemon: closing the window must not wait for a file that nobody will look at.
        self._thread = threading.Thread(target=self._run, name="reader", daemon=True)
        self._thread.start()

    @property
    def finished(self) -> bool:
        """True when every file was read and taken."""
        return not self._thread.is_alive() and self._results.empty()

    def cancel(self) -> None:
        """Stop reading; `take` still gives the files that have been read."""
        self.cancelled = True

    def take(self, timeout_seconds: float = 0.0) -> tuple[Path, ReadResult] | None:
        """Return the next file and what reading it gave, or None when there is none within the time."""
        try:
            return self._results.get(timeout=timeout_seconds) if timeout_seconds else self._results.get_nowait()
        except queue.Empty:
            return None

    def _run(self) -> None:
        for number, (path, reader) in enumerate(zip(self._paths, self._readers, strict=True), start=1):
            try:
                self._advance(number, path, 0, None)
                result = reader(partial(self._advance, number))
            except Cancelled:
                self.left_out = self._paths[number - 1 :]
                break
            except Exception as error:  # it must not vanish with this thread: whoever takes it raises it
                result = error
            self._results.put((path, result))
        self.state = None

    def _advance(self, number: int, path: Path, done_bytes: int, total_bytes: int | None) -> None:
        self.state = ReadingState(path, number, len(self._paths), done_bytes, total_bytes)
        if self.cancelled:
            raise Cancelled

"""Opening files: from paths to a scene, one file at a time, with what went wrong beside it."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Sequence
from pathlib import Path

from scene.content import FileContent
from scene.obj_reader import read_obj
from scene.scene import Scene
from scene.text_file import ReadError, printable


def load(paths: str | Path | Sequence[str | Path], *, progress: Callable[[Path], None] | None = None) -> Scene:
    """Open a file, or several, into a new scene: a node for each file, and under it the file's own tree.

    What was skipped or guessed is in the scene's report, and so are files that cannot be opened; the others still open.

    Args:
        progress: called with each path before it is read.

    Raises:
        ReadError: none of them could be opened; a line for each.
    """
    scene = Scene()
    for path in [Path(paths)] if isinstance(paths, (str, Path)) else map(Path, paths):
        if progress is not None:
            progress(path)
        add_result(scene, path, _read(path))
    if scene.report.errors and not scene.report.opened:
        raise ReadError("\n".join(scene.report.errors))
    scene.update_world()
    return scene


class BackgroundReader:
    """Reads files on a thread, so that a window stays alive; whoever owns the scene adds what `take` gives.

    Attributes:
        total: how many files there are. done: how many were read. current: the path being read, or None.
    """

    def __init__(self, paths: Sequence[str | Path]) -> None:
        self._paths = [Path(path) for path in paths]
        self._results: queue.SimpleQueue[tuple[Path, FileContent | Exception]] = queue.SimpleQueue()
        self.total = len(self._paths)
        self.done = 0
        self.current: Path | None = None
        # A daemon: closing the window must not wait for a file that nobody will look at.
        self._thread = threading.Thread(target=self._run, name="reader", daemon=True)
        self._thread.start()

    @property
    def finished(self) -> bool:
        """Whether every file was read and taken."""
        return not self._thread.is_alive() and self._results.empty()

    def take(self, timeout_seconds: float = 0.0) -> tuple[Path, FileContent | Exception] | None:
        """The next file that was read, or None when there is none within the time."""
        try:
            return self._results.get(timeout=timeout_seconds) if timeout_seconds else self._results.get_nowait()
        except queue.Empty:
            return None

    def _run(self) -> None:
        for path in self._paths:
            self.current = path
            try:
                result = _read(path)
            except Exception as error:  # it must not vanish with this thread: whoever takes it raises it
                result = error
            self.done += 1
            self._results.put((path, result))
        self.current = None


def add_result(scene: Scene, path: Path, result: FileContent | Exception) -> None:
    """Add what reading a file gave to a scene and its report; a fault of ours on the reading thread is raised here."""
    if isinstance(result, ReadError):
        scene.report.errors.append(str(result))
        return
    if isinstance(result, Exception):
        raise result
    scene.add_content(result, path)
    scene.report.opened.append(path)
    scene.report.vertex_count += result.vertex_count
    scene.report.problems += result.problems


def _read(path: Path) -> FileContent | ReadError:
    try:
        return read_obj(path)
    except ReadError as error:
        return error
    except MemoryError:
        return ReadError(f"{printable(path)}: too large for this machine's memory; open a part of it")

"""Opening files: from paths to a scene, one file at a time, with what went wrong beside it."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from scene.content import FileContent
from scene.formats.obj.blocks import STANDARD_INPUT
from scene.formats.readers import FileProgress, read_file
from scene.mesh.pool import Meshes
from scene.project.opening import open_project
from scene.project.paths import is_project
from scene.scene import Scene
from scene.system.report import LoadReport
from scene.system.text_file import ReadError, printable

# What reading a file gave: a project is a scene of its own; errors are given on, to whoever owns the scene.
Result = FileContent | Scene | Exception


class Cancelled(Exception):
    """Whoever asked for a file does not want it any more."""


def load(
    paths: str | Path | Sequence[str | Path],
    *,
    progress: FileProgress | None = None,
    max_memory_bytes: int | None = None,
) -> Scene:
    """Open a file, or several, into a new scene: a node for each file, and under it the file's own tree.

    A project (.octo.json) comes first: the others are added to it. What was skipped or guessed is in the scene's
    report, and so are files that cannot be opened; the others still open.

    Args:
        progress: called now and then while a file is read; what it raises, such as Cancelled, ends it all.
        max_memory_bytes: what reading a file may take; None: most of what is free.

    Raises:
        ReadError: none of them could be opened; a line for each.
    """
    scene = Scene()
    for path in [Path(paths)] if isinstance(paths, (str, Path)) else map(Path, paths):
        add_result(scene, path, _read(path, progress, max_memory_bytes=max_memory_bytes))
    if scene.report.errors and not scene.report.opened:
        raise ReadError("\n".join(scene.report.errors))
    return scene


@dataclass(frozen=True)
class ReadingState:
    """How far a BackgroundReader is.

    Attributes:
        path: being read. number: of it, from 1. files: how many there are.
        done_bytes, total_bytes: of this file; None where nobody knows.
    """

    path: Path
    number: int
    files: int
    done_bytes: int
    total_bytes: int | None


class BackgroundReader:
    """Reads files on a thread, so that a window stays alive; whoever owns the scene adds what `take` gives.

    Args:
        max_memory_bytes: as for `load`. replays: as for `open_project`.
        readers: how each of the files is read, where it is not to be opened.

    Attributes:
        state: how far it is, or None before the first file and behind the last.
        cancelled: whether `cancel` was called. left_out: once it is finished, the files that were not read for that.
    """

    def __init__(
        self,
        paths: Sequence[str | Path],
        *,
        max_memory_bytes: int | None = None,
        replays: bool = True,
        readers: Sequence[Callable[[FileProgress], Result]] | None = None,
    ) -> None:
        self._paths = [Path(path) for path in paths]
        self._readers = readers or [
            partial(_read, path, max_memory_bytes=max_memory_bytes, replays=replays) for path in self._paths
        ]
        self._results: queue.SimpleQueue[tuple[Path, Result]] = queue.SimpleQueue()
        self.state: ReadingState | None = None
        self.cancelled = False
        self.left_out: list[Path] = []
        # A daemon: closing the window must not wait for a file that nobody will look at.
        self._thread = threading.Thread(target=self._run, name="reader", daemon=True)
        self._thread.start()

    @property
    def finished(self) -> bool:
        """Whether every file was read and taken."""
        return not self._thread.is_alive() and self._results.empty()

    def cancel(self) -> None:
        """Read no further; files that were read by now are still given."""
        self.cancelled = True

    def take(self, timeout_seconds: float = 0.0) -> tuple[Path, Result] | None:
        """The next file that was read, or None when there is none within the time."""
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


def source_path(path: Path) -> Path | None:
    """Return where a file that was read is found again; None: it came through a pipe, and belongs to the scene."""
    return None if str(path) == STANDARD_INPUT else path


def add_result(scene: Scene, path: Path, result: Result, *, meshes: Meshes | None = None) -> None:
    """Add what reading a file gave to a scene and its report; a fault of ours on the reading thread is raised here.

    A project becomes the scene, if nothing was opened before it; else the scene stays as it is, with an error.

    Args:
        meshes: as for Scene.add_content.
    """
    if isinstance(result, Scene) and scene.row_count:
        result = ReadError(f"{printable(path)}: a project is not added to other files; name it first")
    if isinstance(result, ReadError):
        scene.report.failed[path] = str(result)
    elif isinstance(result, Exception):
        raise result
    elif isinstance(result, Scene):
        scene.become(result)
    else:
        scene.add_content(result, source_path(path), meshes=meshes)
        scene.report.add(LoadReport([path], result.vertex_count, problems=result.problems))


def _read(path: Path, progress: FileProgress | None, *, max_memory_bytes: int | None, replays: bool = True) -> Result:
    try:
        if is_project(path):
            return open_project(path, replays=replays, progress=progress, max_memory_bytes=max_memory_bytes)
        return read_file(path, progress=progress, max_memory_bytes=max_memory_bytes)
    except ReadError as error:
        return error

"""Opening files: from paths to a scene, one file at a time, with what went wrong beside it."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from scene.obj_reader import ObjFile, read_obj
from scene.scene import Scene
from scene.text_file import ReadError, printable


@dataclass
class LoadReport:
    """What opening files brought.

    Attributes:
        opened: paths that are in the scene.
        vertex_count: vertices that these files state.
        errors: one line for each file that is not.
        warnings: one line for each thing skipped or guessed in those that are.
    """

    opened: list[Path] = field(default_factory=list)
    vertex_count: int = 0
    errors: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)


def load(paths: Sequence[str | Path], *, progress: Callable[[Path], None] | None = None) -> tuple[Scene, LoadReport]:
    """Open OBJ files into a new scene: a node for each file, and under it one for each of its objects.

    Files that cannot be opened are listed in the report's errors; the others still open.

    Args:
        progress: called with each path before it is read.

    Raises:
        ReadError: none of them could be opened; a line for each.
    """
    scene, report = Scene(), LoadReport()
    for path in map(Path, paths):
        if progress is not None:
            progress(path)
        add_result(scene, report, path, _read(path))
    if report.errors and not report.opened:
        raise ReadError("\n".join(report.errors))
    scene.update_world()
    return scene, report


class BackgroundReader:
    """Reads files on a thread, so that a window stays alive; whoever owns the scene adds what `take` gives.

    Attributes:
        total: how many files there are. done: how many were read. current: the path being read, or None.
    """

    def __init__(self, paths: Sequence[str | Path]) -> None:
        self._paths = [Path(path) for path in paths]
        self._results: queue.SimpleQueue[tuple[Path, ObjFile | Exception]] = queue.SimpleQueue()
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

    def take(self, timeout_seconds: float = 0.0) -> tuple[Path, ObjFile | Exception] | None:
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


def add_result(scene: Scene, report: LoadReport, path: Path, result: ObjFile | Exception) -> None:
    """Add what reading a file gave to a scene and a report; a fault of ours on the reading thread is raised here."""
    if isinstance(result, ReadError):
        report.errors.append(str(result))
        return
    if isinstance(result, Exception):
        raise result
    _add_file(scene, result)
    report.opened.append(path)
    report.vertex_count += result.vertex_count
    report.warnings += result.warnings


def _read(path: Path) -> ObjFile | ReadError:
    try:
        return read_obj(path)
    except ReadError as error:
        return error
    except MemoryError:
        return ReadError(f"{printable(path)}: too large for this machine's memory; open a part of it")


def _add_file(scene: Scene, file: ObjFile) -> None:
    first_material = len(scene.materials)
    for material in file.materials:
        scene.add_material(material)
    meshes = [scene.meshes.add(mesh, first_material=first_material) for _, mesh in file.objects]
    file_node = scene.add_node(file.name)
    scene.add_nodes([name for name, _ in file.objects], parent=file_node.id, mesh=meshes)

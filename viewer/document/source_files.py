"""OpenFiles: the files of a scene in a window. They are read while it lives, and read again when they change."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from pathlib import Path

from scene import Edit, Scene
from scene.content import FileContent
from scene.editing import import_content
from scene.loading.joining import Joining
from scene.loading.load import BackgroundReader
from scene.system.report import LoadReport
from scene.system.text_file import printable
from viewer.document.file_names import title_of_files
from viewer.document.reloader import Reloader
from viewer.document.watch import Watcher
from viewer.editing.editor import Editor
from viewer.editing.jobs import Lane

_ADDING_SECONDS = 0.03  # the window comes first: some files now, the others next time


class OpenFiles:
    """Reads, and reads again, into a scene.

    Args:
        reader: files still being read, or None.
        watch: whether files that change on disk are read again.
        editor: does the edit that adds a file which was opened later, so that it can be undone.
        max_memory_bytes: what reading a file may take, or None: most of what is free.
        on_change: called on another thread when a watched file has changed, and `reload` has something to do.

    Attributes:
        notes: by what they are news of, level (log.LEVELS) and line: of each file that was read again, or could not be.
    """

    def __init__(
        self,
        scene: Scene,
        reader: BackgroundReader | None,
        *,
        watch: bool,
        editor: Editor,
        max_memory_bytes: int | None = None,
        on_change: Callable[[], object] = lambda: None,
    ) -> None:
        self._scene = scene
        self._editor = editor
        self._max_memory_bytes = max_memory_bytes
        self._reader = reader
        self.notes: dict[str, tuple[str, str]] = {}
        self._reloader: Reloader | None = None
        if watch:
            self._reloader = Reloader(
                editor, self.notes, Watcher(on_change=on_change), max_memory_bytes=max_memory_bytes
            )
        self._waiting: list[Path] = []  # to be read next
        self._is_joining = False  # a file is being made ready, or is
        self._ready: Joining | None = None  # that it is
        self._adding: Joining | None = None  # what is being added by an edit, or is to be
        self._adding_began = self._was_added = False
        self._began_with_these = True  # that are being read, or were read last
        self._was_cancelled = False
        self._left_out: list[Path] = []  # of those that were to be read next

    @property
    def reading(self) -> bool:
        """Whether files are being read for the first time."""
        return self._reader is not None

    @property
    def is_going(self) -> bool:
        """Whether files are read for the first time or again, and `add` or `reload` will have something to do."""
        return self.reading or (self._reloader is not None and self._reloader.busy)

    @property
    def progress(self) -> tuple[str, float | None] | None:
        """What is read, and the fraction that is done, None where nobody knows; None: nothing is."""
        reader = self._reader or (self._reloader and self._reloader.reader)
        state = reader and reader.state
        if state is None:
            return None
        number = f"  {state.number} of {state.files}" if state.files > 1 else ""
        fraction = state.done_bytes / state.total_bytes if state.total_bytes else None
        return f"opening {printable(state.path.name)}{number}", fraction

    @property
    def nothing_came(self) -> bool:
        """Whether all files were read and none could be opened, though nobody stopped it."""
        report = self._scene.report
        began = self._began_with_these and not self._was_cancelled
        return began and bool(report.errors) and not (self.reading or report.opened)

    def open(self, paths: Iterable[Path]) -> None:
        """Read more files into the scene, when those before them are there."""
        self._waiting += paths
        self._read_waiting()

    def reader_of(self, paths: Iterable[Path], *, replays: bool = True) -> BackgroundReader:
        """One that begins to read files, with the memory that reading may take here; `replays`: as `open_project`."""
        return BackgroundReader(paths, max_memory_bytes=self._max_memory_bytes, replays=replays)

    def cancel(self) -> None:
        """Read no further."""
        if self._reader is not None:
            self._was_cancelled = True
            self._left_out += self._waiting
            self._reader.cancel()
        if self._reloader is not None:
            self._reloader.cancel()
        self._waiting = []

    def close(self) -> None:
        """Let go of the files."""
        self.cancel()
        if self._reloader is not None:
            self._reloader.close()

    def add(self) -> bool:
        """Let files that were read meanwhile join the scene; whether something changed."""
        if self._reader is None:
            return False
        changed, self._was_added = self._was_added, False
        if self._ready is not None:
            self._join(self._ready)
            self._is_joining, self._ready = False, None
            changed = True
        deadline = time.perf_counter() + _ADDING_SECONDS
        while not (self._is_joining or self._adding) and time.perf_counter() < deadline:
            taken = self._reader.take()
            if taken is None:
                break
            joining = Joining(self._scene, *taken)
            if joining.is_large:
                self._begin_joining(joining)
            else:
                self._join(joining)
                changed = True
        if self._adding is not None and not (self._adding_began or self._editor.jobs.is_busy(Lane.EDIT)):
            self._begin_adding(self._adding)
        if self._reader.finished and not self._is_joining and self._adding is None:
            self._note_stopped("reading", self._reader.left_out + self._left_out)
            self._reader, self._left_out = None, []
            changed = True
            self._read_waiting()
        return changed

    def reload(self) -> bool:
        """Let files that changed on disk, and were read again meanwhile, take their old places; whether any did."""
        if self._reloader is None:
            return False
        if self.reading:
            self._reloader.watch()
            return False
        changed, left_out = self._reloader.turn()
        self._note_stopped("reloading", left_out)
        return changed

    def _note_stopped(self, what: str, left_out: list[Path]) -> None:
        """What a person stopped is told, for a scene that lacks some of its files looks like any other."""
        if left_out:
            text = f"{what} was cancelled at {time.strftime('%H:%M:%S')}, before {printable(title_of_files(left_out))}"
            self.notes[what] = ("warning", text)

    def _begin_joining(self, joining: Joining) -> None:
        """Let it get ready on a thread; a later `add` lets it join."""
        if self._is_an_edit(joining):
            self._adding, self._adding_began = joining, False
            return

        def set_ready(_: object) -> None:
            self._ready = joining

        self._is_joining = True
        self._editor.jobs.begin(Lane.JOIN, "joining", lambda tell: joining.prepare(), set_ready)

    def _begin_adding(self, joining: Joining) -> None:
        """Let the edit that adds it be made beside the window."""
        path, result = joining.path, joining.result
        self._adding_began = True

        def operation(scene: Scene) -> Edit:
            return import_content(scene, result, path)

        def then(done: bool) -> None:
            self._adding, self._was_added = None, done
            if done:
                self._report(path, result)

        self._editor.begin_beside(f"adding {printable(path.name)}", "Import", operation, then)

    def _is_an_edit(self, joining: Joining) -> bool:
        return isinstance(joining.result, FileContent) and not self._began_with_these

    def _join(self, joining: Joining) -> None:
        if not self._is_an_edit(joining):
            joining.join()
            return
        path, result = joining.path, joining.result
        self._editor.do(import_content(self._scene, result, path))
        self._report(path, result)

    def _report(self, path: Path, result: FileContent) -> None:
        self._scene.report.add(LoadReport([path], result.vertex_count, problems=result.problems))

    def _read_waiting(self) -> None:
        if self._reader is None and self._waiting:
            self._reader = self.reader_of(self._waiting)
            self._waiting, self._began_with_these = [], False

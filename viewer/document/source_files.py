"""SourceFiles: the files of a scene, read in the background while the window is open, and again when they change."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from octoscope.scene import Edit, Scene
from octoscope.scene.content import FileContent
from octoscope.scene.editing import import_content
from octoscope.scene.formats.readers import AS_USUAL, ReadOptions
from octoscope.scene.loading.file_import import FileImport
from octoscope.scene.loading.read import BackgroundReader
from octoscope.scene.system.text_file import printable
from octoscope.viewer.document.file_names import title_of_files
from octoscope.viewer.document.reloader import Reloader
from octoscope.viewer.document.watch import Watcher
from octoscope.viewer.editing.editor import Editor
from octoscope.viewer.editing.jobs import JobKind

_ADDING_SECONDS = 0.03  # a frame; the other files are added in later frames


class SourceFiles:
    """Reads files into a scene, and reads them again when they change.

    Args:
        scene: to read into.
        reader: the first files, which are being read, or None.
        watch: whether to read files again that change on disk.
        editor: makes the undoable edit that adds files which are opened later.
        on_change: called on another thread when a watched file has changed, so that `reload` has something to do.

    Attributes:
        notes: by path or subject, level and message (as Log.say) about files that were read again, or could not be.
    """

    def __init__(
        self,
        scene: Scene,
        reader: BackgroundReader | None,
        *,
        watch: bool,
        editor: Editor,
        options: ReadOptions = AS_USUAL,
        on_change: Callable[[], object] = lambda: None,
    ) -> None:
        self._scene = scene
        self._editor = editor
        self._options = options
        self._reader = reader
        self.notes: dict[str, tuple[str, str]] = {}
        self._reloader: Reloader | None = None
        if watch:
            self._reloader = Reloader(editor, self.notes, Watcher(on_change=on_change), options)
        self._waiting: list[Path] = []  # to be read next
        self._is_joining = False  # a large file is being prepared, or is ready
        self._ready: FileImport | None = None  # the file that is ready
        self._adding: FileImport | None = None  # the file that an edit adds, or will add
        self._adding_began = self._was_added = False
        self._began_with_these = True  # the scene's first files are read, or were read last
        self._was_cancelled = False
        self._left_out: list[Path] = []  # files that were not begun when the user cancelled

    @property
    def reading(self) -> bool:
        """True while files are read for the first time."""
        return self._reader is not None

    @property
    def is_going(self) -> bool:
        """True while files are read, so that `add` or `reload` will have something to do."""
        return self.reading or (self._reloader is not None and self._reloader.busy)

    @property
    def progress(self) -> tuple[str, float | None] | None:
        """The file that is read, and the fraction that is done (None: unknown); None if there is none."""
        reader = self._reader
        if reader is None and self._reloader is not None:
            reader = self._reloader.reader
        state = None if reader is None else reader.state
        if state is None:
            return None
        number = f"  {state.number} of {state.files}" if state.files > 1 else ""
        fraction = state.done_bytes / state.total_bytes if state.total_bytes else None
        return f"opening {printable(state.path.name)}{number}", fraction

    @property
    def nothing_came(self) -> bool:
        """True if all files were read, none could be opened, and the user did not cancel."""
        report = self._scene.report
        began = self._began_with_these and not self._was_cancelled
        return began and bool(report.errors) and not (self.reading or report.opened)

    def open(self, paths: Iterable[Path]) -> None:
        """Read more files into the scene, after those that are being read."""
        self._waiting += paths
        self._read_waiting()

    def reader_of(self, paths: Sequence[Path], *, replays: bool = True) -> BackgroundReader:
        """Start to read files within the memory limit; `replays` as for `open_project`."""
        return BackgroundReader(paths, options=self._options, replays=replays)

    def cancel(self) -> None:
        """Stop reading."""
        if self._reader is not None:
            self._was_cancelled = True
            self._left_out += self._waiting
            self._reader.cancel()
        if self._reloader is not None:
            self._reloader.cancel()
        self._waiting = []

    def close(self) -> None:
        """Stop reading and watching."""
        self.cancel()
        if self._reloader is not None:
            self._reloader.close()

    def add(self) -> bool:
        """Add files that were read meanwhile to the scene, and return whether it changed."""
        if self._reader is None:
            return False
        changed, self._was_added = self._was_added, False
        if self._ready is not None:
            self._join(self._ready)
            self._is_joining, self._ready = False, None
            changed = True
        deadline = time.perf_counter() + _ADDING_SECONDS
        while not (self._is_joining or self._adding):
            taken = self._reader.take()
            if taken is None:
                break
            joining = FileImport(self._scene, *taken)
            if joining.is_large:
                self._begin_joining(joining)
            else:
                self._join(joining)
                changed = True
            if time.perf_counter() >= deadline:
                break
        if self._adding is not None and not (self._adding_began or self._editor.jobs.is_busy(JobKind.EDIT)):
            self._begin_adding(self._adding)
        if self._reader.finished and not self._is_joining and self._adding is None:
            self._note_stopped("reading", self._reader.left_out + self._left_out)
            self._reader, self._left_out = None, []
            changed = True
            self._read_waiting()
        return changed

    def reload(self) -> bool:
        """Replace what came from files that changed on disk, once they are read; return whether the scene changed."""
        if self._reloader is None:
            return False
        if self.reading:
            self._reloader.watch()
            return False
        changed, left_out = self._reloader.poll()
        self._note_stopped("reloading", left_out)
        return changed

    def _note_stopped(self, what: str, left_out: list[Path]) -> None:
        """Note which files were left out because the user cancelled: a scene that lacks some looks like any other."""
        if left_out:
            text = f"{what} was cancelled at {time.strftime('%H:%M:%S')}, before {printable(title_of_files(left_out))}"
            self.notes[what] = ("warning", text)

    def _begin_joining(self, joining: FileImport) -> None:
        """Prepare a large file on a thread; a later `add` adds it to the scene."""
        if self._content_to_import(joining) is not None:
            self._adding, self._adding_began = joining, False
            return

        def set_ready(_: object) -> None:
            self._ready = joining

        self._is_joining = True
        self._editor.jobs.begin(JobKind.JOIN, "joining", lambda tell: joining.prepare(), set_ready)

    def _begin_adding(self, joining: FileImport) -> None:
        """Start the edit in the background that adds a file."""
        path, content = joining.path, self._content_to_import(joining)
        assert content is not None
        self._adding_began = True

        def operation(scene: Scene) -> Edit:
            return import_content(scene, content, path)

        def then(done: bool) -> None:
            self._adding, self._was_added = None, done

        self._editor.begin_background_edit(f"adding {printable(path.name)}", "Import", operation, then)

    def _content_to_import(self, joining: FileImport) -> FileContent | None:
        """Return what an edit is to add; None if the file is one of the scene's first ones, or could not be read."""
        return joining.result if isinstance(joining.result, FileContent) and not self._began_with_these else None

    def _join(self, joining: FileImport) -> None:
        content = self._content_to_import(joining)
        if content is None:
            joining.join()
        else:
            self._editor.do(import_content(self._scene, content, joining.path))

    def _read_waiting(self) -> None:
        if self._reader is None and self._waiting:
            self._reader = self.reader_of(self._waiting)
            self._waiting, self._began_with_these = [], False

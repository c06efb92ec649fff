"""DocumentLoader: reads the file that is to replace the document, in the background."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from octoscope.scene import ReadError, Scene
from octoscope.scene.loading.file_import import FileImport
from octoscope.scene.loading.read import BackgroundReader, ReadResult
from octoscope.scene.system.text_file import printable
from octoscope.viewer.document.file_names import title_of_files
from octoscope.viewer.editing.editor import Editor
from octoscope.viewer.editing.jobs import JobKind


@dataclass(frozen=True)
class NextDocument:
    """The scene that replaces the document, its title, and the files that are still to be read into it."""

    scene: Scene
    title: str
    others: tuple[Path, ...] = ()


class DocumentLoader:
    """Reads one file at a time, the last one that was asked for.

    Edits of the present scene are refused meanwhile, and allowed again if the file cannot be read.

    Args:
        editor: of the present scene.
        reader_of: starts to read files (SourceFiles.reader_of).
    """

    def __init__(self, editor: Editor, reader_of: Callable[..., BackgroundReader]) -> None:
        self._editor = editor
        self._reader_of = reader_of
        self._unlock: Callable[[], object] = lambda: None
        self._reader: BackgroundReader | None = None
        self._jobs = editor.jobs
        self._next_document: NextDocument | None = None
        self._path = Path()
        self._others: tuple[Path, ...] = ()

    @property
    def busy(self) -> bool:
        """True while a file is read."""
        return self._reader is not None or self._jobs.is_busy(JobKind.OPEN)

    @property
    def progress(self) -> tuple[str, float | None] | None:
        """The file that is opened, and the fraction that is read (None: unknown); None if there is none."""
        if not self.busy:
            return None
        state = None if self._reader is None else self._reader.state
        fraction = None if state is None or not state.total_bytes else state.done_bytes / state.total_bytes
        return f"opening {printable(self._path.name)}", fraction

    def begin(self, path: Path, *others: Path, replays: bool = True) -> None:
        """Start to read a file, which others are to follow in the new scene; `replays` as for `open_project`."""
        self.cancel()
        self._unlock()
        self._unlock = self._editor.lock("another file is being opened")
        self._jobs.forget(JobKind.OPEN)
        self._path, self._others = path, others
        self._reader = self._reader_of([path], replays=replays)

    def cancel(self) -> None:
        """Stop reading."""
        if self._reader is not None:
            self._reader.cancel()
        self._jobs.cancel(JobKind.OPEN)

    def poll(self) -> NextDocument | None:
        """Return the scene of the file once it is complete."""
        if self._reader is not None and (taken := self._reader.take()) is not None:
            self._reader = None
            self._prepare(*taken)
        elif self._reader is not None and self._reader.finished:
            self._reader = None
            self._stop()
        next_document, self._next_document = self._next_document, None
        return next_document

    def _prepare(self, path: Path, result: ReadResult) -> None:
        if isinstance(result, ReadError):
            self._fail("error", str(result))
            return
        scene = Scene()
        scene.index.settings = self._editor.scene.index.settings
        joining = FileImport(scene, path, result)

        def join(_: object) -> None:
            joining.join()
            self._next_document = NextDocument(scene, printable(title_of_files([path, *self._others])), self._others)

        def refuse(error: Exception) -> None:
            if not isinstance(error, MemoryError):
                raise error
            self._fail("error", f"{printable(path)}: too large for this machine's memory")

        self._jobs.begin(
            JobKind.OPEN, "opening", lambda tell: joining.prepare(), join, failed=refuse, stopped=self._stop
        )

    def _stop(self) -> None:
        self._fail("info", "opening: cancelled")

    def _fail(self, level: str, text: str) -> None:
        self._unlock()
        self._editor.log.say(level, text, "opening")

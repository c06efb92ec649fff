"""DocumentLoader: reads the file that is to replace the document, in the background."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from octoscope.scene import ReadError, Scene
from octoscope.scene.loading.file_import import FileImport
from octoscope.scene.loading.read import BackgroundReader, ReadResult
from octoscope.scene.system.report import Problem
from octoscope.scene.system.text_file import printable
from octoscope.viewer.document.file_names import title_of_files
from octoscope.viewer.document.load import Load, Pending, prepared
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
    """

    def __init__(
        self, editor: Editor, reader_of: Callable[..., BackgroundReader], new_scene: Callable[[], Scene]
    ) -> None:
        self._editor = editor
        self._reader_of = reader_of
        self._new_scene = new_scene
        self._unlock: Callable[[], object] = lambda: None
        self._load: Load | None = None
        self._jobs = editor.jobs
        self._next_document: NextDocument | None = None
        self._why = ("", "")  # level and text of the message, if there is no next document
        self._path = Path()
        self._others: tuple[Path, ...] = ()
        self._kept: Path | None = None

    @property
    def busy(self) -> bool:
        """True while a file is read."""
        return self._load is not None

    @property
    def progress(self) -> tuple[str, float | None] | None:
        """The file that is opened, and the fraction that is read (None: unknown); None if there is none."""
        return None if self._load is None else self._load.progress or (f"opening {printable(self._path.name)}", None)

    def begin(self, path: Path, *others: Path, replays: bool = True, kept: Path | None = None) -> None:
        """Start to read a file, which others are to follow in the new scene; `replays` as for `open_project`.

        Args:
            kept: the file with the changes that it is opened without, which the new scene's report names.
        """
        self.cancel()
        self._unlock()
        self._unlock = self._editor.lock("another file is being opened")
        self._jobs.forget(JobKind.OPEN)
        self._path, self._others, self._kept = path, others, kept
        self._why = ("info", "opening: cancelled")
        self._load = Load(self._reader_of([path], replays=replays), self._take)

    def cancel(self) -> None:
        """Stop reading."""
        if self._load is not None:
            self._load.reader.cancel()
        self._jobs.cancel(JobKind.OPEN)

    def poll(self) -> NextDocument | None:
        """Return the scene of the file once it is complete."""
        if self._load is None:
            return None
        self._load.poll()
        if not self._load.is_done:
            return None
        self._load = None
        next_document, self._next_document = self._next_document, None
        if next_document is None:
            self._unlock()
            self._editor.log.say(*self._why, "opening")
            if self._kept is not None:  # the scene stays, and has the changes
                self._kept.unlink(missing_ok=True)
        return next_document

    def _take(self, path: Path, result: ReadResult) -> bool | Pending:
        if isinstance(result, ReadError):
            self._why = ("error", str(result))
            return False
        scene = self._new_scene()
        scene.index.settings = self._editor.scene.index.settings
        joining = FileImport(scene, path, result)

        def join() -> None:
            joining.join()
            if self._kept is not None:
                said = "the changes since it was saved", f"kept as {printable(self._kept.name)}"
                scene.report.problems.append(Problem(str(path), None, "journal", *said))
            self._next_document = NextDocument(scene, printable(title_of_files([path, *self._others])), self._others)

        def refuse() -> None:
            self._why = ("error", f"{printable(path)}: too large for this machine's memory")

        return prepared(self._jobs, JobKind.OPEN, joining, join, out_of_memory=refuse)

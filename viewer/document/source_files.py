"""SourceFiles: the files of a scene, read in the background while the window is open, and again when they change."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import numpy as np

from octoscope.scene import Edit, Scene
from octoscope.scene.content import FileContent
from octoscope.scene.editing import import_content
from octoscope.scene.formats.readers import ReadOptions
from octoscope.scene.loading.file_import import FileImport
from octoscope.scene.loading.read import BackgroundReader, ReadResult
from octoscope.scene.one_object_files import with_objects_of_files
from octoscope.scene.system.text_file import printable
from octoscope.viewer.document.file_names import title_of_files
from octoscope.viewer.document.load import Load, Pending, prepared
from octoscope.viewer.document.options import DocumentOptions
from octoscope.viewer.document.reloader import Reloader
from octoscope.viewer.document.watch import Watcher
from octoscope.viewer.editing.editor import Editor
from octoscope.viewer.editing.jobs import JobKind

_ADDING_SECONDS = 0.03  # a frame; the other files are added in later frames


class SourceFiles:
    """Reads files into a scene, and reads them again when they change.

    Args:
        reader: the first files, which are being read, or None.
        on_change: called on another thread when a watched file has changed, so that `reload` has something to do.
    """

    def __init__(
        self,
        editor: Editor,
        options: DocumentOptions,
        reader: BackgroundReader | None = None,
        *,
        on_change: Callable[[], object] = lambda: None,
    ) -> None:
        self._scene = editor.scene
        self._editor = editor
        self.options = ReadOptions(options.max_memory_bytes, options.smooth_degrees)
        self._load = None if reader is None else Load(reader, self._take)
        # by path or subject, level and message (as Log.say) about files that were read again, or could not be
        self.notes: dict[str, tuple[str, str]] = {}
        self._reloader: Reloader | None = None
        if options.watch:
            self._reloader = Reloader(editor, self.notes, Watcher(on_change=on_change), self.options)
        self.watches = True  # False: changes of watched files wait
        self._waiting: list[Path] = []  # to be read next
        self._began_with_these = True  # the scene's first files are read, or were read last
        self._was_cancelled = False
        self._left_out: list[Path] = []  # files that were not begun when the user cancelled
        self._first_row = 0  # of the nodes that come of the files that are read together
        self._together: np.ndarray | None = None

    @property
    def reading(self) -> bool:
        """True while files are read for the first time."""
        return self._load is not None

    @property
    def is_going(self) -> bool:
        """True while files are read, so that `add` or `reload` will have something to do."""
        return self.reading or (self._reloader is not None and self._reloader.busy)

    @property
    def progress(self) -> tuple[str, float | None] | None:
        """The file that is read, and the fraction that is done (None: unknown); None if there is none."""
        load = self._load or (None if self._reloader is None else self._reloader.load)
        return None if load is None else load.progress

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
        return BackgroundReader(paths, options=self.options, replays=replays)

    def cancel(self) -> None:
        """Stop reading."""
        if self._load is not None:
            self._was_cancelled = True
            self._left_out += self._waiting
            self._load.reader.cancel()
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
        if self._load is None:
            return False
        changed = self._load.poll(_ADDING_SECONDS)
        if self._load.is_done:
            self._note_stopped("reading", self._load.reader.left_out + self._left_out)
            self._load, self._left_out = None, []
            self._note_together()
            changed = True
            self._read_waiting()
        return changed

    def _note_together(self) -> None:
        """Note the nodes of files that were read together, unless these were the parts of a project or too few."""
        scene = self._scene
        new = self._first_row + np.flatnonzero(scene.alive[self._first_row :] & (scene.parents[self._first_row :] < 0))
        new = with_objects_of_files(scene, new)
        self._first_row = scene.row_count
        if not self._began_with_these and len(new) > 1:  # of one file its edit selects
            self._editor.select(new)
        self._together = new if scene.project.path is None or not self._began_with_these else None

    def take_together(self) -> np.ndarray | None:
        """Return, once, the (k,) nodes of files that were read together, when they are all there; else None."""
        nodes, self._together = self._together, None
        return nodes

    def reload(self) -> bool:
        """Replace what came from files that changed on disk, once they are read; return whether the scene changed."""
        if self._reloader is None or not (self.watches or self._reloader.busy):
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

    def _take(self, path: Path, result: ReadResult) -> bool | Pending:
        """Add a file to the scene, by an edit unless it is one of the first ones."""
        joining = FileImport(self._scene, path, result)
        if isinstance(result, FileContent) and not self._began_with_these:
            if joining.is_large:
                return self._added_by_edit(path, result)
            self._editor.do(import_content(self._scene, result, path))
        elif joining.is_large:
            return prepared(self._editor.jobs, JobKind.JOIN, joining, joining.join)
        else:
            joining.join()
        return True

    def _added_by_edit(self, path: Path, content: FileContent) -> Pending:
        """Add a large file by an edit in the background, as soon as no other one is made."""
        done: list[bool] = []
        has_begun = False

        def operation(scene: Scene) -> Edit:
            return import_content(scene, content, path)

        def added() -> bool | None:
            nonlocal has_begun
            if not has_begun and not self._editor.jobs.is_busy(JobKind.EDIT):
                has_begun = True
                self._editor.begin_background_edit(f"adding {printable(path.name)}", "Import", operation, done.append)
            return done[0] if done else None

        return added

    def _read_waiting(self) -> None:
        if self._load is None and self._waiting:
            self._load = Load(self.reader_of(self._waiting), self._take)
            self._waiting, self._began_with_these = [], False
            self._first_row = self._scene.row_count

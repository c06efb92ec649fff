"""Opening: a file that is to take the place of what a window shows is read, and made ready, beside it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from scene import ReadError, Scene
from scene.files import BackgroundReader
from scene.joining import Joining
from scene.text_file import printable
from viewer.editor import Editor
from viewer.work import Work


@dataclass(frozen=True)
class Following:
    """The scene that takes the window after this one, and what it is called."""

    scene: Scene
    title: str


class Opening:
    """One file at a time; what is shown is locked meanwhile, and stays if it cannot be read.

    Args:
        reader_of: begins to read files.
    """

    def __init__(self, editor: Editor, reader_of: Callable[[Sequence[Path]], BackgroundReader]) -> None:
        self._editor = editor
        self._reader_of = reader_of
        self._reader: BackgroundReader | None = None
        self._preparing = Work()
        self._following: Following | None = None
        self._path = Path()

    @property
    def busy(self) -> bool:
        return self._reader is not None or self._preparing.busy

    @property
    def progress(self) -> tuple[str, float | None] | None:
        """What is opened, and the fraction that is read, None where nobody knows; None: nothing is."""
        if not self.busy:
            return None
        state = None if self._reader is None else self._reader.state
        fraction = None if state is None or not state.total_bytes else state.done_bytes / state.total_bytes
        return f"opening {printable(self._path.name)}", fraction

    def begin(self, path: Path) -> None:
        self._editor.locked = "another file is being opened"
        self._path = path
        self._reader = self._reader_of([path])

    def cancel(self) -> None:
        """Read no further."""
        if self._reader is not None:
            self._reader.cancel()
        self._preparing.cancel()

    def turn(self) -> Following | None:
        """The file's scene, once it is there."""
        if self._reader is not None and (taken := self._reader.take()) is not None:
            self._reader = None
            self._prepare(*taken)
        elif self._reader is not None and self._reader.finished:
            self._reader = None
            self._stop()
        self._preparing.finish()
        following, self._following = self._following, None
        return following

    def _prepare(self, path: Path, result: object) -> None:
        if isinstance(result, ReadError):
            self._editor.locked = None
            self._editor.log.say("error", str(result))
            return
        scene = Scene()
        joining = Joining(scene, path, result)

        def join(_: object) -> None:
            joining.join()
            scene.update_world()
            self._editor.locked = None
            self._following = Following(scene, printable(path.name))

        self._preparing.begin("opening", lambda tell: joining.prepare(), join, stopped=self._stop)

    def _stop(self) -> None:
        self._editor.locked = None
        self._editor.log.say("info", "opening: stopped")

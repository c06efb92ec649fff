"""SceneWork: what takes long and reads the scene, such as writing it: as it is, or as it was when that began."""

from __future__ import annotations

import time
from collections.abc import Callable

from scene import SaveError, Scene, WriteError
from scene.snapshot import snapshot
from viewer.editing.background_job import Progress, Work
from viewer.editing.editor import Editor

_STEPS = 1000  # of what tells how far it is
_QUICK_SECONDS = 0.25  # work that is done sooner shows no bar

Fraction = Callable[[float], None]  # is told how much is done, 0 to 1; what it raises ends the work


class SceneWork:
    """One thing after the other, each on a thread."""

    def __init__(self, editor: Editor) -> None:
        self._editor = editor
        self._work = Work()
        self._began = 0.0
        self._next: dict[str, Callable[[], object]] = {}  # in the order in which it was wanted

    @property
    def busy(self) -> bool:
        return self._work.busy

    @property
    def is_going(self) -> bool:
        """Whether something is under way or is to come next."""
        return self.busy or len(self._next) > 0

    @property
    def progress(self) -> tuple[str, float | None] | None:
        """What is done, and the fraction, None where nobody knows; None: nothing, or not for long yet."""
        if self.busy and time.perf_counter() - self._began > _QUICK_SECONDS:
            return self._work.label, self._work.fraction
        return None

    def begin(
        self, label: str, run: Callable[[Fraction], object], done: Callable[..., object], *, subject: str = ""
    ) -> None:
        """Run something on a thread, after what is under way, and `done` with its result on the window's.

        The editor is locked meanwhile. What goes wrong is said in its log.

        Args:
            subject: of what is said when it fails, until it succeeds; "": the label.
        """
        if self.busy:
            self.after(label, lambda: self.begin(label, run, done, subject=subject))
            return
        if self._editor.refuses(label):
            return
        self._editor.finish()
        self._editor.scene.update_world()  # so that the thread need not
        self._begin(label, run, done, subject, unlock=self._editor.lock(f"{label} is still running"))

    def begin_with_snapshot(
        self,
        label: str,
        run: Callable[[Scene, Fraction], object],
        done: Callable[..., object],
        *,
        subject: str = "",
    ) -> None:
        """The same with the scene as it is when that begins; whoever edits it goes on."""
        if self.busy:
            self.after(label, lambda: self.begin_with_snapshot(label, run, done, subject=subject))
            return
        self._editor.finish()
        scene = snapshot(self._editor.scene)
        self._begin(label, lambda advance: run(scene, advance), done, subject)

    def _begin(
        self,
        label: str,
        run: Callable[[Fraction], object],
        done: Callable[..., object],
        subject: str,
        *,
        unlock: Callable[[], object] = lambda: None,
    ) -> None:
        editor = self._editor
        self._began = time.perf_counter()

        def finished(result: object) -> None:
            unlock()
            editor.log.settle(subject or label)
            done(result)

        def failed(error: Exception) -> None:
            unlock()
            editor.log.say("error", _failure(label, error), subject or label)

        def stopped() -> None:
            unlock()
            editor.log.say("info", f"{label}: cancelled, nothing was changed")

        def work(tell: Progress) -> object:
            return run(lambda fraction: tell(round(fraction * _STEPS), _STEPS))

        self._work.begin(label, work, finished, failed=failed, stopped=stopped, writes=True)

    def after(self, what: str, then: Callable[[], object]) -> None:
        """Do something once what is under way is done, and what was wanted before; the same twice is done once."""
        self._next[what] = then

    def cancel(self) -> None:
        """Stop it, if it can be."""
        if self.busy:
            self._work.cancel()
            if self._work.fraction is None:
                self._editor.log.say("info", f"{self._work.label} cannot be stopped halfway; it will be done soon")

    def turn(self) -> None:
        """Take in what is done, and go on with what is next."""
        self._work.finish()
        if self._next and not self.busy:
            self._next.pop(next(iter(self._next)))()

    def end(self) -> None:
        """Wait for what is under way, and take it in; nothing comes next."""
        self._next.clear()
        self._work.wait()
        self._work.finish()


def _failure(label: str, error: Exception) -> str:
    """A line about what went wrong; a fault of ours is raised."""
    match error:
        case SaveError():
            return str(error)
        case WriteError():
            return f"{label}: {error}"
        case OSError():
            return f"{label}: {error.strerror or error}"
        case MemoryError():
            return f"{label}: out of memory; nothing was changed"
    raise error

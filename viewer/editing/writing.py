"""Writing files in the background: from the scene, which is locked meanwhile, or from a snapshot of it."""

from __future__ import annotations

from collections.abc import Callable

from octoscope.scene import SaveError, Scene, WriteError
from octoscope.scene.system.text_file import reason_of
from octoscope.viewer.editing.editor import Editor
from octoscope.viewer.editing.jobs import JobKind, Progress

_STEPS = 1000  # of progress

Fraction = Callable[[float], None]  # takes the fraction done, 0 to 1; raises once the job is cancelled


def write(
    editor: Editor, label: str, run: Callable[[Fraction], object], done: Callable[..., object], *, subject: str = ""
) -> None:
    """Run a function on a thread once no other file is written, and `done` with its result.

    The editor is locked meanwhile. Its log says why something failed.

    Args:
        subject: of messages about failing, until it succeeds; "" uses the label.
    """
    if editor.jobs.is_busy(JobKind.WRITE):
        editor.jobs.after_writing(label, lambda: write(editor, label, run, done, subject=subject))
    elif not editor.refuses(label):
        editor.finish()
        editor.scene.update_world()  # so that the thread need not
        _begin(editor, label, run, done, subject, unlock=editor.lock(f"{label} is still running"))


def write_snapshot(
    editor: Editor,
    label: str,
    run: Callable[[Scene, Fraction], object],
    done: Callable[..., object],
    *,
    subject: str = "",
) -> None:
    """Run a function with a snapshot of the scene in the same way; the scene can be edited meanwhile."""
    if editor.jobs.is_busy(JobKind.WRITE):
        editor.jobs.after_writing(label, lambda: write_snapshot(editor, label, run, done, subject=subject))
    else:
        editor.finish()
        scene = editor.scene.copy()
        _begin(editor, label, lambda advance: run(scene, advance), done, subject)


def _begin(
    editor: Editor,
    label: str,
    run: Callable[[Fraction], object],
    done: Callable[..., object],
    subject: str,
    *,
    unlock: Callable[[], object] = lambda: None,
) -> None:
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

    editor.jobs.begin(JobKind.WRITE, label, work, finished, failed=failed, stopped=stopped)


def _failure(label: str, error: Exception) -> str:
    """Return a line about an error; raise it where it is a programming error."""
    match error:
        case SaveError():
            return str(error)
        case WriteError():
            return f"{label}: {error}"
        case OSError():
            return f"{label}: {reason_of(error)}"
        case MemoryError():
            return f"{label}: out of memory; nothing was changed"
    raise error

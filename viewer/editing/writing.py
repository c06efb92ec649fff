"""Write the scene to files in the background: as it is, while nobody edits it, or as it was when that began."""

from __future__ import annotations

from collections.abc import Callable

from scene import SaveError, Scene, WriteError
from scene.snapshot import snapshot
from viewer.editing.editor import Editor
from viewer.editing.jobs import JobKind, Progress

_STEPS = 1000  # of what tells how far it is

Fraction = Callable[[float], None]  # is told how much is done, 0 to 1; what it raises ends the job


def write(
    editor: Editor, label: str, run: Callable[[Fraction], object], done: Callable[..., object], *, subject: str = ""
) -> None:
    """Run something on a thread after what is being written, and `done` with its result on the window's.

    The editor is locked meanwhile. What goes wrong is said in its log.

    Args:
        editor: of the scene.
        label: what is done, for a person.
        run: is given what it tells the fraction that is done.
        done: is given what `run` returned.
        subject: of what is said when it fails, until it succeeds; "": the label.
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
    """Do the same with the scene as it is when that begins, which `run` is given; whoever edits it goes on."""
    if editor.jobs.is_busy(JobKind.WRITE):
        editor.jobs.after_writing(label, lambda: write_snapshot(editor, label, run, done, subject=subject))
    else:
        editor.finish()
        scene = snapshot(editor.scene)
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
    """Return a line about what went wrong; a fault of ours is raised."""
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

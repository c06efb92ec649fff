"""Jobs: background jobs on threads, whose results are taken in between two frames on the window's thread.

Jobs that have ended wait in one queue, which `poll` empties once a frame. Jobs of one kind run one at a time, those of
different kinds side by side. The threads are not those of a pool, which would keep the program alive until all of them
have ended; only jobs that write files are waited for.
"""

from __future__ import annotations

import queue
import time
from collections.abc import Callable
from enum import Enum, auto
from functools import partial
from threading import Event, Thread
from typing import Generic, TypeVar

Result = TypeVar("Result")
Progress = Callable[[int, int], None]

_QUICK_SECONDS = 0.25  # a job that is done sooner shows no bar


class JobKind(Enum):
    """The purpose of a job; the progress of the first kind that runs is shown."""

    EDIT = auto()  # makes an edit or a selection
    WRITE = auto()  # writes a file: the program waits for it before it ends
    JOIN = auto()  # prepares files of the scene that were read; no progress is shown
    SIMPLIFY = auto()  # makes levels of detail; no progress is shown
    MEASURE = auto()  # measures octrees, checks changed meshes; no progress is shown
    STREAM = auto()  # reads parts of a streamed scene; no progress is shown
    OPEN = auto()  # reads a file that is to replace the scene; no progress is shown
    THUMBNAIL = auto()  # reads or draws small pictures; no progress is shown
    LIST = auto()  # lists what lies in folders; no progress is shown
    UNPACK = auto()  # keeps and unpacks what was uploaded; no progress is shown


class _Stopped(BaseException):
    """Raised in a job that is cancelled; no Exception, so that the job itself does not catch it."""


class Job(Generic[Result]):
    """Something that runs on a thread."""

    def __init__(
        self,
        kind: JobKind,
        label: str,
        run: Callable[[Progress], Result],
        then: Callable[[Result], object],
        failed: Callable[[Exception], object],
        stopped: Callable[[], object],
        ended: queue.SimpleQueue[Job],
    ) -> None:
        self.label = label
        self.fraction: float | None = None  # done so far, 0 to 1; None until it has reported
        self.began = time.perf_counter()  # by time.perf_counter
        self._kind = kind
        self._run = run
        self._then = then
        self._failed = failed
        self._stopped = stopped
        self._ended = ended
        self._stop = Event()
        self._take: Callable[[], object] = stopped
        self._thread = Thread(target=self._work, name=label, daemon=kind is not JobKind.WRITE)
        self._thread.start()

    def cancel(self) -> None:
        """End the job when it next reports progress."""
        self._stop.set()

    def wait(self) -> None:
        """Wait until it has ended."""
        self._thread.join()

    def take(self) -> None:
        """Call what follows from how the job ended; raise what it raised where nothing handles that."""
        take, self._take = self._take, self._stopped  # the error would keep the job alive
        take()

    def _tell(self, done: int, total: int) -> None:
        if self._stop.is_set():
            raise _Stopped
        self.fraction = done / total if total else 0.0

    def _work(self) -> None:
        try:
            result = self._run(self._tell)
        except _Stopped:
            pass
        except Exception as error:
            self._take = partial(self._failed, error)
        else:
            is_written = self._kind is JobKind.WRITE  # then it counts, though it was cancelled meanwhile
            self._take = lambda: self._then(result) if is_written or not self._stop.is_set() else self._stopped()
        self._ended.put(self)


class Jobs:
    """The background jobs of a window."""

    def __init__(self) -> None:
        self._running: dict[JobKind, Job] = {}
        self._ended: queue.SimpleQueue[Job] = queue.SimpleQueue()
        self._next: dict[str, Callable[[], object]] = {}  # in the order in which it was wanted

    def __getitem__(self, kind: JobKind) -> Job:
        return self._running[kind]

    def is_busy(self, *kinds: JobKind) -> bool:
        """Return whether a job of any of these kinds runs, or any job at all."""
        return any(kind in self._running for kind in kinds or JobKind)

    @property
    def is_going(self) -> bool:
        """True while a job runs or waits to begin."""
        return len(self._running) > 0 or len(self._next) > 0

    @property
    def progress(self) -> tuple[str, float | None] | None:
        """Label and fraction (None: unknown) of a job that has run for a while; None where none has."""
        for job in (self._running[kind] for kind in (JobKind.EDIT, JobKind.WRITE) if kind in self._running):
            if time.perf_counter() - job.began > _QUICK_SECONDS:
                return job.label, job.fraction
        return None

    def begin(
        self,
        kind: JobKind,
        label: str,
        run: Callable[[Progress], Result],
        then: Callable[[Result], object],
        *,
        failed: Callable[[Exception], object] | None = None,
        stopped: Callable[[], object] = lambda: None,
    ) -> None:
        """Run a function on a thread, and `then` with its result on the window's thread, from `poll`.

        Args:
            run: gets a function that it calls with the steps done and all steps; after cancelling, that raises.
            failed: called with what `run` raised; None raises that in `poll`.
        """
        if kind in self._running:
            raise RuntimeError(f"{self._running[kind].label} is still running")
        self._running[kind] = Job(kind, label, run, then, failed or _raise, stopped, self._ended)

    def after_writing(self, what: str, then: Callable[[], object]) -> None:
        """Call a function once no file is written any more; a second one of the same name replaces it."""
        self._next[what] = then

    def cancel(self, *kinds: JobKind) -> None:
        """Cancel the jobs of some kinds."""
        for kind in kinds:
            if kind in self._running:
                self._running[kind].cancel()

    def forget(self, kind: JobKind) -> None:
        """Cancel the job of a kind, ignore its result, and let another begin at once."""
        if kind in self._running:
            self._running.pop(kind).cancel()

    def wait(self, kind: JobKind) -> None:
        """Wait until the job of a kind has ended; `poll` takes it in."""
        if kind in self._running:
            self._running[kind].wait()

    def poll(self) -> bool:
        """Take in jobs that have ended and begin what is next; return whether there was anything."""
        taken = False
        while not self._ended.empty():
            taken |= self._take(self._ended.get())
        if self._next and JobKind.WRITE not in self._running:
            self._next.pop(next(iter(self._next)))()
            taken = True
        return taken

    def end(self) -> None:
        """Cancel all jobs but writing, which is waited for and taken in."""
        self._next.clear()
        self.cancel(*(kind for kind in JobKind if kind is not JobKind.WRITE))
        self.wait(JobKind.WRITE)
        if JobKind.WRITE in self._running:
            self._take(self._running[JobKind.WRITE])

    def _take(self, job: Job) -> bool:
        for kind in [kind for kind, running in self._running.items() if running is job]:
            del self._running[kind]
            job.take()
            return True
        return False


def _raise(error: Exception) -> None:
    raise error

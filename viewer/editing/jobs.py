"""Jobs: what takes long runs on threads; what comes of it is taken in between two frames, on the window's thread.

One queue holds all that has ended, and is drained once a frame (`poll`). Jobs of one lane run one at a time, those of
different lanes side by side. The threads are not a pool's: a pool keeps the program alive until all of them have ended,
and nobody waits for the search of a window that is closed. What writes a file is waited for.
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
    """What a job is for; the first that runs is the one whose progress is shown."""

    EDIT = auto()  # its result becomes an edit or a selection
    WRITE = auto()  # it leaves a file behind: the program ends after it only
    JOIN = auto()  # it makes ready what was read of the scene's files; no progress is shown
    OPEN = auto()  # the same with a file that is to take the scene's place; no progress is shown


class _Stopped(BaseException):
    """The person wants no more of it; passes what the job itself catches."""


class Job(Generic[Result]):
    """Something that runs on a thread.

    Attributes:
        label: what is done, for a person.
        fraction: how much of it is done, 0 to 1; None as long as it has not told.
        began: when it did, as time.perf_counter has it.
    """

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
        self.fraction: float | None = None
        self.began = time.perf_counter()
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
        """Let it end when it next tells how far it is."""
        self._stop.set()

    def wait(self) -> None:
        """Wait until it has ended."""
        self._thread.join()

    def take(self) -> None:
        """Do what follows from how it ended. Raises what it raised, where nobody else takes that."""
        take, self._take = self._take, self._stopped  # what it raised holds on to it
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
            self._take = lambda: self._stopped() if self._is_unwanted else self._then(result)
        self._ended.put(self)

    @property
    def _is_unwanted(self) -> bool:
        """Whether it was cancelled when it was done already; what it has written is there all the same."""
        return self._stop.is_set() and self._kind is not JobKind.WRITE


class Jobs:
    """All jobs of a window."""

    def __init__(self) -> None:
        self._running: dict[JobKind, Job] = {}
        self._ended: queue.SimpleQueue[Job] = queue.SimpleQueue()
        self._next: dict[str, Callable[[], object]] = {}  # in the order in which it was wanted

    def __getitem__(self, kind: JobKind) -> Job:
        """The job that a lane runs; KeyError where it runs none."""
        return self._running[kind]

    def is_busy(self, *kinds: JobKind) -> bool:
        """Whether a job runs in any of these lanes, or in any at all."""
        return any(kind in self._running for kind in kinds or JobKind)

    @property
    def is_going(self) -> bool:
        """Whether `poll` will have something to do before anything else happens."""
        return len(self._running) > 0 or len(self._next) > 0

    @property
    def progress(self) -> tuple[str, float | None] | None:
        """What has run for a while, and the fraction that is done, None where nobody knows; None: nothing has."""
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
        """Run something on a thread, and `then` with its result on the window's, from `poll`.

        Args:
            kind: what it is for.
            label: what is done, for a person.
            run: is given what it must call with what is done and what there is; on cancelling, that raises.
            failed: called from `poll` with what it raised; None: that is raised there.
            stopped: called from `poll` where cancelling has ended it.

        Raises:
            RuntimeError: the lane runs something already.
        """
        if kind in self._running:
            raise RuntimeError(f"{self._running[kind].label} is still running")
        self._running[kind] = Job(kind, label, run, then, failed or _raise, stopped, self._ended)

    def after_writing(self, what: str, then: Callable[[], object]) -> None:
        """Do something once nothing is written any more, after what was wanted before; the same twice is done once."""
        self._next[what] = then

    def cancel(self, *kinds: JobKind) -> None:
        """Stop what runs in some lanes, each as soon as it can be."""
        for kind in kinds:
            if kind in self._running:
                self._running[kind].cancel()

    def forget(self, kind: JobKind) -> None:
        """Stop what runs in a lane, of which nothing is to be taken, and let it run something else at once."""
        if kind in self._running:
            self._running.pop(kind).cancel()

    def wait(self, kind: JobKind) -> None:
        """Wait until what a lane runs has ended; `poll` takes it in."""
        if kind in self._running:
            self._running[kind].wait()

    def poll(self) -> bool:
        """Take in what has ended, and begin what is next; whether there was anything. Raises what a job raised."""
        taken = False
        while not self._ended.empty():
            taken |= self._take(self._ended.get())
        if self._next and JobKind.WRITE not in self._running:
            self._next.pop(next(iter(self._next)))()
            taken = True
        return taken

    def end(self) -> None:
        """Wait for what is written, and take it in; nothing comes next, and nobody asks for the rest."""
        self._next.clear()
        self.cancel(JobKind.EDIT, JobKind.JOIN, JobKind.OPEN)
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

"""Workers: run a function for many jobs, in this process or on several."""

from __future__ import annotations

import multiprocessing
import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from typing import TypeVar

from scene.formats.export import WriteError

_SENDINGS = 16  # batches of jobs that each process gets

Job = TypeVar("Job")
Result = TypeVar("Result")


class Workers:
    """Several processes, or this one.

    Args:
        count: of processes; 1: this one.
    """

    def __init__(self, count: int) -> None:
        # Started afresh everywhere: a copy of this process would have its locks, but not the threads that hold them.
        context = multiprocessing.get_context("spawn")
        self._count = count
        self._executor = None
        if count > 1:
            self._executor = ProcessPoolExecutor(count, mp_context=context, initializer=_leave_interrupts)

    def run(self, function: Callable[[Job], Result], jobs: Sequence[Job]) -> Iterator[Result]:
        """Call a function, of a module's top level, for each job; the results come in the order of the jobs.

        Raises:
            WriteError: a process was ended from outside.
        """
        if self._executor is None:
            yield from map(function, jobs)
            return
        try:
            # Many small jobs are sent together, but no process gets so many that others wait for it.
            together = max(len(jobs) // (_SENDINGS * self._count), 1)
            yield from self._executor.map(function, jobs, chunksize=together)
        except BrokenProcessPool:
            raise WriteError(
                "a worker was ended, as happens when memory runs out; use fewer --workers, or a smaller --max-memory"
            ) from None

    def close(self) -> None:
        """End the processes; jobs that have not begun are dropped."""
        if self._executor is not None:
            self._executor.shutdown(cancel_futures=True)


def _leave_interrupts() -> None:
    """Leave Ctrl+C, which a terminal sends to all processes, to the one that has started this one."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


@contextmanager
def started(count: int) -> Iterator[Workers]:
    """Start workers, and end them after the block."""
    workers = Workers(count)
    try:
        yield workers
    finally:
        workers.close()

"""Processes: run a function for many jobs, in this process or on several of this machine."""

from __future__ import annotations

import multiprocessing
import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing.connection import Connection
from pathlib import Path
from typing import TypeVar

from octoscope.scene.formats.export import WriteError
from octoscope.scene.system.memory import free_memory_bytes
from octoscope.scene.system.parent_process import end_after

_SENDINGS = 16  # batches of jobs that each worker gets

Job = TypeVar("Job")
Result = TypeVar("Result")


class Processes:
    """Workers on this machine: several processes, or this one.

    Args:
        count: of processes; 1: this one.
    """

    def __init__(self, count: int) -> None:
        # Started afresh everywhere: a copy of this process would have its locks, but not the threads that hold them.
        context = multiprocessing.get_context("spawn")
        self._count = count
        self._executor = None
        if count > 1:
            # They end when this process closes its end of the pipe, or has ended, in whatever way.
            self._ended, self._running = context.Pipe(duplex=False)
            self._executor = ProcessPoolExecutor(count, mp_context=context, initializer=_begin, initargs=(self._ended,))

    @property
    def count(self) -> int:
        """The number of processes."""
        return self._count

    def free_bytes(self) -> int:
        """Return how much memory is free on this machine."""
        return free_memory_bytes()

    def peak_bytes(self) -> int | None:
        """Return None: peak_memory_bytes counts processes of this machine, as soon as they have ended."""
        return None

    def check_sees(self, folder: Path) -> None:
        """Do nothing: processes of this machine see what this one sees."""

    def run(self, function: Callable[[Job], Result], jobs: Sequence[Job]) -> Iterator[Result]:
        """Call a function for each job; see Workers."""
        if self._executor is None:
            yield from map(function, jobs)
            return
        try:
            yield from self._executor.map(function, jobs, chunksize=jobs_together(len(jobs), self._count))
        except BrokenProcessPool:
            raise WriteError(
                "a worker was ended, as happens when memory runs out; use fewer --workers, or a smaller --max-memory"
            ) from None

    def close(self) -> None:
        """End the processes; jobs that have not ended are dropped."""
        if self._executor is not None:
            self._executor.shutdown(wait=False, cancel_futures=True)
            self._running.close()
            self._ended.close()
            self._executor.shutdown()


def jobs_together(jobs: int, workers: int) -> int:
    """Return how many jobs are sent at a time: many small ones together, but not so many that workers wait for one."""
    return max(jobs // (_SENDINGS * workers), 1)


def _begin(ended: Connection) -> None:
    """Leave Ctrl+C, which a terminal sends to all processes, to the one that has started this one, and end with it.

    Args:
        ended: a pipe that nothing is written to; its other end is closed when this process is to end.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    end_after(lambda: ended.poll(None))

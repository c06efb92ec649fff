"""Workers: run a function for many jobs: here, in several processes, or (`cluster.py`) on a cluster of Dask."""

from __future__ import annotations

import multiprocessing
import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing.connection import Connection
from pathlib import Path
from typing import TypeVar

from octoscope.scene.system.atomic_file import WriteError
from octoscope.scene.system.memory import free_memory_bytes
from octoscope.scene.system.processes import end_after

LOCAL_CLUSTER = "local"  # in place of a scheduler's address: Dask starts processes of this machine
_SENDINGS = 16  # batches of jobs that each worker gets

Job = TypeVar("Job")
Result = TypeVar("Result")


class Workers:
    """Those who run jobs: processes of this machine, or this one alone.

    A job may be run a second time, after one who ran it was lost: it writes the same files again, and removes none
    that it reads.
    """

    def __init__(self, count: int) -> None:
        self.count = count  # the number of jobs that are run at a time
        self._executor = None
        if count > 1:
            # Started afresh: a copy of this process would have its locks, but not the threads that hold them.
            context = multiprocessing.get_context("spawn")
            # They end when this process closes its end of the pipe, or has ended, in whatever way.
            self._ended, self._running = context.Pipe(duplex=False)
            self._executor = ProcessPoolExecutor(count, mp_context=context, initializer=_begin, initargs=(self._ended,))

    def free_bytes(self) -> int:
        """Return how much memory is free for all of them together."""
        return free_memory_bytes()

    def peak_bytes(self) -> int | None:
        """Return the most memory that one has had; None: they are children, which peak_memory_bytes counts."""
        return None

    def check_sees(self, folder: Path) -> None:
        """Raise WriteError if one of them does not see a folder; processes of this machine see what this one sees."""

    def run(self, function: Callable[[Job], Result], jobs: Sequence[Job]) -> Iterator[Result]:
        """Call a function, of a module's top level, for each job; the results come in the order of the jobs."""
        if self._executor is None:
            yield from map(function, jobs)
            return
        try:
            yield from self._executor.map(function, jobs, chunksize=self.jobs_together(len(jobs)))
        except BrokenProcessPool:
            raise WriteError(
                "a worker was ended, as happens when memory runs out; use fewer --workers, or a smaller --max-memory"
            ) from None

    def jobs_together(self, jobs: int) -> int:
        """Return how many jobs are sent at a time: many small ones together, but so that none waits long for one."""
        return max(jobs // (_SENDINGS * self.count), 1)

    def close(self) -> None:
        """End them; jobs that have not ended are dropped."""
        if self._executor is not None:
            self._executor.shutdown(wait=False, cancel_futures=True)
            self._running.close()
            self._ended.close()
            self._executor.shutdown()


def _begin(ended: Connection) -> None:
    """Leave Ctrl+C to the process that has started this one, and end when it closes its end of the pipe `ended`."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    end_after(lambda: ended.poll(None))

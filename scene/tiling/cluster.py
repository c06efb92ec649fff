"""Cluster: workers of Dask, on this machine or on others that see the same folders. Needs octoscope[cluster]."""

from __future__ import annotations

import asyncio
import logging
import os
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import CancelledError, ThreadPoolExecutor
from pathlib import Path

from distributed import Client, LocalCluster
from distributed.comm.core import CommClosedError, connect
from distributed.scheduler import KilledWorker

from octoscope.scene.system.atomic_file import WriteError
from octoscope.scene.system.memory import free_memory_bytes, peak_memory_bytes
from octoscope.scene.system.text_file import printable
from octoscope.scene.tiling.workers import Job, Result, Workers

_CONNECTING_SECONDS = 10.0


class Cluster(Workers):
    """Workers of a Dask cluster; each of their threads runs a job.

    Dask gives a job to another worker when the one that ran it is lost.
    """

    def __init__(self, cluster: str | int) -> None:
        logging.getLogger("distributed").setLevel(logging.ERROR)  # what matters of it is raised
        self._own: LocalCluster | None = None
        self._names = set(os.environ)
        if isinstance(cluster, int):
            # Without a limit of memory for each: write_tiles divides it. Without a page of Dask's own, too.
            self._own = LocalCluster(
                n_workers=cluster,
                threads_per_worker=1,
                memory_limit=0,
                dashboard_address=None,
                silence_logs=logging.ERROR,
            )
        try:
            if isinstance(cluster, str):
                with ThreadPoolExecutor(1) as pool:  # not here: a notebook's thread has a loop already
                    pool.submit(asyncio.run, _try(cluster)).result()
            self._client = Client(self._own or cluster, timeout=_CONNECTING_SECONDS, set_as_default=False)
        except Exception:  # none answers, or a program of another kind does, with anything
            raise WriteError(
                f"no Dask scheduler answers at '{printable(str(cluster))[:80]}'; start one with `dask scheduler`, and "
                "name the address that it prints"
            ) from None
        self.count = sum(self._client.nthreads().values())
        if self.count == 0:
            self.close()
            raise WriteError("the Dask scheduler has no workers; start some with `dask worker ADDRESS`")

    def free_bytes(self) -> int:
        """Return how much memory is free for all jobs together, if each takes as much as the one that has least."""
        workers = self._client.scheduler_info(n_workers=-1)["workers"]
        jobs_of_host: Counter[str] = Counter()
        for worker in workers.values():
            jobs_of_host[worker["host"]] += worker["nthreads"]
        of_each = []
        for address, free in self._client.run(free_memory_bytes).items():
            worker = workers[address]
            of_each.append(free // jobs_of_host[worker["host"]])
            if worker["memory_limit"]:
                of_each.append(worker["memory_limit"] // worker["nthreads"])
        return min(of_each) * self.count

    def peak_bytes(self) -> int | None:
        """Return the most memory that one of the workers' processes has had; None where the system does not say."""
        peaks = [peak for peak in self._client.run(peak_memory_bytes).values() if peak is not None]
        return max(peaks, default=None)

    def check_sees(self, folder: Path) -> None:
        """Raise WriteError if a worker does not see a folder."""
        for address, is_there in self._client.run(_is_folder, folder).items():
            if not is_there:
                raise WriteError(
                    f"the worker at {printable(address)} does not see this folder; name one on a disk that all "
                    "machines of the cluster share, by the same path"
                )

    def run(self, function: Callable[[Job], Result], jobs: Sequence[Job]) -> Iterator[Result]:
        """Call a function for each job; WriteError too where the scheduler went away."""
        together = self.jobs_together(len(jobs))
        batches = [jobs[begin : begin + together] for begin in range(0, len(jobs), together)]
        futures = self._client.map(_results_of, [function] * len(batches), batches, pure=False)
        try:
            while futures:
                yield from futures[0].result()
                del futures[0]  # nobody keeps its result any more
        except (KilledWorker, CancelledError, CommClosedError):
            raise WriteError(
                "the cluster has lost workers or its scheduler, as happens when memory runs out; use a smaller "
                "--max-memory"
            ) from None
        finally:
            for future in futures:
                future.release()  # jobs that have not begun are dropped

    def close(self) -> None:
        """Leave the cluster; end the processes that were started for it."""
        self._client.close()
        if self._own is not None:
            self._own.close()
            for name in os.environ.keys() - self._names:  # which Dask has set here, for those processes to inherit
                del os.environ[name]


def _is_folder(path: Path) -> bool:
    return path.is_dir()


def _results_of(function: Callable[[Job], Result], jobs: Sequence[Job]) -> list[Result]:
    return list(map(function, jobs))


async def _try(address: str) -> None:
    """Connect to a scheduler, which a Client would wait for without end while a program there says nothing.

    Raises:
        TimeoutError: none answers in time; connecting raises errors of other kinds, too.
    """
    comm = await asyncio.wait_for(connect(address, timeout=_CONNECTING_SECONDS), _CONNECTING_SECONDS)
    comm.abort()

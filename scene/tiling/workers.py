"""Workers: those who run a function for many jobs; how they are started and ended."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol, TypeVar

from octoscope.scene.tiling.processes import Processes

LOCAL_CLUSTER = "local"

Job = TypeVar("Job")
Result = TypeVar("Result")


class Workers(Protocol):
    """Those who run jobs.

    A job may be run a second time, after one who ran it was lost: it writes the same files again, and removes none
    that it reads.
    """

    @property
    def count(self) -> int:
        """The number of jobs that are run at a time."""

    def free_bytes(self) -> int:
        """Return how much memory is free for all of them together."""

    def peak_bytes(self) -> int | None:
        """Return the most memory that one of them has had; None where that is measured when they have ended."""

    def check_sees(self, folder: Path) -> None:
        """Check that all of them see a folder.

        Raises:
            WriteError: one of them does not.
        """

    def run(self, function: Callable[[Job], Result], jobs: Sequence[Job]) -> Iterator[Result]:
        """Call a function, of a module's top level, for each job; the results come in the order of the jobs.

        Raises:
            WriteError: a worker was lost.
        """

    def close(self) -> None:
        """End them; jobs that have not ended are dropped."""


@contextmanager
def started(count: int, cluster: str | None = None) -> Iterator[Workers]:
    """Start workers, and end them after the block.

    Args:
        cluster: the address of a Dask scheduler, whose workers are used instead; LOCAL_CLUSTER: Dask starts `count`
            processes of this machine; None: Dask is not used.

    Raises:
        WriteError: the scheduler does not answer, or has no workers.
        ModuleNotFoundError: a cluster was asked for, and Dask is not installed.
    """
    workers: Workers
    if cluster is None:
        workers = Processes(count)
    else:
        from octoscope.scene.tiling.cluster import Cluster  # here: Dask is an extra, and takes long to import

        workers = Cluster(count if cluster == LOCAL_CLUSTER else cluster)
    try:
        yield workers
    finally:
        workers.close()

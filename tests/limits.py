"""A disk that is full, as far as a process can see."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest


@contextmanager
def largest_file(count: int) -> Iterator[None]:
    """Within, writing more bytes than that to a file is an OSError; where there is no such limit the test is skipped.

    Kernels must have run before: their cache is files too.
    """
    resource = pytest.importorskip("resource")
    signal = pytest.importorskip("signal")
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    before = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (count, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        signal.signal(signal.SIGXFSZ, before)

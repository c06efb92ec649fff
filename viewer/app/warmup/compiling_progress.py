"""Progress of compiling kernels."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from octoscope.octree.jit import Kernel, listening


@contextmanager
def report_progress(kernels: Sequence[Kernel], tell: Callable[[float], object]) -> Iterator[None]:
    """Call `tell` with the fraction of kernels that are compiled or loaded, each time one was compiled."""
    waiting = list(kernels)

    def report() -> None:
        nonlocal waiting
        count = len(waiting)
        waiting = [kernel for kernel in waiting if not kernel.is_loaded]
        if len(waiting) < count:  # and it was not one of numba's own functions
            tell(1.0 - len(waiting) / len(kernels))

    with listening(lambda: None, report):
        yield

"""How far compiling is: how many of the program's kernels this process can call."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from numba.core import event
from numba.core.dispatcher import Dispatcher

_COMPILED = "numba:compile"  # the event that numba tells the beginning and the end of


def kernels_of(packages: Sequence[str]) -> list[Dispatcher]:
    """The kernels of those packages' modules that were imported, each once."""
    modules = [module for name, module in sys.modules.items() if name.partition(".")[0] in packages]
    found = {id(value): value for module in modules for value in vars(module).values() if isinstance(value, Dispatcher)}
    return list(found.values())


@contextmanager
def told_progress(kernels: Sequence[Dispatcher], tell: Callable[[float], object]) -> Iterator[None]:
    """Meanwhile `tell` the fraction of the kernels that are compiled, or loaded, whenever one more was compiled."""
    listener = _Listener(kernels, tell)
    event.register(_COMPILED, listener)
    try:
        yield
    finally:
        event.unregister(_COMPILED, listener)


class _Listener(event.Listener):
    def __init__(self, kernels: Sequence[Dispatcher], tell: Callable[[float], object]) -> None:
        self._left = list(kernels)
        self._count = len(self._left)
        self._tell = tell

    def on_start(self, _: event.Event) -> None:
        """Nothing is done yet."""

    def on_end(self, _: event.Event) -> None:
        """One was compiled, of the program's or of numba's own."""
        left = [kernel for kernel in self._left if not kernel.overloads]
        if len(left) < len(self._left):
            self._left = left
            self._tell(1.0 - len(left) / self._count)

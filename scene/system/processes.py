"""Count the processors that this process may use, and end it with the one that has started it."""

from __future__ import annotations

import os
from collections.abc import Callable
from threading import Thread


def processor_count() -> int:
    """Return how many processors this process may use: taskset and containers leave it fewer than the machine has."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def end_after(wait: Callable[[], object]) -> None:
    """End this process, at once, when a function returns that waits for its parent process to end.

    Args:
        wait: called on another thread. A pipe of which the parent alone has the other end shows its end on every
            system, also when it is killed: `poll` of a connection, or `os.read` of the standard input.
    """

    def watch() -> None:
        wait()
        os._exit(1)

    Thread(target=watch, name="parent process", daemon=True).start()

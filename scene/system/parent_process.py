"""End a process that this program has started when the process that started it ends, however that one ends."""

from __future__ import annotations

import os
from collections.abc import Callable
from threading import Thread


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

"""Processes of our own that may be killed: a fork runs a function and never comes back into pytest."""

from __future__ import annotations

import os
import traceback
from collections.abc import Callable


def start(function: Callable[[], object]) -> int:
    """Run a function in a child process and return its id; the exit status is 0 when it returned."""
    child = os.fork()
    if child == 0:
        status = 1
        try:
            function()
            status = 0
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(status)
    return child


def exit_code(child: int) -> int:
    """Wait for a child; negative: the signal that ended it."""
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])

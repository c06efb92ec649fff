"""Start the program, for `octoscope` and `python -m viewer`; Ctrl+C ends it without a message at any time.

Most of the first second is spent on imports. Nothing needs to be closed in order then.
"""

from __future__ import annotations

import atexit
import os
import signal
import sys
from contextlib import suppress


def main() -> int:
    """Run the program and return its exit status, that of viewer.cli.main, with which the process then ends."""
    end = _End()
    atexit.register(end.leave)  # first, and so called last: after all threads, and what else is to be done at exit
    is_interruptible = signal.getsignal(signal.SIGINT) is signal.default_int_handler  # not in a shell's background
    if is_interruptible:
        # No KeyboardInterrupt: a module that is being imported may catch it, or half of it stays.
        signal.signal(signal.SIGINT, lambda *_: os._exit(130))
    # The threads of numpy's OpenBLAS wait for work for 26 ms in a busy loop, also when they start, on every processor.
    os.environ.setdefault("OPENBLAS_THREAD_TIMEOUT", "4")  # 2 to the fourth cycles, the least there is; then they sleep
    from viewer.cli import main as run  # only here: it imports all the rest

    try:
        if is_interruptible:
            signal.signal(signal.SIGINT, signal.default_int_handler)
        end.status = run()
    except KeyboardInterrupt:
        end.status = 130
    return end.status


class _End:
    """The end of the process.

    Attributes:
        status: that it ends with; until `main` returns, that of an error.
    """

    def __init__(self) -> None:
        self.status = 1

    def leave(self) -> None:
        """End the process without taking Python and all libraries apart first, which takes 20 ms."""
        for stream in (sys.stdout, sys.stderr):
            with suppress(OSError, ValueError):  # nobody reads it, or it is closed
                stream.flush()
        os._exit(self.status)


if __name__ == "__main__":
    sys.exit(main())

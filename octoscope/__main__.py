"""Start the program, for `octoscope` and `python -m octoscope`; Ctrl+C and SIGTERM end it without a message.

Most of the first second is spent on imports. Nothing needs to be closed in order then.
"""

from __future__ import annotations

import atexit
import os
import signal
import sys
from contextlib import suppress


def main() -> int:
    """Run the program and return its exit status, with which the process then ends."""
    end = _End()
    atexit.register(end.leave)  # first, and so called last: after all threads, and what else is to be done at exit
    ending = [signal.SIGTERM]
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:  # not in a shell's background
        ending.append(signal.SIGINT)
    for number in ending:
        # No KeyboardInterrupt: a module that is being imported may catch it, or half of it stays.
        signal.signal(number, lambda number, _: os._exit(128 + number))
    # The threads of numpy's OpenBLAS wait for work for 26 ms in a busy loop, also when they start, on every processor.
    os.environ.setdefault("OPENBLAS_THREAD_TIMEOUT", "4")  # 2 to the fourth cycles, the least there is; then they sleep
    from octoscope.viewer.cli import main as run  # only here: it imports all the rest

    try:
        for number in ending:
            signal.signal(number, end.interrupt)
        end.status = run()
    except KeyboardInterrupt:
        pass
    if end.signal:
        end.status = 128 + end.signal
    return end.status


class _End:
    """The end of the process.

    Attributes:
        status: that it ends with; until `main` returns, that of an error.
        signal: the number of the signal that has ended it; 0: none.
    """

    def __init__(self) -> None:
        self.status = 1
        self.signal = 0

    def interrupt(self, number: int, _: object) -> None:
        """Leave what is being done, as Ctrl+C does: what is half written is removed, and servers are closed."""
        self.signal = number
        raise KeyboardInterrupt(number)

    def leave(self) -> None:
        """End the process without taking Python and all libraries apart first, which takes 20 ms."""
        for stream in (sys.stdout, sys.stderr):
            with suppress(OSError, ValueError):  # nobody reads it, or it is closed
                stream.flush()
        os._exit(self.status)


if __name__ == "__main__":
    sys.exit(main())

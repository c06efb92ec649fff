"""Start the program, for `octoscope` and `python -m viewer`; Ctrl+C ends it without a message at any time.

Most of the first second is spent on imports. Nothing needs to be closed in order then.
"""

from __future__ import annotations

import os
import signal
import sys


def main() -> int:
    """Run the program and return its exit status, that of viewer.cli.main."""
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
        return run()
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main())

"""CompilerProcess: another process that compiles kernels, and how far it is."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from contextlib import suppress
from threading import Thread

_NICENESS = 5  # of the process: other programs come first
_STOP_SECONDS = 2.0  # to end by itself before it is killed


class CompilerProcess:
    """Another process that compiles kernels.

    Args:
        *options: of viewer.app.warmup.compiling.
        command: to run in its place.

    Attributes:
        fraction: of the work that is done, 0 to 1.
    """

    def __init__(self, *options: str, command: list[str] | None = None) -> None:
        self.fraction = 0.0
        self._began = time.monotonic()
        self._process: subprocess.Popen[str] = subprocess.Popen(
            command or [sys.executable, "-m", "octoscope.viewer.app.warmup.compiling", "--tell", *options],
            stdin=subprocess.PIPE,  # whose end tells the process that this one has ended
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        )
        assert self._process.stdout is not None
        self._output = self._process.stdout
        if hasattr(os, "setpriority"):
            os.setpriority(os.PRIO_PROCESS, self._process.pid, _NICENESS)
        self._listener = Thread(target=self._listen, name="preparing", daemon=True)
        self._listener.start()

    @property
    def seconds(self) -> float:
        """The time since it began."""
        return time.monotonic() - self._began

    @property
    def is_done(self) -> bool:
        """True once it has ended; if it failed, kernels are compiled when they are first used."""
        return self._process.poll() is not None

    def stop(self) -> None:
        """Stop compiling; what was compiled is kept."""
        if not self.is_done:
            self._process.terminate()
        try:
            self._process.wait(_STOP_SECONDS)
        except subprocess.TimeoutExpired:  # such as a stopped process
            self._process.kill()
        self._listener.join()
        self._process.communicate()

    def _listen(self) -> None:
        for line in self._output:
            with suppress(ValueError):  # libraries may print, too
                self.fraction = float(line)

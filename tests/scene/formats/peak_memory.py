"""A process that measures what reading files takes: `python -m tests.scene.formats.peak_memory`.

For each line of its input, a limit in bytes or 0 and a path, it writes one: the bytes that were taken beside those that
were in use before, and what came of it. It first reads a small file of the kind, with which code is loaded.
"""

from __future__ import annotations

import ctypes
import gc
import sys
from pathlib import Path

from octoscope.scene import ReadError, load


def _status(key: str) -> int:
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith(f"{key}:"):
            return 1024 * int(line.split()[1])
    raise KeyError(key)


def _measured(path: Path, limit: int | None) -> tuple[int, str]:
    gc.collect()
    ctypes.CDLL(None).malloc_trim(0)  # what was freed counts no longer, and must not be used again
    Path("/proc/self/clear_refs").write_text("5")  # the peak is what is in use now
    before = _status("VmRSS")
    try:
        load(path, max_memory_bytes=limit)
        verdict = "read"
    except ReadError as error:
        verdict = str(error)
    return _status("VmHWM") - before, verdict


if __name__ == "__main__":
    for line in sys.stdin:
        limit, _, name = line.rstrip("\n").partition(" ")
        print(*_measured(Path(name), int(limit) or None), flush=True)

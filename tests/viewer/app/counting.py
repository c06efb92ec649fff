"""Count what calls of a function leave behind in this process: memory, Python objects, threads, file descriptors."""

from __future__ import annotations

import gc
import os
import threading
from collections.abc import Callable
from pathlib import Path

Counts = dict[str, int]


def counts() -> Counts:
    gc.collect()
    return {
        "threads": threading.active_count(),
        "file descriptors": len(os.listdir("/proc/self/fd")),
        "children": len(Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()),
        "objects": len(gc.get_objects()),
        "bytes": resident_bytes("self"),
    }


def resident_bytes(process: object) -> int:
    return int(Path(f"/proc/{process}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def kept_by(
    call: Callable[[int], object], calls: int, allowed: Counts, rounds: int, count: Callable[[], Counts] = counts
) -> Counts | None:
    """Return what calls keep in the last of some rounds; None if one round keeps no more than allowed.

    What is really kept is kept in each round, while caches and the allocator may still grow in the first ones.
    """
    kept: Counts = {}
    for number in range(rounds):
        before = count()
        for each in range(calls):
            call(number * calls + each)
        after = count()
        kept = {kind: after[kind] - before[kind] for kind in before}
        if all(kept[kind] <= allowed.get(kind, 0) for kind in kept):
            return None
    return kept

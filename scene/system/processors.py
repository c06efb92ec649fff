"""Count the processors."""

from __future__ import annotations

import os


def processor_count() -> int:
    """Return how many processors this process may use: taskset and containers leave it fewer than the machine has."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1

"""Timing that survives a noisy machine: competitors take turns in one process, medians are compared."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Result:
    """One row of a benchmark: ours, and each competitor's, in milliseconds (medians)."""

    name: str
    ours_ms: float
    others_ms: Mapping[str, float]
    note: str = ""

    def ratios(self) -> dict[str, float]:
        """How many times as long each competitor takes."""
        return {name: ms / self.ours_ms for name, ms in self.others_ms.items()}


def compare(
    name: str, ours: Callable[[], object], others: Mapping[str, Callable[[], object]], *, rounds: int, note: str = ""
) -> Result:
    """Run all in turn, `rounds` times, after one unmeasured round, and keep the medians."""
    runs = {"": ours, **others}
    samples: dict[str, list[float]] = {label: [] for label in runs}
    for measured in (False, *[True] * rounds):
        for label, run in runs.items():
            begin = time.perf_counter()
            run()
            elapsed_ms = (time.perf_counter() - begin) * 1e3
            if measured:
                samples[label].append(elapsed_ms)
    medians = {label: statistics.median(values) for label, values in samples.items()}
    return Result(name, medians.pop(""), medians, note)

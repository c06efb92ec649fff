"""Timing on a noisy machine: competitors take turns in one process, and medians are compared."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import TypeVar

Use = TypeVar("Use")

_SLOW_SECONDS = 3.0  # a competitor that takes longer has its first round counted, and no other


@dataclass(frozen=True)
class Result:
    """One row of a benchmark."""

    name: str
    ours: float  # median, in `unit`
    others: Mapping[str, float] = field(default_factory=dict)  # median of each competitor
    unit: str = "ms"
    note: str = ""

    def ratios(self) -> dict[str, float]:
        """Return how many times as much each competitor takes."""
        return {name: value / self.ours for name, value in self.others.items()}


def installed(competitors: Mapping[str, tuple[str, Use]]) -> dict[str, Use]:
    """Return what uses each competitor, by name, of those whose module can be imported."""
    found = {}
    for name, (module, use) in competitors.items():
        try:
            import_module(module)
        except Exception:  # some raise more than ImportError if a system library is missing
            continue
        found[name] = use
    return found


def compare(
    name: str,
    ours: Callable[..., object],
    others: Mapping[str, Callable[[], object]],
    *,
    rounds: int,
    prepare: Callable[[], object] | None = None,
    times: int = 1,
    unit: str = "ms",
    note: str = "",
) -> Result:
    """Run all in turn, after one unmeasured round, and return the medians; slow competitors run only once.

    Args:
        prepare: called before each run of ours, not measured.
        times: how often each function does its work in one run; the result is for one time.
        unit: "ms" or "us".
    """
    scale = {"ms": 1e3, "us": 1e6}[unit] / times
    samples: dict[str, list[float]] = {label: [] for label in ("", *others)}
    slow: set[str] = set()
    for measured in (False, *[True] * rounds):
        arguments = () if prepare is None else (prepare(),)
        for label in samples:
            if label in slow:
                continue
            begin = time.perf_counter()
            if label:
                others[label]()
            else:
                ours(*arguments)
            seconds = time.perf_counter() - begin
            if seconds > _SLOW_SECONDS and label and not measured:
                slow.add(label)
            if measured or label in slow:
                samples[label].append(seconds * scale)
    medians = {label: statistics.median(values) for label, values in samples.items()}
    return Result(name, medians.pop(""), medians, unit, note)

"""StageTimes: the time of each stage of a frame, as a rolling median.

The first time of each stage is left out: it includes compiling, loading and making buffers.
"""

from __future__ import annotations

import math
import time
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np

_FRAMES = 30


class StageTimes:
    """Milliseconds by stage, in the order in which the stages first ran."""

    def __init__(self) -> None:
        self._samples: dict[str, deque[float]] = {}

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Time what happens inside."""
        begin = time.perf_counter()
        try:
            yield
        finally:
            self.add(name, (time.perf_counter() - begin) * 1e3)

    def add(self, name: str, milliseconds: float) -> None:
        """Add the time of a stage."""
        if name in self._samples:
            self._samples[name].append(milliseconds)
        else:
            self._samples[name] = deque(maxlen=_FRAMES)

    def medians_ms(self) -> dict[str, float]:
        """Return the median over the last frames by stage; NaN where there is none yet."""
        return {name: float(np.median(samples or [math.nan])) for name, samples in self._samples.items()}

    def last_ms(self, name: str) -> float:
        """Return the last time of a stage; NaN where there is none yet."""
        samples = self._samples.get(name)
        return samples[-1] if samples else math.nan

    def reset(self) -> None:
        """Forget all times, so that those before and after a switch do not mix."""
        for samples in self._samples.values():
            samples.clear()

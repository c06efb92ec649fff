"""The number of processors, which everything that starts threads takes from one place."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import octoscope.scene
from octoscope.scene.system.processes import processor_count


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="the system has no affinity")
def test_a_process_counts_the_processors_that_it_may_use():
    before = os.sched_getaffinity(0)
    try:
        os.sched_setaffinity(0, {min(before)})
        assert processor_count() == 1
    finally:
        os.sched_setaffinity(0, before)
    assert processor_count() == len(before)


def test_nothing_counts_processors_on_its_own():
    folder = Path(octoscope.scene.__file__).parent
    counting = {path.name for path in folder.rglob("*.py") if "cpu_count" in path.read_text(encoding="utf-8")}
    assert counting == {"processes.py"}

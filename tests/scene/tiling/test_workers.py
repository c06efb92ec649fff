"""Processes that run jobs end when they are closed, whatever they are doing."""

from __future__ import annotations

import time
from pathlib import Path
from threading import Thread

import pytest

from octoscope.scene.system.atomic_file import WriteError
from octoscope.scene.tiling.workers import Workers


def work_for_ever(began: Path) -> None:
    """A job that never ends."""
    began.touch()
    while True:
        time.sleep(0.01)


@pytest.mark.timeout(60)
def test_processes_that_are_closed_leave_their_jobs_at_once(tmp_path):
    began = tmp_path / "began"
    processes = Workers(2)
    told = []

    def ask() -> None:
        with pytest.raises(WriteError) as raised:
            list(processes.run(work_for_ever, [began]))
        told.append(raised)

    asking = Thread(target=ask)
    asking.start()
    while not began.exists():
        time.sleep(0.01)
    processes.close()
    asking.join()
    assert told

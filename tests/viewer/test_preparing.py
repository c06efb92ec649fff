"""Compiling ahead in a process of its own, and the note that it was done."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

import pytest

from viewer import compiling
from viewer.compiling import is_compiled, note_compiled
from viewer.preparing import Preparing


def wait_for(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 30.0
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.005)


def test_it_tells_how_far_the_process_is_and_that_it_has_ended():
    program = "import sys\nprint(0.25, flush=True)\nsys.stdin.read()\ninput()"
    preparing = Preparing([sys.executable, "-c", program])
    wait_for(lambda: preparing.is_done)
    preparing.stop()
    assert preparing.fraction == 0.25


def test_it_can_be_stopped():
    preparing = Preparing([sys.executable, "-c", "import time\nprint(0.5, flush=True)\ntime.sleep(1000)"])
    wait_for(lambda: preparing.fraction == 0.5)
    assert not preparing.is_done
    preparing.stop()
    assert preparing.is_done


def test_one_that_does_not_end_when_it_is_told_to_is_ended(monkeypatch):
    monkeypatch.setattr("viewer.preparing._STOP_SECONDS", 0.1)
    deaf = "import signal, time\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
    program = deaf + "print(0.5, flush=True)\ntime.sleep(1000)"
    preparing = Preparing([sys.executable, "-c", program])
    wait_for(lambda: preparing.fraction == 0.5)
    preparing.stop()
    assert preparing.is_done


def test_what_else_it_says_is_passed_over():
    preparing = Preparing([sys.executable, "-c", "print('a warning')\nprint(0.5)"])
    wait_for(lambda: preparing.is_done and preparing.fraction == 0.5)
    preparing.stop()


def test_a_file_beside_a_kernel_that_changes_makes_the_note_stale(tmp_path, monkeypatch: pytest.MonkeyPatch):
    path, text = compiling._note()
    monkeypatch.setattr(compiling, "_note", lambda: (tmp_path / "note", text))
    assert not is_compiled()
    note_compiled()
    assert is_compiled()
    monkeypatch.setattr(compiling, "_note", lambda: (tmp_path / "note", "another text"))
    assert not is_compiled()
    assert path.parent.is_dir(), "the cache's folder"

"""Libraries in a process of their own: what happens when they are missing, crash, never end, or are interrupted."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from octoscope.scene import ReadError
from octoscope.scene.formats.converted import process, reader
from octoscope.scene.formats.readers import read_file
from tests.scene.formats.converted.in_world import world_bounds
from tests.scene.formats.converted.test_collada import CUBE, collada


@pytest.fixture
def dae(tmp_path) -> Path:
    pytest.importorskip("collada", reason="needs octoscope[collada]")
    path = tmp_path / "a.dae"
    path.write_text(collada(CUBE))
    return path


class Starts:
    """Starts processes, and keeps them; `code` is a text of Python to run in place of ours."""

    def __init__(self) -> None:
        self.processes: list[subprocess.Popen] = []
        self.code: str | None = None

    def __call__(self, command: list[str], **options: object) -> subprocess.Popen:
        command = command if self.code is None else [sys.executable, "-c", self.code]
        self.processes.append(_POPEN(command, **options))
        return self.processes[-1]


_POPEN = subprocess.Popen


@pytest.fixture
def starts(monkeypatch) -> Starts:
    starts = Starts()
    monkeypatch.setattr(reader.subprocess, "Popen", starts)
    return starts


def test_a_file_is_read_beside_this_process_and_not_by_modules_of_the_working_folder(
    dae, starts, monkeypatch, tmp_path
):
    (tmp_path / "collada.py").write_text("raise SystemExit")
    (tmp_path / "octoscope.py").write_text("raise SystemExit")
    monkeypatch.chdir(tmp_path)
    content = read_file(Path("a.dae"))
    assert world_bounds(content) == {"cube": ([0.0, 0.0, 0.0], [1.0, 1.0, 1.0])}
    assert [process.returncode for process in starts.processes] == [0]


@pytest.mark.parametrize("module", ["cascadio", "pxr", "collada"])
def test_without_the_library_the_extra_is_named(tmp_path, monkeypatch, module):
    ending = {"cascadio": ".stp", "pxr": ".usdz", "collada": ".dae"}[module]
    extra = {"cascadio": "step", "pxr": "usd", "collada": "collada"}[module]
    monkeypatch.setattr(reader, "find_spec", lambda name: None)
    path = tmp_path / f"a{ending}"
    path.touch()
    with pytest.raises(ReadError, match=rf"need an extra: pip install 'octoscope\[{extra}\]'; or convert it to \.\w+ "):
        read_file(path)


def test_a_library_that_crashes_is_one_line(dae, starts):
    starts.code = "import os; os.abort()"
    with pytest.raises(ReadError, match=r"a\.dae: broken COLLADA, or too large for this machine's memory; export it"):
        read_file(dae)


def test_a_library_that_never_ends_is_ended(dae, starts, monkeypatch):
    starts.code = "import time; time.sleep(1000)"
    monkeypatch.setattr(reader, "_SHORTEST_LIMIT_SECONDS", 0.1)
    monkeypatch.setattr(reader, "_LIMIT_SECONDS_PER_BYTE", 0.0)
    with pytest.raises(ReadError, match=r"reading it took more than 0 s; convert it to \.obj with MeshLab"):
        read_file(dae)
    assert starts.processes[0].returncode not in (None, 0)


def test_who_interrupts_the_reading_ends_the_library(dae, starts):
    starts.code = "import time; time.sleep(1000)"
    calls = []

    def interrupt(*told: object) -> None:
        calls.append(told)
        if len(calls) == 3:
            raise InterruptedError

    with pytest.raises(InterruptedError):
        read_file(dae, progress=interrupt)
    assert starts.processes[0].returncode not in (None, 0)


@pytest.mark.skipif(sys.platform != "linux", reason="limits are Linux's")
def test_a_library_that_takes_all_memory_is_one_line(dae, starts, monkeypatch):
    code = "from octoscope.scene.formats.converted.process import _limit; _limit(2**28); bytearray(2**29)"
    starts.code = code
    with pytest.raises(ReadError, match="too large for this machine's memory"):
        read_file(dae)


@pytest.mark.parametrize("error", [MemoryError(), RuntimeError("Exception while opening layer: std::bad_alloc")])
def test_a_library_without_enough_memory_does_not_blame_the_file(convert, monkeypatch, error):
    def fail(*_: object) -> None:
        raise error

    monkeypatch.setattr(process, "_convert", fail)
    with pytest.raises(
        ReadError, match=r"needs more than .* of memory; allow more with --max-memory, or convert it to"
    ):
        convert("a.dae", collada(CUBE))


def test_what_is_no_file_is_one_line(tmp_path):
    pytest.importorskip("collada", reason="needs octoscope[collada]")
    with pytest.raises(ReadError, match="no such file"):
        read_file(tmp_path / "missing.dae")
    (tmp_path / "folder.dae").mkdir()
    with pytest.raises(ReadError, match="a folder"):
        read_file(tmp_path / "folder.dae")
    (tmp_path / "empty.dae").touch()
    with pytest.raises(ReadError, match="the file is empty"):
        read_file(tmp_path / "empty.dae")
    if hasattr(os, "mkfifo"):
        os.mkfifo(tmp_path / "fifo.dae")
        with pytest.raises(ReadError, match="not a regular file"):
            read_file(tmp_path / "fifo.dae")

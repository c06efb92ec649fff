"""`octoscope tiles`, terminated or killed: the processes that it has started end with it."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.cases import quick
from tests.viewer.cli.cli_steps import box

pytestmark = [
    pytest.mark.usefixtures("in_folder"),
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="looks for processes in /proc"),
]


def descendants(process: int) -> set[int]:
    """Return the processes that a process has started, and those that these have."""
    try:
        lists = [path.read_text() for path in Path(f"/proc/{process}/task").glob("*/children")]
    except OSError:
        return set()
    children = {int(each) for text in lists for each in text.split()}
    return children.union(*map(descendants, children))


def is_running(process: int) -> bool:
    """Return whether there is a process, and it has not ended."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


def has_begun(process: int) -> bool:
    """Return whether a worker has imported numpy: one that is interrupted sooner tells so in Python's own words."""
    try:
        return "numpy" in Path(f"/proc/{process}/maps").read_text()
    except OSError:
        return False


def wait_for(is_so, *, seconds: float = 60.0) -> None:
    end = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < end
        time.sleep(0.02)


@pytest.mark.parametrize("number", quick([signal.SIGTERM, signal.SIGKILL], 1))
@pytest.mark.parametrize("workers", [["--workers", "2"], ["--workers", "2", "--cluster", "local"]], ids=["own", "Dask"])
def test_workers_that_make_tiles_end_with_the_program(write, number, workers):
    if "--cluster" in workers:
        pytest.importorskip("distributed", reason="octoscope[cluster] is not installed")
    write("a.obj", "".join(box(f"b{i}", (3.0 * i, 0.0, 0.0)) for i in range(3000)))
    command = [sys.executable, "-m", "octoscope", "tiles", "a.obj", "-o", "out", "--leaf", "20", *workers]
    program = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    started: set[int] = set()

    def has_workers() -> bool:
        started.update(descendants(program.pid))
        return any(map(has_begun, started)) or program.poll() is not None

    wait_for(has_workers)
    started.update(descendants(program.pid))
    assert program.poll() is None
    program.send_signal(number)
    output = program.communicate(timeout=60)
    assert program.returncode == (143 if number == signal.SIGTERM else -signal.SIGKILL)
    wait_for(lambda: not any(map(is_running, started)))
    if number == signal.SIGTERM:
        # The file may have been read by then.
        kept = "out.octoscope-saving" in os.listdir()
        assert set(os.listdir()) <= {"a.obj", "out.octoscope-saving"} and (b"goes on" in output[1]) == kept
        # Dask tells of a cluster that had only begun, and Python of a worker that it was starting at that moment.
        assert kept or output == (b"", b"") or "--cluster" in workers or b"EOFError: Ran out of input" in output[1]

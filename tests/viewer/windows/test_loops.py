"""Windows that are opened and closed in a loop keep nothing, of this process or of the X server's."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

import tests
from tests.viewer.windows.looped_windows import CASES
from tests.viewer.windows.window_steps import WINDOW_TEST
from tests.viewer.windows.xvfb import Screen

pytestmark = WINDOW_TEST


def kept_by_windows(case: str, calls: int, rounds: int) -> dict[str, int] | None:
    screen = Screen()
    try:
        numbers = map(str, (calls, rounds, screen.server_pid))
        done = subprocess.run(
            [sys.executable, "-m", "tests.viewer.windows.looped_windows", case, *numbers],
            env=screen.environment,
            cwd=Path(tests.__file__).parents[1],
            capture_output=True,
            text=True,
            timeout=3600,
        )
        assert (done.returncode, done.stderr) == (0, "")
        return json.loads(done.stdout)
    finally:
        screen.close()


@pytest.mark.slow
def test_windows_keep_nothing() -> None:
    # Steady rounds keep half of what is allowed; the allocator may take megabytes in any of the first ones.
    assert kept_by_windows("each in turn", 9, 10) is None


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES)
def test_five_hundred_windows_keep_nothing(case: str) -> None:
    assert kept_by_windows(case, 500, 1) is None

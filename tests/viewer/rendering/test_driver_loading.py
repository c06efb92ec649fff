"""The graphics driver that is loaded ahead is the one that a context uses."""

import subprocess
import sys
from pathlib import Path

import pytest

_PROGRAM = """
from pathlib import Path
from octoscope.viewer.rendering.context.driver_loading import _load_driver

def libraries():
    lines = Path("/proc/self/maps").read_text().splitlines()
    return {line.split()[5] for line in lines if ".so" in line}

from octoscope.viewer.rendering.context.offscreen import create_context
import glcontext.egl
before = libraries()
_load_driver()
loaded = libraries()
create_context("egl")
print(len(loaded - before), *(libraries() - loaded))
"""


@pytest.mark.skipif(not Path("/proc/self/maps").exists(), reason="asks Linux which libraries a process has")
def test_a_context_needs_no_library_of_the_driver_that_was_not_loaded_ahead() -> None:
    done = subprocess.run([sys.executable, "-c", _PROGRAM], capture_output=True, text=True, check=True)
    count, *further = done.stdout.split()
    assert int(count) > 3  # the driver itself and what it needs
    assert not [name for name in further if "dri" in name or "LLVM" in name or "gallium" in name]

"""The kernels as plain Python: what the compiler does not check (an index out of range, a wrong type) raises here."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


TESTS = ("basics", "door", "slots", "placement", "capacity", "linear", "root", "raycast")


@pytest.mark.slow  # a minute
def test_the_octree_holds_with_the_kernels_interpreted():
    pytest = [sys.executable, "-m", "pytest", "-o", "addopts=", "-p", "no:cacheprovider", "-m", "not slow"]
    files = [f"tests/octree/test_{name}.py" for name in TESTS]
    interpreted = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    done = subprocess.run([*pytest, *files], cwd=ROOT, env=interpreted, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-2000:]
    assert " passed" in done.stdout

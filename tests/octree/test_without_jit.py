"""The kernels as plain Python: what the compiler does not check (an index out of range, a wrong type) raises here."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_the_octrees_basics_hold_with_the_kernels_interpreted():
    pytest = [sys.executable, "-m", "pytest", "-o", "addopts=", "-p", "no:cacheprovider"]
    interpreted = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    done = subprocess.run(
        [*pytest, "tests/octree/test_basics.py"], cwd=ROOT, env=interpreted, capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-2000:]
    assert " passed" in done.stdout

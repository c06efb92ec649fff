"""`make bench ARGS=freeze` with few objects: each operation is still there, and its answer right."""

import subprocess
import sys

import pytest

_FEW_OBJECTS = """
from tests.benchmarks import freeze_edits

freeze_edits.OBJECTS = 300
from tests.benchmarks import freeze

results = list(freeze.run())
assert all(result.ours > 0 for result in results), results
print(len(results))
"""


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_all_operations_run_with_few_objects():
    done = subprocess.run([sys.executable, "-c", _FEW_OBJECTS], capture_output=True, text=True, timeout=900)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) > 100

"""Compiled kernels are kept on disk, and forgotten when anything they were made of has changed."""

import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]

KERNELS = {
    "outer.py": "from octree.jit import kernel\nfrom parts.inner import inner\n\n"
    "@kernel\ndef outer(x):\n    return inner(x) + 1\n",
    "inner.py": "from octree.jit import kernel\n\n@kernel\ndef inner(x):\n    return {factor} * x\n",
}
ASK = "from parts.outer import outer; print(outer(5), sum(outer.stats.cache_hits.values()))"


def ask(folder: Path) -> tuple[int, int]:
    """What outer(5) gives in a new process, and how many kernels came from the cache."""
    done = subprocess.run([sys.executable, "-c", ASK], cwd=folder, capture_output=True, text=True, check=True)
    result, hits = done.stdout.split()
    return int(result), int(hits)


def test_a_kernel_is_compiled_again_when_one_that_it_uses_in_another_file_changes(tmp_path):
    parts = tmp_path / "parts"
    parts.mkdir()
    shutil.copytree(ROOT / "octree", tmp_path / "octree", ignore=shutil.ignore_patterns("__pycache__"))
    for name, text in KERNELS.items():
        (parts / name).write_text(text.format(factor=2))
    assert ask(tmp_path) == (11, 0)
    assert ask(tmp_path) == (11, 1)
    (parts / "inner.py").write_text(KERNELS["inner.py"].format(factor=30))
    assert ask(tmp_path) == (151, 0)

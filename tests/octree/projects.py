"""A checkout for tests of kernels: octree/ of this one, and what makes it octoscope.octree."""

import shutil
from pathlib import Path

_ROOT = Path(__file__).parents[2]


def copy_octree(checkout: Path) -> None:
    """Make a folder a checkout with octree/ alone, of which no kernel but the probe is compiled ahead of time."""
    for name in ("octoscope", "octree"):
        shutil.copytree(_ROOT / name, checkout / name, ignore=shutil.ignore_patterns("__pycache__"))
    (checkout / "pyproject.toml").touch()
    table = checkout / "octree/kernel_types.txt"
    table.write_text("".join(line for line in table.read_text().splitlines(keepends=True) if ".probe." in line))

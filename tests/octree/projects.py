"""A checkout for tests of kernels: octree/ of this one, and what makes it octoscope.octree."""

import shutil
from pathlib import Path

_ROOT = Path(__file__).parents[2]


def copy_octree(checkout: Path) -> None:
    """Make a folder a checkout with octree/ alone."""
    for name in ("octoscope", "octree"):
        shutil.copytree(_ROOT / name, checkout / name, ignore=shutil.ignore_patterns("__pycache__"))
    (checkout / "pyproject.toml").touch()

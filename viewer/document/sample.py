"""The sample scene, which is shown when no file is given."""

from __future__ import annotations

import os
from pathlib import Path


def sample_path() -> Path:
    """Return the path of the sample scene: in the checkout's assets/, or where the program is installed."""
    from importlib import resources  # only here: it takes long to import

    return Path(str(resources.files("octoscope.assets").joinpath("harbour.obj")))


def is_sample(path: str | Path) -> bool:
    """Return whether a path leads to the sample scene."""
    sample = sample_path()
    return os.path.exists(path) and sample.exists() and os.path.samefile(path, sample)

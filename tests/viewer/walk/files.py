"""Small files that the walk imports."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import numpy as np
from PIL import Image

from tests.scene.project.projects import write_village
from tests.viewer.windows.window_boxes import write_boxes


def write_models(folder: Path) -> list[Path]:
    """Two with objects and materials, the second with a texture; one that cannot be read, and one that is not there."""
    models = folder / "models"
    models.mkdir()
    broken = models / "broken.obj"
    broken.write_text("v 0 0\nf 1 2 nine\n")
    return [write_boxes(models), write_village(models / "village"), broken, models / "none.obj"]


def write_images(folder: Path) -> list[Path]:
    """One to be seen; one that is none, and one that is not there."""
    seen, broken = folder / "models" / "green.png", folder / "models" / "broken.png"
    Image.new("RGB", (8, 4), (0, 255, 0)).save(seen)
    broken.write_bytes(b"no image")
    return [seen, broken, folder / "models" / "none.png"]


def move_vertices(path: Path, rng: np.random.Generator) -> None:
    """Write an OBJ file again, its objects and materials the same, their vertices elsewhere."""
    lines = path.read_text().splitlines()
    for place, line in enumerate(lines):
        if line.startswith("v "):
            values = np.array(line.split()[1:4], dtype=np.float64) + rng.normal(0.0, 0.1, 3)
            lines[place] = "v " + " ".join(f"{value:.6g}" for value in values)
    path.write_text("\n".join(lines) + "\n")


class Changed:
    """Tells which files changed, as a Watcher does, but at once: `paths` are those."""

    def __init__(self) -> None:
        self.paths: list[Path] = []

    def watch(self, paths: Iterable[Path]) -> None:
        """It tells of whatever it is asked to."""

    def take(self) -> list[Path]:
        """They are told once."""
        taken, self.paths = self.paths, []
        return taken

    def stop(self) -> None:
        """There is no thread."""

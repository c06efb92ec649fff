"""Small files that the walk imports."""

from __future__ import annotations

from pathlib import Path

from PIL import Image

from tests.scene.project.projects import write_village
from tests.viewer.window_boxes import write_boxes


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

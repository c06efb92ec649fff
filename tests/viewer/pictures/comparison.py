"""Pictures that are kept, and files that show how others differ."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw

from octoscope.viewer.doctor import reference_scenes
from octoscope.viewer.doctor.comparison import beside

ROOT = Path(__file__).parents[3]
FOLDER = ROOT / "tests" / "images"
_OF_THE_PROGRAM = ROOT / "assets" / "references"
FOLDERS = (FOLDER, _OF_THE_PROGRAM)
_FAILED = FOLDER / "failed"


def path_of(name: str) -> Path:
    """Return the path of a kept picture: among those that the program has, or those of features."""
    return (_OF_THE_PROGRAM if name in reference_scenes.REFERENCES else FOLDER) / f"{name}.png"


def kept(name: str) -> np.ndarray:
    """Read a kept picture, (h, w, 3) uint8."""
    with Image.open(path_of(name)) as image:
        return np.asarray(image.convert("RGB"))


def keep(name: str, picture: np.ndarray) -> None:
    """Keep a picture as a reference."""
    Image.fromarray(picture).save(path_of(name), optimize=True)


def report_failed(name: str, picture: np.ndarray) -> Path:
    """Write a picture that failed, the kept one and their difference side by side; return the file's path."""
    _FAILED.mkdir(exist_ok=True)
    path = _FAILED / f"{name}.png"
    Image.fromarray(beside(picture, kept(name))).save(path)
    return path


def contact_sheet(pictures: dict[str, np.ndarray], columns: int = 6) -> Image.Image:
    """Return pictures beside each other, with their names below."""
    width = max(picture.shape[1] for picture in pictures.values()) + 4
    height = max(picture.shape[0] for picture in pictures.values()) + 16
    sheet = Image.new("RGB", (columns * width, -(-len(pictures) // columns) * height), "white")
    pen = ImageDraw.Draw(sheet)
    for number, (name, picture) in enumerate(pictures.items()):
        corner = number % columns * width, number // columns * height
        sheet.paste(Image.fromarray(picture), corner)
        pen.text((corner[0] + 2, corner[1] + picture.shape[0] + 1), name, fill="black")
    return sheet

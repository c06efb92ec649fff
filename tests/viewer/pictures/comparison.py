"""Comparison of a picture with the one that is kept, so that rounding passes and a missing term does not."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw

from octoscope.viewer.frame.view import View
from octoscope.viewer.rendering.context.offscreen import image_of
from octoscope.viewer.rendering.renderer import Renderer
from tests.viewer.pictures.scenes import Reference

FOLDER = Path(__file__).parents[2] / "images"
_FAILED = FOLDER / "failed"
_THRESHOLD = 12.0  # of 255, from which on a pixel is another one
_MOST_MEAN = 1.0  # of 255
_MOST_SHARE = 0.015  # of pixels beyond the threshold


@dataclass(frozen=True)
class Difference:
    """The distance of a picture from another.

    Attributes:
        mean: of the absolute differences of all pixels and channels, of 255.
        share: of pixels that differ by more than a threshold in some channel, 0 to 1.
    """

    mean: float
    share: float

    @property
    def is_seen(self) -> bool:
        """True if the pictures do not show the same."""
        return self.mean > _MOST_MEAN or self.share > _MOST_SHARE

    def __str__(self) -> str:
        percent = 100.0 * self.share
        return f"{self.mean:.2f} of 255 on average, {percent:.1f} % of the pixels by more than {_THRESHOLD:g}"


def difference(first: np.ndarray, second: np.ndarray) -> Difference:
    """Compare two (h, w, 3) uint8 pictures, of which those of different sizes have nothing in common.

    Both are a little blurred first: where an edge crosses a pixel is a matter of rounding.
    """
    if first.shape != second.shape:
        return Difference(255.0, 1.0)
    apart = np.abs(_blurred(first) - _blurred(second))
    return Difference(float(apart.mean()), float((apart.max(axis=2) > _THRESHOLD).mean()))


def _blurred(picture: np.ndarray) -> np.ndarray:
    """Return a picture in which each pixel is a mean over itself and its eight neighbours, weighted 1 2 1."""
    padded = np.pad(picture.astype(np.float64), ((1, 1), (1, 1), (0, 0)), mode="edge")
    rows = padded[:-2] + 2.0 * padded[1:-1] + padded[2:]
    return (rows[:, :-2] + 2.0 * rows[:, 1:-1] + rows[:, 2:]) / 16.0


def drawn(renderer: Renderer, reference: Reference, view: View | None = None) -> np.ndarray:
    """Draw a reference's view, or one that was made of it and changed, as (h, w, 3) uint8."""
    view = view or reference.make_view()
    frames = view.build_frames(reference.size)
    if reference.quality is None:
        renderer.render_best(view.with_occluders(frames), reference.size)
    else:
        renderer.render_parts(frames, reference.size, reference.quality)
    return np.asarray(image_of(renderer.picture))


def path_of(name: str) -> Path:
    """Return the path of a kept picture."""
    return FOLDER / f"{name}.png"


def kept(name: str) -> np.ndarray:
    """Read a kept picture, (h, w, 3) uint8."""
    with Image.open(path_of(name)) as image:
        return np.asarray(image.convert("RGB"))


def keep(name: str, picture: np.ndarray) -> None:
    """Keep a picture as a reference."""
    Image.fromarray(picture).save(path_of(name), optimize=True)


def report_failed(name: str, picture: np.ndarray) -> Path:
    """Write a picture that failed, the kept one and their difference side by side; return the file's path."""
    reference = kept(name)
    apart = np.abs(picture.astype(int) - reference).clip(0, 63) * 4 if picture.shape == reference.shape else picture
    _FAILED.mkdir(exist_ok=True)
    path = _FAILED / f"{name}.png"
    Image.fromarray(np.concatenate([picture, reference, apart.astype(np.uint8)], axis=1)).save(path)
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

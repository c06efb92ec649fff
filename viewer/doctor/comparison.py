"""Comparison of a picture with the one that is kept, so that rounding passes and a missing term does not."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import resources

import numpy as np
from PIL import Image

from octoscope.viewer.doctor.reference_scenes import Reference
from octoscope.viewer.frame.view import View
from octoscope.viewer.rendering.context.offscreen import image_of
from octoscope.viewer.rendering.renderer import Renderer

_THRESHOLD = 12.0  # of 255, from which on a pixel is another one
_MOST_MEAN = 1.0  # of 255
_MOST_SHARE = 0.015  # of pixels beyond the threshold
# The same in pictures that cards with one sample a pixel draw otherwise: what a fragment shader cuts off, such as the
# corners of points, has smoother edges there than with four; lines of a pixel have other widths, and a picture that is
# not refined has no smooth edges.
MOST_SHARE_OF_ONE_SAMPLE = {
    "octree": 0.04,
    "mode_wireframe": 0.04,
    "mode_edges": 0.04,
    "glass_while_it_moves": 0.06,
    "lines_and_points": 0.08,
    "maps": 0.03,
}


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
        return self.is_beyond(None)

    def is_beyond(self, most_share: float | None) -> bool:
        """Return whether the pictures do not show the same; None: as few pixels may be others as of rounding."""
        return self.mean > _MOST_MEAN or self.share > _MOST_SHARE if most_share is None else self.share > most_share

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


def expected(name: str) -> np.ndarray:
    """Read the picture of one of REFERENCES as it should be, (h, w, 3) uint8."""
    path = resources.files("octoscope.assets").joinpath("references", f"{name}.png")
    with path.open("rb") as file, Image.open(file) as image:
        return np.asarray(image.convert("RGB"))


def beside(picture: np.ndarray, reference: np.ndarray) -> np.ndarray:
    """Return a picture, the one that it should be, and four times their difference, beside each other."""
    if picture.shape != reference.shape:
        return picture
    apart = np.abs(picture.astype(int) - reference).clip(0, 63) * 4
    return np.concatenate([picture, reference, apart.astype(np.uint8)], axis=1)

"""Eye: a camera with the part of the picture that it fills: from the world to pixels, and back to rays."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from viewer.camera.camera import Camera
from viewer.frame.annotations import pixels_from_clip
from viewer.frame.points import Pixel, Rectangle


@dataclass(frozen=True, eq=False)
class Eye:
    """Pixels are logical ones of the picture, x to the right, y down.

    Attributes:
        area: the part of the picture.
    """

    camera: Camera
    area: Rectangle

    def is_like(self, other: Eye) -> bool:
        """Whether both see the same; the range of depths does not matter."""
        return (
            self.area == other.area
            and np.array_equal(self.camera.position, other.camera.position)
            and np.array_equal(*(eye._pixels_from_relative()[[0, 1, 3]] for eye in (self, other)))
        )

    def ray(self, pixel: Pixel) -> tuple[np.ndarray, np.ndarray]:
        """(3,) origin and (3,) unit direction, world; the pixel may lie outside."""
        return self.camera.ray_through(self.area.point(pixel), self.area.aspect)

    def pixels(self, points: np.ndarray) -> np.ndarray:
        """(n, 2) pixels of (n, 3) world points; NaN behind the eye."""
        relative = np.vstack(((points - self.camera.position).T, np.ones(len(points))))
        with np.errstate(divide="ignore", over="ignore", invalid="ignore"):
            x, y, _, w = self._pixels_from_relative() @ relative
            return np.where(w > 0.0, np.array((x, y)) / w, np.nan).T

    def pixels_per_unit(self, point: np.ndarray) -> np.ndarray:
        """(2, 3): how a world point's pixel moves with it; not finite, or 0, where no number reaches."""
        with np.errstate(all="ignore"):
            matrix = self._pixels_from_relative()
            at = matrix @ np.append(point - self.camera.position, 1.0)
            return (matrix[:2, :3] - np.outer(at[:2] / at[3], matrix[3, :3])) / at[3]

    def unit_per_pixel(self, point: np.ndarray) -> float:
        """World units across the view that a pixel covers at a point that the eye sees."""
        return 1.0 / self._pixels_across(point)

    def sees(self, point: np.ndarray) -> bool:
        """Whether a world point lies before the eye, and not in it, nor farther away than numbers reach."""
        if not 0.0 < self._pixels_across(point) < np.inf:
            return False
        if self.camera.orthographic:
            return True
        return float(self.camera.axes[2] @ (self.camera.position - point)) > 1e-6 * self.camera.distance

    def _pixels_across(self, point: np.ndarray) -> float:
        """How far a world point's pixel moves when it goes a unit across the view."""
        with np.errstate(over="ignore", invalid="ignore"):  # not finite where the point is too far away
            return float(np.linalg.norm(self.pixels_per_unit(point) @ self.camera.axes[0]))

    def _pixels_from_relative(self) -> np.ndarray:
        matrix = pixels_from_clip(self.area.size)
        matrix[:2, 3] += self.area.corner
        return matrix @ self.camera.clip_from_relative(self.area.aspect)

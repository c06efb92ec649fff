"""ViewProjection: from the world to pixels of a picture, and from pixels back to rays.

Pixels count from the picture's top left, x to the right, y down. "Relative" is the world's axes about the camera's
position, in which small distances keep their digits however far from the origin the scene lies.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from octoscope.viewer.camera.camera import Camera
from octoscope.viewer.frame.points import PixelPoint, Rectangle


def pixels_from_clip(area: Rectangle) -> np.ndarray:
    """Return the (4, 4) float64 homogeneous matrix from clip space to pixels; z stays that of clip space."""
    return np.array(
        [
            (area.width / 2.0, 0.0, 0.0, area.x + area.width / 2.0),
            (0.0, -area.height / 2.0, 0.0, area.y + area.height / 2.0),
            (0.0, 0.0, 1.0, 0.0),
            (0.0, 0.0, 0.0, 1.0),
        ]
    )


def with_reversed_depth(clip_from_any: np.ndarray) -> np.ndarray:
    """Return the (4, 4) matrix that pictures are drawn with in place of one to OpenGL's clip space.

    Its depths are w at the near plane and 0 at the far one, not -w and w: viewer.rendering.context.reversed_depth
    says why.
    """
    matrix = clip_from_any.copy()
    matrix[2] = (clip_from_any[3] - clip_from_any[2]) / 2.0
    return matrix


def level_from_clip(clip_from_upright: np.ndarray, height: float) -> np.ndarray:
    """Return the (3, 3) float32 matrix from a place in the picture to what is seen there of a level plane.

    It takes (x, y, 1) of clip space, by w, to upright x and z and 1, all by a factor that is positive where the plane
    is before the camera. All is 0 if the camera sees the plane edge-on.

    Args:
        clip_from_upright: (4, 4).
        height: of the plane, relative to the camera.
    """
    x, up, z, origin = clip_from_upright[[0, 1, 3]].astype(np.float64).T
    origin = origin + height * up
    inverse = np.array((np.cross(z, origin), np.cross(origin, x), np.cross(x, z)))  # by the determinant
    inverse *= np.sign(x @ inverse[0])
    return (inverse / (np.abs(inverse).max() or 1.0)).astype(np.float32)


def part_reached(
    corners: np.ndarray, clip_from_relative: np.ndarray, size: tuple[int, int], margin: float
) -> tuple[int, int, int, int] | None:
    """Return the part of a picture that a box is in: left, lower, width and height, pixels from its lower left corner.

    Args:
        corners: (8, 3) of the box, relative.
        clip_from_relative: (4, 4).
        size: of the picture, pixels.
        margin: pixels around the box that belong to it, too.

    Returns:
        The part, or None if the box reaches behind the camera.
    """
    x, y, _, w = clip_from_relative.astype(float) @ np.vstack((corners.T, np.ones(len(corners))))
    if not (w > 0.0).all():
        return None
    pixels = (np.array((x, y)) / w + 1.0) / 2.0 * np.array(size)[:, None]
    most = np.array(size)
    lower = np.clip(np.floor(pixels.min(axis=1) - margin), 0, most - 1).astype(int)
    upper = np.clip(np.ceil(pixels.max(axis=1) + margin), lower + 1, most).astype(int)
    return int(lower[0]), int(lower[1]), int(upper[0] - lower[0]), int(upper[1] - lower[1])


@dataclass(frozen=True, eq=False)
class ViewProjection:
    """A camera with the part of the picture that it fills."""

    camera: Camera
    # the part of the picture, in the pixels that are asked for (logical ones, or those of a framebuffer)
    area: Rectangle

    @staticmethod
    def of_size(camera: Camera, size: tuple[float, float]) -> ViewProjection:
        """Return the projection of a camera that fills a picture of this width and height alone."""
        return ViewProjection(camera, Rectangle(0.0, 0.0, *size))

    @cached_property
    def pixels_from_relative(self) -> np.ndarray:
        """(4, 4) float64, homogeneous; z stays that of clip space."""
        return pixels_from_clip(self.area) @ self.camera.clip_from_relative(self.area.aspect)

    def shows_the_same(self, other: ViewProjection) -> bool:
        """Return whether every world point has the same pixel in both; depth ranges may differ."""
        rows = [0, 1, 3]  # x, y and w: without z, which alone depends on the depth range
        return (
            self.area == other.area
            and np.array_equal(self.camera.position, other.camera.position)
            and np.array_equal(self.pixels_from_relative[rows], other.pixels_from_relative[rows])
        )

    def ray(self, pixel: PixelPoint) -> tuple[np.ndarray, np.ndarray]:
        """Return (3,) origin and (3,) unit direction, world, of the ray through a pixel, inside of the area or not."""
        return self.camera.ray_through(self.area.point(pixel), self.area.aspect)

    def pixels(self, points: np.ndarray) -> np.ndarray:
        """Return (n, 2) pixels of (n, 3) world points; NaN behind the camera."""
        relative = np.vstack(((points - self.camera.position).T, np.ones(len(points))))
        with np.errstate(divide="ignore", over="ignore", invalid="ignore"):
            x, y, _, w = self.pixels_from_relative @ relative
            return np.where(w > 0.0, np.array((x, y)) / w, np.nan).T

    def pixels_per_unit(self, point: np.ndarray) -> np.ndarray:
        """Return (2, 3) pixels that a world point moves by in the picture, for each unit that it moves along x, y, z.

        That is the derivative of its pixel; not finite, or 0, where numbers do not reach.
        """
        with np.errstate(all="ignore"):
            matrix = self.pixels_from_relative
            at = matrix @ np.append(point - self.camera.position, 1.0)
            # Quotient rule: the pixel is (x / w, y / w), and x, y and w are linear in the point.
            return (matrix[:2, :3] - np.outer(at[:2] / at[3], matrix[3, :3])) / at[3]

    def unit_per_pixel(self, point: np.ndarray) -> float:
        """Return the world units across the view that a pixel covers at a point that the camera sees."""
        return 1.0 / self._pixels_across(point)

    def sees(self, point: np.ndarray) -> bool:
        """Return whether a world point lies before the camera, neither in it nor farther away than numbers reach."""
        if not 0.0 < self._pixels_across(point) < np.inf:
            return False
        if self.camera.orthographic:
            return True
        return float(self.camera.axes[2] @ (self.camera.position - point)) > 1e-6 * self.camera.distance

    def _pixels_across(self, point: np.ndarray) -> float:
        """Return the pixels that a world point moves by when it moves one unit to the camera's right."""
        with np.errstate(over="ignore", invalid="ignore"):  # not finite where the point is too far away
            return float(np.linalg.norm(self.pixels_per_unit(point) @ self.camera.axes[0]))

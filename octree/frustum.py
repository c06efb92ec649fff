"""The view frustum as six inward unit planes: the only way to build one normalises them.

A plane is (n_x, n_y, n_z, d): a point p about the frustum's origin lies inside when n . p + d >= 0, and n . p + d is
then its distance in world units. Clip space is OpenGL's, z in [-1, 1]. Planes come from the rows of the matrix (Gribb
and Hartmann, "Fast Extraction of Viewing Frustum Planes from the World-View-Projection Matrix", 2001).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import ArrayLike

from octoscope.arguments import shown
from octoscope.array_arguments import checked_numbers
from octoscope.guesses import public

_CLIP_CORNERS = np.array([(x, y, z, 1.0) for z in (-1.0, 1.0) for y in (-1.0, 1.0) for x in (-1.0, 1.0)])
_ROUNDING = 2.0**-50  # eight times what one operation rounds; what is bounded by it takes seven at most
OUTSIDE, INTERSECTING, INSIDE = range(3)  # verdicts on cubes
LARGEST_TILT = 2.0**-26  # of a normal, on any axis, that queries leave room for
_FARTHEST_ORIGIN = 1e150  # on each axis, world units: squares fit


class CameraLike(Protocol):
    """A camera, as a frustum needs it."""

    @property
    def position(self) -> np.ndarray:
        """(3,) world."""

    def clip_from_relative(self, aspect: float) -> np.ndarray:
        """Return the (4, 4) matrix to clip space from the world's axes about its position."""


@public(
    instead={
        **dict.fromkeys(("contains", "intersects", "test"), "tree.cull(frustum), or scene.cull(frustum)"),
        "matrix": "camera.clip_from_relative(aspect), which Frustum.from_matrix takes",
    },
)
@dataclass(frozen=True, eq=False)
class Frustum:
    """Six inward unit planes and the eight corners of what a camera sees, all about an origin.

    Attributes:
        origin: (3,) float64, world; read-only.
        planes: (6, 4) float64 about the origin, left, right, bottom, top, near, far; read-only.
        rounding: (6, 4) float64: how far each number of `planes` may be off at most; read-only.
        corners: (8, 3) float64 about the origin; the near four first, x fastest, then y; read-only.
    """

    origin: np.ndarray
    planes: np.ndarray
    rounding: np.ndarray
    corners: np.ndarray

    @classmethod
    def from_camera(cls, camera: CameraLike, aspect: float) -> Frustum:
        """Build the frustum of what a camera sees.

        Examples:
            >>> frustum = Frustum.from_camera(camera, aspect=16 / 9)
            >>> seen = scene.cull(frustum)

        Args:
            aspect: width over height of the picture.

        Raises:
            ValueError: the aspect is no finite number above 0, or the camera is so far out that numbers do not tell one
                side of its picture from the other.
        """
        if not hasattr(camera, "clip_from_relative"):
            raise TypeError(f"camera must be a Camera, as Camera.looking_at(eye, target) makes it, not {shown(camera)}")
        if not 0.0 < aspect < np.inf:
            raise ValueError(f"aspect must be width over height, a number above 0, not {aspect!r}")
        return cls.from_matrix(camera.clip_from_relative(float(aspect)), camera.position)

    @classmethod
    def from_matrix(cls, clip_from_relative: np.ndarray, origin: ArrayLike = (0.0, 0.0, 0.0)) -> Frustum:
        """Build the frustum of a perspective or orthographic camera.

        Far from the world's origin a matrix cannot hold both where the camera stands and what is near it. A matrix
        about the camera's own position, with that position as `origin`, is exact anywhere.

        Args:
            clip_from_relative: (4, 4), column vectors, OpenGL clip space, from the world's axes about `origin`. Its
                numbers are taken to be right to four units in the last place, as a few multiplications leave them.
            origin: (3,), world.

        Raises:
            ValueError: the matrix is not (4, 4), not finite, or singular; or the origin is farther than 1e150.
        """
        matrix = checked_numbers(clip_from_relative, "clip_from_relative", "a (4, 4) matrix")
        origin = checked_numbers(origin, "origin", "three numbers")
        if matrix.shape != (4, 4) or not np.isfinite(matrix).all():
            raise ValueError("clip_from_relative, the matrix to clip space, must be a finite (4, 4) matrix")
        if origin.shape != (3,) or not (np.abs(origin) <= _FARTHEST_ORIGIN).all():
            raise ValueError(f"a frustum's origin must be three numbers up to {_FARTHEST_ORIGIN:g}")
        # The matrix's scale has no meaning, but its squares must fit; a power of two changes no digit.
        matrix = np.ldexp(matrix, -np.frexp(np.abs(matrix).max())[1])
        signs = np.array([1.0, -1.0, 1.0, -1.0, 1.0, -1.0])[:, None]
        rows = matrix[3] + signs * matrix[[0, 0, 1, 1, 2, 2]]
        sizes = np.abs(matrix[3]) + np.abs(matrix[[0, 0, 1, 1, 2, 2]])
        lengths = np.linalg.norm(rows[:, :3], axis=1)
        try:
            corners = _CLIP_CORNERS @ np.linalg.inv(matrix).T
        except np.linalg.LinAlgError:
            raise ValueError("the matrix to clip space is singular: it has no frustum") from None
        if (lengths == 0.0).any() or (corners[:, 3] == 0.0).any():
            raise ValueError("the matrix to clip space has a plane at infinity; give it a finite near and far plane")
        corners = corners[:, :3] / corners[:, 3:]
        if not np.ptp(corners, axis=0).all():
            raise ValueError("the matrix to clip space is singular: its frustum is flat")
        found = cls(origin, rows / lengths[:, None], _ROUNDING * sizes / lengths[:, None], corners)
        for part in (found.origin, found.planes, found.rounding, found.corners):
            part.flags.writeable = False
        return found

    def planes_about(self, center: np.ndarray) -> np.ndarray:
        """Return the planes about another point, moved outwards by the most that rounding may have moved them.

        Two errors add up: the planes' own rounding times the offset from the origin to the point, and the rounding of
        the sums of products along this offset, in whatever order they are added (Higham, "Accuracy and Stability of
        Numerical Algorithms", 3.1). A plane that is slightly tilted is also off for points away from `center`, by up
        to LARGEST_TILT of their distance on each axis; the caller leaves room for that. A plane that may be tilted
        more is given up: everything is inside of it.

        Args:
            center: (3,), world.

        Returns:
            (6, 4) float64; d is infinite where a plane holds everything.
        """
        offset = center - self.origin
        way = np.abs(offset)
        tilts, shifts = self.rounding[:, :3], self.rounding[:, 3]
        planes = self.planes.copy()
        planes[:, 3] += (planes[:, :3] * offset).sum(axis=1)
        sizes = np.abs(self.planes[:, 3]) + (np.abs(self.planes[:, :3]) * way).sum(axis=1)
        planes[:, 3] += (tilts * way).sum(axis=1) + shifts + _ROUNDING * sizes
        planes[(tilts > LARGEST_TILT).any(axis=1), 3] = np.inf
        return planes

    def classify_cubes(self, centers: np.ndarray, half_sizes: np.ndarray) -> np.ndarray:
        """Compare cubes with the six planes, as `cull` compares the bounds of its cells.

        Args:
            centers: (n, 3) float64, world.
            half_sizes: (n,) float64, world units.

        Returns:
            (n,) int8: OUTSIDE of one plane, INSIDE of all, or INTERSECTING. Of a cube beside an edge of the frustum
            the planes do not tell that it is outside.
        """
        distances = (centers - self.origin) @ self.planes[:, :3].T + self.planes[:, 3]
        reach = half_sizes[:, None] * np.abs(self.planes[:, :3]).sum(axis=1)
        verdicts = np.full(len(centers), INTERSECTING, dtype=np.int8)
        verdicts[(distances >= reach).all(axis=1)] = INSIDE
        verdicts[(distances < -reach).any(axis=1)] = OUTSIDE
        return verdicts

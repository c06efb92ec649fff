"""The view frustum as six inward unit planes: the only way to build one normalises them.

A plane is (n_x, n_y, n_z, d): a point p lies inside when n . p + d >= 0, and n . p + d is then its distance in
world units. Clip space is OpenGL's, z in [-1, 1]. Planes come from the rows of the matrix (Gribb and Hartmann,
"Fast Extraction of Viewing Frustum Planes from the World-View-Projection Matrix", 2001).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

_CLIP_CORNERS = np.array([(x, y, z, 1.0) for z in (-1.0, 1.0) for y in (-1.0, 1.0) for x in (-1.0, 1.0)])


@dataclass(frozen=True, eq=False)
class Frustum:
    """Six inward unit planes and the eight corners of what a camera sees.

    Attributes:
        planes: (6, 4) float64, left, right, bottom, top, near, far; read-only.
        corners: (8, 3) float64, world; the near four first, x fastest, then y; read-only.
    """

    planes: np.ndarray
    corners: np.ndarray

    @classmethod
    def from_matrix(cls, clip_from_world: np.ndarray) -> Frustum:
        """Build the frustum of a perspective or orthographic camera.

        Args:
            clip_from_world: (4, 4), column vectors, OpenGL clip space.

        Raises:
            ValueError: the matrix is not (4, 4), not finite, or singular.
        """
        matrix = np.asarray(clip_from_world, dtype=np.float64)
        if matrix.shape != (4, 4) or not np.isfinite(matrix).all():
            raise ValueError("clip_from_world must be a finite (4, 4) matrix")
        matrix = matrix / (np.abs(matrix).max() or 1.0)  # its scale has no meaning, but its squares must fit
        rows = matrix[3] + np.array([1.0, -1.0, 1.0, -1.0, 1.0, -1.0])[:, None] * matrix[[0, 0, 1, 1, 2, 2]]
        lengths = np.linalg.norm(rows[:, :3], axis=1)
        try:
            corners = _CLIP_CORNERS @ np.linalg.inv(matrix).T
        except np.linalg.LinAlgError:
            raise ValueError("clip_from_world is singular: it has no frustum") from None
        if (lengths == 0.0).any() or (corners[:, 3] == 0.0).any():
            raise ValueError("clip_from_world has a plane at infinity; give it a finite near and far plane")
        planes = rows / lengths[:, None]
        corners = corners[:, :3] / corners[:, 3:]
        if not np.ptp(corners, axis=0).all():
            raise ValueError("clip_from_world is singular: its frustum is flat")
        planes.flags.writeable = corners.flags.writeable = False
        return cls(planes, corners)

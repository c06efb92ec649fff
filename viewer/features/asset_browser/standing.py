"""Stand an object on a point of a surface: it touches the surface, and neither reaches into it nor floats."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from octoscope.scene.conventions.up_axis import UpAxis
from octoscope.scene.conventions.upright import up_vector
from octoscope.scene.geometry.affine import smallest_turns
from octoscope.scene.geometry.pyrr_transforms import quaternion_of_rotation, rotation_about
from octoscope.viewer.camera.camera import box_corners
from octoscope.viewer.frame.viewports import Surface

_STEEP = 0.5  # a surface whose normal has a smaller cosine with up is a wall: objects lean against it


class Pose(NamedTuple):
    """How an object lies in the world."""

    turn: np.ndarray  # (3, 3) rotation
    translation: np.ndarray  # (3,)

    @property
    def rotation(self) -> np.ndarray:
        """The turn as a quaternion x, y, z, w."""
        return quaternion_of_rotation(self.turn)


def is_level(on: Surface, up: np.ndarray) -> bool:
    """Return whether objects stand on a surface, neither lean against it nor hang from it."""
    return bool(up @ on.normal > _STEEP)


def standing(
    box: np.ndarray,
    on: Surface,
    up_axis: UpAxis,
    *,
    aligned: bool,
    step: float | None,
    quarter_turns: int = 0,
    by_origin: bool = False,
) -> Pose:
    """Stand a box on a surface, lean it against a wall, or hang it from a ceiling.

    Args:
        box: (2, 3) lower and upper corner, as the object lies in its file.
        aligned: whether its up axis follows the normal; else it stays upright.
        quarter_turns: to the left, about the up axis, before it is aligned.
        step: world units; the point goes to the nearest multiple of it across the surface; None: it stays.
        by_origin: whether the origin of the file goes to the point, else the middle of the box's lower side, both but
            for the distance from the surface.
    """
    up, point = up_vector(up_axis), on.point
    if step is not None:
        across = np.arange(3) != np.abs(on.normal).argmax()
        point = np.where(across, np.round(point / step) * step, point)
    turn = np.round(rotation_about(up, quarter_turns * np.pi / 2.0))
    if aligned:
        turn = smallest_turns(up, on.normal[None])[0] @ turn
    foot = np.zeros(3) if by_origin else np.where(up > 0.0, box[0], box.mean(axis=0))
    slope = float(up @ on.normal)
    away = on.normal if aligned else np.sign(slope) * up if abs(slope) > _STEEP else on.normal - slope * up
    away = away / np.linalg.norm(away)
    reach = float((((box_corners(*box) - foot) @ turn.T) @ away).min())
    return Pose(turn, point - turn @ foot - reach * away)

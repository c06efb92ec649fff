"""Convert texture placements, as in Material, from and to glTF's KHR_texture_transform.

glTF counts v from the top of the image and Octoscope from the bottom, so that v becomes 1 - v before the transform and
after it. A rotation counter-clockwise in the image is one in both.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from octoscope.scene.mesh.material import Placement

_DIGITS = 12  # of an offset that was turned over: 0.1, not 0.09999999999999998


def transform_of(placement: Placement) -> dict[str, object]:
    """Return the extension's fields for a placement."""
    scale_u, scale_v, rotation, offset_u, offset_v = placement
    moved_u, moved_v = _moved(scale_v, rotation)
    turned = {"rotation": rotation} if rotation else {}
    offset = [round(offset_u - moved_u, _DIGITS), round(moved_v - offset_v, _DIGITS)]
    return {"offset": offset, **turned, "scale": [scale_u, scale_v]}


def placement_of(scale: Sequence[float], rotation: float, offset: Sequence[float]) -> Placement:
    """Return the placement for the extension's scale, rotation (radians) and offset."""
    moved_u, moved_v = _moved(scale[1], rotation)
    return scale[0], scale[1], rotation, round(offset[0] + moved_u, _DIGITS), round(moved_v - offset[1], _DIGITS)


def _moved(scale_v: float, rotation: float) -> tuple[float, float]:
    """Return where the top left of the coordinates, (0, 1), comes to lie, counted from the image's top left."""
    return math.sin(rotation) * scale_v, 1.0 - math.cos(rotation) * scale_v

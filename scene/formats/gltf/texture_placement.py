"""Convert texture placements: `uv * scale + offset`, as in Material, from and to glTF's KHR_texture_transform.

glTF counts v from the top of the image and Octoscope from the bottom, so that v becomes 1 - v before the transform and
after it.
"""

from __future__ import annotations

from collections.abc import Sequence

_DIGITS = 12  # of an offset that was flipped: 0.1, not 0.09999999999999998

Pair = tuple[float, float]


def transform_of(scale: Pair, offset: Pair) -> dict[str, list[float]]:
    """Return the extension's fields for Material's uv_scale and uv_offset."""
    return {"offset": [offset[0], _turned_over(scale[1], offset[1])], "scale": list(scale)}


def placement_of(scale: Sequence[float], offset: Sequence[float]) -> tuple[Pair, Pair]:
    """Return Material's uv_scale and uv_offset for the extension's scale and offset."""
    return (scale[0], scale[1]), (offset[0], _turned_over(scale[1], offset[1]))


def _turned_over(scale_v: float, offset_v: float) -> float:
    # 1 - (scale * (1 - v) + offset) = scale * v + (1 - scale - offset)
    return round(1.0 - scale_v - offset_v, _DIGITS)

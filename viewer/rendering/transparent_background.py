"""Draw pictures without a background: what is behind the scene is seen through them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from octoscope.scene.geometry.colors import linear_from_srgb, srgb_from_linear
from octoscope.viewer.frame.frame import ViewportFrame


def without_background(
    frames: Sequence[ViewportFrame], pixels_of: Callable[[Sequence[ViewportFrame]], np.ndarray]
) -> np.ndarray:
    """Return the (height, width, 4) uint8 RGBA picture of frames; colours are not multiplied by their opacity.

    They are drawn on black and on white: all that is blended over the background lets a share of its light through, by
    which the two pictures differ.

    Args:
        frames: to draw.
        pixels_of: draws frames as (height, width, 3) uint8 RGB.
    """
    on_black, on_white = (pixels_of(_before(frames, level)) for level in (0.0, 1.0))
    light = linear_from_srgb(np.arange(256) / 255.0).astype(np.float32)
    black, white = light[on_black], light[on_white]
    opacity = np.clip(1.0 - (white - black).mean(axis=2, keepdims=True), 0.0, 1.0)
    color = srgb_from_linear(np.clip(black / np.maximum(opacity, 1e-6), 0.0, 1.0))
    return np.rint(255.0 * np.concatenate([color, opacity], axis=2)).astype(np.uint8)


def _before(frames: Sequence[ViewportFrame], level: float) -> list[ViewportFrame]:
    """Return frames before a grey background, 0 to 1."""
    color = level, level, level
    backdrops = [replace(part.frame.backdrop, bottom=color, top=color, shows_environment=False) for part in frames]
    return [
        replace(part, frame=replace(part.frame, backdrop=backdrop))
        for part, backdrop in zip(frames, backdrops, strict=True)
    ]

"""Jitter: moves a frame by parts of a pixel, so that the mean of several pictures has smooth edges."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from octoscope.viewer.frame.frame import FrameData

SAMPLES = 16  # a pixel of a refined picture, or more
# Four places in the square from -1 to 1, in four different rows and columns: the rotated grid of multisampling.
_ROTATED_GRID = np.array([(-1.0, -3.0), (3.0, -1.0), (-3.0, 1.0), (1.0, 3.0)]) / 4.0


def sample_offsets(samples_a_picture: int) -> np.ndarray:
    """Return (n, 2) float64 offsets of pictures, in pixels, whose mean has 16 samples a pixel or more.

    All offsets together have a mean of zero, and lie in different rows and columns of a pixel. Pictures of four samples
    or more are moved within a quarter of a pixel: their samples then lie in sixteen rows and columns.

    Args:
        samples_a_picture: that the card takes for each pixel.
    """
    if samples_a_picture >= len(_ROTATED_GRID):
        return _ROTATED_GRID / 8.0
    coarse, fine = _ROTATED_GRID / 2.0, _ROTATED_GRID / 8.0
    return (fine[:, None] + coarse[None]).reshape(-1, 2)


def jittered(frame: FrameData, offset: np.ndarray) -> FrameData:
    """Return a frame moved by an offset, (2,) pixels to the right and up."""
    shift = np.eye(4)
    shift[:2, 3] = 2.0 * offset / frame.size
    camera = replace(
        frame.camera,
        clip_from_relative=(shift @ frame.camera.clip_from_relative).astype(np.float32),
        clip_from_relative_nearer=(shift @ frame.camera.clip_from_relative_nearer).astype(np.float32),
    )
    return replace(frame, camera=camera)

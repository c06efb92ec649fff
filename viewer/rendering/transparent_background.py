"""Pictures without a background: what is behind the scene is seen through them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import moderngl
import numpy as np

from octoscope.scene.geometry.colors import linear_from_srgb, srgb_from_linear
from octoscope.viewer.frame.frame import FrameData, ViewportFrame


def without_background(frames: Sequence[ViewportFrame]) -> list[ViewportFrame]:
    """Return frames of which only the scene and the ground are drawn, their light multiplied by their opacity."""

    def transparent(frame: FrameData) -> FrameData:
        backdrop = replace(frame.look.backdrop, is_transparent=True)
        return replace(frame, look=replace(frame.look, backdrop=backdrop))

    return [replace(part, frame=transparent(part.frame)) for part in frames]


def transparent_image_of(framebuffer: moderngl.Framebuffer) -> np.ndarray:
    """Return a picture without a background as (height, width, 4) uint8 RGBA, top row first.

    Colours are not multiplied by their opacity.
    """
    width, height = framebuffer.size
    data = np.frombuffer(framebuffer.read(components=4, alignment=1), dtype=np.uint8)
    pixels = data.reshape(height, width, 4)[::-1].copy()
    light = linear_from_srgb(np.arange(256) / 255.0).astype(np.float32)[pixels[..., :3]]
    opacity = pixels[..., 3:] / np.float32(255.0)
    color = srgb_from_linear(np.clip(light / np.maximum(opacity, 1e-6), 0.0, 1.0))
    pixels[..., :3] = np.rint(255.0 * color)
    return pixels

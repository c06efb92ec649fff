"""Labels: short texts as small pictures that can be read on any background; their font size and colours.

Pillow draws them, so that a window and a script get the same.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from octoscope.viewer.frame.look.fonts import label_font

INK = (255, 255, 255, 255)
GROUND = (16, 18, 24, 225)
RIM = (235, 235, 235, 255)
_SMALLEST_FONT_PX = 13
_PICTURE_PER_FONT = 46  # a picture is so many times as high as its font: labels grow with a picture's resolution


def font_size_px(picture_height: int, stroke_ratio: float = 1.0) -> int:
    """Return the font size of labels in a picture of this height, pixels; `stroke_ratio` is `View.stroke_ratio`."""
    return round(max(_SMALLEST_FONT_PX * stroke_ratio, picture_height / _PICTURE_PER_FONT))


@lru_cache(maxsize=1024)
def label_image(text: str, size_px: int) -> np.ndarray:
    """Return (h, w, 4) uint8, read-only: light text on a dark ground with a light rim; opacity not multiplied in."""
    from PIL import Image, ImageDraw  # only here: few pictures have labels

    font = label_font(size_px)
    pad = max(3, size_px // 3)
    size = round(font.length(text)) + 2 * pad, font.line_height + pad
    image = Image.new("RGBA", size, (0, 0, 0, 0))
    draw = ImageDraw.Draw(image)
    draw.rounded_rectangle((0, 0, size[0] - 1, size[1] - 1), radius=pad, fill=GROUND, outline=RIM, width=1)
    font.draw(draw, (pad, pad / 2), text, fill=INK)
    pixels = np.asarray(image)
    pixels.flags.writeable = False
    return pixels


@lru_cache(maxsize=1024)
def bare_label_image(text: str, size_px: int) -> np.ndarray:
    """Return (h, w, 4) uint8, read-only: light text with a dark rim alone; opacity not multiplied in."""
    from PIL import Image, ImageDraw  # only here: few pictures have labels

    rim = max(1, size_px // 8)
    font = label_font(size_px)
    image = Image.new("RGBA", (round(font.length(text)) + 4 * rim, font.line_height + 4 * rim), (*GROUND[:3], 0))
    font.draw(ImageDraw.Draw(image), (2 * rim, 2 * rim), text, fill=INK, stroke_width=rim, stroke_fill=GROUND)
    pixels = np.asarray(image.crop(image.getbbox()))
    pixels.flags.writeable = False
    return pixels

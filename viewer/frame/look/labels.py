"""Labels: short texts as small pictures that can be read on any background; their font size and colours.

Pillow draws them with its own font, so that a window and a script get the same.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

INK = (255, 255, 255, 255)
GROUND = (16, 18, 24, 225)
RIM = (235, 235, 235, 255)
_SMALLEST_FONT_PX = 13
_PICTURE_PER_FONT = 46  # a picture is so many times as high as its font: labels grow with a picture's resolution


def font_size_px(picture_height: int) -> int:
    """Return the font size of labels in a picture of this height, pixels."""
    return max(_SMALLEST_FONT_PX, round(picture_height / _PICTURE_PER_FONT))


@lru_cache(maxsize=1024)
def label_image(text: str, size_px: int) -> np.ndarray:
    """Return (h, w, 4) uint8, read-only: light text on a dark ground with a light rim; opacity not multiplied in."""
    from PIL import Image, ImageDraw, ImageFont  # only here: few pictures have labels

    font = ImageFont.load_default(size_px)
    assert isinstance(font, ImageFont.FreeTypeFont)  # Pillow has another only without FreeType
    left, _, right, _ = font.getbbox(text)
    ascent, descent = font.getmetrics()
    pad = max(3, size_px // 3)
    size = int(right - left) + 2 * pad, ascent + descent + pad
    image = Image.new("RGBA", size, (0, 0, 0, 0))
    draw = ImageDraw.Draw(image)
    draw.rounded_rectangle((0, 0, size[0] - 1, size[1] - 1), radius=pad, fill=GROUND, outline=RIM, width=1)
    draw.text((pad - left, pad / 2), text, font=font, fill=INK)
    pixels = np.asarray(image)
    pixels.flags.writeable = False
    return pixels


@lru_cache(maxsize=1024)
def bare_label_image(text: str, size_px: int) -> np.ndarray:
    """Return (h, w, 4) uint8, read-only: light text with a dark rim alone; opacity not multiplied in."""
    from PIL import Image, ImageDraw, ImageFont  # only here: few pictures have labels

    rim = max(1, size_px // 8)
    font = ImageFont.load_default(size_px)
    left, top, right, bottom = map(int, font.getbbox(text, stroke_width=rim))
    image = Image.new("RGBA", (right - left, bottom - top), (*GROUND[:3], 0))
    ImageDraw.Draw(image).text((-left, -top), text, font=font, fill=INK, stroke_width=rim, stroke_fill=GROUND)
    pixels = np.asarray(image)
    pixels.flags.writeable = False
    return pixels

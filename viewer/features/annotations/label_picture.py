"""The picture of a label's text: light on a dark ground, bold words bold, links underlined.

Pillow draws it, as it does the figures of measurements, so that a window and a script get the same.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from octoscope.scene.annotations.labels import spans_of
from octoscope.scene.system.text_file import printable
from octoscope.viewer.frame.look.fonts import label_font
from octoscope.viewer.frame.look.labels import GROUND, INK, RIM

_LINK_INK = (120, 190, 255, 255)
_WIDTH = 17.0  # of a line at most, font sizes, unless a word is longer
_MOST_LINES = 12
_BOLD = 0.05  # by which bold strokes are wider, font sizes


class LabelPicture(NamedTuple):
    """The picture, and where its links are."""

    image: np.ndarray  # (h, w, 4) uint8, read-only; opacity not multiplied in
    links: tuple[tuple[tuple[float, float, float, float], str], ...]  # (left, top, right, bottom) pixels, address


@lru_cache(maxsize=512)
def label_picture(text: str, size_px: int) -> LabelPicture:
    """Draw a text at a font size."""
    from PIL import Image, ImageDraw  # only here: few pictures have labels

    font = label_font(size_px)
    line_height, pad = font.line_height, max(4, round(0.45 * size_px))
    words: list[tuple[float, float, str, bool, str]] = []  # left, top, text, is bold, link
    x = y = widest = 0.0
    for span in spans_of(text):
        for word in re.findall(r"\n|[^\S\n]+|\S+", span.text):
            width = font.length(printable(word)) if word != "\n" else 0.0
            if word == "\n" or (x > 0.0 and x + width > _WIDTH * size_px and not word.isspace()):
                x, y = 0.0, y + line_height
            if word == "\n" or (x == 0.0 and word.isspace()):
                continue
            words.append((x, y, printable(word), span.is_bold, span.link))
            x += width
            widest = max(widest, x if not word.isspace() else 0.0)
    words = [word for word in words if word[1] < _MOST_LINES * line_height]
    height = max((top for _, top, *_ in words), default=0.0) + line_height
    image = Image.new("RGBA", (round(widest) + 2 * pad, round(height) + pad), (0, 0, 0, 0))
    draw = ImageDraw.Draw(image)
    corner = (0, 0, image.width - 1, image.height - 1)
    draw.rounded_rectangle(corner, radius=pad, fill=GROUND, outline=RIM, width=1)
    links = []
    for left, top, word, is_bold, link in words:
        ink = _LINK_INK if link else INK
        place = pad + left, pad / 2 + top
        for offset in (0.0, max(0.7, _BOLD * size_px)) if is_bold else (0.0,):
            font.draw(draw, (place[0] + offset, place[1]), word, fill=ink)
        if link:
            right, bottom = place[0] + font.length(word), place[1] + font.ascent + 2
            draw.line((place[0], bottom, right, bottom), fill=ink)
            links.append(((place[0], place[1], right, place[1] + line_height), link))
    pixels = np.asarray(image)
    pixels.flags.writeable = False
    return LabelPicture(pixels, tuple(links))

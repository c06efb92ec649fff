"""ColorBars: the colour scales of what is shown, as bars with ticks and numbers at the right of pictures.

Pillow draws them, as it does labels, so that a window and a script get the same.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cached_property, lru_cache
from textwrap import wrap
from typing import TYPE_CHECKING

import numpy as np

from octoscope.scene.mesh.color_scale import ColorScale
from octoscope.scene.nodes.layers import HIDDEN
from octoscope.viewer.frame.annotations import AnnotationBuilder
from octoscope.viewer.frame.decoration import Decoration
from octoscope.viewer.frame.look.fonts import label_font
from octoscope.viewer.frame.look.labels import GROUND, INK, RIM, font_size_px
from octoscope.viewer.frame.look.round_steps import round_step
from octoscope.viewer.frame.redraw import Damage, RedrawProperty
from octoscope.viewer.frame.view import DecorationPart, View
from octoscope.viewer.frame.viewports import Viewport

if TYPE_CHECKING:
    from octoscope.scene.material_use import MaterialUse


_HEIGHT, _WIDTH, _TICK = 14.0, 1.1, 0.35  # of the bar and its ticks, in font sizes
_TICKS = 6  # at most, beside the ends
_LEAST_GAP = 1.5  # between a tick's number and those of the ends, font sizes
_TITLE_WIDTH, _TITLE_LINES = 16, 3  # characters, lines
_LEAST_SIZE = 1e-300  # of a range with ticks: powers of ten below it are no longer exact
_MOST_OF_WIDTH, _MOST_OF_HEIGHT = 0.5, 0.9  # of a picture, that bars fill
_LEAST_FREE = 0.5  # of a picture's width, in which objects are framed


class ColorBars(Decoration):
    """The colour bars in the pictures of a view."""

    name = "color bars"
    is_shown = RedrawProperty[bool](Damage.OVERLAY)

    def __init__(self, view: View) -> None:
        super().__init__(view.redraw)
        self.view = view

    def scales(self) -> list[ColorScale]:
        """Return the scales that explain something that is shown, each once, in the order of their materials."""
        scene, view = self.view.scene, self.view
        if not (scene.color_scales and self.is_shown and view.settings.seen_as.shows_materials):
            return []
        shown = scene.layers != HIDDEN
        if view.visibility.isolated is not None:
            shown &= view.visibility.isolated
        material_ids = np.unique(self._use.shown(np.flatnonzero(shown))).tolist()
        scales = scene.color_scales
        return list(dict.fromkeys(scales[material] for material in material_ids if material in scales))

    @cached_property
    def _use(self) -> MaterialUse:
        from octoscope.scene.material_use import MaterialUse  # only here: few scenes have scales

        return MaterialUse(self.view.scene)

    def annotate(self, annotations: AnnotationBuilder, viewport: Viewport) -> None:
        """Add the bars."""
        for image, middle in placed_bars(self.scales(), annotations.size, annotations.font_size_px):
            annotations.add_image(image, middle)

    def free_width(self, size: tuple[int, int]) -> float:
        """Return the width, in pixels, of the middle of a picture that the bars leave free."""
        return width_beside_bars(self.scales(), size, font_size_px(size[1], self.view.stroke_ratio))


PART = DecorationPart(ColorBars)


def placed_bars(
    scales: Sequence[ColorScale], size: tuple[int, int], size_px: int
) -> list[tuple[np.ndarray, tuple[float, float]]]:
    """Return pictures of scales, side by side at the right border while they have room, and their centres' pixels."""
    placed = []
    right = float(size[0] - size_px)
    for scale in scales:
        image = color_bar_image(scale, size_px)
        height, width = image.shape[:2]
        if right - width < (1.0 - _MOST_OF_WIDTH) * size[0] or height > _MOST_OF_HEIGHT * size[1]:
            break
        placed.append((image, (right - width / 2.0, size[1] / 2.0)))
        right -= width + size_px / 2.0
    return placed


def width_beside_bars(scales: Sequence[ColorScale], size: tuple[int, int], size_px: int) -> float:
    """Return the width, in pixels, of the middle of a picture that bars leave free.

    Where that is less than half of the picture, it is the whole: what is shown would become too small.

    Arguments are those of placed_bars.
    """
    left = min((x - image.shape[1] / 2.0 for image, (x, _) in placed_bars(scales, size, size_px)), default=size[0])
    free = 2.0 * left - size[0]
    return free if free >= _LEAST_FREE * size[0] else float(size[0])


def ticks_of(minimum: float, maximum: float) -> list[float]:
    """Return round numbers between two, both left out: steps of 1, 2 or 5 times a power of ten."""
    size = maximum - minimum
    if not size > max(1e-12 * max(abs(minimum), abs(maximum)), _LEAST_SIZE):
        return []
    step = round_step(size / _TICKS)
    first = math.floor(minimum / step) + 1
    ticks = [number * step for number in range(first, math.ceil(maximum / step))]
    return [0.0 if abs(tick) < 1e-9 * step else tick for tick in ticks]


@lru_cache(maxsize=64)
def color_bar_image(scale: ColorScale, size_px: int) -> np.ndarray:
    """Return (h, w, 4) uint8, read-only: title, colours and numbers on a dark ground; opacity not multiplied in."""
    from PIL import Image, ImageDraw  # only here: few pictures have bars

    font = label_font(size_px)
    lines = wrap(scale.title, _TITLE_WIDTH, max_lines=_TITLE_LINES, placeholder="…")
    pad, tick, bar_width = max(3, size_px // 2), round(_TICK * size_px), round(_WIDTH * size_px)
    height = round(_HEIGHT * size_px)
    marks = _marks(scale, size_px, height)
    numbers_width = max(font.length(text) for text, _ in marks)
    line = font.line_height
    top = pad + (round((len(lines) + 0.4) * line) if lines else line // 2)
    width = math.ceil(max([bar_width + 2 * tick + numbers_width, *map(font.length, lines)])) + 2 * pad
    image = Image.new("RGBA", (width, top + height + line // 2 + pad), (0, 0, 0, 0))
    draw = ImageDraw.Draw(image)
    draw.rounded_rectangle((0, 0, image.width - 1, image.height - 1), radius=pad, fill=GROUND, outline=RIM, width=1)
    for number, text in enumerate(lines):
        font.draw(draw, (pad, pad / 2 + number * line), text, fill=INK)
    table = scale.table
    shares = 1.0 - (np.arange(height) + 0.5) / height
    column = table[np.minimum((shares * len(table)).astype(np.intp), len(table) - 1)]
    bar = np.repeat(column[:, None], bar_width, axis=1)
    image.paste(Image.fromarray(bar), (pad, top))
    draw.rectangle((pad - 1, top - 1, pad + bar_width, top + height), outline=RIM)
    for text, share in marks:
        y = top + (1.0 - share) * (height - 1)
        draw.line((pad + bar_width + 1, y, pad + bar_width + tick, y), fill=INK)
        font.draw(draw, (pad + bar_width + 2 * tick, y - line / 2.0), text, fill=INK)
    pixels = np.asarray(image)
    pixels.flags.writeable = False
    return pixels


def _marks(scale: ColorScale, size_px: int, height: int) -> list[tuple[str, float]]:
    """Return the numbers of a bar and where they stand, 0 to 1: the ends, and ticks that are not too near to them."""
    size = scale.maximum - scale.minimum
    lowest, highest = (f"{end + 0.0:.4g}" for end in (scale.minimum, scale.maximum))  # + 0.0: no "-0"
    ends = [(lowest, 0.0)] + [(highest, 1.0)] * (size > 0.0)
    least = _LEAST_GAP * size_px / height
    shares = [((tick - scale.minimum) / size, tick) for tick in ticks_of(scale.minimum, scale.maximum)]
    return ends + [(f"{tick:.6g}", share) for share, tick in shares if least <= share <= 1.0 - least]

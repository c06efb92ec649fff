"""Rulers: ticks with world coordinates along the lower and the right edge of orthographic pictures."""

from __future__ import annotations

import math

import numpy as np

from octoscope.scene.measuring.lengths import Lengths
from octoscope.viewer.frame.annotations import AnnotationBuilder
from octoscope.viewer.frame.decoration import Decoration
from octoscope.viewer.frame.look.labels import bare_label_image
from octoscope.viewer.frame.look.round_steps import multiples_of, round_step
from octoscope.viewer.frame.redraw import Damage, RedrawProperty
from octoscope.viewer.frame.view import DecorationPart, View
from octoscope.viewer.frame.viewports import Viewport

_APART = 6.0  # least distance of numbers, font sizes
_PARTS = 5  # small ticks to a number, at most
_TICKS = (0.35, 0.7)  # lengths of small and other ticks, font sizes
_GAP = 0.3  # between a tick and its number, font sizes
_WIDTH = 3.5  # of the right ruler with usual numbers, font sizes
_BAND = 1.9  # height of the lower ruler, font sizes
_INK, _BACKGROUND = (1.0, 1.0, 1.0), (0.1, 0.11, 0.13)  # sRGB
_ALONG_AXIS = 1.0 - 1e-9  # least cosine


class Rulers(Decoration):
    """The rulers in the pictures of a view.

    Where an edge runs along an axis of the world, numbers are coordinates. Elsewhere they are distances along the
    edge from where the world's origin is in the picture.
    """

    name = "rulers"
    is_shown = RedrawProperty[bool](Damage.OVERLAY)

    def __init__(self, view: View) -> None:
        super().__init__(view.redraw, is_shown=False)
        self._scene = view.scene

    def annotate(self, annotations: AnnotationBuilder, viewport: Viewport) -> None:
        """Add both rulers, unless there is perspective, in which lengths shrink with their distance."""
        camera = viewport.snapshot.camera
        if not camera.orthographic:
            return
        unit_per_pixel = camera.pixel_size(annotations.size[1])
        size, font = annotations.size, annotations.font_size_px
        for width, ends in (
            (_BAND * font, (0.0, size[1] - _BAND * font / 2.0, size[0], size[1] - _BAND * font / 2.0)),
            (_WIDTH * font, (size[0] - _WIDTH * font / 2.0, 0.0, size[0] - _WIDTH * font / 2.0, size[1])),
        ):
            annotations.add_pixel_lines([ends], width, _BACKGROUND)
        for edge in range(2):
            middle = float(camera.axes[edge] @ camera.position)
            unit = self._scene.length_unit
            _add_ruler(annotations, edge, camera.axes[edge], middle, unit_per_pixel, unit)

    def edges(self, viewport: Viewport) -> tuple[float, float]:
        """Return the widths of both rulers."""
        return (_WIDTH, _BAND) if self.is_shown and viewport.shown_camera.orthographic else (0.0, 0.0)


PART = DecorationPart(Rulers)


def _add_ruler(
    annotations: AnnotationBuilder, edge: int, along: np.ndarray, middle: float, unit_per_pixel: float, unit: str
) -> None:
    """Add the ruler of an edge, 0 the lower one, 1 the right one.

    Args:
        along: (3,) world, of unit length: the direction to the right, or up.
        middle: place along it that is in the middle of the picture, world units.
    """
    size, font = annotations.size, annotations.font_size_px
    axis = int(np.abs(along).argmax())
    sign = 1.0 if along[axis] >= 0.0 else -1.0  # numbers are coordinates of the axis, and may fall along the edge
    half = 0.5 * size[edge] * unit_per_pixel
    step = round_step(_APART * font * unit_per_pixel)
    steps = round_step(step / _PARTS), step
    ticks = [multiples_of(each, sign * middle - half, sign * middle + half) for each in steps]
    for values, length in zip(ticks, np.multiply(_TICKS, font), strict=True):
        pixels = 0.5 * size[edge] + (1.0, -1.0)[edge] * (sign * values - middle) / unit_per_pixel
        far = np.full(len(values), float(size[1 - edge]))
        segments = np.stack([pixels, far - length, pixels, far] if edge == 0 else [far - length, pixels, far, pixels])
        annotations.add_pixel_lines(segments.T, annotations.line_width, _INK)
    writes = Lengths(decimals=max(0, -math.floor(math.log10(step))))
    beyond = size[1 - edge] - (_TICKS[1] + _GAP) * font
    for value, pixel in zip(ticks[1].tolist(), pixels.tolist(), strict=True):
        if 2.0 * font < pixel < size[edge] - 4.0 * font:
            image = bare_label_image(writes.number(value), font)
            height, width = image.shape[:2]
            annotations.add_image(image, (pixel, beyond - height / 2.0) if edge == 0 else (beyond - width / 2.0, pixel))
    name = f"{'XYZ'[axis] if abs(along[axis]) >= _ALONG_AXIS else ''} {unit}".strip()
    if name:
        image = bare_label_image(name, font)
        height, width = image.shape[:2]
        end = (size[0] - width / 2.0, beyond - height / 2.0) if edge == 0 else (beyond - width / 2.0, font)
        annotations.add_image(image, end)

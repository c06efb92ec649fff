"""ScaleBar: a bar of a round length, and what that is, in the lower right corner of orthographic pictures."""

from __future__ import annotations

from octoscope.scene.measuring.lengths import Lengths
from octoscope.viewer.frame.annotations import AnnotationBuilder
from octoscope.viewer.frame.decoration import Decoration
from octoscope.viewer.frame.look.labels import bare_label_image
from octoscope.viewer.frame.look.round_steps import round_step
from octoscope.viewer.frame.redraw import Damage, RedrawProperty
from octoscope.viewer.frame.view import DecorationPart, View
from octoscope.viewer.frame.viewports import Viewport

_LEAST_WIDTH = 0.08  # of the picture's width; the bar is up to two and a half times as wide
_MARGIN = 3.5  # between the bar and the corner, font sizes: rulers have room there
_END = 0.35  # height of the strokes at its ends, font sizes
_INK = (1.0, 1.0, 1.0)  # sRGB


class ScaleBar(Decoration):
    """The bars in the pictures of a view."""

    name = "scale bar"
    is_shown = RedrawProperty[bool](Damage.OVERLAY)

    def __init__(self, view: View) -> None:
        super().__init__(view.redraw, is_shown=False)
        self._scene = view.scene

    def annotate(self, annotations: AnnotationBuilder, viewport: Viewport) -> None:
        """Add the bar, unless there is perspective, in which lengths shrink with their distance."""
        camera = viewport.snapshot.camera
        if not camera.orthographic:
            return
        width, height = annotations.size
        font, unit_per_pixel = annotations.font_size_px, camera.pixel_size(height)
        length = round_step(_LEAST_WIDTH * width * unit_per_pixel)
        right, y, end = width - _MARGIN * font, height - _MARGIN * font, _END * font
        left = right - length / unit_per_pixel
        bar = [(left, y, right, y), *((x, y - end, x, y + end) for x in (left, right))]
        annotations.add_pixel_lines(bar, 1.5 * annotations.line_width, _INK)
        text = Lengths(unit=self._scene.length_unit).text(length)
        annotations.add_image(bare_label_image(text, font), ((left + right) / 2.0, y - font))


PART = DecorationPart(ScaleBar)

"""ColorBars: the colour scales of what is shown, as bars at the right of pictures."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from octoscope.scene.mesh.color_scale import ColorScale
from octoscope.scene.nodes.layers import HIDDEN
from octoscope.viewer.features.color_bars.bars import placed_bars, width_beside_bars
from octoscope.viewer.frame.annotations import AnnotationBuilder
from octoscope.viewer.frame.decoration import Decoration
from octoscope.viewer.frame.look.labels import font_size_px
from octoscope.viewer.frame.redraw import Damage, RedrawProperty
from octoscope.viewer.frame.view import DecorationPart, View
from octoscope.viewer.frame.viewports import Viewport

if TYPE_CHECKING:
    from octoscope.scene.editing.material_use import MaterialUse


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
        from octoscope.scene.editing.material_use import MaterialUse  # only here: few scenes have scales

        return MaterialUse(self.view.scene)

    def annotate(self, annotations: AnnotationBuilder, viewport: Viewport) -> None:
        """Add the bars."""
        for image, middle in placed_bars(self.scales(), annotations.size, annotations.font_size_px):
            annotations.add_image(image, middle)

    def free_width(self, size: tuple[int, int]) -> float:
        """Return the width, in pixels, of the middle of a picture that the bars leave free."""
        return width_beside_bars(self.scales(), size, font_size_px(size[1]))


PART = DecorationPart(ColorBars)

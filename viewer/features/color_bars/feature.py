"""Colour bars as a feature of a window."""

from octoscope.viewer.app.contribution import WindowPart
from octoscope.viewer.features.color_bars.decoration import ColorBars

PART = WindowPart.switch_of(
    ColorBars,
    "view.color_bars",
    "Colour bars",
    "what the colours of numbers mean",
    synonyms=("legend", "scalar bar", "colormap", "color bar"),
)

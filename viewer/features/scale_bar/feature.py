"""The scale bar as a feature of a window."""

from octoscope.viewer.app.contribution import WindowPart
from octoscope.viewer.features.scale_bar.decoration import ScaleBar

PART = WindowPart.switch_of(
    ScaleBar,
    "view.scale_bar",
    "Scale bar",
    "a bar of a round length in orthographic views",
    synonyms=("map scale", "legend", "length bar"),
)

"""Rulers as a feature of a window."""

from octoscope.viewer.app.contribution import WindowPart
from octoscope.viewer.features.rulers.decoration import Rulers

PART = WindowPart.switch_of(
    Rulers,
    "view.rulers",
    "Rulers",
    "coordinates along the edges of orthographic views",
    synonyms=("axes", "coordinates", "ticks"),
)

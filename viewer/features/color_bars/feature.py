"""Colour bars as a feature of a window."""

from __future__ import annotations

from octoscope.viewer.commands.context import Context
from octoscope.viewer.commands.table import Declarations
from octoscope.viewer.features.color_bars.decoration import ColorBars
from octoscope.viewer.features.contribution import Contribution, WindowPart
from octoscope.viewer.settings.kept import switch

command = Declarations("View", after="view.grid")


@command(
    "view.color_bars",
    "Colour bars",
    "what the colours of numbers mean, on or off",
    checked=lambda bars: bars.is_shown,
    synonyms=("legend", "scalar bar", "colormap", "color bar"),
)
def toggle(bars: ColorBars) -> None:
    bars.is_shown = not bars.is_shown


def _contribute(context: Context) -> Contribution:
    """Return the switch."""
    bars = context.view.decoration(ColorBars)
    return Contribution(commands=command.bound_to(bars), settings={"view.color_bars": switch(bars, "is_shown")})


PART = WindowPart(_contribute)

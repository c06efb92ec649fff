"""Colour bars as a feature of a window."""

from __future__ import annotations

from octoscope.viewer.app.contribution import Contribution, WindowPart
from octoscope.viewer.commands.context import Context
from octoscope.viewer.commands.switches import switch
from octoscope.viewer.commands.table import Declarations
from octoscope.viewer.features.color_bars.decoration import ColorBars
from octoscope.viewer.settings import kept

command = Declarations("View", after="view.grid")


switch(
    command,
    "is_shown",
    "view.color_bars",
    "Colour bars",
    "what the colours of numbers mean, on or off",
    synonyms=("legend", "scalar bar", "colormap", "color bar"),
)


def _contribute(context: Context) -> Contribution:
    bars = context.view.decoration(ColorBars)
    return Contribution(commands=command.bound_to(bars), settings={"view.color_bars": kept.switch(bars, "is_shown")})


PART = WindowPart(_contribute)

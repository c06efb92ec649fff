"""Rulers as a feature of a window."""

from __future__ import annotations

from octoscope.viewer.app.contribution import Contribution, WindowPart
from octoscope.viewer.commands.context import Context
from octoscope.viewer.commands.switches import switch
from octoscope.viewer.commands.table import Declarations
from octoscope.viewer.features.rulers.decoration import Rulers
from octoscope.viewer.settings import kept

command = Declarations("View", after="view.grid")
switch(
    command,
    "is_shown",
    "view.rulers",
    "Rulers",
    "coordinates along the edges of orthographic views, on or off",
    synonyms=("scale", "axes", "coordinates", "ticks"),
)


def _contribute(context: Context) -> Contribution:
    rulers = context.view.decoration(Rulers)
    return Contribution(commands=command.bound_to(rulers), settings={"view.rulers": kept.switch(rulers, "is_shown")})


PART = WindowPart(_contribute)

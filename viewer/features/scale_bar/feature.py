"""The scale bar as a feature of a window."""

from __future__ import annotations

from octoscope.viewer.app.contribution import Contribution, WindowPart
from octoscope.viewer.commands.context import Context
from octoscope.viewer.commands.switches import switch
from octoscope.viewer.commands.table import Declarations
from octoscope.viewer.features.scale_bar.decoration import ScaleBar
from octoscope.viewer.settings import kept

command = Declarations("View", after="view.grid")
switch(
    command,
    "is_shown",
    "view.scale_bar",
    "Scale bar",
    "a bar of a round length in orthographic views, on or off",
    synonyms=("scale", "map scale", "legend", "length bar"),
)


def _contribute(context: Context) -> Contribution:
    bar = context.view.decoration(ScaleBar)
    return Contribution(commands=command.bound_to(bar), settings={"view.scale_bar": kept.switch(bar, "is_shown")})


PART = WindowPart(_contribute)

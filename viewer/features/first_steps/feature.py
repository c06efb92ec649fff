"""First steps as a feature."""

from __future__ import annotations

from octoscope.viewer.app.contribution import Contribution, WindowPart
from octoscope.viewer.commands.context import Context
from octoscope.viewer.commands.switches import switch
from octoscope.viewer.commands.table import Declarations
from octoscope.viewer.features.first_steps.card import FirstSteps
from octoscope.viewer.settings import kept

command = Declarations("Help", after="help.keys")
switch(
    command,
    "is_shown",
    "help.first_steps",
    "First steps",
    "how to orbit, pan and zoom, over the picture until the first gesture or key",
    synonyms=("welcome", "tutorial", "getting started", "hints"),
)


def _contribute(context: Context) -> Contribution:
    card = FirstSteps(context.view, context.settings)
    return Contribution(
        commands=command.bound_to(card),
        tools=[card],
        corner_box=card.box,
        settings={"help.first_steps": kept.switch(card, "is_shown")},
    )


PART = WindowPart(_contribute)

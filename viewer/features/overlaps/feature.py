"""Selecting what overlaps as a feature."""

from __future__ import annotations

from octoscope.viewer.commands.context import Context
from octoscope.viewer.features.contribution import Contribution
from octoscope.viewer.features.overlaps.commands import command


def contribute(context: Context) -> Contribution:
    """Return the command."""
    return Contribution(commands=command.bound_to(context))

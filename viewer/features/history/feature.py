"""The history panel as a feature."""

from __future__ import annotations

from octoscope.viewer.commands.context import Context
from octoscope.viewer.features.contribution import Contribution
from octoscope.viewer.features.history.panel import HistoryPanel


def contribute(context: Context) -> Contribution:
    """Return the panel."""
    return Contribution(panels=[HistoryPanel(context.editor)])

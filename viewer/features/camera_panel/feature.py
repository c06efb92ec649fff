"""The camera panel as a feature."""

from __future__ import annotations

from octoscope.viewer.commands.context import Context
from octoscope.viewer.features.camera_panel.panel import CameraPanel
from octoscope.viewer.features.contribution import Contribution


def contribute(context: Context) -> Contribution:
    """Return the panel."""
    return Contribution(panels=[CameraPanel(context.editor, context.run, context.expect_field)])

"""Scripts as a feature of windows: the console, and the panel of controls."""

from __future__ import annotations

from octoscope.viewer.app.contribution import Contribution, WindowPart
from octoscope.viewer.app.open_window import OpenWindow
from octoscope.viewer.commands.context import Context
from octoscope.viewer.features.console.console import Console
from octoscope.viewer.features.console.panel import ConsolePanel
from octoscope.viewer.features.console.script_panel import ScriptPanel


def _contribute(context: Context) -> Contribution:
    script = context.script
    OpenWindow(context)  # which gives the script its names
    panels = ConsolePanel(Console(script), context.expect_field), ScriptPanel(script)
    return Contribution(panels=panels)


PART = WindowPart(_contribute)

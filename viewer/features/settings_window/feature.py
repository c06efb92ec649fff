"""The window of settings as a feature."""

from __future__ import annotations

from octoscope.viewer.app.contribution import Contribution, WindowPart
from octoscope.viewer.commands.context import Context
from octoscope.viewer.commands.table import Declarations
from octoscope.viewer.features.settings_window.panel import SettingsPanel

command = Declarations("Edit", after="edit.rename")


command(
    "edit.settings",
    "Settings",
    "theme, scale, keys, mouse, files and quality, which are kept in config.toml",
    keys=("Ctrl+,",),
    separated=True,
    in_context_menu=False,
    synonyms=(
        "preferences",
        "options",
        "configuration",
        "font size",
        "interface scale",
        "rebind keys",
        "mouse buttons",
    ),
)(lambda context: context.show_panel("settings"))


def _contribute(context: Context) -> Contribution:
    panel = SettingsPanel(context)
    return Contribution(panels=[panel], commands=command.bound_to(context), tools=[panel.capture.follow])


PART = WindowPart(_contribute)

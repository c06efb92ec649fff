"""The option --rulers of pictures and windows. Imports nothing that takes long."""

from octoscope.viewer.cli.arguments.command_line import CommandLinePart

PART = CommandLinePart.showing(
    "--rulers", "rulers", "draw coordinates along the edges of an orthographic picture (--ortho)"
)

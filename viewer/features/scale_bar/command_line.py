"""The option --scale-bar of pictures and windows. Imports nothing that takes long."""

from octoscope.viewer.cli.arguments.command_line import CommandLinePart

PART = CommandLinePart.showing(
    "--scale-bar", "scale bar", "draw a bar of a round length in an orthographic picture (--ortho)"
)

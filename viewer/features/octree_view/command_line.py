"""The option --octree of pictures and windows. Imports nothing that takes long."""

from octoscope.viewer.cli.arguments.command_line import CommandLinePart

PART = CommandLinePart.showing("--octree", "octree", "draw the octree's occupied cells")

"""The option --octree of pictures and windows. Imports nothing that takes long."""

from __future__ import annotations

import argparse

from octoscope.viewer.cli.arguments.command_line import CommandLinePart


def _options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--octree", dest="shown", action="append_const", const="octree", help="draw the octree's occupied cells"
    )


PART = CommandLinePart(options=dict.fromkeys(("open", "render", "demo"), _options))

"""The option --rulers of pictures and windows. Imports nothing that takes long."""

from __future__ import annotations

import argparse

from octoscope.viewer.cli.arguments.command_line import CommandLinePart


def _options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--rulers",
        dest="shown",
        action="append_const",
        const="rulers",
        help="draw coordinates along the edges of an orthographic picture (--ortho)",
    )


PART = CommandLinePart(options=dict.fromkeys(("open", "render", "demo"), _options))

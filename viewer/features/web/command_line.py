"""The options of `octoscope serve`. Imports nothing that takes long."""

from __future__ import annotations

import argparse
from pathlib import Path

from octoscope.viewer.cli.arguments import options, values
from octoscope.viewer.cli.arguments.command_line import Command, CommandLinePart


def _options(parser: argparse.ArgumentParser) -> None:
    options.add_file_options(parser)
    parser.add_argument(
        "--port",
        type=values.whole_between(0, 65535, "a port, 0 to 65535"),
        default=8080,
        metavar="N",
        help="where to listen (default: 8080; 0: any that is free)",
    )
    parser.add_argument(
        "--host",
        default="127.0.0.1",
        metavar="NAME",
        help="name or address to listen at (default: 127.0.0.1, for this machine alone; 0.0.0.0: for every machine)",
    )
    parser.add_argument(
        "--script",
        type=Path,
        metavar="FILE",
        help="a file of Python, which finds scene, window, np; its controls stand beside the picture",
    )
    options.add_watch_option(parser)
    options.add_octree_options(parser)


PART = CommandLinePart(
    commands={"serve": Command("show files in a browser, also from a machine without a screen", _options, __package__)}
)

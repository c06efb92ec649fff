"""The options of `octoscope run`. Imports nothing that takes long."""

from __future__ import annotations

import argparse
from pathlib import Path

from octoscope.viewer.cli.arguments import options, values
from octoscope.viewer.cli.arguments.command_line import Command, CommandLinePart


def _options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("script", type=Path, metavar="SCRIPT", help="a file of Python, which finds scene, window, np")
    options.add_file_options(parser, files="*")
    options.add_watch_option(parser)
    options.add_up_option(parser)
    options.add_octree_options(parser)
    parser.add_argument("--size", type=values.size, metavar="WxH", help="pixels (default: 1280x720)")
    parser.add_argument(
        "--args", nargs=argparse.REMAINDER, default=[], help="what follows is for the script, in sys.argv"
    )


PART = CommandLinePart(commands={"run": Command("run a script in a window on files", _options, __package__)})

"""The options of `octoscope info --overlaps`. Imports nothing that takes long."""

from __future__ import annotations

import argparse
import sys

from octoscope.viewer.cli.arguments import values


def _options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--overlaps",
        action="store_true",
        help="find all pairs of objects, hidden ones too, whose triangles intersect or only touch",
    )
    parser.add_argument(
        "--tolerance",
        type=values.between(0.0, sys.float_info.max, "a distance, 0 or more"),
        metavar="UNITS",
        help="objects that overlap no deeper than this only touch (default: rounding errors; 0: exact)",
    )


OPTIONS = {"info": _options}

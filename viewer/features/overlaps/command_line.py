"""The options of `octoscope info --overlaps`. Imports nothing that takes long."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING, Any

from octoscope.viewer.cli.arguments import values
from octoscope.viewer.cli.arguments.command_line import CommandLinePart

if TYPE_CHECKING:
    from octoscope.scene import Scene


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
        help="penetration depth up to which objects only touch (default: rounding errors; 0: exact)",
    )


def _add_facts(scene: Scene, options: argparse.Namespace, facts: dict[str, Any]) -> list[str]:
    from octoscope.viewer.features.overlaps.info import add_facts  # only here: it imports numpy

    return add_facts(scene, options, facts)


PART = CommandLinePart(options={"info": _options}, add_facts=_add_facts)

"""The options of `octoscope info --checks`. Imports nothing that takes long."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from octoscope.viewer.cli.arguments.command_line import CommandLinePart

if TYPE_CHECKING:
    from octoscope.scene import Scene


def _options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--checks",
        action="store_true",
        help="find faults of meshes: open, flipped and non-manifold edges, inverted, degenerate and duplicate faces, "
        "tiny objects, missing textures, normals and texture coordinates",
    )


def _add_facts(scene: Scene, options: argparse.Namespace, facts: dict[str, Any]) -> list[str]:
    from octoscope.viewer.features.mesh_checks.info import add_facts  # only here: it imports numpy

    return add_facts(scene, options, facts)


PART = CommandLinePart(options={"info": _options}, add_facts=_add_facts)

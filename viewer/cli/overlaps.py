"""`octoscope info --overlaps`: which objects intersect."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

import numpy as np

from octoscope.scene import Scene
from octoscope.scene.system.text_file import printable
from octoscope.viewer.cli.output import UserError, answer, say
from octoscope.viewer.cli.progress import progress_bar

if TYPE_CHECKING:
    from octoscope.scene import Overlaps

_MOST_PAIRS = 20


def find(scene: Scene, options: argparse.Namespace) -> Overlaps | None:
    """Return the overlaps, with progress on a terminal, or None if they were not asked for.

    Raises:
        UserError: --tolerance without --overlaps.
    """
    if not options.overlaps:
        if options.tolerance is not None:
            raise UserError("--tolerance: only with --overlaps")
        return None
    from octoscope.scene import find_overlaps  # only here: it takes long to import

    with progress_bar("comparing pairs of objects") as show:
        return find_overlaps(scene, tolerance=options.tolerance, progress=show)


def overlap_facts(scene: Scene, overlaps: Overlaps) -> dict[str, object]:
    """Return all pairs, by path and id, for JSON."""
    paths = {node: scene.path_of(node) for node in np.unique(np.concatenate(overlaps)).tolist()}
    facts: dict[str, object] = {}
    for kind, pairs in overlaps._asdict().items():
        facts[f"{kind}_count"] = len(pairs)
        facts[kind] = [{"paths": [paths[a], paths[b]], "ids": [a, b]} for a, b in pairs.tolist()]
    if overlaps.left_out:
        facts["left_out"] = overlaps.left_out
    return facts


def answer_overlaps(scene: Scene, overlaps: Overlaps) -> None:
    """Print the first pairs that cross, and the numbers of all."""
    crossing, touching = overlaps
    for a, b in crossing[:_MOST_PAIRS].tolist():
        answer(f"overlap: {printable(scene.path_of(a))} and {printable(scene.path_of(b))}")
    if len(crossing) > _MOST_PAIRS:
        answer(f"and {len(crossing) - _MOST_PAIRS:,} more: octoscope info --overlaps --json FILE... lists them all")
    if overlaps.left_out:
        say(f"overlaps: {overlaps.left_out}")
    answer(f"pairs of objects that overlap: {len(crossing):,}; that only touch: {len(touching):,}")

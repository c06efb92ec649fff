"""`octoscope info --overlaps`: which objects intersect."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

import numpy as np

from octoscope.scene import Scene
from octoscope.scene.system.text_file import printable
from octoscope.viewer.cli.output import UserError, progress_bar, readable, say

if TYPE_CHECKING:
    from octoscope.scene import Overlaps

_MOST_PAIRS = 20


def add_facts(scene: Scene, options: argparse.Namespace, facts: dict[str, Any]) -> list[str]:
    """Find overlaps if they are asked for, with progress on a terminal; add them to facts for JSON, or return lines."""
    if not options.overlaps:
        if options.tolerance is not None:
            raise UserError("--tolerance: only with --overlaps")
        return []
    from octoscope.scene import find_overlaps  # only here: it takes long to import

    with progress_bar("comparing pairs of objects") as show:
        overlaps = find_overlaps(scene, tolerance=options.tolerance, progress=show)
    if options.json:
        facts["overlaps"] = _facts(scene, overlaps)
        return []
    return _lines(scene, overlaps)


def _facts(scene: Scene, overlaps: Overlaps) -> dict[str, Any]:
    """Return all pairs, by path and id, with depth, normal and point of those that cross."""
    paths = {node: scene.path_of(node) for node in np.unique(np.concatenate(overlaps)).tolist()}
    facts: dict[str, Any] = {}
    for kind, pairs in overlaps._asdict().items():
        facts[f"{kind}_count"] = len(pairs)
        facts[kind] = [{"paths": [paths[a], paths[b]], "ids": [a, b]} for a, b in pairs.tolist()]
    measured = ("depth", overlaps.depths), ("normal", overlaps.normals), ("point", overlaps.points)
    for name, values in (*measured, ("inside", overlaps.inside)):
        for pair, value in zip(facts["crossing"], values.tolist(), strict=True):
            pair[name] = value
    if overlaps.left_out:
        facts["left_out"] = overlaps.left_out
    return facts


def _lines(scene: Scene, overlaps: Overlaps) -> list[str]:
    """Return the first pairs that cross, and the numbers of all."""
    crossing, touching = overlaps
    paths = [[printable(scene.path_of(node)) for node in pair] for pair in crossing[:_MOST_PAIRS].tolist()]
    lines = [
        f"overlap: {a} and {b}, depth {readable(depth)}{', one inside the other' if is_inside else ''}"
        for (a, b), depth, is_inside in zip(paths, overlaps.depths.tolist(), overlaps.inside.tolist(), strict=False)
    ]
    if len(crossing) > _MOST_PAIRS:
        lines.append(
            f"and {len(crossing) - _MOST_PAIRS:,} more: octoscope info --overlaps --json FILE... lists them all"
        )
    if overlaps.left_out:
        say(f"overlaps: {overlaps.left_out}")
    return [*lines, f"pairs of objects that overlap: {len(crossing):,}; that only touch: {len(touching):,}"]

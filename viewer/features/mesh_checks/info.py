"""`octoscope info --checks`: what is wrong with meshes."""

from __future__ import annotations

import argparse
from typing import Any

import numpy as np

from octoscope.scene import Scene
from octoscope.scene.system.text_file import printable
from octoscope.viewer.cli.output import progress_bar, readable

_MOST_OBJECTS = 5  # of each kind that are named for people


def add_facts(scene: Scene, options: argparse.Namespace, facts: dict[str, Any]) -> list[str]:
    """Check meshes if that is asked for, with progress on a terminal; add faults to facts for JSON, or return lines."""
    if not options.checks:
        return []
    from octoscope.scene import check_meshes  # only here: it takes long to import

    with progress_bar("checking meshes") as show:
        faults = check_meshes(scene, progress=show)
    if options.json:
        facts["checks"] = [
            {"kind": kind, "path": scene.path_of(node), "id": node, "count": count, "point": point}
            for kind, node, count, point in zip(*(column.tolist() for column in faults), strict=True)
        ]
        return []
    lines = []
    for kind in dict.fromkeys(faults.kinds.tolist()):
        rows = np.flatnonzero(faults.kinds == kind)
        for row in rows[:_MOST_OBJECTS].tolist():
            place = ", ".join(readable(number) for number in faults.points[row].tolist())
            path = printable(scene.path_of(int(faults.nodes[row])))
            lines.append(f"{kind}: {faults.counts[row]:,} of {path}, such as at ({place})")
        if len(rows) > _MOST_OBJECTS:
            lines.append(f"{kind}: and {len(rows) - _MOST_OBJECTS:,} more objects; --json lists them all")
    return lines or ["meshes: no faults"]

"""Measurements from and to JSON; those that make no sense are reported."""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np

from octoscope.scene.measurement import IN_WORLD, POINTS_OF, Anchor, Measurement
from octoscope.scene.project.fields import is_numbers, report_unknown
from octoscope.scene.system.report import Problems

_FIELDS = frozenset({"kind", "nodes", "points"})


def measurements_from_json(written: object, node_count: int, problems: Problems) -> list[Measurement]:
    """Return the measurements in a project's list; those that make no sense are reported and left out."""
    if not isinstance(written, list):
        problems.report("measurement", "'measurements' is not a list", "none instead")
        return []
    measurements = []
    for each in written:
        if not isinstance(each, dict):
            problems.report("measurement", "measurements that are not objects", "left out")
            continue
        report_unknown([each], _FIELDS, problems)
        anchors = _anchors(each, node_count)
        if anchors is not None:
            measurements.append(Measurement(each["kind"], anchors))
            continue
        what = "measurements of an unknown kind, or between points or nodes that do not exist"
        problems.report("measurement", what, "left out")
    return measurements


def measurements_to_json(measurements: Iterable[Measurement], json_ids: np.ndarray) -> list[dict[str, object]]:
    """Return JSON of measurements; `json_ids` has by node id that of the file, or -1: then they are left out."""
    written: list[dict[str, object]] = []
    for measurement in measurements:
        nodes = [None if anchor.node == IN_WORLD else int(json_ids[anchor.node]) for anchor in measurement.anchors]
        if -1 not in nodes:
            points = [list(anchor.point) for anchor in measurement.anchors]
            written.append({"kind": measurement.kind, "nodes": nodes, "points": points})
    return written


def _anchors(written: dict[str, object], node_count: int) -> tuple[Anchor, ...] | None:
    """Return the anchors of a measurement, or None if they make no sense."""
    kind, points = written.get("kind"), written.get("points")
    count = POINTS_OF.get(kind) if isinstance(kind, str) else None
    if not isinstance(points, list) or len(points) != count:
        return None
    nodes = written.get("nodes", [None] * count)
    if not isinstance(nodes, list) or len(nodes) != count:
        return None
    if not all(is_numbers(point, 3) and all(map(math.isfinite, point)) for point in points):
        return None
    if not all(node is None or (type(node) is int and 0 <= node < node_count) for node in nodes):
        return None
    return tuple(
        Anchor(IN_WORLD if node is None else node, (float(x), float(y), float(z)))
        for node, (x, y, z) in zip(nodes, points, strict=True)
    )

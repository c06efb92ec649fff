"""clipped: the part of a geometry on one side of a plane, for sections in browsers: their pages cut nothing."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from octoscope.scene.merging.merged_geometry import MergedGeometry


def clipped(geometry: MergedGeometry, plane: np.ndarray) -> MergedGeometry:
    """Return what lies inside a (4,) plane, n . p + d >= 0; lines and points are kept if they lie wholly inside."""
    heights = geometry.positions @ plane[:3] + plane[3]
    is_inside = heights >= 0.0
    inside = is_inside[geometry.triangles]
    counts = inside.sum(axis=1)
    # Corners are turned so that the first is alone on its side of the plane.
    alone = np.where(counts == 1, inside.argmax(axis=1), (~inside).argmax(axis=1))
    turned = np.take_along_axis(geometry.triangles, (alone[:, None] + np.arange(3)) % 3, axis=1)
    one, two = turned[counts == 1], turned[counts == 2]
    edges = np.concatenate([one[:, :2], one[:, ::2], two[:, :2], two[:, ::2]])
    made = np.split(len(heights) + np.arange(len(edges)), np.cumsum([len(one), len(one), len(two)]))
    triangles = [
        geometry.triangles[counts == 3],
        np.stack([one[:, 0], made[0], made[1]], axis=1),
        np.stack([made[2], two[:, 1], two[:, 2]], axis=1),
        np.stack([made[2], two[:, 2], made[3]], axis=1),
    ]
    begin, end = (geometry.of_vertices(edges[:, side]) for side in (0, 1))
    shares = (heights[edges[:, 0]] / (heights[edges[:, 0]] - heights[edges[:, 1]]))[:, None]
    columns = {}
    for name, rows in begin.items():
        if name not in ("material_ids", "objects"):  # all of a triangle's corners have the same
            rows = ((1.0 - shares) * rows + shares * end[name]).astype(rows.dtype)
        columns[name] = np.concatenate([getattr(geometry, name), rows])
    lines, points = (rows[is_inside[rows].all(axis=1)] for rows in (geometry.lines, geometry.points))
    return replace(geometry, **columns).with_elements(np.concatenate(triangles), lines, points)

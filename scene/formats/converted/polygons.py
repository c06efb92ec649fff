"""Polygons whose corners have attributes of their own, as the indexed triangles of a GLB."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from octoscope.scene.formats.converted.glb_builder import GlbBuilder, Primitive
from octoscope.scene.formats.gltf.codes import LINES, TRIANGLES
from octoscope.scene.geometry.ranges import ranges, unique_rows


@dataclass(frozen=True)
class Polygons:
    """Polygons, or lines, which have two corners each."""

    positions: np.ndarray  # (v, 3) float64
    sizes: np.ndarray  # (p,) int, how many corners each polygon has
    corners: np.ndarray  # (c,) int rows of positions, one polygon behind the other
    # by name, values (k, w) and the row of each corner in them (c,)
    attributes: Mapping[str, tuple[np.ndarray, np.ndarray]] = field(default_factory=dict)

    def chosen(self, polygons: np.ndarray) -> Polygons:
        """Return some of the polygons, by their numbers or as flags (p,)."""
        sizes = self.sizes[polygons]
        corners = ranges((np.cumsum(self.sizes) - self.sizes)[polygons], sizes)
        attributes = {name: (values, rows[corners]) for name, (values, rows) in self.attributes.items()}
        return replace(self, sizes=sizes, corners=self.corners[corners], attributes=attributes)


def primitive_of(polygons: Polygons, material: int | None, builder: GlbBuilder) -> Primitive:
    """Return polygons as triangles, or as lines if none has more than two corners.

    Polygons with corners that are not in the file are left out and reported; so are attributes for which a corner's
    value is not.
    """
    polygons = _sound(polygons, builder)
    mode = TRIANGLES
    if (polygons.sizes > 2).any():
        corners = _triangles(polygons)
    else:
        mode, polygons = LINES, polygons.chosen(polygons.sizes == 2)
        corners = np.arange(len(polygons.corners))
    # Corners with the same position and attributes are one vertex.
    rows_of_corners = (polygons.corners, *(rows for _, rows in polygons.attributes.values()))
    firsts, indices = unique_rows(*(rows[corners] for rows in rows_of_corners))
    kept = corners[firsts]
    attributes = {name: values[rows[kept]] for name, (values, rows) in polygons.attributes.items()}
    return Primitive(mode, polygons.positions[polygons.corners[kept]], attributes, indices, material)


def _sound(polygons: Polygons, builder: GlbBuilder) -> Polygons:
    """Leave out polygons and attributes with corners that are not in the file."""
    if (polygons.sizes < 0).any() or int(polygons.sizes.sum()) != len(polygons.corners):
        builder.report("a mesh whose faces do not say which corners are theirs", "left out")
        none = np.empty(0, dtype=np.int64)
        return Polygons(polygons.positions, none, none)
    attributes = {}
    for name, (values, rows) in polygons.attributes.items():
        if len(rows) == len(polygons.corners) and _are_in(rows, len(values)).all():
            attributes[name] = (values, rows)
        else:
            builder.report(f"a mesh whose {name.split('_')[0].lower()}s do not suit it", "shown without them")
    polygons = replace(polygons, attributes=attributes)
    owners = np.repeat(np.arange(len(polygons.sizes)), polygons.sizes)
    wrong = np.bincount(owners, ~_are_in(polygons.corners, len(polygons.positions)), len(polygons.sizes)) > 0
    if not wrong.any():
        return polygons
    builder.report("a face with a corner that is not in the file", "left out", int(wrong.sum()))
    return polygons.chosen(~wrong)


def _are_in(rows: np.ndarray, count: int) -> np.ndarray:
    return (rows >= 0) & (rows < count)


def _triangles(polygons: Polygons) -> np.ndarray:
    """Return (3t,) the corners of triangles, as rows of polygons.corners."""
    if (polygons.sizes == 3).all():
        return np.arange(len(polygons.corners))
    from octoscope.scene.geometry.triangulation import triangulate_all  # here: numba takes long to import

    positions = np.ascontiguousarray(polygons.positions[polygons.corners], dtype=np.float64)
    sizes = polygons.sizes.astype(np.int64)
    return triangulate_all(positions, sizes, np.arange(len(positions)))[0].ravel()

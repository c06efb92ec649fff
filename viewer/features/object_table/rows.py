"""TableRows: which objects have rows in the table, in which order; Spread: how their numbers are spread."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from octoscope.scene import Scene
from octoscope.viewer.features.object_table.columns import Column, Columns

BARS = 24  # of a histogram
_SPREAD = 2, 1  # places of the columns that have one: sizes, triangles


class Spread(NamedTuple):
    """A histogram of objects by a number, in ranges that are equally wide on a logarithmic scale."""

    edges: np.ndarray  # (BARS + 1,) float64, ascending
    counts: np.ndarray  # (BARS,) int64
    place_of: np.ndarray  # (r,) int64 range of each row; -1 for a number of 0 or less


class TableRows:
    """The rows of the table; they follow the scene in `update`.

    Attributes:
        columns: what can be said of each.
        query: only objects whose name, material or file contains it have rows; "" for all.
        sorted_by: the place of the column that rows are sorted by.
        descends: whether the largest comes first.
        ids: (r,) int32, the object of each row.
        spreads: by place of a column with numbers.
    """

    def __init__(self, scene: Scene) -> None:
        self._scene = scene
        self.columns = Columns(scene)
        self.query = ""
        self.sorted_by, self.descends = 0, False
        self.ids = np.empty(0, dtype=np.int32)
        self.spreads: dict[int, Spread] = {}
        self._made_for: tuple[object, ...] = ()
        self._kept = "", -1  # a query, and the object that has a row whether it fits or not

    def update(self) -> bool:
        """Bring the rows up to date, and return whether there may be others."""
        scene, query = self._scene, self.query.strip()
        wanted = scene.version, scene.world_revision, query, self.sorted_by, self.descends, self._kept
        if wanted == self._made_for:
            return False
        self._made_for = wanted
        ids = np.flatnonzero(scene.alive & (scene.mesh_ids >= 0)).astype(np.int32)
        if query:
            kept = self._kept[1] if self._kept[0] == query else -1
            ids = ids[self.columns.fitting(ids, query) | (ids == kept)]
        self.ids = ids[self._order(ids)]
        self.spreads = {place: spread_of(self.columns.all[place], self.ids) for place in _SPREAD}
        return True

    def _order(self, ids: np.ndarray) -> np.ndarray:
        """Return the order of ids by the chosen column; equal ones stay in the order of the scene, both ways."""
        column = self.columns.all[self.sorted_by]
        values = self.columns.sort_keys(column, ids)
        if not self.descends:
            return np.argsort(values, kind="stable")
        return len(ids) - 1 - np.argsort(values[::-1], kind="stable")[::-1]

    def keep(self, node_id: int) -> None:
        """Let an object have a row until the query is another, though it may not fit any more."""
        self._kept = self.query.strip(), node_id

    def row_of(self, node_id: int) -> int:
        """Return the row of an object, or -1."""
        found = np.flatnonzero(self.ids == node_id)
        return int(found[0]) if len(found) else -1


def spread_of(column: Column, ids: np.ndarray) -> Spread:
    """Return how the numbers of a column are spread among objects."""
    values = column.of(ids).astype(np.float64)
    counted = (values > 0.0) & np.isfinite(values)
    least, most = (float(end(values[counted], initial=start)) for end, start in ((np.min, np.inf), (np.max, 0.0)))
    if not counted.any():
        least = most = 1.0
    edges = np.geomspace(least, max(most, least * 1.001), BARS + 1)
    places = np.full(len(ids), -1)
    places[counted] = np.clip(np.searchsorted(edges, values[counted], side="right") - 1, 0, BARS - 1)
    return Spread(edges, np.bincount(places[counted], minlength=BARS), places)

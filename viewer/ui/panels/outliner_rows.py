"""OutlinerRows: the nodes that have a row in the outliner.

Rows are numpy columns that are computed again only after a change of the tree, the names, the opened nodes or the
filter. That takes a few milliseconds for a hundred thousand rows.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from octoscope.scene import Scene
from octoscope.scene.geometry.forest import children_of, depths_and_subtree_ends, preorder, unfolded
from octoscope.scene.nodes.name_search import casefolded, fits_name
from octoscope.scene.one_object_files import one_object_files


@dataclass(frozen=True, eq=False)
class _Tree:
    """All nodes in depth-first order."""

    ids: np.ndarray  # (n,) node ids in that order, deleted ones too; n is Scene.row_count
    depths: np.ndarray  # (n,) of each
    ends: np.ndarray  # (n,) position behind the last descendant
    place_of: np.ndarray  # (n,) position by node id
    alive: np.ndarray  # (n,) bool
    has_children: np.ndarray  # (n,) bool, whether a descendant is alive


class OutlinerRows:
    """The rows of the outliner. A file of one object has one row, that of the object.

    Attributes:
        query: only nodes whose names contain it (case does not matter), or that match it as a pattern, have rows, and
            their ancestors; "" for all.
        open: (n,) bool by node id, whether children have rows. With a query, all have.
        ids: (r,) int32, node id of each row.
        depths: (r,) int32, depth of each row.
        has_children: (r,) bool, whether a row can be opened; with a query, whether children have rows.
        match_count: number of nodes that match the query themselves.
        tops: (r,) int32, the node that is moved in the tree where a row is: its own, or that of the object's file.
    """

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self.query = ""
        self.open = np.zeros(0, dtype=bool)
        self.ids = self.depths = self.tops = np.empty(0, dtype=np.int32)
        self.has_children = np.empty(0, dtype=bool)
        self.match_count = 0
        self._row_of = np.empty(0, dtype=np.int32)
        self._made_for: tuple[object, ...] = ()
        self._tree_revision = -1
        self._tree = _tree_of(scene)
        self._names_revision = -1
        self._lowered: np.ndarray = np.empty(0, dtype=np.dtypes.StringDType())
        self._open_revision = 0

    def __len__(self) -> int:
        return len(self.ids)

    def update(self) -> bool:
        """Bring the rows up to date, and return whether they changed."""
        scene = self.scene
        query = self.query.strip().casefold()
        wanted = (scene.tree_revision, scene.names_revision, self._open_revision, query)
        if wanted == self._made_for:
            return False
        self._made_for = wanted
        if self._tree_revision != scene.tree_revision:
            self._tree_revision = scene.tree_revision
            self._tree = _tree_of(scene)
            self._take_in_new()
        tree = self._tree
        shown = tree.alive & (self._matching(query) if query else unfolded(tree.ids, tree.ends, self.open))
        files, objects = one_object_files(scene)
        file_places, object_places = tree.place_of[files], tree.place_of[objects]
        shown[object_places], shown[file_places] = shown[file_places], False
        depths, tops = tree.depths.copy(), tree.ids.copy()
        depths[object_places], tops[object_places] = tree.depths[file_places], files
        self.ids = tree.ids[shown].astype(np.int32)
        self.depths = depths[shown].astype(np.int32)
        self.tops = tops[shown].astype(np.int32)
        self.has_children = tree.has_children[shown]
        if query:  # a match may have no matching descendant
            self.has_children = np.diff(self.depths, append=0) > 0
        self._row_of = np.full(scene.row_count, -1, dtype=np.int32)
        for shown_ids in (self.tops, self.ids):
            self._row_of[shown_ids] = np.arange(len(self.ids), dtype=np.int32)
        return True

    def row_of(self, node_id: int) -> int:
        """Return the row of a node, or -1."""
        return int(self._row_of[node_id]) if node_id < len(self._row_of) else -1

    def set_open(self, ids: ArrayLike, is_open: bool) -> None:
        """Open or close nodes."""
        self._take_in_new()
        self.open[np.asarray(ids)] = is_open
        self._open_revision += 1

    def set_open_below(self, node_id: int, is_open: bool) -> None:
        """Open or close a node and all of its descendants."""
        place = self._tree.place_of[node_id]
        self.set_open(self._tree.ids[place : self._tree.ends[place]], is_open)

    def reveal(self, node_id: int) -> None:
        """Open all ancestors of a node."""
        self._take_in_new()
        above = []
        parent = int(self.scene.parents[node_id])
        while parent >= 0:
            above.append(parent)
            parent = int(self.scene.parents[parent])
        if not self.open[above].all():
            self.set_open(above, True)

    def between(self, first: int, last: int) -> np.ndarray:
        """Return the ids of the nodes between two rows, both included, in any order, (k,) int32."""
        low, high = sorted((first, last))
        return self.ids[low : high + 1].copy()

    def _take_in_new(self) -> None:
        """Add new nodes: roots are open, all others closed."""
        known = len(self.open)
        if known < self.scene.row_count:
            self.open = np.append(self.open, self.scene.parents[known:] < 0)

    def _matching(self, query: str) -> np.ndarray:
        """Return (n,) bool by position: whether the node or a descendant matches the query."""
        scene = self.scene
        if self._names_revision != scene.names_revision or len(self._lowered) != scene.row_count:
            self._names_revision = scene.names_revision
            self._lowered = casefolded(scene.names)
        tree = self._tree
        matches = fits_name(self._lowered, query)[tree.ids] & tree.alive
        self.match_count = int(matches.sum())
        before = np.concatenate(([0], np.cumsum(matches)))
        return before[tree.ends] > before[:-1]


def _tree_of(scene: Scene) -> _Tree:
    parents = scene.parents
    ids = preorder(*children_of(parents, scene.orders))
    place_of = np.empty(len(ids), dtype=np.int64)
    place_of[ids] = np.arange(len(ids))
    depths, ends = depths_and_subtree_ends(ids, parents)
    alive = scene.alive[ids]
    alive_before = np.concatenate(([0], np.cumsum(alive)))
    has_children = alive_before[ends] > alive_before[1:]
    return _Tree(ids, depths, ends, place_of, alive, has_children)

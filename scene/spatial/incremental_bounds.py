"""IncrementalBounds: the world box of nodes, kept up to date while nodes are added, moved and removed."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from octoscope.scene.nodes.node_table import NodeTable
from octoscope.scene.nodes.update import merge_boxes

_NO_NODE = -1


class IncrementalBounds:
    """A box that knows, for each of its six sides, one node that reaches it.

    As long as these six nodes stay, the box can only grow, by nodes that were added or moved. When one of them leaves
    its side, the next query computes the box from all nodes: some 2 ms for 100,000.
    """

    def __init__(self) -> None:
        self._box, self._holders = _nothing()
        self._is_known = True

    def follow(self, nodes: NodeTable, changed: np.ndarray, inside: np.ndarray, total: int) -> None:
        """Update the box after nodes were added, moved or removed.

        Args:
            changed: (k,) ids of these nodes.
            inside: (m,) those of them that are to be in the box from now on.
            total: the number of nodes that are to be in it.
        """
        if len(inside) == total:
            self._box, self._holders = _box_of(nodes, inside)
            self._is_known = True
        elif self._is_known:
            box, holders = _box_of(nodes, inside)
            reached = np.stack([box[0] <= self._box[0], box[1] >= self._box[1]])
            self._is_known = not (np.isin(self._holders, changed) & ~reached).any()
            self._box = np.where(reached, box, self._box)
            self._holders = np.where(reached, holders, self._holders)

    def get(self, nodes: NodeTable, ids: Callable[[], np.ndarray]) -> tuple[np.ndarray, np.ndarray] | None:
        """Return the box (lower, upper), or None for no nodes; `ids` returns all nodes that are to be in it."""
        if not self._is_known:
            self._box, self._holders = _box_of(nodes, ids())
            self._is_known = True
        return (self._box[0].copy(), self._box[1].copy()) if self._box[0, 0] <= self._box[1, 0] else None


def _nothing() -> tuple[np.ndarray, np.ndarray]:
    """Return an empty box, (2, 3) lower and upper corners, and the (2, 3) nodes that reach its sides: none."""
    return np.array([[np.inf] * 3, [-np.inf] * 3]), np.full((2, 3), _NO_NODE, dtype=np.int32)


def _box_of(nodes: NodeTable, ids: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Compute the world box of nodes, (2, 3) lower and upper corners, and the nodes that reach its sides, (2, 3)."""
    box, holders = _nothing()
    rows = nodes.meshes.rows
    merge_boxes(ids, nodes.mesh_ids, nodes.world_from_local, rows["lower"], rows["upper"], box, holders)
    return box, holders

"""FileIds: the ids of a scene's nodes, meshes and files in its project file and journal.

The file numbers its nodes and meshes without gaps; the journal continues these numbers. A scene numbers them in the
order in which they were added, and counts deleted ones.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np


@dataclass
class FileIds:
    """The ids that nodes and meshes have in the project file and the journal; files have the scene's own numbers."""

    node_count: int = 0  # number of nodes with an id
    mesh_count: int = 0  # number of meshes with an id; these come from no file
    source_count: int = 0  # number of files that the project file or journal names
    _nodes: np.ndarray = field(default_factory=lambda: np.empty(0, dtype=np.int32))
    _meshes: np.ndarray = field(default_factory=lambda: np.empty(0, dtype=np.int32))

    @classmethod
    def of(cls, node_ids: np.ndarray, mesh_ids: np.ndarray, source_count: int) -> FileIds:
        """Return the ids for a project file with these nodes and meshes, in this order, and this number of files."""
        file_ids = cls(source_count=source_count)
        file_ids.add_nodes(node_ids)
        file_ids.add_meshes(mesh_ids)
        return file_ids

    def copy(self) -> FileIds:
        """Copy the ids."""
        return replace(self, _nodes=self._nodes.copy(), _meshes=self._meshes.copy())

    def nodes(self, count: int) -> np.ndarray:
        """Return (count,) int32, the file id of each node by node id; -1: none."""
        self._nodes = _lengthened(self._nodes, count)
        return self._nodes[:count]

    def meshes(self, count: int) -> np.ndarray:
        """Return (count,) int32, the file id of each mesh by mesh id; -1: none, such as for a mesh of a file."""
        self._meshes = _lengthened(self._meshes, count)
        return self._meshes[:count]

    def mesh_ids(self) -> np.ndarray:
        """Return (mesh_count,) int64, the mesh id of each file id."""
        ids = np.empty(self.mesh_count, dtype=np.int64)
        known = np.flatnonzero(self._meshes >= 0)
        ids[self._meshes[known]] = known
        return ids

    def add_nodes(self, node_ids: np.ndarray) -> None:
        """Give nodes the next ids, in this order."""
        if len(node_ids):
            self.nodes(int(node_ids.max()) + 1)[node_ids] = self.node_count + np.arange(len(node_ids))
        self.node_count += len(node_ids)

    def add_meshes(self, mesh_ids: np.ndarray) -> None:
        """Give meshes the next ids, in this order."""
        if len(mesh_ids):
            self.meshes(int(mesh_ids.max()) + 1)[mesh_ids] = self.mesh_count + np.arange(len(mesh_ids))
        self.mesh_count += len(mesh_ids)


def _lengthened(ids: np.ndarray, count: int) -> np.ndarray:
    if count <= len(ids):
        return ids
    longer = np.full(max(count, 2 * len(ids)), -1, dtype=np.int32)
    longer[: len(ids)] = ids
    return longer

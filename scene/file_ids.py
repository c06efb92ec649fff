"""FileIds: the ids that a scene's nodes, meshes and files have in its project file and in the journal behind it.

There nodes and meshes are numbered without gaps: first those of the file, then those that the journal adds. A scene
numbers them in the order in which they came, those of deleted nodes among them.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np


@dataclass
class FileIds:
    """The id of each thing in file and journal; what has none is in neither.

    Attributes:
        node_count, mesh_count, source_count: how many there are: of nodes, of meshes that come from no file, of files.
            Files have the scene's own numbers.
    """

    node_count: int = 0
    mesh_count: int = 0
    source_count: int = 0
    _nodes: np.ndarray = field(default_factory=lambda: np.empty(0, dtype=np.int32))
    _meshes: np.ndarray = field(default_factory=lambda: np.empty(0, dtype=np.int32))

    @classmethod
    def of(cls, node_ids: np.ndarray, mesh_ids: np.ndarray, source_count: int) -> FileIds:
        """Return those of a file that holds these nodes and meshes in this order, and the first so many files."""
        file_ids = cls(source_count=source_count)
        file_ids.add_nodes(node_ids)
        file_ids.add_meshes(mesh_ids)
        return file_ids

    def copy(self) -> FileIds:
        """Return the same ids, which go on by themselves."""
        return replace(self, _nodes=self._nodes.copy(), _meshes=self._meshes.copy())

    def nodes(self, count: int) -> np.ndarray:
        """(count,) int32 the file id of each node, by its id; -1 for none."""
        self._nodes = _lengthened(self._nodes, count)
        return self._nodes[:count]

    def meshes(self, count: int) -> np.ndarray:
        """(count,) int32 the file id of each mesh, by its id; -1 for none, and for meshes that come from a file."""
        self._meshes = _lengthened(self._meshes, count)
        return self._meshes[:count]

    def mesh_ids(self) -> np.ndarray:
        """(mesh_count,) int64 the mesh of each file id."""
        ids = np.empty(self.mesh_count, dtype=np.int64)
        known = np.flatnonzero(self._meshes >= 0)
        ids[self._meshes[known]] = known
        return ids

    def add_nodes(self, node_ids: np.ndarray) -> None:
        """Give nodes the next file ids, in this order."""
        if len(node_ids):
            self.nodes(int(node_ids.max()) + 1)[node_ids] = self.node_count + np.arange(len(node_ids))
        self.node_count += len(node_ids)

    def add_meshes(self, mesh_ids: np.ndarray) -> None:
        """Give meshes the next file ids, in this order."""
        if len(mesh_ids):
            self.meshes(int(mesh_ids.max()) + 1)[mesh_ids] = self.mesh_count + np.arange(len(mesh_ids))
        self.mesh_count += len(mesh_ids)


def _lengthened(ids: np.ndarray, count: int) -> np.ndarray:
    if count <= len(ids):
        return ids
    longer = np.full(max(count, 2 * len(ids)), -1, dtype=np.int32)
    longer[: len(ids)] = ids
    return longer

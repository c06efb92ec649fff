"""MeshTrees: the triangle trees of a pool's meshes, built when a ray first needs them and kept in one set of arrays.

A hundred thousand trees are rows in a table, like the meshes. Readers take a snapshot of the arrays. A writer copies
what it has built behind the rows in use, in the same or in longer arrays, and only then publishes where it is. So a
thread can build large trees while rays are cast.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable
from concurrent.futures import Future, ThreadPoolExecutor

import numpy as np

from octoscope.scene.bvh.arrays import BvhArrays
from octoscope.scene.bvh.build import ROWS, WIDTH, build_meshes
from octoscope.scene.mesh.pool import Meshes

_LINE_BYTES = 64
_CHUNK = 500_000  # triangles of meshes that are built in one go


class MeshTrees:
    """The trees of one pool of meshes, for any thread; another pool, as reloading makes it, needs another."""

    def __init__(self, meshes: Meshes) -> None:
        self.meshes = meshes
        self._lock = threading.Lock()  # of writers
        self._used_nodes = self._used_leaves = 0
        self._arrays = BvhArrays(
            np.empty(0, dtype=np.int32),
            np.empty(0, dtype=np.int32),
            np.empty((0, ROWS, WIDTH), dtype=np.float32),
            np.empty((0, ROWS, WIDTH), dtype=np.int32),
            np.empty((0, 4), dtype=np.int32),
        )
        self._building: dict[int, Future[None]] = {}
        self._wanted = np.empty(0, dtype=np.bool_)

    def wanted(self) -> np.ndarray:
        """Return (m,) bool by mesh, in which all rays mark the meshes whose trees they lack; who builds them clears it.

        A mark that another thread has cleared is set again by the next cast.
        """
        if len(self._wanted) < len(self.meshes):
            self._wanted = np.zeros(len(self.meshes), dtype=np.bool_)
        return self._wanted

    def arrays(self) -> BvhArrays:
        """Return the trees that are built by now; by mesh, with as many rows as the pool has meshes."""
        if len(self._arrays.first_node) < len(self.meshes):
            with self._lock:
                more = np.full(len(self.meshes) - len(self._arrays.first_node), -1, dtype=np.int32)
                self._arrays = self._arrays._replace(
                    first_node=np.concatenate([self._arrays.first_node, more]),
                    first_leaf=np.concatenate([self._arrays.first_leaf, more]),
                )
        return self._arrays

    def build(self, mesh_ids: np.ndarray, executor: ThreadPoolExecutor) -> None:
        """Build the trees of meshes, and wait for them; those that are built, or being built, are not built twice.

        Two threads that ask for the same ones at the same time may both build them, to the same end.
        """
        with self._lock:
            building = {mesh: future for mesh, future in self._building.items() if not future.done()}
            self._building = building
        waited_for = [building[mesh] for mesh in mesh_ids.tolist() if mesh in building]
        mesh_ids = mesh_ids[[mesh not in building for mesh in mesh_ids.tolist()]] if building else mesh_ids
        mesh_ids = mesh_ids[self.arrays().first_node[mesh_ids] < 0]
        chunks = list(self._chunks(mesh_ids))
        if len(chunks) == 1:
            self._build_chunk(chunks[0])
        else:
            waited_for += [executor.submit(self._build_chunk, chunk) for chunk in chunks]
        for future in waited_for:
            future.result()

    def build_later(self, mesh_id: int, executor: ThreadPoolExecutor) -> None:
        """Build the tree of a mesh in a thread, unless that is under way."""
        with self._lock:
            if mesh_id not in self._building:
                self._building[mesh_id] = executor.submit(self._build_chunk, np.array([mesh_id]))

    def _chunks(self, mesh_ids: np.ndarray) -> Iterable[np.ndarray]:
        sizes = np.cumsum(self.meshes.rows["triangle_count"][mesh_ids])
        if len(mesh_ids):
            yield from np.split(mesh_ids, np.flatnonzero(np.diff(sizes // _CHUNK)) + 1)

    def _build_chunk(self, mesh_ids: np.ndarray) -> None:
        rows = self.meshes.rows
        firsts = np.empty((len(mesh_ids), 2), dtype=np.int32)
        built, leaves = build_meshes(
            mesh_ids.astype(np.int64, copy=False),
            rows["first_vertex"],
            rows["vertex_count"],
            rows["first_triangle"],
            rows["triangle_count"],
            rows["lower"],
            rows["upper"],
            self.meshes.vertices["position"],
            self.meshes.triangles["corners"],
            firsts,
        )
        with self._lock:
            arrays, node, leaf = self._arrays, self._used_nodes, self._used_leaves
            self._used_nodes += len(built)
            self._used_leaves += len(leaves)
            nodes = _appended(arrays.nodes, node, built)
            arrays = arrays._replace(
                nodes=nodes, integers=nodes.view(np.int32), leaves=_appended(arrays.leaves, leaf, leaves)
            )
            # Last: from here on it is used. A reader that still has shorter arrays has other rows, too.
            first_node, first_leaf = arrays.first_node.copy(), arrays.first_leaf.copy()
            first_leaf[mesh_ids] = leaf + firsts[:, 1]
            first_node[mesh_ids] = node + firsts[:, 0]
            self._arrays = arrays._replace(first_node=first_node, first_leaf=first_leaf)


def _appended(room: np.ndarray, used: int, more: np.ndarray) -> np.ndarray:
    """Write `more` to `room` from row `used` on; return `room`, or a longer copy where it is too short."""
    if used + len(more) > len(room):
        longer = _aligned(max(used + len(more), 2 * len(room)), room)
        longer[:used] = room[:used]
        room = longer
    room[used : used + len(more)] = more
    return room


def _aligned(count: int, like: np.ndarray) -> np.ndarray:
    """Allocate rows that begin at a cache line of the processor: a node fills four lines, not parts of five."""
    row_bytes = like.itemsize * int(np.prod(like.shape[1:]))
    room = np.empty(count * row_bytes + _LINE_BYTES, dtype=np.uint8)
    first = -room.ctypes.data % _LINE_BYTES
    return room[first : first + count * row_bytes].view(like.dtype).reshape(count, *like.shape[1:])

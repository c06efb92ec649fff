"""NodeTable: nodes as columns, and the world that follows from them.

Everything is a column (struct of arrays) indexed by node id. Setters, which are the Scene's, mark nodes. Reading world
matrices, spheres or layers recomputes them below the marked nodes first, so that nobody sees an old world; where
nothing is marked that costs one look at a flag. `changed_since` tells the octree which nodes it has to hear of.

A node that is deleted keeps its row and its id, and is not alive: undo gives the very same node back. A row is never
used again for another node; saving leaves those of deleted nodes out, so that a project that is opened has none.
Columns have them still; a deleted node shows no mesh, has no children that live, and cannot be set.
"""

from __future__ import annotations

import threading

import numpy as np
from numpy.typing import ArrayLike

from scene.geometry.forest import depths_of
from scene.mesh.pool import Meshes
from scene.mesh.table import Columns
from scene.nodes.arguments import checked_rows
from scene.nodes.update import merge_boxes, update_world

NO_PARENT = -1


class NodeTable:
    """Nodes in columns, to be read; a Scene is one, and changes it.

    Attributes:
        meshes: the pooled triangles of all meshes.
        tree_revision: counts changes of which nodes there are and where they hang. names_revision: of their names.
        world_lock: held by who brings the world, or what is derived from it, up to date.
    """

    def __init__(self) -> None:
        self.meshes = Meshes()
        self._nodes = Columns(
            name=(np.dtypes.StringDType(), ()),
            parent=(np.int32, ()),
            translation=(np.float64, (3,)),
            rotation=(np.float64, (4,)),
            scale=(np.float64, (3,)),
            mesh=(np.int32, ()),
            material=(np.int32, ()),
            hidden=(np.bool_, ()),
            unselectable=(np.bool_, ()),
            layer=(np.uint8, ()),
            alive=(np.bool_, ()),
            kept_mesh=(np.int32, ()),  # what a deleted node showed; of others nothing
            world_from_local=(np.float64, (4, 4)),
            world_sphere=(np.float64, (4,)),
            world_revision=(np.int64, ()),  # of the update that recomputed the node last
            changed=(np.bool_, ()),
        )
        self.tree_revision = 0
        self.names_revision = 0
        self.world_lock = threading.RLock()
        self._order: np.ndarray | None = None
        self._change_count = 0  # of what was set that the world follows from
        self._computed_count = 0  # as many of these as the world has followed
        self._world_revision = 0
        self._recomputed = np.empty(0, dtype=np.int32)  # by the last update
        self._alive_count = 0

    def __len__(self) -> int:
        """How many nodes there are. Ids may be larger, where nodes were deleted: see `row_count`."""
        return self._alive_count

    @property
    def row_count(self) -> int:
        """How many rows the columns have, those of deleted nodes among them: all ids are below it."""
        return len(self._nodes)

    @property
    def ids(self) -> np.ndarray:
        """(k,) int32 ids of all nodes that there are, ascending."""
        return np.flatnonzero(self._nodes["alive"]).astype(np.int32)

    # Columns, read-only, by node id; n is row_count.

    @property
    def alive(self) -> np.ndarray:
        """(n,) bool: which nodes there are; the others were deleted, or are not added yet."""
        return self._nodes.read_only("alive")

    @property
    def names(self) -> np.ndarray:
        """(n,) strings."""
        return self._nodes.read_only("name")

    @property
    def parents(self) -> np.ndarray:
        """(n,) int32 node ids, -1 at the top."""
        return self._nodes.read_only("parent")

    @property
    def mesh_ids(self) -> np.ndarray:
        """(n,) int32, -1 for a node without a mesh, or deleted."""
        return self._nodes.read_only("mesh")

    @property
    def kept_mesh_ids(self) -> np.ndarray:
        """(n,) int32: what a deleted node shows once it is there again; -1 for nothing, and for others."""
        return self._nodes.read_only("kept_mesh")

    @property
    def material_overrides(self) -> np.ndarray:
        """(n,) int32: a material for the whole node, or -1: its mesh's own materials."""
        return self._nodes.read_only("material")

    @property
    def hidden(self) -> np.ndarray:
        """(n,) bool: nodes that are hidden, and with them all below."""
        return self._nodes.read_only("hidden")

    @property
    def unselectable(self) -> np.ndarray:
        """(n,) bool: nodes that a click does not select, nor what is below them."""
        return self._nodes.read_only("unselectable")

    @property
    def layers(self) -> np.ndarray:
        """(n,) uint8 of scene.layers: of its flags and those above."""
        self.update_world()
        return self._nodes.read_only("layer")

    @property
    def translations(self) -> np.ndarray:
        """(n, 3) float64, in the parent's frame."""
        return self._nodes.read_only("translation")

    @property
    def rotations(self) -> np.ndarray:
        """(n, 4) float64 unit quaternions x, y, z, w."""
        return self._nodes.read_only("rotation")

    @property
    def scales(self) -> np.ndarray:
        """(n, 3) float64."""
        return self._nodes.read_only("scale")

    @property
    def world_from_local(self) -> np.ndarray:
        """(n, 4, 4) float64."""
        self.update_world()
        return self._nodes.read_only("world_from_local")

    @property
    def world_spheres(self) -> np.ndarray:
        """(n, 4) float64 centre and radius; meaningless without a mesh."""
        self.update_world()
        return self._nodes.read_only("world_sphere")

    # Deriving.

    def parents_first(self) -> np.ndarray:
        """(row_count,) int32 node ids by depth, in id order within a depth; made anew when the tree's shape changed."""
        if self._order is None:
            parents = self._nodes["parent"]
            if (parents < np.arange(len(parents))).all():  # as long as nothing was reparented
                self._order = np.arange(len(parents), dtype=np.int32)
            else:
                self._order = np.argsort(depths_of(parents), kind="stable").astype(np.int32)
        return self._order

    def _mark_changed(self, ids: ArrayLike) -> None:
        """Say that something was set that the world of nodes, and of all below them, follows from."""
        self._nodes["changed"][ids] = True
        self._change_count += 1

    @property
    def is_stale(self) -> bool:
        """Whether nodes were set, and the world has not followed: the next who asks for it waits."""
        return self._computed_count != self._change_count

    def update_world(self) -> None:
        """Recompute world matrices, spheres and layers below the nodes that were set.

        Whatever is read of the world does this first. It is called to do it at a certain time.
        """
        if self._computed_count == self._change_count:
            return
        with self.world_lock:
            if self._computed_count != self._change_count:  # no other thread was quicker
                self._recompute()

    def _recompute(self) -> None:
        nodes, revision = self._nodes, self._world_revision + 1
        change_count = self._change_count  # first: what is set meanwhile is left for the next time
        recomputed = np.empty(self.row_count, dtype=np.int32)
        count = update_world(
            self.parents_first(),
            nodes["parent"],
            nodes["translation"],
            nodes["rotation"],
            nodes["scale"],
            nodes["mesh"],
            self.meshes.rows["sphere"],
            nodes["hidden"],
            nodes["unselectable"],
            nodes["changed"],
            revision,
            nodes["world_from_local"],
            nodes["world_sphere"],
            nodes["layer"],
            nodes["world_revision"],
            recomputed,
        )
        self._recomputed = recomputed[:count]
        self._world_revision = revision
        self._computed_count = change_count  # last: until then other threads wait

    @property
    def world_revision(self) -> int:
        """The number of the last update that recomputed something; larger whenever the world is another."""
        self.update_world()
        return self._world_revision

    def changed_since(self, revision: int) -> np.ndarray:
        """The nodes whose matrix, sphere, mesh or layer may be another than at an earlier `world_revision`.

        Whoever derives something from the world keeps the revision that it was derived from and asks this.

        Returns:
            (k,) int32 node ids, deleted ones among them; each once.
        """
        if revision == self.world_revision:
            return np.empty(0, dtype=np.int32)
        if revision == self._world_revision - 1:
            return self._recomputed
        return np.flatnonzero(self._nodes["world_revision"] > revision).astype(np.int32)

    def _take_nodes(self, other: NodeTable) -> None:
        """Have another table's nodes, used up, in the place of one's own; all of them have changed by that."""
        self._nodes, self._order, self._alive_count = other._nodes, other._order, other._alive_count
        self._change_count, self._computed_count = other._change_count, other._computed_count
        self._world_revision = max(self._world_revision, other._world_revision) + 1
        self._nodes["world_revision"][:] = self._world_revision
        self._recomputed = np.arange(self.row_count, dtype=np.int32)

    def checked_ids(self, ids: ArrayLike, *, alive: bool = False) -> np.ndarray:
        """Return node ids, one or a list of them, as (k,) int64.

        Args:
            alive: whether deleted nodes are refused as well.

        Raises:
            IndexError: they are not whole numbers from 0 to the last node's, or one was deleted.
        """
        try:
            checked = checked_rows("node", ids, self.row_count).ravel()
        except ValueError as error:
            raise IndexError(str(error)) from None
        if alive and not self._nodes["alive"][checked].all():
            raise IndexError("a node was deleted")
        return checked

    def bounds(self, ids: ArrayLike | None = None) -> tuple[np.ndarray, np.ndarray] | None:
        """The world box (lower, upper) of nodes with a mesh (of all, or of the given ids), or None if there are none.

        Exact where a node's axes stay parallel to the world's; else the box of its turned box, never too small.
        Nodes whose matrix overflowed do not count.

        Raises:
            IndexError: an id that is no node's.
        """
        ids = np.arange(self.row_count) if ids is None else self.checked_ids(ids)
        rows = self.meshes.rows
        box = np.array([[np.inf] * 3, [-np.inf] * 3])
        holders = np.empty((2, 3), dtype=np.int32)
        merge_boxes(ids, self.mesh_ids, self.world_from_local, rows["lower"], rows["upper"], box, holders)
        return (box[0], box[1]) if box[0, 0] <= box[1, 0] else None

    def element_count(self, element: str) -> int:
        """How many of "triangle", "line" or "point" the nodes show; a mesh shared by two nodes counts twice."""
        return int(self.meshes.rows[f"{element}_count"][self.mesh_ids[self.mesh_ids >= 0]].sum())

    def path_of(self, node_id: int) -> str:
        """The names from the top down to a node, joined by slashes. IndexError: an id that is no node's."""
        names = []
        (node_id,) = self.checked_ids([node_id]).tolist()
        while node_id != NO_PARENT:
            names.append(str(self.names[node_id]))
            node_id = self.parents[node_id]
        return "/".join(reversed(names))


def marks_of_nodes(marks: ArrayLike, count: int) -> np.ndarray:
    """(count,) bool by node id, of marks that may be from before nodes were added: these are not marked.

    ValueError: the marks are not (n,) bool.
    """
    marks = np.asarray(marks)
    if marks.ndim != 1 or (len(marks) and marks.dtype != np.bool_):
        raise ValueError(f"which nodes count must be (n,) bool by node id, not {marks.dtype} {marks.shape}")
    if len(marks) >= count:
        return marks[:count].astype(np.bool_, copy=False)
    return np.concatenate([marks, np.zeros(count - len(marks), dtype=np.bool_)]).astype(np.bool_, copy=False)

"""NodeTable: nodes as columns, and the world that follows from them.

Everything is a column (struct of arrays) indexed by node id. Setters, which are the Scene's, mark nodes;
`update_world` recomputes world matrices and spheres below the marked ones, once a frame, and says which ids changed.
Those are all that the octree and the picture need to hear of.

A node that is deleted keeps its row and its id, and is not alive: undo gives the very same node back. A row is never
used again for another node; saving leaves those of deleted nodes out, so that a project that is opened has none.
Columns have them still; a deleted node shows no mesh, has no children that live, and cannot be set.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from scene.columns import Columns
from scene.meshes import Meshes
from scene.world import depths_of, merge_boxes, update_world

NO_PARENT = -1


class NodeTable:
    """Nodes in columns, to be read; a Scene is one, and changes it.

    Attributes:
        meshes: the pooled triangles of all meshes.
        tree_revision: counts changes of which nodes there are and where they hang. names_revision: of their names.
        world_revision: counts the updates that recomputed something.
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
            changed=(np.bool_, ()),
        )
        self.tree_revision = 0
        self.names_revision = 0
        self.world_revision = 0
        self._order: np.ndarray | None = None
        self._any_changed = False
        self._untold: list[np.ndarray] = []  # nodes that were recomputed, and that no update_world returned
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
        return _read_only(self._nodes["alive"])

    @property
    def names(self) -> np.ndarray:
        """(n,) strings."""
        return _read_only(self._nodes["name"])

    @property
    def parents(self) -> np.ndarray:
        """(n,) int32 node ids, -1 at the top."""
        return _read_only(self._nodes["parent"])

    @property
    def mesh_ids(self) -> np.ndarray:
        """(n,) int32, -1 for a node without a mesh, or deleted."""
        return _read_only(self._nodes["mesh"])

    @property
    def kept_mesh_ids(self) -> np.ndarray:
        """(n,) int32: what a deleted node shows once it is there again; -1 for nothing, and for others."""
        return _read_only(self._nodes["kept_mesh"])

    @property
    def material_overrides(self) -> np.ndarray:
        """(n,) int32: a material for the whole node, or -1: its mesh's own materials."""
        return _read_only(self._nodes["material"])

    @property
    def hidden(self) -> np.ndarray:
        """(n,) bool: nodes that are hidden, and with them all below."""
        return _read_only(self._nodes["hidden"])

    @property
    def unselectable(self) -> np.ndarray:
        """(n,) bool: nodes that a click does not select, nor what is below them."""
        return _read_only(self._nodes["unselectable"])

    @property
    def layers(self) -> np.ndarray:
        """(n,) uint8 of scene.layers: of its flags and those above; as of `update_world`."""
        return _read_only(self._nodes["layer"])

    @property
    def translations(self) -> np.ndarray:
        """(n, 3) float64, in the parent's frame."""
        return _read_only(self._nodes["translation"])

    @property
    def rotations(self) -> np.ndarray:
        """(n, 4) float64 unit quaternions x, y, z, w."""
        return _read_only(self._nodes["rotation"])

    @property
    def scales(self) -> np.ndarray:
        """(n, 3) float64."""
        return _read_only(self._nodes["scale"])

    @property
    def world_from_local(self) -> np.ndarray:
        """(n, 4, 4) float64, as of the last `update_world`."""
        return _read_only(self._nodes["world_from_local"])

    @property
    def world_spheres(self) -> np.ndarray:
        """(n, 4) float64 centre and radius, as of the last `update_world`; meaningless without a mesh."""
        return _read_only(self._nodes["world_sphere"])

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

    def update_world(self) -> np.ndarray:
        """Recompute world matrices, spheres and layers below what changed since the last call.

        Returns:
            (k,) int32 ids of all recomputed nodes, parents before children; empty when nothing changed.
        """
        untold, self._untold = self._untold, []
        if len(untold) == 1 and not self._any_changed:
            return untold[0]
        for ids in untold:
            self._nodes["changed"][ids] = self._any_changed = True
        return self._recompute()

    @property
    def is_stale(self) -> bool:
        """Whether nodes were set since the last `update_world`."""
        return self._any_changed or len(self._untold) > 0

    def refresh_world(self) -> None:
        """Recompute what changed; the next `update_world` returns it still. For whoever asks between two frames."""
        ids = self._recompute()
        if len(ids):
            self._untold.append(ids)

    def _recompute(self) -> np.ndarray:
        if not self._any_changed:
            return np.empty(0, dtype=np.int32)
        self._any_changed = False
        self.world_revision += 1
        out = np.empty(self.row_count, dtype=np.int32)
        nodes = self._nodes
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
            nodes["world_from_local"],
            nodes["world_sphere"],
            nodes["layer"],
            out,
        )
        self._say_changed(out[:count])
        return out[:count]

    def _say_changed(self, ids: np.ndarray) -> None:
        """For those who derive something from what was recomputed."""

    def bounds(self, ids: np.ndarray | None = None) -> tuple[np.ndarray, np.ndarray] | None:
        """The world box (lower, upper) of nodes with a mesh (of all, or of the given ids), or None if there are none.

        Exact where a node's axes stay parallel to the world's; else the box of its turned box, never too small.
        Nodes whose matrix overflowed do not count.
        """
        ids = np.arange(self.row_count) if ids is None else np.asarray(ids, dtype=np.int64)
        rows = self.meshes.rows
        box = np.array([[np.inf] * 3, [-np.inf] * 3])
        merge_boxes(ids, self._nodes["mesh"], self._nodes["world_from_local"], rows["lower"], rows["upper"], box)
        return (box[0], box[1]) if box[0, 0] <= box[1, 0] else None

    def element_count(self, element: str) -> int:
        """How many of "triangle", "line" or "point" the nodes show; a mesh shared by two nodes counts twice."""
        return int(self.meshes.rows[f"{element}_count"][self.mesh_ids[self.mesh_ids >= 0]].sum())

    def path_of(self, node_id: int) -> str:
        """The names from the top down to a node, joined by slashes."""
        names = []
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


def _read_only(column: np.ndarray) -> np.ndarray:
    view = column.view()
    view.flags.writeable = False
    return view

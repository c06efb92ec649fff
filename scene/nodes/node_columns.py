"""NodeColumns: nodes as columns, and the world matrices and spheres that follow from them.

Everything is a column (struct of arrays) indexed by node id. Setters mark nodes. Reading world matrices, spheres or
layers first recomputes them for the marked nodes and their descendants, so that they are never out of date; where
nothing is marked, that costs one comparison. `changed_since` tells the octree which nodes have changed.

A deleted node keeps its row and its id, and is not alive: undo brings back the very same node. A row is never used
again for another node. Saving leaves out the rows of deleted nodes, so a project that is opened has none. A deleted
node shows no mesh, has no living children, and cannot be set.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any, Protocol
from weakref import WeakValueDictionary

import numpy as np

from octoscope.arguments import kind_of
from octoscope.scene.geometry.forest import depths_of
from octoscope.scene.mesh.color_scale import ColorScale, Covered
from octoscope.scene.mesh.material import DEFAULT_MATERIAL, Material
from octoscope.scene.mesh.pool import Meshes
from octoscope.scene.mesh.table import ColumnTable, new_version
from octoscope.scene.nodes.attributes import Column, Versioned
from octoscope.scene.nodes.attributes import read_only as unchangeable
from octoscope.scene.nodes.material_index import MadeMaterials, MaterialIndex
from octoscope.scene.nodes.update import update_world


def _with_default(materials: Iterable[Material]) -> tuple[Material, ...]:
    kept = tuple(materials)
    if not kept or not isinstance(kept[0], Material):
        raise ValueError("materials must be materials, of which the first, the default one, stays")
    return kept


class ColumnChange(Protocol):
    """Values of a column of nodes, before and after; scene.editing.edits has it."""

    @property
    def column(self) -> str: ...  # noqa: D102
    @property
    def ids(self) -> np.ndarray: ...  # noqa: D102
    @property
    def before(self) -> np.ndarray: ...  # noqa: D102
    @property
    def after(self) -> np.ndarray: ...  # noqa: D102


class MeshHolder(Protocol):
    """An edit: as long as it lives, it may be done, undone or done again, and make nodes show its meshes."""

    @property
    def changes(self) -> Sequence[ColumnChange]: ...  # noqa: D102


class NodeColumns:
    """The columns of nodes, with meshes and materials; NodeTable sets them.

    Attributes:
        tree_revision: the version of the last change of which nodes there are, their parents or their meshes.
        materials_revision: the version of the last replacement of a material.
        column_versions: by name, the version in which a column of nodes was last set; appended rows do not count.
        made_materials: materials that colours of nodes made, and free places in `materials` for more of them.
        edits: those made for the table that anybody still holds; nodes may show their meshes again.
        unused_bytes: memory of meshes that nodes no longer show, some of which may be freed.
        world_lock: held by the thread that updates the world, or what is derived from it.
    """

    # The reason why nothing can be set or added; None: all can. Whoever owns such a table sets it.
    read_only: str | None = None
    # Nodes and vertices refer to them by index.
    materials = Versioned[tuple[Material, ...]](_with_default, kind_of(Iterable[Any]))
    color_scales = Versioned[Mapping[int, ColorScale]](unchangeable, kind_of(Mapping[int, ColorScale]))  # by material
    covered_by_scalars = Versioned[Mapping[int, Covered]](unchangeable)  # by the material of a color scale
    # By node id; n is `row_count`. Arrays are read-only; methods set them.
    alive = Column("alive", "(n,) bool; False for nodes that were deleted, or are not added yet.")
    names = Column("name", "(n,) strings.")
    parents = Column("parent", "(n,) int32 node ids, -1 at the top.")
    orders = Column("order", "(n,) int32: nodes of one parent follow one another by it, equal ones by their ids.")
    mesh_ids = Column("mesh", "(n,) int32, -1 for a node without a mesh, and for a deleted one.")
    kept_mesh_ids = Column("kept_mesh", "(n,) int32: the mesh of a deleted node after undo, or -1; -1 for living ones.")
    instances = Column(
        "instance", "(n,) int32: which of its file's nodes with the same mesh it is; 0 where all are alike."
    )
    file_mesh_ids = Column(
        "file_mesh", "(n,) int32: the mesh whose file says what the node is, where it shows another one; or -1."
    )
    material_overrides = Column("material", "(n,) int32: a material for the whole node, or -1: those of its mesh.")
    hidden = Column("hidden", "(n,) bool: flag that hides a node with its descendants.")
    unselectable = Column("unselectable", "(n,) bool: flag that makes clicks go through a node and its descendants.")
    file_roots = Column("file_root", "(n,) bool: flag of a node that stands for a file, whose nodes are below it.")
    layers = Column("layer", "(n,) uint8 of scene.nodes.layers, by flags of a node and its ancestors.", derived=True)
    translations = Column("translation", "(n, 3) float64, in the parent's frame.")
    rotations = Column("rotation", "(n, 4) float64 unit quaternions x, y, z, w.")
    scales = Column("scale", "(n, 3) float64.")
    world_from_local = Column("world_from_local", "(n, 4, 4) float64.", derived=True)
    world_spheres = Column(
        "world_sphere", "(n, 4) float64 centre and radius; meaningless without a mesh.", derived=True
    )

    def __init__(self) -> None:
        self.meshes = Meshes()
        self.materials = (DEFAULT_MATERIAL,)
        self.made_materials = MadeMaterials()
        self.color_scales = {}
        self.covered_by_scalars = {}
        self.edits: WeakValueDictionary[int, MeshHolder] = WeakValueDictionary()  # by Python's id
        self.unused_bytes = 0
        self._version = self.tree_revision = self.materials_revision = new_version()
        self._nodes = ColumnTable(
            name=(np.dtypes.StringDType(), ()),
            parent=(np.int32, ()),
            order=(np.int32, ()),
            translation=(np.float64, (3,)),
            rotation=(np.float64, (4,)),
            scale=(np.float64, (3,)),
            mesh=(np.int32, ()),
            instance=(np.int32, ()),
            file_mesh=(np.int32, ()),
            material=(np.int32, ()),
            hidden=(np.bool_, ()),
            unselectable=(np.bool_, ()),
            file_root=(np.bool_, ()),
            layer=(np.uint8, ()),
            alive=(np.bool_, ()),
            kept_mesh=(np.int32, ()),
            world_from_local=(np.float64, (4, 4)),
            world_sphere=(np.float64, (4,)),
            world_revision=(np.int64, ()),  # of the update that recomputed the node last
            changed=(np.bool_, ()),
        )
        self.column_versions: Mapping[str, int] = dict.fromkeys(self._nodes.names, self._version)
        self.world_lock = threading.RLock()
        self._order: np.ndarray | None = None
        self._world_inputs = self._version  # the version of the last change that the world follows from
        self._world_revision = self._version  # the version of those changes that the world has followed
        self._recomputed = np.empty(0, dtype=np.int32)  # by the last update
        self._recomputed_since = 0  # the world's revision before that
        self._alive_count = 0

    @cached_property
    def material_index(self) -> MaterialIndex:
        """Finds materials by their values."""
        return MaterialIndex()

    def __len__(self) -> int:
        """Return the number of nodes that are alive. Ids may be larger: see `row_count`."""
        return self._alive_count

    @property
    def row_count(self) -> int:
        """Number of rows of the columns, those of deleted nodes included; all ids are below it."""
        return len(self._nodes)

    @property
    def ids(self) -> np.ndarray:
        """(k,) int32 ids of all nodes that are alive, ascending."""
        return np.flatnonzero(self._nodes["alive"]).astype(np.int32)

    def at_once(self, *columns: str) -> tuple[np.ndarray, ...]:
        """Return columns, by their names in the table, that are of one length also while nodes are added."""
        return self._nodes.at_once(*columns)

    @property
    def version(self) -> int:
        """A number that changes whenever anything of the table or its meshes does (scene.mesh.table.new_version)."""
        return max(self._version, self.meshes.version)

    @property
    def names_revision(self) -> int:
        """The version in which a name was last set."""
        return self.column_versions["name"]

    def _changed(self, *columns: str) -> int:
        """Record that something has changed, these columns of nodes among it; return the new version."""
        self._version = new_version()
        if columns:
            self.column_versions = {**self.column_versions, **dict.fromkeys(columns, self._version)}
        return self._version

    def parents_first(self) -> np.ndarray:
        """Return (row_count,) int32 node ids by depth, in id order within a depth; cached until the tree changes."""
        parents, order = self._nodes["parent"], self._order
        if order is None or len(order) != len(parents):
            if (parents < np.arange(len(parents))).all():  # as long as nothing was reparented
                order = np.arange(len(parents), dtype=np.int32)
            else:
                order = np.argsort(depths_of(parents), kind="stable").astype(np.int32)
            self._order = order
        return order

    def _mark_changed(self, ids: np.ndarray | slice) -> None:
        """Mark nodes whose world, and that of their descendants, is out of date."""
        self._nodes["changed"][ids] = True
        self._world_inputs = self._changed()

    @property
    def is_stale(self) -> bool:
        """True if the world is out of date, so that the next reader waits for an update."""
        return self._world_revision != self._world_inputs

    def update_world(self) -> None:
        """Recompute world matrices, spheres and layers of the nodes that were set and their descendants.

        Reading any of these does this first; call it to choose the time.
        """
        if self._world_revision == self._world_inputs:
            return
        with self.world_lock:
            if self._world_revision != self._world_inputs:  # no other thread was quicker
                self._recompute()

    def _recompute(self) -> None:
        nodes = self._nodes
        revision = self._world_inputs  # first: what is set meanwhile is left for the next time
        order = self.parents_first()
        recomputed = np.empty(len(order), dtype=np.int32)
        count = update_world(
            order,
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
        self._recomputed, self._recomputed_since = recomputed[:count], self._world_revision
        self._world_revision = revision  # last: until then other threads wait

    @property
    def world_revision(self) -> int:
        """The version of the last change that the world follows from."""
        self.update_world()
        return self._world_revision

    def changed_since(self, revision: int) -> np.ndarray:
        """Return the nodes whose matrix, sphere, mesh or layer may have changed since an earlier `world_revision`.

        Code that derives something from the world keeps the revision it was derived from and calls this.

        Returns:
            (k,) int32 node ids, deleted ones included; each once.
        """
        if revision == self.world_revision:
            return np.empty(0, dtype=np.int32)
        if revision == self._recomputed_since:
            return self._recomputed
        return np.flatnonzero(self._nodes["world_revision"] > revision).astype(np.int32)

    def _take_nodes(self, other: NodeColumns) -> None:
        """Replace the nodes by another table's, which must not be used afterwards; all nodes count as changed."""
        other.update_world()
        self._nodes, self._order, self._alive_count = other._nodes, other._order, other._alive_count
        self.column_versions = other.column_versions
        self._world_inputs = self._world_revision = self._changed()
        self._nodes["world_revision"][:] = self._world_revision
        self._recomputed, self._recomputed_since = np.arange(self.row_count, dtype=np.int32), 0

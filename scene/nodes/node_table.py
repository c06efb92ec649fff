"""NodeTable: nodes as columns, their setters, and the world matrices and bounds that follow from them.

Everything is a column (struct of arrays) indexed by node id. Setters mark nodes. Reading world matrices, spheres or
layers first recomputes them for the marked nodes and their descendants, so that they are never out of date; where
nothing is marked, that costs one comparison. `changed_since` tells the octree which nodes have changed.

A deleted node keeps its row and its id, and is not alive: undo brings back the very same node. A row is never used
again for another node. Saving leaves out the rows of deleted nodes, so a project that is opened has none. A deleted
node shows no mesh, has no living children, and cannot be set.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import ArrayLike

from octoscope.scene.geometry.forest import depths_of, nodes_in_cycles
from octoscope.scene.mesh.material import DEFAULT_MATERIAL, Material
from octoscope.scene.mesh.pool import NO_MESH, Meshes
from octoscope.scene.mesh.table import ColumnTable, new_version
from octoscope.scene.nodes.arguments import (
    checked_flags,
    checked_names,
    checked_rotations,
    checked_rows,
    checked_scales,
    checked_vectors,
)
from octoscope.scene.nodes.attributes import Column, Versioned
from octoscope.scene.nodes.layers import SELECTABLE
from octoscope.scene.nodes.update import merge_boxes, update_world

NO_PARENT = -1
_IDENTITY_ROTATION = (0.0, 0.0, 0.0, 1.0)


class NodeTable:
    """Nodes in columns, and the meshes and materials that they show; a Scene is one.

    Attributes:
        meshes: the pooled triangles of all meshes.
        materials: nodes and vertices refer to them by index. `add_material` appends; `set_material` replaces one.
        tree_revision: the version of the last change of which nodes there are, their parents or their meshes.
        materials_revision: the version of the last replacement of a material.
        column_versions: by name, the version in which a column of nodes was last set; appended rows do not count.
        read_only: the reason why nothing can be set or added; None: all can. It is set by whoever owns such a table.
        world_lock: held by the thread that updates the world, or what is derived from it.

        Columns, by node id; n is `row_count`. Arrays are read-only; methods set them.
        alive: (n,) bool; False for nodes that were deleted, or are not added yet.
        names: (n,) strings.
        parents: (n,) int32 node ids, -1 at the top.
        mesh_ids: (n,) int32, -1 for a node without a mesh, and for a deleted one.
        kept_mesh_ids: (n,) int32: the mesh that a deleted node shows again after undo, or -1; -1 for living nodes.
        material_overrides: (n,) int32: a material for the whole node, or -1: its mesh's own materials.
        hidden: (n,) bool: flag that hides a node with its descendants.
        unselectable: (n,) bool: flag that makes clicks go through a node and its descendants.
        layers: (n,) uint8 of scene.nodes.layers: the state that follows from a node's flags and its ancestors'.
        translations: (n, 3) float64, in the parent's frame.
        rotations: (n, 4) float64 unit quaternions x, y, z, w.
        scales: (n, 3) float64.
        world_from_local: (n, 4, 4) float64.
        world_spheres: (n, 4) float64 centre and radius; meaningless without a mesh.
    """

    read_only: str | None = None
    materials = Versioned[tuple[Material, ...]](tuple)
    alive = Column("alive")
    names = Column("name")
    parents = Column("parent")
    mesh_ids = Column("mesh")
    kept_mesh_ids = Column("kept_mesh")
    material_overrides = Column("material")
    hidden = Column("hidden")
    unselectable = Column("unselectable")
    layers = Column("layer", derived=True)
    translations = Column("translation")
    rotations = Column("rotation")
    scales = Column("scale")
    world_from_local = Column("world_from_local", derived=True)
    world_spheres = Column("world_sphere", derived=True)

    def __init__(self) -> None:
        self.meshes = Meshes()
        self.materials = (DEFAULT_MATERIAL,)
        self._version = self.tree_revision = self.materials_revision = new_version()
        self._nodes = ColumnTable(
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
            kept_mesh=(np.int32, ()),  # the mesh of a deleted node; -1 for others
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

    def check_editable(self) -> None:
        """Check that the table can be changed; all that sets or adds anything does this first.

        Raises:
            RuntimeError: with the reason why it cannot.
        """
        if self.read_only is not None:
            raise RuntimeError(f"read only: {self.read_only}")

    # Adding.

    def add_material(self, material: Material) -> int:
        """Append a material and return its id."""
        return self.add_materials([material]).start

    def add_materials(self, materials: Sequence[Material]) -> range:
        """Append materials and return their ids."""
        self.check_editable()
        self.materials = (*self.materials, *materials)
        return range(len(self.materials) - len(materials), len(self.materials))

    def set_material(self, material_id: int, material: Material) -> None:
        """Replace a material, for all nodes that show it.

        This is no edit and cannot be undone. It serves a gesture that goes on changing the material it has made.
        """
        self.replace_materials({material_id: material})

    def replace_materials(self, by_id: Mapping[int, Material]) -> None:
        """Replace materials by their ids, as `set_material` does one.

        Raises:
            ValueError: an id is none; none was replaced.
        """
        self.check_editable()
        if not by_id:
            return
        materials = list(self.materials)
        for number, material in zip(checked_rows("material", list(by_id), len(materials)), by_id.values(), strict=True):
            materials[number] = material
        self.materials = tuple(materials)
        self.materials_revision = self._changed()

    def add_nodes(
        self,
        names: Sequence[str] | np.ndarray,
        *,
        parent: ArrayLike | None = NO_PARENT,
        mesh: ArrayLike = NO_MESH,
        material: ArrayLike = -1,
        translation: ArrayLike = (0.0, 0.0, 0.0),
        rotation: ArrayLike = _IDENTITY_ROTATION,
        scale: ArrayLike = (1.0, 1.0, 1.0),
        hidden: ArrayLike = False,
        unselectable: ArrayLike = False,
        alive: bool = True,
    ) -> range:
        """Append n nodes at once; every argument but `names` is one value for all or one for each.

        Args:
            names: n names; they need not differ.
            parent: existing nodes or their ids, ids of new ones that come earlier; -1 or None: the top.
            mesh: mesh ids, or -1.
            material: material ids, or -1 for the mesh's own.
            translation: (3,) or (n, 3).
            rotation: (4,) or (n, 4) quaternions x, y, z, w of any length above 0.
            scale: (3,) or (n, 3).
            hidden: flags, for descendants as well.
            unselectable: flags, for descendants as well.
            alive: False adds the rows only; `set_alive` makes nodes of them, so that adding can be an edit.

        Raises:
            ValueError: a value is not finite or refers to something that is not there; nothing was added.
        """
        self.check_editable()
        names = checked_names(names)
        parent = self.checked_parents(parent, self.row_count + np.arange(len(names)))
        mesh = checked_rows("mesh", mesh, len(self.meshes), lowest=NO_MESH)
        material = checked_rows("material", material, len(self.materials), lowest=-1)
        old = parent[(parent >= 0) & (parent < self.row_count)]
        if alive and not self._nodes["alive"][old].all():
            raise ValueError("a parent was deleted")
        ids = self._nodes.append(
            len(names),
            name=names,
            parent=parent,
            translation=checked_vectors("translation", translation, len(names)),
            rotation=checked_rotations(rotation, len(names)),
            scale=checked_scales(scale, len(names)),
            mesh=mesh if alive else NO_MESH,
            material=material,
            hidden=checked_flags("hidden", hidden),
            unselectable=checked_flags("unselectable", unselectable),
            layer=SELECTABLE,
            alive=alive,
            kept_mesh=NO_MESH if alive else mesh,
            world_from_local=np.eye(4),
        )
        self._alive_count += len(ids) if alive else 0
        self._mark_changed(slice(ids.start, ids.stop))
        self._order = None
        self.tree_revision = self._changed()
        return ids

    def reuse_nodes(
        self,
        ids: np.ndarray,
        names: np.ndarray,
        *,
        parent: np.ndarray,
        mesh: np.ndarray,
        translation: np.ndarray,
        rotation: np.ndarray,
        scale: np.ndarray,
    ) -> None:
        """Make other nodes of the rows of deleted ones, which nothing can restore any more.

        This is for nodes that come and go by themselves, in a scene without undo: rows would pile up for ever.

        Args:
            ids: (k,) of deleted nodes.
            names: (k,).
            parent: (k,) ids of living nodes or of those that are made, or -1.
            mesh: (k,) mesh ids, or -1.
            translation: (k, 3).
            rotation: (k, 4) quaternions x, y, z, w.
            scale: (k, 3).

        Raises:
            ValueError: one of them is alive, or as for `add_nodes`; nothing was changed.
        """
        self.check_editable()
        ids = self.checked_ids(ids)
        parent = checked_rows("parent", parent, self.row_count, lowest=NO_PARENT)
        mesh = checked_rows("mesh", mesh, len(self.meshes), lowest=NO_MESH)
        given: dict[str, ArrayLike] = {
            "name": checked_names(names),
            "parent": parent,
            "translation": checked_vectors("translation", translation, len(ids)),
            "rotation": checked_rotations(rotation, len(ids)),
            "scale": checked_scales(scale, len(ids)),
            "mesh": mesh,
            "material": -1,
            "hidden": False,
            "unselectable": False,
            "alive": True,
            "kept_mesh": NO_MESH,
        }
        rows = {
            name: np.broadcast_to(values, (len(ids), *self._nodes[name].shape[1:])) for name, values in given.items()
        }
        lives = self._nodes["alive"].copy()
        if lives[ids].any():
            raise ValueError("a node was not deleted")
        lives[ids] = True
        if not lives[parent[parent >= 0]].all():
            raise ValueError("a parent was deleted")
        for name, values in rows.items():
            self._nodes[name][ids] = values
        self._alive_count += len(ids)
        self._mark_changed(ids)
        self._order = None
        self.tree_revision = self._changed(*rows)

    # Changing.

    def set_translations(self, ids: ArrayLike, translations: ArrayLike) -> None:
        """Place nodes in their parents' frames: (k,) ids, (k, 3) or (3,).

        Raises:
            ValueError: not finite.
        """
        ids = self.checked_ids(ids, alive=True)
        self._set("translation", ids, checked_vectors("translation", translations, len(ids)))

    def set_rotations(self, ids: ArrayLike, rotations: ArrayLike) -> None:
        """Rotate nodes by quaternions x, y, z, w, normalised here.

        Raises:
            ValueError: not finite, or of length zero.
        """
        ids = self.checked_ids(ids, alive=True)
        self._set("rotation", ids, checked_rotations(rotations, len(ids)))

    def set_scales(self, ids: ArrayLike, scales: ArrayLike) -> None:
        """Scale nodes along their own axes; zero and negative are allowed.

        Raises:
            ValueError: not finite.
        """
        ids = self.checked_ids(ids, alive=True)
        self._set("scale", ids, checked_scales(scales, len(ids)))

    def set_hidden(self, ids: ArrayLike, hidden: ArrayLike) -> None:
        """Hide nodes with their descendants, or show them again."""
        self._set("hidden", ids, checked_flags("hidden", hidden))

    def set_unselectable(self, ids: ArrayLike, unselectable: ArrayLike) -> None:
        """Make clicks go through nodes and their descendants, or not."""
        self._set("unselectable", ids, checked_flags("unselectable", unselectable))

    def set_names(self, ids: ArrayLike, names: ArrayLike) -> None:
        """Rename nodes."""
        self.check_editable()
        names, ids = checked_names(names), self.checked_ids(ids, alive=True)
        self._nodes["name"][ids] = names
        self._changed("name")

    def set_alive(self, ids: ArrayLike, alive: ArrayLike) -> None:
        """Delete nodes (False), or restore them as they were (True); all at once.

        Raises:
            IndexError: there is no such row.
            ValueError: the parent of a living node would be deleted; nothing was changed.
        """
        self.check_editable()
        ids = self.checked_ids(ids)
        column, parents = self._nodes["alive"], self._nodes["parent"]
        were = column.copy()
        column[ids] = checked_flags("alive", alive)
        orphans = np.flatnonzero(column & (parents >= 0) & ~column[parents])
        if len(orphans):
            column[:] = were
            raise ValueError(f"{self.names[orphans[0]]!r} is a child of a deleted node")
        mesh, kept_mesh = self._nodes["mesh"], self._nodes["kept_mesh"]
        # From whole columns, not by np.unique of the ids, which takes 0.3 s for 500,000.
        born, dead = np.flatnonzero(column & ~were), np.flatnonzero(were & ~column)
        mesh[born], kept_mesh[born] = kept_mesh[born], NO_MESH
        kept_mesh[dead], mesh[dead] = mesh[dead], NO_MESH
        self._alive_count += len(born) - len(dead)
        self._mark_changed(born)
        self._mark_changed(dead)
        self.tree_revision = self._changed("alive", "mesh", "kept_mesh")

    def set_meshes(self, ids: ArrayLike, mesh_ids: ArrayLike) -> None:
        """Give nodes other meshes, or none (-1).

        Raises:
            ValueError: there is no such mesh.
        """
        self._set("mesh", ids, checked_rows("mesh", mesh_ids, len(self.meshes), lowest=NO_MESH))
        self.tree_revision = self._changed()

    def set_meshes_of_deleted(self, ids: np.ndarray, mesh_ids: np.ndarray) -> None:
        """Give deleted nodes other meshes, or none (-1), for when they are restored."""
        self.check_editable()
        ids = self.checked_ids(ids)
        if self._nodes["alive"][ids].any():
            raise ValueError("a node was not deleted")
        self._nodes["kept_mesh"][ids] = checked_rows("mesh", mesh_ids, len(self.meshes), lowest=NO_MESH)
        self._changed("kept_mesh")

    def replace_meshes(self, meshes: Meshes, changed_ids: np.ndarray) -> None:
        """Replace the pool of meshes.

        Args:
            meshes: another pool, in which all meshes have the ids that they had.
            changed_ids: nodes whose mesh has another shape than before.
        """
        self.check_editable()
        self.meshes = meshes
        self._mark_changed(changed_ids)
        self.tree_revision = self._changed()

    def renumber_meshes(self, meshes: Meshes, numbers: np.ndarray, materials: Sequence[Material]) -> None:
        """Replace the pool of meshes by one with other ids, and the materials by others.

        Args:
            numbers: (m,) int32 the id in it of each mesh of the present pool, -1 for one that is left out. No living
                node shows such a mesh.
            materials: to which its vertices refer; no node has a material of its own.
        """
        self.check_editable()
        assert (self._nodes["material"] < 0).all(), "nodes' own materials would be others"
        numbers = np.append(numbers, NO_MESH).astype(np.int32)
        self._nodes["mesh"][:] = numbers[self._nodes["mesh"]]
        self._nodes["kept_mesh"][:] = numbers[self._nodes["kept_mesh"]]
        self.meshes, self.materials = meshes, tuple(materials)
        self.tree_revision = self.materials_revision = self._changed("mesh", "kept_mesh")

    def set_materials(self, ids: ArrayLike, materials: ArrayLike) -> None:
        """Override nodes' materials, or not (-1: their meshes' own).

        Raises:
            ValueError: there is no such material.
        """
        self._set("material", ids, checked_rows("material", materials, len(self.materials), lowest=-1))

    def set_parents(self, ids: ArrayLike, parents: ArrayLike | None) -> None:
        """Give nodes other parents (-1 or None: the top), all at once; local transforms stay.

        Raises:
            ValueError: a parent is not there, is the node itself or its descendant; nothing was changed.
        """
        self.check_editable()
        ids = self.checked_ids(ids, alive=True)
        parents = self.checked_parents(parents, self.row_count)
        if not self._nodes["alive"][parents[parents >= 0]].all():
            raise ValueError("a parent was deleted")
        column = self._nodes["parent"]
        before = column[ids]
        column[ids] = parents
        circle = nodes_in_cycles(column, ids)
        if len(circle):
            column[ids] = before
            raise ValueError(f"{self.names[ids[np.isin(ids, circle)][0]]!r} cannot be its own ancestor")
        self._mark_changed(ids)
        self._order = None
        self.tree_revision = self._changed("parent")

    def _set(self, column: str, ids: ArrayLike, values: np.ndarray) -> None:
        self.check_editable()
        ids = self.checked_ids(ids, alive=True)
        self._nodes[column][ids] = values
        self._mark_changed(ids)
        self._changed(column)

    # Deriving.

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

    def _take_nodes(self, other: NodeTable) -> None:
        """Replace the nodes by another table's, which must not be used afterwards; all nodes count as changed."""
        other.update_world()
        self._nodes, self._order, self._alive_count = other._nodes, other._order, other._alive_count
        self.column_versions = other.column_versions
        self._world_inputs = self._world_revision = self._changed()
        self._nodes["world_revision"][:] = self._world_revision
        self._recomputed, self._recomputed_since = np.arange(self.row_count, dtype=np.int32), 0

    def checked_ids(self, ids: ArrayLike, *, alive: bool = False) -> np.ndarray:
        """Return node ids as (k,) int64.

        Args:
            ids: one or a list of them; or nodes of this scene.
            alive: refuse deleted nodes as well.

        Raises:
            IndexError: they are not whole numbers from 0 to the last node's, or one was deleted.
            ValueError: they are nodes of another scene.
        """
        self._check_scene_of(ids)
        try:
            checked = checked_rows("node", ids, self.row_count).ravel()
        except ValueError as error:
            raise IndexError(str(error)) from None
        if alive and not self._nodes["alive"][checked].all():
            raise IndexError("a node was deleted")
        return checked

    def checked_parents(self, parents: ArrayLike | None, count: ArrayLike) -> np.ndarray:
        """Return the ids of parents as int64, -1 for None, of the shape given.

        Args:
            parents: ids or nodes of this scene, -1 or None.
            count: ids are below it; or one for each.

        Raises:
            ValueError: there is no such node, or it is of another scene.
        """
        self._check_scene_of(parents)
        return checked_rows("parent", NO_PARENT if parents is None else parents, count, lowest=NO_PARENT)

    def _check_scene_of(self, given: object) -> None:
        """Check that nodes which are given in place of ids are this scene's."""
        if isinstance(given, (int, np.ndarray)):
            return
        first = given[0] if isinstance(given, (list, tuple)) and given else given
        if hasattr(first, "scene"):
            for node in [first] if first is given else given:  # type: ignore[attr-defined]
                if getattr(node, "scene", self) is not self:
                    raise ValueError(f"{node!r} is a node of another scene")

    def own_bounds(self, ids: ArrayLike | None = None) -> tuple[np.ndarray, np.ndarray] | None:
        """Return the world box (lower, upper) of nodes alone, without what is below them; None if none has a mesh.

        It is exact where a node's axes are parallel to the world's; else it encloses the node's rotated box, and is
        never too small. Nodes whose matrix overflowed do not count.

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
        """Count the elements ("triangle", "line", "point", "vertex") of all nodes; of shared meshes for each node."""
        return int(self.meshes.rows[f"{element}_count"][self.mesh_ids[self.mesh_ids >= 0]].sum())

    def path_of(self, node_id: int) -> str:
        """Return the names from the top down to a node, joined by slashes."""
        names = []
        (node_id,) = self.checked_ids([node_id]).tolist()
        while node_id != NO_PARENT:
            names.append(str(self.names[node_id]))
            node_id = self.parents[node_id]
        return "/".join(reversed(names))


def marks_of_nodes(table: NodeTable, marks: ArrayLike) -> np.ndarray:
    """Return marks by node id as (row_count,) bool; nodes that were added after the marks were made are not marked.

    Args:
        marks: (n,) bool by node id; or the nodes themselves, or their ids.

    Raises:
        ValueError: the marks are not (n,) bool.
    """
    count, given = table.row_count, marks
    marks = np.asarray(marks)
    if marks.dtype.kind in "iu":
        ids, marks = table.checked_ids(given), np.zeros(count, dtype=np.bool_)
        marks[ids] = True
    if marks.ndim != 1 or (len(marks) and marks.dtype != np.bool_):
        raise ValueError(f"which nodes count must be (n,) bool by node id, not {marks.dtype} {marks.shape}")
    if len(marks) >= count:
        return marks[:count].astype(np.bool_, copy=False)
    return np.concatenate([marks, np.zeros(count - len(marks), dtype=np.bool_)]).astype(np.bool_, copy=False)

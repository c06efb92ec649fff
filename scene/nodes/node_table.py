"""NodeTable: nodes as columns, with the methods that add and set them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import ArrayLike

from octoscope.array_arguments import for_each
from octoscope.scene.geometry.forest import nodes_in_cycles
from octoscope.scene.mesh.material import Material
from octoscope.scene.mesh.pool import FREED, NO_MESH, Meshes
from octoscope.scene.nodes.arguments import (
    checked_flags,
    checked_names,
    checked_orders,
    checked_rotations,
    checked_rows,
    checked_scales,
    checked_vectors,
)
from octoscope.scene.nodes.layers import SELECTABLE
from octoscope.scene.nodes.material_index import MadeMaterials
from octoscope.scene.nodes.node_columns import NodeColumns
from octoscope.scene.nodes.update import merge_boxes

NO_PARENT = -1
_IDENTITY_ROTATION = (0.0, 0.0, 0.0, 1.0)


class DeletedNodeError(IndexError):
    """A node that was deleted is asked for, as one that was chosen before a file was read again may be."""


_ELEMENTS = ("triangle", "line", "point", "vertex")


class NodeTable(NodeColumns):
    """Nodes in columns, and the meshes and materials that they show; a Scene is one."""

    def check_editable(self) -> None:
        """Check that the table can be changed; all that sets or adds anything does this first."""
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

    def replace_materials(self, by_id: Mapping[int, Material]) -> None:
        """Replace materials by their ids, for all nodes that show them. This is no edit and cannot be undone.

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
        order: ArrayLike = 0,
        instance: ArrayLike = 0,
        file_mesh: ArrayLike = NO_MESH,
        file_root: ArrayLike = False,
        alive: bool = True,
    ) -> range:
        """Append n nodes at once; every argument but `names` is one value for all or one for each.

        Args:
            names: n names; they need not differ.
            parent: existing nodes or their ids, ids of new ones that come earlier; -1 or None: the top.
            mesh: mesh ids, or nodes that show the meshes; -1: none.
            material: material ids, or -1 for the mesh's own.
            translation: (3,) or (n, 3).
            rotation: (4,) or (n, 4) quaternions x, y, z, w of any length above 0.
            scale: (3,) or (n, 3).
            hidden: flags, for descendants as well.
            unselectable: flags, for descendants as well.
            order: whole numbers, by which nodes of one parent follow one another; equal ones by their ids.
            instance: whole numbers, for files that tell nodes with the same mesh apart.
            file_mesh: ids of the meshes whose files say what the nodes are, where these show others; -1: none.
            file_root: flags of nodes that stand for files.
            alive: False adds the rows only; `set_alive` makes nodes of them, so that adding can be an edit.

        Raises:
            ValueError: a value is not finite or refers to something that is not there; nothing was added.
        """
        self.check_editable()
        names = checked_names(names)
        if names.ndim != 1:
            raise ValueError("names must be a list, of a name for each node; add_node(name) adds one")
        parent = self.checked_parents(parent, self.row_count + np.arange(len(names)))
        mesh = self.checked_meshes(mesh)
        material = self.checked_materials(material)
        old = parent[(parent >= 0) & (parent < self.row_count)]
        if alive and not self._nodes["alive"][old].all():
            raise ValueError("a parent was deleted")
        ids = self._nodes.append(
            len(names),
            name=names,
            parent=parent,
            order=checked_orders("order", order),
            instance=checked_orders("instance", instance),
            file_mesh=self.checked_meshes(file_mesh, "file_mesh"),
            translation=checked_vectors("translation", translation, len(names)),
            rotation=checked_rotations(rotation, len(names)),
            scale=checked_scales(scale, len(names)),
            mesh=mesh if alive else NO_MESH,
            material=material,
            hidden=checked_flags("hidden", hidden),
            unselectable=checked_flags("unselectable", unselectable),
            file_root=checked_flags("file_root", file_root),
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
            ids: (k,) of deleted nodes; the others as for `add_nodes`, a row for each. A parent may be one of them.

        Raises:
            ValueError: one of them is alive, or as for `add_nodes`; nothing was changed.
        """
        self.check_editable()
        ids = self.checked_ids(ids)
        parent = checked_rows("parent", parent, self.row_count, lowest=NO_PARENT)
        mesh = self.checked_meshes(mesh)
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
            "order": 0,
            "instance": 0,
            "file_mesh": NO_MESH,
            "file_root": False,
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
        """Place nodes in their parents' frames: (k,) ids, (k, 3) or (3,), all finite."""
        ids = self.checked_ids(ids, alive=True)
        self._set("translation", ids, checked_vectors("translation", translations, len(ids)))

    def set_rotations(self, ids: ArrayLike, rotations: ArrayLike) -> None:
        """Rotate nodes by finite quaternions x, y, z, w of any length above 0, normalised here."""
        ids = self.checked_ids(ids, alive=True)
        self._set("rotation", ids, checked_rotations(rotations, len(ids)))

    def set_scales(self, ids: ArrayLike, scales: ArrayLike) -> None:
        """Scale nodes along their own axes; zero and negative are allowed, infinite is not."""
        ids = self.checked_ids(ids, alive=True)
        self._set("scale", ids, checked_scales(scales, len(ids)))

    def set_hidden(self, ids: ArrayLike, hidden: ArrayLike) -> None:
        """Hide nodes with their descendants, or show them again."""
        self._set("hidden", ids, checked_flags("hidden", hidden))

    def set_unselectable(self, ids: ArrayLike, unselectable: ArrayLike) -> None:
        """Make clicks go through nodes and their descendants, or not."""
        self._set("unselectable", ids, checked_flags("unselectable", unselectable))

    def set_orders(self, ids: ArrayLike, orders: ArrayLike) -> None:
        """Change how nodes of one parent follow one another: by these whole numbers, equal ones by their ids."""
        self.check_editable()
        ids = self.checked_ids(ids, alive=True)
        self._nodes["order"][ids] = for_each(checked_orders("order", orders), "order", (len(ids),))
        self.tree_revision = self._changed("order")

    def set_instances(self, ids: ArrayLike, instances: ArrayLike) -> None:
        """Say which of their files' nodes with the same meshes nodes are."""
        self._set("instance", ids, checked_orders("instance", instances))

    def set_file_meshes(self, ids: ArrayLike, mesh_ids: ArrayLike) -> None:
        """Say by which meshes of files it is known what nodes are that show others."""
        self._set("file_mesh", ids, self.checked_meshes(mesh_ids, "file_mesh"))

    def stating_meshes(self, ids: np.ndarray) -> np.ndarray:
        """Return (k,) the mesh by whose file it is known what each node is, also where it shows another; or -1."""
        return self.file_mesh_ids[ids]

    def set_file_roots(self, ids: ArrayLike, file_roots: ArrayLike) -> None:
        """Say of nodes that they stand for files, or do not."""
        self._set("file_root", ids, checked_flags("file_root", file_roots))
        self.tree_revision = self._changed()

    def set_names(self, ids: ArrayLike, names: ArrayLike) -> None:
        """Rename nodes."""
        self.check_editable()
        names, ids = checked_names(names), self.checked_ids(ids, alive=True)
        self._nodes["name"][ids] = names
        self._changed("name")

    def set_alive(self, ids: ArrayLike, alive: ArrayLike) -> None:
        """Delete nodes (False), or restore them as they were (True); all at once.

        Raises:
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
        """Give nodes other meshes, those of other nodes, or none (-1)."""
        self._set("mesh", ids, self.checked_meshes(mesh_ids))
        self.tree_revision = self._changed()

    def set_meshes_of_deleted(self, ids: np.ndarray, mesh_ids: np.ndarray) -> None:
        """Give deleted nodes other meshes, or none (-1), for when they are restored."""
        self._set_deleted("kept_mesh", ids, self.checked_meshes(mesh_ids))

    def set_parents_of_deleted(self, ids: np.ndarray, parents: np.ndarray) -> None:
        """Give deleted nodes other parents (-1: the top), for when they are restored."""
        self._set_deleted("parent", ids, self.checked_parents(parents, self.row_count))
        self._order = None

    def _set_deleted(self, column: str, ids: np.ndarray, values: np.ndarray) -> None:
        self.check_editable()
        ids = self.checked_ids(ids)
        if self._nodes["alive"][ids].any():
            raise ValueError("a node was not deleted")
        self._nodes[column][ids] = values
        self._changed(column)

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
        self.meshes, self.materials, self.made_materials = meshes, tuple(materials), MadeMaterials()
        self.tree_revision = self.materials_revision = self._changed("mesh", "kept_mesh")

    def set_materials(self, ids: ArrayLike, materials: ArrayLike) -> None:
        """Override nodes' materials, or not (-1: their meshes' own).

        Raises:
            ValueError: there is no such material.
        """
        self._set("material", ids, self.checked_materials(materials))

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
        kept = self._nodes[column]
        kept[ids] = for_each(values, column, (len(ids), *kept.shape[1:]))
        self._mark_changed(ids)
        self._changed(column)

    def checked_ids(self, ids: ArrayLike, *, alive: bool = False) -> np.ndarray:
        """Return node ids as (k,) int64.

        Args:
            ids: one or a list of them; or nodes of this scene.

        Raises:
            IndexError: they are not whole numbers from 0 to the last node's, or one was deleted.
            ValueError: they are nodes of another scene.
        """
        self._check_scene_of(ids)
        try:
            checked = checked_rows("node", ids, self.row_count).ravel()
        except ValueError as error:
            raise IndexError(str(error)) from None
        if alive and not (is_alive := self._nodes["alive"][checked]).all():
            deleted = int(checked[np.argmin(is_alive)])
            raise DeletedNodeError(f"node {deleted}, {str(self.names[deleted])!r}, was deleted")
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

    def checked_materials(self, materials: ArrayLike) -> np.ndarray:
        """Return material ids as int64 of the shape given, -1 for a mesh's own.

        Raises:
            ValueError: there is no such material, or no more; or a node is given, which may show several.
        """
        if self._check_scene_of(materials):
            raise ValueError("material: ids of materials are needed, such as add_material returns, not nodes")
        checked = checked_rows("material", materials, len(self.materials), lowest=-1)
        if len(self.made_materials.free) and np.isin(checked, self.made_materials.free).any():
            raise ValueError(
                "material: it was dropped when nothing showed it any more; set node.color or node.material"
            )
        return checked

    def checked_meshes(self, meshes: ArrayLike, name: str = "mesh") -> np.ndarray:
        """Return mesh ids as int64 of the shape given, -1 for none; nodes stand for the meshes that they show.

        Raises:
            ValueError: there is no such mesh, or no more.
        """
        given = self.mesh_ids[self.checked_ids(meshes)] if self._check_scene_of(meshes) else meshes
        checked = checked_rows(name, given, len(self.meshes), lowest=NO_MESH)
        if (self.meshes.rows["lifetime"][checked[checked >= 0]] == FREED).any():
            raise ValueError("mesh: it was freed when no node and no edit used it any more; add it again")
        return checked

    def _check_scene_of(self, given: object) -> bool:
        """Check that nodes which are given in place of ids are this scene's; return whether nodes are given."""
        if isinstance(given, (int, np.ndarray)):
            return False
        several = given if isinstance(given, (list, tuple)) else [given]
        if not any(hasattr(kind, "scene") for kind in set(map(type, several))):  # nodes may stand among ids
            return False
        for node in several:
            if getattr(node, "scene", self) is not self:
                raise ValueError(f"{node!r} is a node of another scene")
        return True

    def own_bounds(self, ids: ArrayLike | None = None) -> tuple[np.ndarray, np.ndarray] | None:
        """Return the world box (lower, upper) of nodes alone, without what is below them; None if none has a mesh.

        It is exact where a node's axes are parallel to the world's; else it encloses the node's rotated box, and is
        never too small. Nodes whose matrix overflowed do not count.
        """
        ids = np.arange(self.row_count) if ids is None else self.checked_ids(ids)
        rows = self.meshes.rows
        box = np.array([[np.inf] * 3, [-np.inf] * 3])
        holders = np.empty((2, 3), dtype=np.int32)
        merge_boxes(ids, self.mesh_ids, self.world_from_local, rows["lower"], rows["upper"], box, holders)
        return (box[0], box[1]) if box[0, 0] <= box[1, 0] else None

    def element_count(self, element: str) -> int:
        """Count the elements ("triangle", "line", "point", "vertex") of all nodes; of shared meshes for each node.

        Raises:
            ValueError: `element` is none of these.
        """
        if element not in _ELEMENTS:
            raise ValueError(f"element: one of {', '.join(map(repr, _ELEMENTS))} is needed, not {element!r}")
        return int(self.meshes.rows[f"{element}_count"][self.mesh_ids[self.mesh_ids >= 0]].sum())

    def path_of(self, node_id: int) -> str:
        """Return the names from the top down to a node, joined by slashes."""
        names = []
        (node_id,) = self.checked_ids([node_id]).tolist()
        while node_id != NO_PARENT:
            names.append(str(self.names[node_id]))
            node_id = self.parents[node_id]
        return "/".join(reversed(names))

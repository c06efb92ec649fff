"""Scene: a tree of nodes with local transforms, the meshes they show, and the world that follows from both.

Nodes are columns (scene.node_table); a `Node` is a handle made when somebody asks.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike

from scene.bookmarks import Bookmark, with_more
from scene.content import FileContent
from scene.file_state import ProjectState
from scene.geometry.affine import finite, unit_rotations
from scene.geometry.forest import nodes_in_cycles
from scene.loaded_source import LoadedSource
from scene.measurement import Measurement
from scene.mesh.material import DEFAULT_MATERIAL, Material
from scene.mesh.pool import NO_MESH, Meshes
from scene.node import Node
from scene.nodes.arguments import checked_flags, checked_names, checked_rows
from scene.nodes.layers import SELECTABLE
from scene.nodes.node_table import NO_PARENT, NodeTable
from scene.queries import OWN, Spatial
from scene.system.report import LoadReport

_IDENTITY_ROTATION = (0.0, 0.0, 0.0, 1.0)


class Scene(Spatial, NodeTable):
    """Nodes, meshes and materials; the columns of nodes, and what follows from them, are NodeTable's.

    Attributes:
        materials: list of Material; nodes and vertices refer to it by place. To be read; `add_material` appends, and
            only who made one may put another in its place (`set_material`).
        materials_revision: counts materials that were put in the place of others.
        bookmarks: places to look from, by name.
        sources: paths of the files that meshes came from; they refer to it by place. Only appended to.
        loaded_sources: by place in `sources`, what is kept of those that could be read.
        report: what opening files into this scene brought.
        project: what it keeps of its project file.
        measurements: those that a person made, in order; those of deleted nodes among them.
        write_count: counts how often something of nodes was set, to see that nobody else has set anything since.
    """

    def __init__(self) -> None:
        super().__init__()
        self.materials: list[Material] = [DEFAULT_MATERIAL]
        self.materials_revision = 0
        self.bookmarks: dict[str, Bookmark] = {}
        self.sources: list[Path] = []
        self.loaded_sources: dict[int, LoadedSource] = {}
        self.report = LoadReport()
        self.project = ProjectState()
        self.measurements: list[Measurement] = []
        self.write_count = 0

    def __iter__(self) -> Iterator[Node]:
        return (Node(self, node_id) for node_id in self.ids.tolist())

    def __getitem__(self, name: str) -> Node:
        """The first node of that name; KeyError when there is none."""
        found = np.flatnonzero((self._nodes["name"] == name) & self._nodes["alive"])
        if len(found) == 0:
            raise KeyError(name)
        return Node(self, int(found[0]))

    # Building.

    def add_content(self, content: FileContent, path: Path | None, *, alive: bool = True) -> range:
        """Append what a file holds: a node of the file's name, and below it the file's own nodes.

        The meshes' arrays may become the scene's own (Meshes.extend): the content is used up.

        Args:
            alive: as for `add_nodes`.

        Returns:
            the ids of the new nodes; the first is the file's.
        """
        if path is not None:
            self.sources.append(path)
        self.bookmarks = with_more(self.bookmarks, content.bookmarks)
        first_material = len(self.materials)
        first_mesh = self.add_meshes(content, -1 if path is None else len(self.sources) - 1).start
        top = self.add_node(content.name, alive=alive).id
        nodes = self.add_nodes(
            content.node_names,
            parent=np.where(content.node_parents < 0, top, content.node_parents + top + 1),
            mesh=np.where(content.node_meshes < 0, NO_MESH, content.node_meshes + first_mesh),
            material=-1
            if content.node_materials is None
            else np.where(content.node_materials < 0, -1, content.node_materials + first_material),
            alive=alive,
            **{
                name: column
                for name, column in (
                    ("translation", content.translations),
                    ("rotation", content.rotations),
                    ("scale", content.scales),
                )
                if column is not None
            },
        )
        return range(top, nodes.stop)

    def add_meshes(self, content: FileContent, source: int) -> range:
        """Append the meshes and materials that a file holds, none of its nodes; returns the meshes' ids.

        Args:
            source: the file's place in `sources`, or -1.
        """
        first_material = len(self.materials)
        self.materials += content.materials
        if source >= 0:
            self.loaded_sources[source] = LoadedSource.of(content, range(first_material, len(self.materials)))
        if content.prepared is not None:
            return self.meshes.take(content.prepared, first_material=first_material, source=source)
        return self.meshes.extend(content.meshes, first_material=first_material, source=source)

    def become(self, other: Scene) -> None:
        """Hold what another scene holds (used up), beside the report of this one. ValueError: this one is not empty."""
        if self.row_count:
            raise ValueError("only an empty scene can become another")
        self.report.add(other.report)
        # Counted on, so that nobody takes the other's revisions for ones that they have seen.
        revisions = {
            name: value + vars(other)[name] + 1 for name, value in vars(self).items() if name.endswith("_revision")
        }
        theirs = {name: value for name, value in vars(other).items() if name not in OWN}
        vars(self).update(theirs, report=self.report, **revisions)
        self._take_nodes(other)

    def add_material(self, material: Material) -> int:
        """Append a material and return its id."""
        self.materials.append(material)
        return len(self.materials) - 1

    def set_material(self, material_id: int, material: Material) -> None:
        """Put a material in the place of another, for all that show it.

        It is no edit and cannot be undone: for one that a gesture has made and goes on changing until it ends.
        """
        self.materials[int(checked_rows("material", material_id, len(self.materials)))] = material
        self.materials_revision += 1

    @property
    def material_count(self) -> int:
        """How many different materials files and people gave; the one that stands in for none is not one of them."""
        return len(set(self.materials) - {DEFAULT_MATERIAL})

    def add_nodes(
        self,
        names: Sequence[str] | np.ndarray,
        *,
        parent: ArrayLike = NO_PARENT,
        mesh: ArrayLike = NO_MESH,
        material: ArrayLike = -1,
        translation: ArrayLike = (0.0, 0.0, 0.0),
        rotation: ArrayLike = _IDENTITY_ROTATION,
        scale: ArrayLike = (1.0, 1.0, 1.0),
        hidden: ArrayLike = False,
        unselectable: ArrayLike = False,
        alive: bool = True,
    ) -> range:
        """Append nodes in one go; every argument is one value for all or one for each.

        Args:
            names: n names; they need not differ.
            parent: ids of nodes that exist, or of new ones that stand before, or -1.
            mesh: mesh ids, or -1. material: material ids, or -1 for the mesh's own.
            translation (3,), rotation (4,) quaternion x, y, z, w of any length above 0, scale (3,).
            hidden, unselectable: flags, for all below as well.
            alive: False makes rows and no nodes: `set_alive` makes them nodes, so that adding can be an edit.

        Returns:
            the ids of the new nodes.

        Raises:
            ValueError: a value is not finite or refers to something that is not there; nothing was added.
        """
        names = checked_names(names)
        parent = checked_rows("parent", parent, self.row_count + np.arange(len(names)), lowest=NO_PARENT)
        mesh = checked_rows("mesh", mesh, len(self.meshes), lowest=NO_MESH)
        material = checked_rows("material", material, len(self.materials), lowest=-1)
        old = parent[(parent >= 0) & (parent < self.row_count)]
        if alive and not self._nodes["alive"][old].all():
            raise ValueError("a parent was deleted")
        ids = self._nodes.append(
            len(names),
            name=names,
            parent=parent,
            translation=finite("translation", translation),
            rotation=unit_rotations(rotation),
            scale=finite("scale", scale),
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
        self._mark_changed(ids)
        self._order = None
        self.tree_revision += 1
        return ids

    def add_node(self, name: str, **properties: ArrayLike) -> Node:
        """Append one node; `properties` as for `add_nodes`."""
        return Node(self, self.add_nodes([name], **properties).start)

    # Changing.

    def set_translations(self, ids: ArrayLike, translations: ArrayLike) -> None:
        """Place nodes in their parents' frames: (k,) ids, (k, 3) or (3,). ValueError: not finite."""
        self._set("translation", ids, finite("translation", translations))

    def set_rotations(self, ids: ArrayLike, rotations: ArrayLike) -> None:
        """Turn nodes: quaternions x, y, z, w, normalised here. ValueError: not finite, or of length zero."""
        self._set("rotation", ids, unit_rotations(rotations))

    def set_scales(self, ids: ArrayLike, scales: ArrayLike) -> None:
        """Scale nodes along their own axes; zero and negative are allowed. ValueError: not finite."""
        self._set("scale", ids, finite("scale", scales))

    def set_hidden(self, ids: ArrayLike, hidden: ArrayLike) -> None:
        """Hide nodes with all that is below them, or show them again. ValueError: neither True nor False."""
        self._set("hidden", ids, checked_flags("hidden", hidden))

    def set_unselectable(self, ids: ArrayLike, unselectable: ArrayLike) -> None:
        """Let clicks go through nodes and all below them, or select them again. ValueError: neither True nor False."""
        self._set("unselectable", ids, checked_flags("unselectable", unselectable))

    def set_names(self, ids: ArrayLike, names: ArrayLike) -> None:
        """Rename nodes. ValueError: a name is no string."""
        names = checked_names(names)
        self._nodes["name"][self.checked_ids(ids, alive=True)] = names
        self.names_revision += 1
        self.write_count += 1

    def set_alive(self, ids: ArrayLike, alive: ArrayLike) -> None:
        """Delete nodes (False), or bring them back as they were (True); all at once.

        Raises:
            IndexError: there is no such row.
            ValueError: a node would be left below one that is deleted; nothing was changed.
        """
        ids = self.checked_ids(ids)
        column, parents = self._nodes["alive"], self._nodes["parent"]
        before = column[ids]
        column[ids] = checked_flags("alive", alive)
        left = np.flatnonzero(column & (parents >= 0) & ~column[parents])
        if len(left):
            column[ids] = before
            raise ValueError(f"{self.names[left[0]]!r} is a child of a deleted node")
        mesh, kept_mesh = self._nodes["mesh"], self._nodes["kept_mesh"]
        alive = column[ids]
        born, dead = np.unique(ids[alive & ~before]), np.unique(ids[before & ~alive])
        mesh[born], kept_mesh[born] = kept_mesh[born], NO_MESH
        kept_mesh[dead], mesh[dead] = mesh[dead], NO_MESH
        self._alive_count += len(born) - len(dead)
        self._mark_changed(born)
        self._mark_changed(dead)
        self.tree_revision += 1
        self.write_count += 1

    def set_meshes(self, ids: ArrayLike, mesh_ids: ArrayLike) -> None:
        """Let nodes show other meshes, or none (-1). ValueError: there is none such."""
        self._set("mesh", ids, checked_rows("mesh", mesh_ids, len(self.meshes), lowest=NO_MESH))
        self.tree_revision += 1

    def set_meshes_of_deleted(self, ids: np.ndarray, mesh_ids: np.ndarray) -> None:
        """Let deleted nodes show other meshes, or none (-1), once they are there again. ValueError: one is there."""
        ids = self.checked_ids(ids)
        if self._nodes["alive"][ids].any():
            raise ValueError("a node was not deleted")
        self._nodes["kept_mesh"][ids] = checked_rows("mesh", mesh_ids, len(self.meshes), lowest=NO_MESH)

    def replace_meshes(self, meshes: Meshes, changed_ids: np.ndarray) -> None:
        """Put another pool in the place of this scene's, where all meshes that were have the ids that they had.

        Args:
            changed_ids: nodes whose mesh is another shape than before.
        """
        self.meshes = meshes
        self._mark_changed(changed_ids)
        self.tree_revision += 1

    def set_materials(self, ids: ArrayLike, materials: ArrayLike) -> None:
        """Give nodes a material for the whole of them, or -1: their meshes' own. ValueError: there is none such."""
        self._set("material", ids, checked_rows("material", materials, len(self.materials), lowest=-1))

    def set_parents(self, ids: ArrayLike, parents: ArrayLike) -> None:
        """Hang nodes under others (-1: the top), all at once, keeping their local transforms.

        Raises:
            ValueError: a parent is not there, is the node itself or stands below it; nothing was changed.
        """
        ids = self.checked_ids(ids, alive=True)
        parents = checked_rows("parent", parents, self.row_count, lowest=NO_PARENT)
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
        self.tree_revision += 1
        self.write_count += 1

    def reparent(self, node_id: int, parent: int) -> None:
        """Hang one node under another; as `set_parents`."""
        self.set_parents([node_id], [parent])

    def _set(self, column: str, ids: ArrayLike, values: np.ndarray) -> None:
        ids = self.checked_ids(ids, alive=True)
        self._nodes[column][ids] = values
        self._mark_changed(ids)
        self.write_count += 1

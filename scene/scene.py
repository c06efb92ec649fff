"""Scene: a tree of nodes with local transforms, the meshes they show, and the world that follows from both.

Everything is a column (struct of arrays) indexed by node id; a `Node` is a handle made when somebody asks. Setters
mark nodes; `update_world` recomputes world matrices and spheres below the marked ones, once a frame, and says which
ids changed. Those are all that the octree and the picture need to hear of.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike

from scene.columns import Columns
from scene.content import FileContent
from scene.materials import DEFAULT_MATERIAL, Material
from scene.meshes import NO_MESH, Meshes
from scene.node import Node
from scene.project.state import ProjectState
from scene.report import LoadReport
from scene.world import depths_of, in_circles, merge_boxes, update_world

NO_PARENT = -1
_IDENTITY_ROTATION = (0.0, 0.0, 0.0, 1.0)
_UNIT_ERROR = 1e-14  # of a quaternion's length: several times what normalising leaves


class Scene:
    """Nodes, meshes and materials.

    Attributes:
        meshes: the pooled triangles of all meshes.
        materials: list of Material; nodes and vertices refer to it by place. Only appended to.
        sources: paths of the files that meshes came from; they refer to it by place. Only appended to.
        report: what opening files into this scene brought.
        project: what it keeps of its project file.
        tree_revision: counts changes of which nodes there are and where they hang.
    """

    def __init__(self) -> None:
        self.meshes = Meshes()
        self.materials: list[Material] = [DEFAULT_MATERIAL]
        self.sources: list[Path] = []
        self.report = LoadReport()
        self.project = ProjectState()
        self._nodes = Columns(
            name=(np.dtypes.StringDType(), ()),
            parent=(np.int32, ()),
            translation=(np.float64, (3,)),
            rotation=(np.float64, (4,)),
            scale=(np.float64, (3,)),
            mesh=(np.int32, ()),
            material=(np.int32, ()),
            world_from_local=(np.float64, (4, 4)),
            world_sphere=(np.float64, (4,)),
            changed=(np.bool_, ()),
        )
        self.tree_revision = 0
        self._order: np.ndarray | None = None
        self._any_changed = False

    def __len__(self) -> int:
        return len(self._nodes)

    def __iter__(self) -> Iterator[Node]:
        return (Node(self, node_id) for node_id in range(len(self)))

    def __getitem__(self, name: str) -> Node:
        """The first node of that name; KeyError when there is none."""
        found = np.flatnonzero(self._nodes["name"] == name)
        if len(found) == 0:
            raise KeyError(name)
        return Node(self, int(found[0]))

    # Columns, read-only, by node id.

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
        """(n,) int32, -1 for a node without a mesh."""
        return _read_only(self._nodes["mesh"])

    @property
    def material_overrides(self) -> np.ndarray:
        """(n,) int32: a material for the whole node, or -1: its mesh's own materials."""
        return _read_only(self._nodes["material"])

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

    # Building.

    def add_content(self, content: FileContent, path: Path) -> range:
        """Append what a file holds: a node of the file's name, and below it the file's own nodes.

        The meshes' arrays may become the scene's own (Meshes.extend): the content is used up.

        Returns:
            the ids of the new nodes; the first is the file's.
        """
        self.sources.append(path)
        first_material = len(self.materials)
        first_mesh = self.add_meshes(content, len(self.sources) - 1).start
        top = self.add_node(content.name).id
        nodes = self.add_nodes(
            content.node_names,
            parent=np.where(content.node_parents < 0, top, content.node_parents + top + 1),
            mesh=np.where(content.node_meshes < 0, NO_MESH, content.node_meshes + first_mesh),
            material=-1
            if content.node_materials is None
            else np.where(content.node_materials < 0, -1, content.node_materials + first_material),
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
            source: the file's place in `sources`.
        """
        first_material = len(self.materials)
        self.materials += content.materials
        return self.meshes.extend(content.meshes, first_material=first_material, source=source)

    def add_material(self, material: Material) -> int:
        """Append a material and return its id."""
        self.materials.append(material)
        return len(self.materials) - 1

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
    ) -> range:
        """Append nodes in one go; every argument is one value for all or one for each.

        Args:
            names: n names; they need not differ.
            parent: ids of nodes that exist, or of new ones that stand before, or -1.
            mesh: mesh ids, or -1. material: material ids, or -1 for the mesh's own.
            translation (3,), rotation (4,) quaternion x, y, z, w of any length above 0, scale (3,).

        Returns:
            the ids of the new nodes.

        Raises:
            ValueError: a value is not finite or refers to something that is not there; nothing was added.
        """
        parent = np.asarray(parent, dtype=np.int64)
        mesh = np.asarray(mesh, dtype=np.int64)
        material = np.asarray(material, dtype=np.int64)
        for what, value, limit in (
            ("parent", parent, len(self) + np.arange(len(names))),
            ("mesh", mesh, len(self.meshes)),
            ("material", material, len(self.materials)),
        ):
            if ((value < -1) | (value >= limit)).any():
                raise ValueError(f"{what} ids must be -1 to {np.max(limit) - 1}")
        ids = self._nodes.append(
            len(names),
            name=np.asarray(names, dtype=np.dtypes.StringDType()),
            parent=parent,
            translation=_finite("translation", translation),
            rotation=_unit(rotation),
            scale=_finite("scale", scale),
            mesh=mesh,
            material=material,
            world_from_local=np.eye(4),
            changed=True,
        )
        self._any_changed = True
        self._order = None
        self.tree_revision += 1
        return ids

    def add_node(self, name: str, **properties: ArrayLike) -> Node:
        """Append one node; `properties` as for `add_nodes`."""
        return Node(self, self.add_nodes([name], **properties).start)

    # Changing.

    def set_translations(self, ids: ArrayLike, translations: ArrayLike) -> None:
        """Place nodes in their parents' frames: (k,) ids, (k, 3) or (3,). ValueError: not finite."""
        self._set("translation", ids, _finite("translation", translations))

    def set_rotations(self, ids: ArrayLike, rotations: ArrayLike) -> None:
        """Turn nodes: quaternions x, y, z, w, normalised here. ValueError: not finite, or of length zero."""
        self._set("rotation", ids, _unit(rotations))

    def set_scales(self, ids: ArrayLike, scales: ArrayLike) -> None:
        """Scale nodes along their own axes; zero and negative are allowed. ValueError: not finite."""
        self._set("scale", ids, _finite("scale", scales))

    def set_names(self, ids: ArrayLike, names: ArrayLike) -> None:
        """Rename nodes."""
        self._nodes["name"][self._checked(ids)] = names

    def replace_meshes(self, meshes: Meshes, mesh_ids: np.ndarray, changed_ids: np.ndarray) -> None:
        """Put another pool in the place of this scene's, and say which of its meshes each node shows now.

        Args:
            mesh_ids: (n,) ids in the new pool, or -1. changed_ids: nodes that show something else than before.
        """
        self.meshes = meshes
        self._nodes["mesh"][:] = mesh_ids
        self._nodes["changed"][changed_ids] = True
        self._any_changed = True
        self.tree_revision += 1

    def set_materials(self, ids: ArrayLike, materials: ArrayLike) -> None:
        """Give nodes a material for the whole of them, or -1: their meshes' own. ValueError: there is none such."""
        materials = np.asarray(materials, dtype=np.int64)
        if ((materials < -1) | (materials >= len(self.materials))).any():
            raise ValueError(f"material ids must be -1 to {len(self.materials) - 1}")
        self._set("material", ids, materials)

    def set_parents(self, ids: ArrayLike, parents: ArrayLike) -> None:
        """Hang nodes under others (-1: the top), all at once, keeping their local transforms.

        Raises:
            ValueError: a parent is not there, is the node itself or stands below it; nothing was changed.
        """
        ids = self._checked(ids).ravel()
        parents = np.broadcast_to(np.asarray(parents, dtype=np.int64), ids.shape)
        if ((parents < -1) | (parents >= len(self))).any():
            raise ValueError(f"parent ids must be -1 to {len(self) - 1}")
        column = self._nodes["parent"]
        before = column[ids]
        column[ids] = parents
        circle = in_circles(column, ids)
        if len(circle):
            column[ids] = before
            raise ValueError(f"{self.names[ids[np.isin(ids, circle)][0]]!r} cannot hang below itself")
        self._nodes["changed"][ids] = True
        self._any_changed = True
        self._order = None
        self.tree_revision += 1

    def reparent(self, node_id: int, parent: int) -> None:
        """Hang one node under another; as `set_parents`."""
        self.set_parents([node_id], [parent])

    # Deriving.

    def update_world(self) -> np.ndarray:
        """Recompute world matrices and spheres below what changed since the last call.

        Returns:
            (k,) int32 ids of all recomputed nodes, parents before children; empty when nothing changed.
        """
        if not self._any_changed:
            return np.empty(0, dtype=np.int32)
        self._any_changed = False
        out = np.empty(len(self), dtype=np.int32)
        nodes = self._nodes
        count = update_world(
            self._parents_first(),
            nodes["parent"],
            nodes["translation"],
            nodes["rotation"],
            nodes["scale"],
            nodes["mesh"],
            self.meshes.rows["sphere"],
            nodes["changed"],
            nodes["world_from_local"],
            nodes["world_sphere"],
            out,
        )
        return out[:count]

    def bounds(self, ids: np.ndarray | None = None) -> tuple[np.ndarray, np.ndarray] | None:
        """The world box (lower, upper) of nodes with a mesh (of all, or of the given ids), or None if there are none.

        Exact where a node's axes stay parallel to the world's; else the box of its turned box, never too small.
        Nodes whose matrix overflowed do not count.
        """
        ids = np.arange(len(self)) if ids is None else np.asarray(ids, dtype=np.int64)
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

    def _set(self, column: str, ids: ArrayLike, values: np.ndarray) -> None:
        ids = self._checked(ids)
        self._nodes[column][ids] = values
        self._nodes["changed"][ids] = True
        self._any_changed = True

    def _checked(self, ids: ArrayLike) -> np.ndarray:
        """Node ids, or IndexError: an index from the end would quietly be another node's."""
        ids = np.asarray(ids, dtype=np.int64)
        if ((ids < 0) | (ids >= len(self))).any():
            raise IndexError(f"node ids must be 0 to {len(self) - 1}")
        return ids

    def _parents_first(self) -> np.ndarray:
        """Node ids by depth, in id order within a depth; made anew when the tree's shape changed."""
        if self._order is None:
            parents = self._nodes["parent"]
            if (parents < np.arange(len(parents))).all():  # as long as nothing was reparented
                self._order = np.arange(len(parents), dtype=np.int32)
            else:
                self._order = np.argsort(depths_of(parents), kind="stable").astype(np.int32)
        return self._order


def _read_only(column: np.ndarray) -> np.ndarray:
    view = column.view()
    view.flags.writeable = False
    return view


def _finite(what: str, values: ArrayLike) -> np.ndarray:
    values = np.asarray(values, dtype=np.float64)
    if not np.isfinite(values).all():
        raise ValueError(f"a {what} must be finite")
    return values


def _unit(rotations: ArrayLike) -> np.ndarray:
    """Quaternions of length 1; those that are already stay as they are, bit for bit: undo and files give them back."""
    rotations = _finite("rotation", rotations)
    largest = np.abs(rotations).max(axis=-1, keepdims=True)
    if (largest == 0.0).any():
        raise ValueError("a rotation must not be of length zero")
    scaled = rotations / largest  # first, so that squares neither vanish nor overflow
    length = np.linalg.norm(scaled, axis=-1, keepdims=True)
    is_unit = np.abs(np.minimum(largest, 4.0) * length - 1.0) < _UNIT_ERROR
    return np.where(is_unit, rotations, scaled / length)

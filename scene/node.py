"""Node: a thin handle on one row of a scene; Nodes: a sequence of them; Hit: the result of a ray cast.

To numpy, and so to all functions that take ids, a Node is its id, and Nodes are an array of ids.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypedDict, overload

import numpy as np
from numpy.typing import ArrayLike, DTypeLike

from octoscope.guesses import advises, public
from octoscope.scene import public_names
from octoscope.scene.geometry.colors import colors_of
from octoscope.scene.geometry.rotations import turned
from octoscope.scene.mesh.arrays import Mesh, MeshLike
from octoscope.scene.mesh.material import Material
from octoscope.scene.mesh.pool import NO_MESH, UNTIL_UNUSED
from octoscope.scene.nodes.bounds import world_bounds
from octoscope.scene.nodes.coloring import first_materials, found_or_added, material_under_scalars, set_own_colors
from octoscope.scene.nodes.hierarchy import with_all_below
from octoscope.scene.nodes.node_table import NO_PARENT, NodeTable
from octoscope.scene.nodes.placing import place_in_world
from octoscope.scene.nodes.unused_meshes import show_instead

_MOST_SHOWN = 8
_MOST_NAMED = 3


class NodePlacement(TypedDict, total=False):
    """Transform, parent and flags of a new node, with the shapes that Scene.add_nodes takes."""

    parent: ArrayLike | None
    translation: ArrayLike
    rotation: ArrayLike
    scale: ArrayLike
    hidden: bool
    unselectable: bool


@public(*public_names.NODE, instead=public_names.NODE_GUESSES)
class Node:
    """One node of a scene; made on demand, equal to every other handle on the same node.

    Functions that take ids take nodes as well. A node stands for itself and everything below it where functions ask
    about geometry or set colours (Scene.bounds, set_colors, delete; `among` of rays; measure, find_overlaps,
    Buffers.mask). What is set on a node, or by a setter of one of its columns, such as Scene.set_materials, is its own.
    Arrays are read-only copies, which are set whole.

    Examples:
        >>> tower = scene["lighthouse_tower"]
        >>> tower.translation += (0, 5, 0)
        >>> tower.rotate(90, "y")
        >>> tower.color = "orange"
        >>> lower, upper = tower.bounds

    Raises:
        IndexError: an id that is no node's.
    """

    __slots__ = ("id", "scene")

    def __init__(self, scene: NodeTable, node_id: int) -> None:
        if type(node_id) is not int or not 0 <= node_id < scene.row_count:
            (node_id,) = scene.checked_ids([node_id]).tolist()
        self.scene = scene
        self.id = node_id

    def __int__(self) -> int:
        return self.id

    def __array__(self, dtype: DTypeLike | None = None, copy: bool | None = None) -> np.ndarray:
        return np.array(self.id, dtype=np.int32 if dtype is None else dtype)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Node) and self.scene is other.scene and self.id == other.id

    def __hash__(self) -> int:
        return hash((id(self.scene), self.id))

    def __repr__(self) -> str:
        return f"Node({self.id}, {self.name!r})"

    @property
    def alive(self) -> bool:
        """False once the node is deleted."""
        return bool(self.scene.alive[self.id])

    @property
    def name(self) -> str:
        """Name; other nodes may have the same."""
        return str(self.scene.names[self.id])

    @name.setter
    def name(self, name: str) -> None:
        self.scene.set_names(self.id, name)

    @property
    def parent(self) -> Node | None:
        """Parent, or None at the top."""
        parent = int(self.scene.parents[self.id])
        return None if parent < 0 else Node(self.scene, parent)

    @parent.setter
    def parent(self, parent: Node | None) -> None:
        self.scene.set_parents(self.id, NO_PARENT if parent is None else parent)

    @property
    def children(self) -> Nodes:
        """Children, by id."""
        parents, alive = self.scene.at_once("parent", "alive")
        return Nodes(self.scene, np.flatnonzero((parents == self.id) & alive))

    @property
    def descendants(self) -> Nodes:
        """Everything below the node, by id."""
        below = with_all_below(self.scene, [self.id])
        return Nodes(self.scene, below[below != self.id])

    @property
    def path(self) -> str:
        """The names from the top down to the node, joined by slashes."""
        return self.scene.path_of(self.id)

    @property
    def bounds(self) -> tuple[np.ndarray, np.ndarray] | None:
        """World box (lower, upper) of the node and everything below it, as Scene.bounds; None: nothing has a mesh."""
        return world_bounds(self.scene, with_all_below(self.scene, self.scene.checked_ids(self.id, alive=True)))

    @property
    def mesh(self) -> Mesh | None:
        """The mesh that the node shows, as arrays; None without one. Nodes may share it.

        Set it to a mesh of trimesh or the like, with any number of faces: the node alone shows it, in the material of
        its present mesh's first vertex, without scalars; or to None. Scene.set_vertices moves the present vertices.
        """
        mesh_id = self.mesh_id
        return None if mesh_id < 0 else Mesh.of(self.scene.meshes.mesh(mesh_id))

    @mesh.setter
    def mesh(self, mesh: MeshLike | None) -> None:
        from octoscope.scene.mesh.from_arrays import mesh_like  # only here: most meshes come from files

        table, mesh_id = self.scene, self.mesh_id
        table.check_editable()
        ids = table.checked_ids(self.id, alive=True)
        first = 0 if mesh_id < 0 else material_under_scalars(table, self.id)
        made = None if mesh is None else mesh_like(mesh)
        new = NO_MESH if made is None else table.meshes.add(made, first_material=first, lifetime=UNTIL_UNUSED)
        show_instead(table, ids, new)

    @property
    def material(self) -> Material | None:
        """The material that the node shows, of several that of its mesh's first vertex; None without a mesh.

        Setting it gives the whole node a material; None gives it its mesh's own again. Change one property by
        dataclasses.replace(node.material, roughness=0.2).
        """
        if self.mesh_id < 0:
            return None
        return self.scene.materials[int(first_materials(self.scene, np.array([self.id]))[0])]

    @material.setter
    def material(self, material: Material | None) -> None:
        if self.mesh_id < 0:
            raise ValueError(f"{self.without_mesh}: set theirs")
        self.scene.set_materials(self.id, -1 if material is None else found_or_added(self.scene, [material]))

    @property
    def color(self) -> tuple[float, float, float, float] | None:
        """Red, green, blue and opacity of the node's material, sRGB, 0 to 1; None without a mesh.

        Set it to a name such as "orange", "#1e2226", or to numbers with or without opacity; the node gets a material of
        its own then, without a texture of the colour. Scene.set_colors sets those of many nodes at once.
        """
        material = self.material
        return None if material is None else (*material.base_color, material.opacity)

    @color.setter
    def color(self, color: str | ArrayLike) -> None:
        if self.mesh_id < 0:
            raise ValueError(f"{self.without_mesh}; scene.set_colors(node, color) is for all below it")
        set_own_colors(self.scene, self.scene.checked_ids(self.id, alive=True), colors_of(color, 1))

    @property
    def without_mesh(self) -> str:
        """The begin of a line that refuses the node because it shows no mesh: it names objects below it."""
        below = self.descendants
        names = [repr(node.name) for node in below[self.scene.mesh_ids[below] >= 0][:_MOST_NAMED]]
        return f"{self!r} shows no mesh" + (f"; below it are {', '.join(names)}" if names else "")

    @property
    def mesh_id(self) -> int:
        """Id in scene.meshes of the mesh that the node shows, or -1."""
        return int(self.scene.mesh_ids[self.id])

    @property
    def translation(self) -> np.ndarray:
        """(3,) float64 in the parent's frame."""
        return _copied(self.scene.translations[self.id])

    @translation.setter
    def translation(self, translation: ArrayLike) -> None:
        self.scene.set_translations(self.id, translation)

    @property
    def rotation(self) -> np.ndarray:
        """(4,) float64 unit quaternion x, y, z, w."""
        return _copied(self.scene.rotations[self.id])

    @rotation.setter
    def rotation(self, rotation: ArrayLike) -> None:
        self.scene.set_rotations(self.id, rotation)

    def rotate(self, degrees: float, axis: str | ArrayLike) -> None:
        """Turn the node about its own origin.

        Examples:
            >>> scene["lighthouse_tower"].rotate(90, "y")

        Args:
            degrees: counterclockwise seen from the axis's tip.
            axis: "x", "y" or "z" of the parent's frame, or (3,) there.

        Raises:
            ValueError: there is no such axis.
        """
        self.scene.set_rotations(self.id, turned(self.scene.rotations[[self.id]], degrees, axis))

    @property
    def scale(self) -> np.ndarray:
        """(3,) float64 along the node's own axes."""
        return _copied(self.scene.scales[self.id])

    @scale.setter
    def scale(self, scale: ArrayLike) -> None:
        self.scene.set_scales(self.id, scale)

    @property
    def hidden(self) -> bool:
        """Flag that hides the node and its descendants; an ancestor's flag may hide it as well."""
        return bool(self.scene.hidden[self.id])

    @hidden.setter
    def hidden(self, hidden: bool) -> None:
        self.scene.set_hidden(self.id, hidden)

    @property
    def unselectable(self) -> bool:
        """Flag that makes clicks go through the node and its descendants."""
        return bool(self.scene.unselectable[self.id])

    @unselectable.setter
    def unselectable(self, unselectable: bool) -> None:
        self.scene.set_unselectable(self.id, unselectable)

    @property
    def world_from_local(self) -> np.ndarray:
        """(4, 4) float64; setting it sets translation, rotation and scale, and refuses a matrix with shear."""
        return _copied(self.scene.world_from_local[self.id])

    @world_from_local.setter
    def world_from_local(self, matrix: ArrayLike) -> None:
        place_in_world(self.scene, self.id, matrix)


@public(instead=public_names.NODES_GUESSES)
class Nodes(Sequence[Node]):
    """Nodes of a scene, as a sequence that makes its handles on demand; functions that take ids take it as well.

    Columns of the scene are its values, and setters of the scene set them at once.

    Examples:
        >>> towers = scene.find("*tower*")
        >>> scene.set_translations(towers, scene.translations[towers] + (0, 1, 0))

    Attributes:
        ids: (k,) int32.
    """

    __slots__ = ("ids", "scene")

    @advises()
    def __init__(self, scene: NodeTable, ids: ArrayLike) -> None:
        self.scene = scene
        self.ids = scene.checked_ids(ids).astype(np.int32)

    def __len__(self) -> int:
        return len(self.ids)

    def __array__(self, dtype: DTypeLike | None = None, copy: bool | None = None) -> np.ndarray:
        return self.ids if dtype is None and not copy else np.array(self.ids, dtype=dtype)

    @overload
    def __getitem__(self, index: int) -> Node: ...
    @overload
    def __getitem__(self, index: slice | Sequence[int] | np.ndarray) -> Nodes: ...
    def __getitem__(self, index: int | slice | Sequence[int] | np.ndarray) -> Node | Nodes:
        found = self.ids[index]
        return Nodes(self.scene, found) if found.ndim else Node(self.scene, int(found))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Nodes) and self.scene is other.scene and np.array_equal(self.ids, other.ids)

    def __hash__(self) -> int:
        return hash((id(self.scene), self.ids.tobytes()))

    def __repr__(self) -> str:
        return f"Nodes({self.ids.tolist()!r})" if len(self) <= _MOST_SHOWN else f"Nodes({len(self):,} of them)"


NO_TRIANGLE = -1


@public(instead=public_names.HIT_GUESSES)
@dataclass(frozen=True, eq=False, slots=True)
class Hit:
    """A point where a ray meets a triangle; all arrays float64.

    Attributes:
        node: the one whose mesh was hit.
        t: distance from the ray's origin, world units.
        point: (3,) world.
        normal: (3,) unit normal of the triangle, world; by its winding, whichever side was hit.
        triangle: index of the triangle within the node's mesh; NO_TRIANGLE where a section cuts the node open.
        barycentric: (3,) weights of the triangle's corners at the point; their sum is 1.
        uv: (2,) texture coordinates there; 0 for a mesh without them.
    """

    node: Node
    t: float
    point: np.ndarray
    normal: np.ndarray
    triangle: int
    barycentric: np.ndarray
    uv: np.ndarray


class _Value(np.ndarray):
    """A copy of a node's value, with which `node.translation += (0, 1, 0)` makes a new one and sets that."""

    def __array_wrap__(
        self, array: np.ndarray, context: object = None, return_scalar: bool = False
    ) -> Any:  # what is computed from it is an array like others
        return array[()] if return_scalar else array.view(np.ndarray)

    def __repr__(self) -> str:
        return repr(self.view(np.ndarray))

    def __iadd__(self, other: ArrayLike) -> np.ndarray:  # type: ignore[misc, override]
        return self + other

    def __isub__(self, other: ArrayLike) -> np.ndarray:  # type: ignore[misc, override]
        return self - other

    def __imul__(self, other: ArrayLike) -> np.ndarray:  # type: ignore[misc, override]
        return self * other

    def __itruediv__(self, other: ArrayLike) -> np.ndarray:  # type: ignore[misc, override]
        return self / other

    def __setitem__(self, key: Any, value: Any) -> None:
        if not self.flags.writeable:
            raise ValueError("this is a read-only copy of the node's value: set the whole value")
        super().__setitem__(key, value)


def _copied(values: np.ndarray) -> np.ndarray:
    copied = values.copy().view(_Value)
    copied.flags.writeable = False
    return copied

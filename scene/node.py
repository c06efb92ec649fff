"""Node: a thin handle on one row of a scene; Nodes: a sequence of them; Hit: the result of a ray cast."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import overload

import numpy as np
from numpy.typing import ArrayLike

from octoscope.scene.nodes.node_table import NodeTable

_MOST_SHOWN = 8


class Node:
    """One node of a scene; made on demand, equal to every other handle on the same node.

    Its arrays are read-only copies. Set them whole: writing a part of a copy would change no scene.

    Raises:
        IndexError: an id that is no node's.
    """

    __slots__ = ("id", "scene")

    def __init__(self, scene: NodeTable, node_id: int) -> None:
        if type(node_id) is not int or not 0 <= node_id < scene.row_count:
            (node_id,) = scene.checked_ids([node_id]).tolist()
        self.scene = scene
        self.id = node_id

    def id_in(self, scene: NodeTable) -> int:
        """Return the node's id. ValueError: it belongs to another scene, where the same id is another node's."""
        if self.scene is not scene:
            raise ValueError(f"{self!r} is a node of another scene")
        return self.id

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
        self.scene.set_parents(self.id, -1 if parent is None else parent.id_in(self.scene))

    @property
    def children(self) -> list[Node]:
        """Children, by id."""
        below = (self.scene.parents == self.id) & self.scene.alive
        return [Node(self.scene, int(child)) for child in np.flatnonzero(below)]

    @property
    def mesh_id(self) -> int:
        """Id of the mesh that the node shows, or -1."""
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
        """(4, 4) float64."""
        return _copied(self.scene.world_from_local[self.id])


class Nodes(Sequence[Node]):
    """Nodes of a scene, as a sequence that makes its handles on demand.

    Attributes:
        ids: (k,) int32.
    """

    __slots__ = ("ids", "scene")

    def __init__(self, scene: NodeTable, ids: ArrayLike) -> None:
        self.scene = scene
        self.ids = scene.checked_ids(ids).astype(np.int32)

    def __len__(self) -> int:
        return len(self.ids)

    @overload
    def __getitem__(self, index: int) -> Node: ...
    @overload
    def __getitem__(self, index: slice) -> Nodes: ...
    def __getitem__(self, index: int | slice) -> Node | Nodes:
        found = self.ids[index]
        return Nodes(self.scene, found) if isinstance(index, slice) else Node(self.scene, int(found))

    def __repr__(self) -> str:
        return f"Nodes({self.ids.tolist()!r})" if len(self) <= _MOST_SHOWN else f"Nodes({len(self):,} of them)"


NO_TRIANGLE = -1


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


def _copied(values: np.ndarray) -> np.ndarray:
    values = values.copy()
    values.flags.writeable = False
    return values

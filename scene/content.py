"""FileContent: the plain arrays that readers return; FileOutline: its nodes, without geometry; FreeForm, its parts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np

from octoscope.scene.annotations.bookmarks import Bookmark, merged_bookmarks, placed_bookmark
from octoscope.scene.annotations.labels import Label, placed_labels
from octoscope.scene.annotations.measurement import Measurement, placed_measurements
from octoscope.scene.conventions.length_unit import NO_UNIT, unit_with_file
from octoscope.scene.conventions.up_axis import UpAxis
from octoscope.scene.conventions.upright import quaternion_between
from octoscope.scene.conventions.world import World
from octoscope.scene.mesh.data import MeshBatch, MeshData, counted
from octoscope.scene.mesh.material import Material
from octoscope.scene.system.report import Problem

if TYPE_CHECKING:
    from octoscope.scene.node import Node


@dataclass(frozen=True)
class MaterialContent:
    """The materials of a file, read without the rest of it."""

    materials: list[Material]  # as in FileContent
    problems: list[Problem]  # of the whole file
    dependencies: frozenset[Path]  # as in FileContent


class State(NamedTuple):
    """A statement that holds for all curves or surfaces behind it, until another of its keyword."""

    keyword: str
    form: str  # of what follows the keyword; {!r} stands for the length
    length: float  # grows as the surface does; 0 if there is none
    is_stated: bool  # in the file, else a default


class Statements(NamedTuple):
    """A curve or surface without its control points, which are the last of the file."""

    text: str
    states: tuple[State, ...]


class Connection(NamedTuple):
    """The edge that two surfaces share (con)."""

    form: str  # {} stands for the number of a surface
    surfaces: tuple[int, int]  # as in FreeFormPart
    curves: tuple[Statements, ...]  # the last 2D curves of the file


class FreeFormPart(NamedTuple):
    """A curve or surface."""

    number: int  # tells it from others of its file
    controls: np.ndarray  # (n, 4 to 9): position, weight, and texture coordinates and normal if stated
    statements: tuple[Statements, ...]  # of the 2D curves that it needs, and at last its own


class FreeForm(NamedTuple):
    """The curves and surfaces that a mesh is made of, as an OBJ file states them."""

    parts: tuple[FreeFormPart, ...]
    connections: tuple[Connection, ...]  # with each other, and with surfaces of other meshes
    is_affine: bool  # whether they move as their control points do


class Properties(Protocol):
    """The properties of a file's objects beside their geometry, such as rows of property tables."""

    @property
    def is_of_points(self) -> bool:
        """True if points of an object may have properties of their own."""

    def grouped_properties(self, node: Node) -> Mapping[str, Mapping[str, object]]:
        """Return the properties by name, as values that JSON has, below a heading for what they are of."""

    def properties_at(self, node: Node, point: np.ndarray) -> Mapping[str, object]:
        """Return those of a (3,) world point of a node alone; ReadError where the file has to be read and cannot be."""


@dataclass(repr=False)
class FileContent:
    """The nodes of a file, their meshes and materials.

    Nodes are columns of one length n; parents come before their children.
    """

    name: str  # the file's own name
    vertex_count: int  # the vertices that the file states; meshes may hold more, where one has several normals
    node_names: np.ndarray  # (n,) StringDType
    node_parents: np.ndarray  # (n,) int32, -1 at the top
    node_meshes: np.ndarray  # (n,) int32 into `meshes`, or -1
    meshes: MeshBatch  # all of them, in one set of arrays; their material_ids count in `materials`
    materials: list[Material]  # list of Material
    translations: np.ndarray  # (n, 3) float64, in the parent's frame
    rotations: np.ndarray  # (n, 4) float64 unit quaternions x, y, z, w
    scales: np.ndarray  # (n, 3) float64
    node_materials: np.ndarray  # (n,) int32 into `materials`, a material for the whole node; -1: its mesh's own
    up_axis: UpAxis | None = None  # which way is up by the file's format; None: the format leaves that open
    length_unit: str = NO_UNIT  # what one unit is by the file's format, if that says it
    bookmarks: dict[str, Bookmark] = field(default_factory=dict)  # the file's cameras, by name
    measurements: list[Measurement] = field(default_factory=list)  # between nodes by their places in the columns
    labels: list[Label] = field(default_factory=list)  # likewise
    problems: list[Problem] = field(default_factory=list)  # whatever was skipped or guessed
    # the other files that it was made of, and where those that are missing are looked for first
    dependencies: frozenset[Path] = frozenset()
    # reads the materials again, on which alone these files have an effect; None: all may depend on them
    read_materials: Callable[[], MaterialContent] | None = None
    # of meshes with curves and surfaces, by name and number among those of that name; None: there are faces, too, or
    # the statements cannot be written again
    free_form: dict[tuple[str, int], FreeForm | None] = field(default_factory=dict)
    # (n,) int32, for `properties`: which of the nodes that show its mesh each is, from 0; None: it does not matter
    node_instances: np.ndarray | None = None
    properties: Properties | None = None  # of nodes with its meshes

    @classmethod
    def flat(cls, name: str, vertex_count: int, meshes: MeshBatch, materials: list[Material]) -> FileContent:
        """Return a file with a node of its name for each mesh, of a format in which +Y is up."""
        count = len(meshes)
        parents, shown = np.full(count, -1, dtype=np.int32), np.arange(count, dtype=np.int32)
        columns = unmoved(count)
        return cls(name, vertex_count, meshes.names, parents, shown, meshes, materials, *columns, up_axis="y")

    def __repr__(self) -> str:
        counts = counted(
            nodes=len(self.node_names),
            meshes=len(self.meshes),
            vertices=self.vertex_count,
            triangles=len(self.meshes.triangles),
            lines=len(self.meshes.lines),
            points=len(self.meshes.points),
            materials=len(self.materials),
            problems=len(self.problems),
        )
        return f"FileContent({self.name!r}: {counts})"

    @property
    def objects(self) -> list[tuple[str, MeshData]]:
        """Name and mesh of every node that has a mesh, in the order of the file; for small files."""
        shown = np.flatnonzero(self.node_meshes >= 0)
        return [(str(self.node_names[node]), self.meshes.mesh(int(self.node_meshes[node]))) for node in shown]

    def world(self, other: World) -> World:
        """Return the world of the file; what its format leaves open is as in another one."""
        return World(self.up_axis or other.up_axis, self.length_unit)

    def transform_in(self, world: World) -> tuple[np.ndarray, np.ndarray]:
        """Return (4,) rotation and (3,) scale, in another world, of a node that has the file's nodes below it."""
        begin = self.world(world)
        return quaternion_between(begin.up_axis, world.up_axis), np.full(3, begin.scale_to(world))

    def added_to(self, values: Mapping[str, Any], world: World, first: int, *, is_empty: bool) -> dict[str, Any]:
        """Return values of a scene, by attribute, once the file is part of it.

        Args:
            values: bookmarks, measurements, labels and length_unit, as they are before.
            first: the id of the first of the file's nodes.
        """
        begin = self.world(world)
        bookmarks = {name: placed_bookmark(bookmark, begin, world) for name, bookmark in self.bookmarks.items()}
        return {
            "bookmarks": merged_bookmarks(values["bookmarks"], bookmarks),
            "measurements": [*values["measurements"], *placed_measurements(self.measurements, first, begin, world)],
            "labels": [*values["labels"], *placed_labels(self.labels, first, begin, world)],
            "length_unit": unit_with_file(values["length_unit"], self.length_unit, is_empty=is_empty),
        }

    @property
    def warnings(self) -> list[str]:
        """The problems, one line each."""
        return [str(problem) for problem in self.problems]


@dataclass(frozen=True, eq=False)
class FileOutline:
    """The content of a file that is read in parts, without its geometry; attributes but the last as in FileContent."""

    vertex_count: int
    node_names: np.ndarray
    node_parents: np.ndarray
    materials: list[Material]
    problems: list[Problem]
    dependencies: frozenset[Path]
    node_of_mesh: np.ndarray  # (m,) int64 the node of each mesh; -1 for one of which nothing was left


def unmoved(count: int) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Return translations, rotations, scales and node_materials for nodes at the origin without materials of their own.

    The arrays are read-only and take no memory.
    """
    return (
        np.broadcast_to(np.zeros(3), (count, 3)),
        np.broadcast_to(np.array((0.0, 0.0, 0.0, 1.0)), (count, 4)),
        np.broadcast_to(np.ones(3), (count, 3)),
        np.broadcast_to(np.int32(-1), (count,)),
    )

"""Scene: a tree of nodes with local transforms, their meshes and materials, and the octree over them.

Nodes are columns (scene.nodes.node_columns); a `Node` is a handle that is made on demand.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property, wraps
from pathlib import Path
from typing import ParamSpec, TypedDict, TypeVar, Unpack, overload

import numpy as np
from numpy.typing import ArrayLike

from octoscope.guesses import advises, public
from octoscope.octree import Frustum
from octoscope.scene import public_names
from octoscope.scene.bookmarks import Bookmark, merged_bookmarks
from octoscope.scene.bvh.arrays import RayHits
from octoscope.scene.content import FileContent
from octoscope.scene.file_state import ProjectState
from octoscope.scene.loaded_source import LoadedSource
from octoscope.scene.measurement import Measurement
from octoscope.scene.mesh.arrays import MeshLike
from octoscope.scene.mesh.color_scale import COLORMAP, ColorScale
from octoscope.scene.mesh.data import counted
from octoscope.scene.mesh.layout import WHITE
from octoscope.scene.mesh.material import DEFAULT_MATERIAL, Material
from octoscope.scene.mesh.pool import NO_MESH, Meshes
from octoscope.scene.node import Hit, Node, Nodes
from octoscope.scene.nodes.attributes import Versioned, read_only, versioned_attributes
from octoscope.scene.nodes.coloring import set_colors
from octoscope.scene.nodes.hierarchy import with_all_below
from octoscope.scene.nodes.layers import SHOWN
from octoscope.scene.nodes.name_search import advice_for, casefolded, fits_name
from octoscope.scene.nodes.node_table import NodeTable
from octoscope.scene.nodes.printed_tree import printed_tree
from octoscope.scene.spatial.index import SpatialIndex
from octoscope.scene.spatial.raycast import HitFacts, RayCaster
from octoscope.scene.system.paths import StrPath, is_standard_input
from octoscope.scene.system.report import LoadReport
from octoscope.scene.up_axis import UpAxis, checked_up_axis
from octoscope.scene.upright import quaternion_between

_MOST_PRINTED = 40  # nodes
_WHITE = 1.0, 1.0, 1.0
_VECTOR_COLOR = (0.92, 0.42, 0.08)  # sRGB, which few colormaps have
_Arguments = ParamSpec("_Arguments")
_Result = TypeVar("_Result")
OWN = ("index", "rays", "world_lock")  # attributes that know which scene they belong to


class NodePlacement(TypedDict, total=False):
    """Transform, parent and flags of a new node, with the shapes that Scene.add_nodes takes."""

    parent: ArrayLike | None
    translation: ArrayLike
    rotation: ArrayLike
    scale: ArrayLike
    hidden: bool
    unselectable: bool


def all_or_nothing(function: Callable[_Arguments, _Result]) -> Callable[_Arguments, _Result]:
    """Make a function that adds to a scene, its first argument, take all of it back when it raises an exception.

    Values of nodes that were there before are not taken back.
    """

    @wraps(function)
    def guarded(*args: _Arguments.args, **kwargs: _Arguments.kwargs) -> _Result:
        scene = args[0] if args else kwargs["scene"]
        require_scene(scene)
        assert isinstance(scene, Scene)
        before = {**vars(scene), "_nodes": scene._nodes.frozen()}
        meshes, report = scene.meshes.frozen(), scene.report.copy()
        try:
            return function(*args, **kwargs)
        except BaseException:
            vars(scene).update(before)
            scene.meshes.take(meshes)
            scene.report.become(report)
            raise

    return guarded


def require_scene(given: object) -> None:
    """Check that an argument is a scene.

    Raises:
        TypeError: it is not.
    """
    if not isinstance(given, Scene):
        is_path = isinstance(given, (str, os.PathLike)) and os.path.splitext(given)[1]
        advice = "; octoscope.load(path) opens one, and where both are given it comes first" if is_path else ""
        raise TypeError(f"a Scene is needed, not {' '.join(repr(given).split())[:60]}{advice}")


@public(*public_names.SCENE, instead=public_names.SCENE_GUESSES)
class Scene(NodeTable):
    """A tree of nodes with its octree, and whatever else a project file holds. The columns of nodes are NodeColumns'.

    Examples:
        >>> scene = octoscope.load("assets/harbour.obj")
        >>> print(scene)  # doctest: +ELLIPSIS
        Scene(...)
        └─ harbour.obj...
        >>> tower = scene["lighthouse_tower"]  # scene[7] is the node of an id, scene[[7, 8]] several
        >>> scene.set_colors(scene.find("gull*"), "orange")
        >>> scene.delete(tower)

    Threads: while nobody changes a scene, any number of threads may read it and cast rays; what is out of date is
    brought up to date by the first that asks, and the others wait. One thread at a time may change it, and no other may
    read it meanwhile: what it gets could be of two states, and rays could meet nodes that are not there. Others read a
    copy, `scene.snapshot.snapshot(scene)`, made on the thread that changes the scene, which goes on at once. A window
    and a browser's page belong to the thread that runs them; callbacks of theirs may change the scene.

    Args:
        up_axis: "y" or "z"; None: "y", or that of the project which the scene becomes.

    Attributes:
        up_axis: the world's axis that points up, "y" or "z"; the camera, the ground and what falls go by it.
        bookmarks: camera positions, by name. Set it whole.
        sources: paths of the files that meshes came from; meshes refer to them by index. `add_source` appends.
        loaded_sources: by index in `sources`, what is kept of those that could be read. Set it whole.
        report: problems and counts from opening files into this scene.
        project: what the scene keeps of its project file.
        color_scales: by material id, the numbers that the colours of vertices stand for; pictures show bars of those
            in sight. Set it whole.
        measurements: the user's, in order; those of deleted nodes included. Set it whole.
    """

    up_axis = Versioned[UpAxis](checked_up_axis)
    bookmarks = Versioned[Mapping[str, Bookmark]](read_only)
    sources = Versioned[tuple[Path, ...]](tuple)
    loaded_sources = Versioned[Mapping[int, LoadedSource]](read_only)
    color_scales = Versioned[Mapping[int, ColorScale]](read_only)
    measurements = Versioned[Sequence[Measurement]](tuple)

    def __init__(self, *, up_axis: UpAxis | None = None) -> None:
        super().__init__()
        self.up_axis = up_axis or "y"
        self._keeps_up_axis = up_axis is not None
        self.bookmarks = {}
        self.sources = ()
        self.loaded_sources = {}
        self.color_scales = {}
        self.measurements = []
        self.report = LoadReport()
        self.project = ProjectState()

    # Made on demand: they refer to the scene, and a copy without them is freed at once.

    @cached_property
    def index(self) -> SpatialIndex:
        """The octree over the nodes; every query updates it first."""
        return SpatialIndex(self)

    @cached_property
    def rays(self) -> RayCaster:
        """The caster that `raycast`, `raycast_all` and `raycast_many` use."""
        return RayCaster(self.index)

    def __iter__(self) -> Iterator[Node]:
        return (Node(self, node_id) for node_id in self.ids.tolist())

    @overload
    def __getitem__(self, wanted: str | int | np.integer) -> Node: ...
    @overload
    def __getitem__(self, wanted: Sequence[int] | np.ndarray) -> Nodes: ...
    def __getitem__(self, wanted: str | int | np.integer | Sequence[int] | np.ndarray) -> Node | Nodes:
        """Return the first node of a name, the node of an id, or the Nodes of several ids.

        Raises:
            KeyError: no node has the name.
            IndexError: no node has the id.
        """
        if not isinstance(wanted, str):
            ids = self.checked_ids(wanted, alive=True)
            return Nodes(self, ids) if np.ndim(wanted) else Node(self, int(ids[0]))
        found = self._called(wanted)
        if len(found) == 0:
            raise KeyError(f"no node is called {wanted!r}{advice_for(self.names[self.ids], wanted)}")
        return Node(self, int(found[0]))

    def __contains__(self, wanted: object) -> bool:
        """Tell whether the scene has a node of a name, or this Node."""
        if isinstance(wanted, Node):
            return wanted.scene is self and wanted.alive
        return isinstance(wanted, str) and len(self._called(wanted)) > 0

    def _called(self, name: str) -> np.ndarray:
        """Return the ids of the nodes of a name."""
        names, alive = self.at_once("name", "alive")
        return np.flatnonzero((names == name) & alive)

    def __repr__(self) -> str:
        nodes = int(np.count_nonzero(self.alive))
        counts = counted(nodes=nodes, meshes=len(self.meshes), **self.meshes.element_counts)
        wrong = len(self.report.errors) + len(self.report.merged_problems)
        return f"Scene({counts})" if wrong == 0 else f"Scene({counts}; {wrong:,} in scene.report)"

    def __str__(self) -> str:
        return f"{self!r}\n{self.tree(_MOST_PRINTED)}".rstrip()

    def tree(self, max_lines: int | None = None) -> str:
        """Return the tree of nodes as text, a line for each; `print(scene)` shows its begin.

        Args:
            max_lines: of nodes; None: all.
        """
        return printed_tree(self, max_lines)

    @property
    def nodes(self) -> Nodes:
        """All nodes, by id."""
        return Nodes(self, self.ids)

    @property
    def objects(self) -> Nodes:
        """The nodes that show a mesh, by id."""
        return Nodes(self, np.flatnonzero(self.mesh_ids >= 0))

    def find(self, text: str) -> Nodes:
        """Return all nodes whose name contains a text, in any case, or fits a pattern such as "house_*".

        Examples:
            >>> gulls = scene.find("gull")
            >>> scene.set_hidden(gulls, True)
        """
        names, alive = self.at_once("name", "alive")
        return Nodes(self, np.flatnonzero(fits_name(casefolded(names), text) & alive))

    def _repr_png_(self) -> bytes | None:
        """Return a picture for a notebook's cell in which the scene stands alone; None where it cannot be drawn."""
        from octoscope.scene.notebook_picture import notebook_picture  # only here: it takes long to import

        return notebook_picture(self)

    # Building.

    @all_or_nothing
    def add_content(
        self, content: FileContent, path: StrPath | None, *, alive: bool = True, meshes: Meshes | None = None
    ) -> range:
        """Append what a file holds: a node of the file's name, and below it the file's own nodes.

        The node is turned where the file's format says which way is up and the scene has another up axis.

        Args:
            content: of the file; not to be used afterwards, as its arrays may become the scene's (Meshes.extend).
            path: of the file; None for one whose changes are not followed.
            alive: as for `add_nodes`.
            meshes: a pool that was frozen from this scene's and extended by the content's meshes; None: the scene's
                own pool is extended.

        Returns:
            the ids of the new nodes; the first is the file's.

        Raises:
            ValueError: as `add_nodes` and `Meshes.extend`; nothing was added.
        """
        path = None if path is None else Path(path)
        source = -1 if path is None or is_standard_input(path) else self.add_source(path)
        self.bookmarks = merged_bookmarks(self.bookmarks, content.bookmarks_in(self.up_axis))
        first_material = len(self.materials)
        first_mesh = self.add_meshes(content, source, meshes).start
        rotation = quaternion_between(content.up_axis or self.up_axis, self.up_axis)
        top = self.add_node(content.name, rotation=rotation, alive=alive).id
        nodes = self.add_nodes(
            content.node_names,
            parent=np.where(content.node_parents < 0, top, content.node_parents + top + 1),
            mesh=np.where(content.node_meshes < 0, NO_MESH, content.node_meshes + first_mesh),
            material=np.where(content.node_materials < 0, -1, content.node_materials + first_material),
            translation=content.translations,
            rotation=content.rotations,
            scale=content.scales,
            alive=alive,
        )
        if path is not None:
            self.report.add(LoadReport([path]))
        return range(top, nodes.stop)

    def add_source(self, path: StrPath) -> int:
        """Append a file that meshes come from, and return its index in `sources`."""
        self.check_editable()
        self.sources = (*self.sources, Path(path))
        return len(self.sources) - 1

    @all_or_nothing
    def add_meshes(self, content: FileContent, source: int, meshes: Meshes | None = None) -> range:
        """Append the meshes and materials that a file holds, none of its nodes; return the meshes' ids.

        What the file states and the problems with it go to the report. `source` is the file's index in `sources`, or
        -1; the other arguments, and what is raised, are as for `add_content`.
        """
        materials = self.add_materials(content.materials)
        self.report.vertex_count += content.vertex_count
        self.report.problems += content.problems
        if source >= 0:
            self.loaded_sources = {**self.loaded_sources, source: LoadedSource.of(content, materials)}
        if meshes is not None:
            first = len(self.meshes)
            self.meshes.take(meshes)
            return range(first, len(meshes))
        return self.meshes.extend(content.meshes, first_material=materials.start, source=source)

    def become(self, other: Scene) -> None:
        """Take over another scene's contents, and merge the reports; `other` must not be used afterwards.

        Raises:
            ValueError: this scene is not empty.
        """
        self.check_editable()
        if self.row_count:
            raise ValueError("only an empty scene can become another")
        self.report.add(other.report)
        theirs = {name: value for name, value in vars(other).items() if name not in OWN}
        if self._keeps_up_axis:
            del theirs["_up_axis"]
        vars(self).update(theirs, report=self.report)
        self._take_nodes(other)
        self.index.take(other.index)

    def take(self, copy: Scene) -> None:
        """Take over the contents of a changed copy of this scene (scene.snapshot), except what it keeps of its file.

        `copy` must not be used afterwards.
        """
        self.check_editable()
        if len(copy.meshes) != len(self.meshes):
            self.meshes.take(copy.meshes)
        for name in versioned_attributes(Scene):
            setattr(self, name, getattr(copy, name))
        self.project.unresolved_meshes = copy.project.unresolved_meshes
        self.report.merge(copy.report)
        self._take_nodes(copy)
        self.index.take(copy.index)
        self.tree_revision = copy.tree_revision

    @property
    def used_materials(self) -> set[Material]:
        """The different materials of meshes and nodes, without the default one.

        A material that only an undone edit gave to nodes stays in `materials`, for redo, and is not among them.
        """
        is_used = np.zeros(len(self.materials) + 1, dtype=bool)  # one more, for nodes without one of their own
        is_used[self.meshes.vertices["material"]] = True
        is_used[self.material_overrides[self.ids]] = True
        return {self.materials[number] for number in np.flatnonzero(is_used[:-1]).tolist()} - {DEFAULT_MATERIAL}

    @advises(NodePlacement.__annotations__)
    def add_node(
        self,
        name: str,
        *,
        mesh: ArrayLike = NO_MESH,
        material: ArrayLike = -1,
        alive: bool = True,
        **placement: Unpack[NodePlacement],
    ) -> Node:
        """Append one node; arguments and errors are those of `add_nodes`. Without a mesh it is a group.

        Examples:
            >>> gulls = scene.add_node("gulls")
            >>> scene.set_parents(scene.find("gull_*"), gulls)
        """
        return Node(self, self.add_nodes([name], mesh=mesh, material=material, alive=alive, **placement).start)

    def add_instances(
        self,
        name: str,
        node: Node,
        translations: ArrayLike,
        *,
        rotations: ArrayLike = (0.0, 0.0, 0.0, 1.0),
        scales: ArrayLike = 1.0,
        parent: ArrayLike | None = None,
    ) -> Nodes:
        """Append n nodes that show the mesh and the material of another.

        Examples:
            >>> towers = scene.add_instances("tower", scene["lighthouse_tower"], np.random.rand(100_000, 3))

        Args:
            node: whose mesh they share; what is below it is not repeated.
            translations: (n, 3), in the frame of their parent.
            rotations: (4,) or (n, 4), quaternions x, y, z, w.
            scales: one number, (3,), (n, 1) or (n, 3).
            parent: of all; None: the top.

        Raises:
            ValueError: the node shows no mesh, or an argument does not fit; nothing was added.
        """
        if not isinstance(node, Node) or node.mesh_id < 0:
            given = node.without_mesh if isinstance(node, Node) else repr(node)
            raise ValueError(f"node: a node with a mesh is needed, such as add_mesh returns, not {given}")
        count = len(translations) if np.ndim(translations) == 2 else 1  # type: ignore[arg-type]
        ids = self.add_nodes(
            [name] * count,
            parent=parent,
            mesh=self.mesh_ids[node.id],
            material=self.material_overrides[self.checked_ids(node)[0]],
            translation=translations,
            rotation=rotations,
            scale=scales,
        )
        return Nodes(self, np.array(ids))

    def delete(self, ids: ArrayLike) -> None:
        """Delete nodes and everything below them. octoscope.editing.delete makes an edit that can be undone."""
        self.set_alive(with_all_below(self, self.checked_ids(ids, alive=True)), False)

    def set_colors(self, ids: ArrayLike, colors: str | ArrayLike) -> None:
        """Give nodes and everything below them materials of one colour, without a texture of it.

        Examples:
            >>> scene.set_colors(scene.objects, np.random.uniform(0, 1, (len(scene.objects), 3)))

        Args:
            ids: (k,) nodes.
            colors: a name such as "orange", or "#1e2226"; red, green and blue (and opacity), sRGB, 0 to 1 or uint8; or
                a row of these for each node, of which an object takes that of the nearest above it. Opacity stays as
                it is if none is given.

        Raises:
            ValueError: they are no colours.
        """
        set_colors(self, ids, colors)

    @advises(NodePlacement.__annotations__)
    @all_or_nothing
    def add_mesh(
        self,
        name: str,
        vertices: ArrayLike | MeshLike,
        faces: ArrayLike | None = None,
        *,
        color: str | ArrayLike | None = None,
        normals: ArrayLike | None = None,
        uvs: ArrayLike | None = None,
        colors: ArrayLike | None = None,
        scalars: ArrayLike | None = None,
        colormap: str = COLORMAP,
        scalar_range: tuple[float, float] | None = None,
        title: str | None = None,
        vectors: ArrayLike | None = None,
        vector_scale: float | None = None,
        material: Material | None = None,
        **placement: Unpack[NodePlacement],
    ) -> Node:
        """Append a node with a mesh of its own, from arrays such as those of numpy, or a mesh of trimesh.

        Examples:
            >>> triangle = scene.add_mesh("triangle", [(0, 0, 0), (1, 0, 0), (0, 1, 0)], [(0, 1, 2)], color="orange")
            >>> ball = scene.add_mesh("ball", trimesh.creation.icosphere(), translation=(0, 5, 0))
            >>> other = scene.add_mesh("other", ball.mesh, material=ball.material)

        Args:
            vertices: (v, 3) finite numbers, in the node's frame; or a mesh, which has vertices and faces, and whose
                normals, texture coordinates and colours are taken where they are not given.
            faces: (f, 3) integers, the vertices of each triangle, counterclockwise seen from outside; or (f, k) of
                polygons with k corners. None: a cloud of points, one at each vertex.
            color: of the whole mesh, as for `set_colors`.
            normals: (v, 3), of any length; None: every triangle is shaded flat.
            uvs: (v, 2) texture coordinates, for the textures of `material`.
            colors: (v, 3) or (v, 4) sRGB, and opacity: uint8, or floats from 0 to 1.
            scalars: (v,) numbers of vertices or (f,) of faces, which are shown as colours, with a bar in the picture
                that explains them. Of vertices if there are as many faces. `set_scalars` changes them.
            colormap: for the scalars: a name of matplotlib's, such as "viridis" or "coolwarm_r".
            scalar_range: the numbers that get the first and the last colour; None: the least and the greatest.
            title: of the bar; None: the name.
            vectors: (v, 3), shown as arrows at the vertices: a node below the new one, called "vectors".
            vector_scale: length of an arrow over that of its vector; None: the longest is a tenth of the mesh's size.
            material: of the mesh; None: white where there are colours or scalars, else the default.
            **placement: of the node, as for `add_nodes`.

        Raises:
            ValueError: an argument does not fit the others, has numbers that are not finite, or there is no such
                colormap; the scene is as it was.
        """
        from octoscope.scene.mesh.from_arrays import arrays_of, arrows, mesh_of_arrays  # here: most come from files

        if not isinstance(name, str):
            raise ValueError("name: a name must be a string, and comes first: add_mesh(name, vertices, faces)")
        if not (material is None or isinstance(material, Material)):
            raise ValueError(f"material: a Material is needed, not {type(material).__name__}")
        vertices, faces, normals, uvs, own_colors = arrays_of(vertices, faces, normals, uvs, colors)
        mesh, scale = mesh_of_arrays(
            vertices,
            faces,
            normals=normals,
            uvs=uvs,
            colors=own_colors if scalars is None else colors,
            scalars=scalars,
            colormap=colormap,
            scalar_range=scalar_range,
            title=name if title is None else title,
        )
        arrow_mesh = None if vectors is None else arrows(vertices, vectors, scale=vector_scale)
        material_id = 0
        if material is not None or mesh.colors is not None:
            material_id = self.add_material(material or Material(name, base_color=_WHITE))
        if scale is not None:
            self.color_scales = {**self.color_scales, material_id: scale}
        node = self.add_node(name, mesh=self.meshes.add(mesh, first_material=material_id), **placement)
        if color is not None:
            self.set_colors(node, color)
        if arrow_mesh is not None:
            orange = self.add_material(Material(f"{name} vectors", base_color=_VECTOR_COLOR))
            self.add_node("vectors", mesh=self.meshes.add(arrow_mesh, first_material=orange), parent=node.id)
        return node

    @all_or_nothing
    @advises()
    def set_scalars(
        self,
        node: Node,
        scalars: ArrayLike | None,
        *,
        colormap: str | None = None,
        scalar_range: tuple[float, float] | None = None,
        title: str | None = None,
    ) -> None:
        """Show numbers as colours of a node's mesh, or other numbers than before; all nodes that share the mesh do.

        Examples:
            >>> node = scene["lighthouse_tower"]
            >>> scene.set_scalars(node, np.sin(node.mesh.vertices[:, 0]), scalar_range=(-1, 1))

        The whole scene goes to the graphics card again, so that one with little else is best for an animation.

        Args:
            scalars: (v,) numbers of the mesh's vertices; or of its faces, if `add_mesh` made it of such numbers; None
                takes them off: the mesh is white until it gets a colour or a material.
            colormap: as for `add_mesh`; None: that which it had.
            scalar_range: as for `add_mesh`; None: the least and the greatest of these numbers.
            title: of the bar; None: the one that it had, or the node's name.

        Raises:
            ValueError: the node shows no mesh, or as `add_mesh`; the scene is as it was.
        """
        from octoscope.scene.mesh.from_arrays import scalar_colors

        number = int(self.checked_ids(node, alive=True)[0])
        mesh_id = int(self.mesh_ids[number])
        if mesh_id < 0:
            raise ValueError(Node(self, number).without_mesh)
        mesh = self.meshes.mesh(mesh_id)
        material_id = int(mesh.material_ids[0])
        before = self.color_scales.get(material_id)
        users = np.flatnonzero(self.mesh_ids == mesh_id)
        if scalars is None:
            if before is not None:
                plain = self.add_material(Material(before.title, base_color=_WHITE))
                self.replace_meshes(self.meshes.with_vertex_columns(mesh_id, color=WHITE, material=plain), users[:0])
                if not (self.meshes.vertices["material"] == material_id).any():
                    self.color_scales = {key: kept for key, kept in self.color_scales.items() if key != material_id}
            return
        if title is None:
            title = str(self.names[number]) if before is None else before.title
        colors, scale = scalar_colors(mesh, scalars, before, colormap=colormap, scalar_range=scalar_range, title=title)
        if before is None:
            material_id = self.add_material(Material(title, base_color=_WHITE))
        if self.meshes.rows["source"][mesh_id] >= 0:  # else a project would name the file, which lacks these colours
            mesh_id = self.meshes.extend(self.meshes.batch(np.array([mesh_id]))).start
            self.set_meshes(users, mesh_id)
        self.set_materials(users, -1)
        pool = self.meshes.with_vertex_columns(mesh_id, color=colors, material=material_id)
        self.replace_meshes(pool, users[:0])
        self.color_scales = {**self.color_scales, material_id: scale}

    # Queries.

    @property
    def is_stale(self) -> bool:
        """True if the world or the octree is out of date, so that the next reader waits for an update."""
        return super().is_stale or not self.index.is_current

    def bounds(self, ids: ArrayLike | None = None) -> tuple[np.ndarray, np.ndarray] | None:
        """Return the world box (lower, upper) of nodes and everything below them; None if nothing has a mesh.

        Examples:
            >>> lower, upper = scene.bounds(scene.find("gull*"))

        It is exact where a node's axes are parallel to the world's; else it encloses the node's rotated box, and is
        never too small. Nodes whose matrix overflowed do not count. octoscope.measure is exact.

        Args:
            ids: (k,) nodes; None: all.

        Raises:
            IndexError: an id that is no node's.
        """
        return self.own_bounds(None if ids is None else with_all_below(self, ids))

    def cull(self, frustum: Frustum) -> Nodes:
        """Return the nodes that are not hidden, and whose bounding spheres touch a frustum.

        Examples:
            >>> camera = Camera.looking_at(eye=(50, 30, 50), target=(0, 0, 0))
            >>> seen = scene.cull(Frustum.from_camera(camera, aspect=16 / 9))
        """
        if not isinstance(frustum, Frustum):
            raise TypeError(f"a Frustum is needed, as Frustum.from_camera(camera, aspect) makes it, not {frustum!r}")
        return Nodes(self, self.index.cull(frustum))

    def query_box(self, lower: ArrayLike, upper: ArrayLike) -> Nodes:
        """Return the nodes that are not hidden, and whose bounding spheres touch a box.

        Examples:
            >>> near_the_tower = scene.query_box(*scene["lighthouse_tower"].bounds)

        Args:
            lower, upper: (3,) corners, world; may be infinite.
        """
        return Nodes(self, self.index.query_box(lower, upper))

    def query_sphere(self, center: ArrayLike, radius: float) -> Nodes:
        """Return the nodes that are not hidden, and whose bounding spheres touch a ball.

        Args:
            center: (3,) world.
            radius: world units.
        """
        return Nodes(self, self.index.query_sphere(center, radius))

    def raycast(
        self,
        origin: ArrayLike,
        direction: ArrayLike,
        *,
        t_max: float = np.inf,
        layers: int = SHOWN,
        back_faces: bool = True,
        among: ArrayLike | None = None,
    ) -> Hit | None:
        """Return the nearest triangle on a ray, or None.

        Examples:
            >>> hit = scene.raycast(origin=(0, 50, 0), direction=(0, -1, 0))
            >>> name = "nothing" if hit is None else hit.node.name

        A mesh gets a tree of its triangles when a ray first meets it. A large mesh gets it on another thread, and is
        tested triangle by triangle until then, with the same result. Several threads may cast rays at once, as long as
        none edits the scene.

        Args:
            origin: (3,) world.
            direction: (3,) world, of any length above 0.
            t_max: the ray's length, world units.
            layers: mask of scene.nodes.layers: which nodes count.
            back_faces: False leaves out triangles whose normal points along the ray.
            among: the nodes that count, and everything below them; or (n,) bool by node id, none of those beyond it;
                None for all.

        Raises:
            ValueError: a value is not finite, the direction has no length, or `among` is not (n,) bool.
        """
        found = self.rays.nearest(origin, direction, t_max, layers=layers, back_faces=back_faces, among=among)
        return self._hit_of(found[0]) if found else None

    def raycast_all(
        self,
        origin: ArrayLike,
        direction: ArrayLike,
        *,
        t_max: float = np.inf,
        layers: int = SHOWN,
        back_faces: bool = True,
        among: ArrayLike | None = None,
    ) -> list[Hit]:
        """Return every triangle on a ray, by ascending t; arguments, and what is raised, are as for `raycast`.

        An edge or corner that triangles of one mesh share is hit once.
        """
        found = self.rays.every(origin, direction, t_max, layers=layers, back_faces=back_faces, among=among)
        return [self._hit_of(each) for each in found]

    def _hit_of(self, found: HitFacts) -> Hit:
        node, triangle, facts = found
        return Hit(Node(self, node), float(facts[0]), facts[1:4], facts[4:7], triangle, facts[7:10], facts[10:12])

    def raycast_many(
        self,
        origins: ArrayLike,
        directions: ArrayLike,
        *,
        t_max: float = np.inf,
        layers: int = SHOWN,
        back_faces: bool = True,
        among: ArrayLike | None = None,
    ) -> RayHits:
        """Return the nearest triangle on each of n rays, on all cores; waits for the trees of large meshes.

        Origins and directions are (n, 3); the other arguments, and what is raised, are as for `raycast`.
        """
        return self.rays.many(origins, directions, t_max, layers=layers, back_faces=back_faces, among=among)

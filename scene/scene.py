"""Scene: a tree of nodes with local transforms, their meshes and materials, and the octree over them.

Nodes are columns (scene.nodes.node_columns); a `Node` is a handle that is made on demand.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import wraps
from pathlib import Path
from typing import Any, NoReturn, ParamSpec, TypeVar, Unpack

import numpy as np
from numpy.typing import ArrayLike

from octoscope.arguments import kind_of
from octoscope.array_arguments import as_array
from octoscope.guesses import advises, made_by, public
from octoscope.scene import public_names
from octoscope.scene.annotations.bookmarks import Bookmark
from octoscope.scene.annotations.cursor import checked_cursor
from octoscope.scene.annotations.labels import Label
from octoscope.scene.annotations.measurement import Measurement
from octoscope.scene.colors import WHITE_COLOR
from octoscope.scene.content import FileContent
from octoscope.scene.conventions.length_unit import NO_UNIT, checked_decimals, checked_length_unit
from octoscope.scene.conventions.up_axis import UpAxis, checked_up_axis
from octoscope.scene.conventions.world import World
from octoscope.scene.file_state import ProjectState
from octoscope.scene.loaded_source import LoadedSource
from octoscope.scene.mesh.arrays import MeshLike
from octoscope.scene.mesh.color_scale import COLORMAP
from octoscope.scene.mesh.data import MeshData, counted
from octoscope.scene.mesh.layout import ELEMENTS
from octoscope.scene.mesh.material import ARROW_MATERIAL, Material
from octoscope.scene.mesh.pool import NO_MESH, UNTIL_UNUSED, Meshes
from octoscope.scene.node import Node, NodePlacement, Nodes
from octoscope.scene.nodes.attributes import Versioned, read_only, versioned_attributes
from octoscope.scene.nodes.coloring import added_materials, found_or_added
from octoscope.scene.nodes.hierarchy import with_all_above, with_all_below
from octoscope.scene.nodes.placing import place_in_world
from octoscope.scene.nodes.unused_meshes import free_unused_meshes
from octoscope.scene.sources import SceneSources
from octoscope.scene.system.paths import StrPath, is_standard_input
from octoscope.scene.system.report import LoadReport

_MOST_PRINTED = 40  # nodes
_Arguments = ParamSpec("_Arguments")
_Result = TypeVar("_Result")
_OWN = ("index", "rays", "world_lock", "material_index", "edits")  # attributes that copies have their own of
_DERIVED = ("layer", "world_from_local", "world_sphere", "world_revision")  # columns

_MATRIX = "set node.world_from_local of what it returns"
_MATRICES = "scene.set_world_from_local(nodes, matrices) of what it returns"
_COLORS_LATER = "scene.set_colors(nodes, colors) of what it returns"


def all_or_nothing(function: Callable[_Arguments, _Result]) -> Callable[_Arguments, _Result]:
    """Make a function that adds to a scene, its first argument, take all of it back when it raises an exception.

    Values of nodes that were there before are not taken back.
    """

    @wraps(function)
    def guarded(*args: _Arguments.args, **kwargs: _Arguments.kwargs) -> _Result:
        scene = args[0] if args else kwargs["scene"]
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


@made_by("octoscope.load(path) opens files")
@public(*public_names.SCENE, instead=public_names.SCENE_GUESSES)
class Scene(SceneSources):
    """A tree of nodes with its octree, and whatever else a project file holds.

    Find: `scene[name]`, `scene[ids]`, `find`, `nodes`, `objects`; `query_box`, `query_sphere`, `cull`, `raycast`,
    `raycast_all`, `raycast_many` find by place; `bounds` is a box.
    Add: `add_mesh`, `add_node`, `add_nodes`, `add_instances`, `add_material`; `delete` and `copy`.
    Change: node by node by attributes of Node, or many at once by `set_translations`, `set_rotations`, `set_scales`,
    `set_world_from_local`, `set_parents`, `set_hidden`, `set_colors`, `set_materials`, `set_scalars` and so on.
    Columns are read-only arrays by node id: `names`, `parents`, `translations`, `rotations`, `scales`, `hidden`,
    `world_from_local`, `mesh_ids` ... `dir(scene)` lists all that is public.

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
    copy, `scene.copy()`, made on the thread that changes the scene, which goes on at once. A window and a browser's
    page belong to the thread that runs them; callbacks of theirs may change the scene.

    Args:
        up_axis: "y" or "z"; None: "y", or that of the project which the scene becomes.

    Attributes:
        up_axis: the world's axis that points up, "y" or "z"; the camera, the ground and what falls go by it.
        length_unit: of the world: "mm", "cm", "m", "in", "ft" or "" (not known). Setting it moves and scales nothing.
        length_decimals: with how many lengths, areas and volumes are shown; None: as many as the scene's size asks for.
        bookmarks: camera positions, by name. Set it whole.
        sources: paths of the files that meshes came from; meshes refer to them by index. `add_source` appends.
        loaded_sources: by index in `sources`, what is kept of those that could be read. Set it whole.
        report: problems and counts from opening files into this scene.
        project: what the scene keeps of its project file.
        color_scales: by material id, the numbers that the colours of vertices stand for; pictures show bars of those
            in sight. Set it whole.
        measurements: the user's, in order; those of deleted nodes included. Set it whole.
        labels: texts at points, as measurements.
        cursor: the 3D cursor, (x, y, z) in the world, for pivots, arrays and new objects; or None.
        unused_materials: that are kept, in projects too, though no object shows them. Set it whole.
    """

    up_axis = Versioned[UpAxis](checked_up_axis)
    length_unit = Versioned[str](checked_length_unit)
    length_decimals = Versioned[int | None](checked_decimals)
    bookmarks = Versioned[Mapping[str, Bookmark]](read_only, kind_of(Mapping[str, Bookmark]))
    measurements = Versioned[Sequence[Measurement]](tuple, kind_of(Sequence[Measurement]))
    labels = Versioned[Sequence[Label]](tuple, kind_of(Sequence[Label]))
    cursor = Versioned[tuple[float, float, float] | None](checked_cursor)
    unused_materials = Versioned[Sequence[Material]](tuple, kind_of(Sequence[Material]))

    @advises()
    def __init__(self, *, up_axis: UpAxis | None = None) -> None:
        super().__init__()
        self.up_axis = up_axis or "y"
        self._keeps_up_axis = up_axis is not None
        self.length_unit = NO_UNIT
        self.length_decimals = None
        self.bookmarks = {}
        self.sources = ()
        self.loaded_sources = {}
        self.measurements = []
        self.labels = []
        self.cursor = None
        self.unused_materials = []
        self.report = LoadReport()
        self.project = ProjectState()

    def __repr__(self) -> str:
        nodes = int(np.count_nonzero(self.alive))
        is_shown = np.zeros(len(self.meshes) + 1, dtype=np.bool_)  # one more, for nodes without a mesh
        is_shown[self.mesh_ids] = True
        shown, rows = np.flatnonzero(is_shown[:-1]), self.meshes.rows
        elements = {f"{name}s": int(rows[f"{name}_count"][shown].sum()) for name in ELEMENTS[1:]}
        counts = counted(nodes=nodes, meshes=len(shown), **elements)
        wrong = len(self.report.errors) + len(self.report.merged_problems)
        return f"Scene({counts})" if wrong == 0 else f"Scene({counts}; {wrong:,} in scene.report)"

    def __str__(self) -> str:
        return f"{self!r}\n{self.tree(_MOST_PRINTED)}".rstrip()

    # Building.

    @all_or_nothing
    def add_content(
        self, content: FileContent, path: StrPath | None, *, alive: bool = True, meshes: Meshes | None = None
    ) -> range:
        """Append what a file holds: a node of the file's name, and below it the file's own nodes.

        Nodes of a file that was added before, and has not changed since, share its meshes and materials.

        The node is turned and scaled where file and scene have other up axes or units. Unless the nodes are alive, the
        scene's own values stay as they are (`values_with`).

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
        world = World(self.up_axis, self.length_unit)
        shared = None if meshes is not None else self.shared_with(content, path)
        mesh_ids, material_ids = shared or self._add_all(content, path, meshes)
        if shared is not None and content.properties is not None:  # they may be others than of the same meshes before
            source = int(self.meshes.rows["source"][mesh_ids[0]])
            loaded = replace(self.loaded_sources[source], properties=content.properties)
            self.loaded_sources = {**self.loaded_sources, source: loaded}
        rotation, scale = content.transform_in(world)
        top = self.add_nodes([content.name], rotation=rotation, scale=scale, file_root=True, alive=alive).start
        nodes = self.add_nodes(
            content.node_names,
            parent=np.where(content.node_parents < 0, top, content.node_parents + top + 1),
            mesh=np.append(mesh_ids, NO_MESH)[content.node_meshes],
            instance=0 if content.node_instances is None else content.node_instances,
            material=np.append(material_ids, -1)[content.node_materials],
            translation=content.translations,
            rotation=content.rotations,
            scale=content.scales,
            alive=alive,
        )
        rows = range(top, nodes.stop)
        if alive:
            for name, value in self.values_with(content, rows).items():
                setattr(self, name, value)
        if path is not None:
            self.report.add(LoadReport([path]))
        return rows

    def values_with(self, content: FileContent, rows: range) -> dict[str, Any]:
        """Return values of the scene, by attribute, that change once a file's content is alive as nodes `rows`."""
        values = {name: getattr(self, name) for name in ("bookmarks", "measurements", "labels", "length_unit")}
        world, is_empty = World(self.up_axis, self.length_unit), not self.alive[: rows.start].any()
        return content.added_to(values, world, rows.start + 1, is_empty=bool(is_empty))

    def _add_all(self, content: FileContent, path: Path | None, meshes: Meshes | None) -> tuple[np.ndarray, np.ndarray]:
        source = -1 if path is None or is_standard_input(path) else self.add_source(path)
        first = len(self.materials)
        return np.array(self.add_meshes(content, source, meshes)), first + np.arange(len(content.materials))

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
        theirs = {name: value for name, value in vars(other).items() if name not in _OWN}
        if self._keeps_up_axis:
            del theirs["_up_axis"]
        vars(self).update(theirs, report=self.report)
        self._take_nodes(other)
        self.index.take(other.index)

    def copy(self, nodes: ArrayLike | None = None) -> Scene:
        """Return a copy of the scene; changing one of the two leaves the other unchanged.

        Meshes are shared, since they only grow, and the octree is built when the copy is asked: copying a million nodes
        takes as long as one frame.

        Examples:
            >>> left_out = octoscope.save(scene.copy(scene["lighthouse_tower"]), "tower.glb")

        Args:
            nodes: the nodes to copy, with their descendants and world transforms; their ancestors become groups. None:
                all.
        """
        copy = Scene()
        vars(copy).update({name: value for name, value in vars(self).items() if name not in _OWN})
        copy._nodes = self._nodes.copy(without=_DERIVED)
        copy._mark_changed(slice(None))
        copy.meshes = self.meshes.frozen()
        copy.project = self.project.copy()
        copy.report = self.report.copy()
        if nodes is not None:
            ids = self.checked_ids(nodes, alive=True)
            kept = with_all_below(copy, ids)
            groups = np.setdiff1d(with_all_above(copy, ids), kept)
            copy.set_alive(np.setdiff1d(copy.ids, np.append(kept, groups)), False)
            copy.set_meshes(groups, NO_MESH)
        return copy

    def __deepcopy__(self, memo: object) -> Scene:
        return self.copy()

    __copy__ = copy

    def __reduce__(self) -> NoReturn:
        raise TypeError(
            "a Scene cannot be pickled: octoscope.save(scene, 'scene.octo.json') writes a project, which "
            "octoscope.load opens in another process"
        )

    def take(self, copy: Scene) -> None:
        """Take over the contents of a changed copy of this scene, except what it keeps of its file.

        `copy` must not be used afterwards.
        """
        self.check_editable()
        if len(copy.meshes) != len(self.meshes):
            self.meshes.take(copy.meshes)
        for name in versioned_attributes(Scene):
            setattr(self, name, getattr(copy, name))
        self.project.unresolved_meshes = copy.project.unresolved_meshes
        self.made_materials = copy.made_materials
        self.report.merge(copy.report)
        self._take_nodes(copy)
        self.index.take(copy.index)
        self.tree_revision, self.materials_revision = copy.tree_revision, copy.materials_revision

    @advises(NodePlacement.__annotations__, matrix=_MATRIX, transform=_MATRIX, world_from_local=_MATRIX)
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

    @advises(colors=_COLORS_LATER, color=_COLORS_LATER, matrices=_MATRICES, transforms=_MATRICES)
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
        if node.mesh_id < 0:
            raise ValueError(f"node: a node with a mesh is needed, such as add_mesh returns, not {node.without_mesh}")
        translations = as_array(translations, "translations")
        count = len(translations) if translations.ndim == 2 else 1
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

    def set_world_from_local(self, ids: ArrayLike, matrices: ArrayLike) -> None:
        """Place nodes in the world: (k,) ids, (4, 4) or (k, 4, 4); translations, rotations and scales follow.

        Examples:
            >>> towers = scene.find("*tower*")
            >>> scene.set_world_from_local(towers, np.diag([2, 2, 2, 1]) @ scene.world_from_local[towers])

        Raises:
            ValueError: a matrix has shear, also in the frame of the parent, or is not finite; the parent is scaled to
                zero; or one of several nodes is below another. Nothing was changed.
        """
        place_in_world(self, ids, matrices)

    def delete(self, ids: ArrayLike) -> None:
        """Delete nodes and everything below them. octoscope.editing.delete makes an edit that can be undone.

        Meshes of `add_mesh` that nothing shows or restores any more are freed once they are many.
        """
        ids = with_all_below(self, self.checked_ids(ids, alive=True))
        let_go = self.mesh_ids[ids]
        self.set_alive(ids, False)
        free_unused_meshes(self, let_go)

    @advises(NodePlacement.__annotations__, matrix=_MATRIX, transform=_MATRIX, world_from_local=_MATRIX)
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
            vertices: (v, 3) finite numbers, local; or a mesh, whose faces, normals, uvs and colours count if not given.
            faces: (f, 3) integers, the vertices of each triangle, counterclockwise seen from outside; or (f, k) of
                polygons with k corners. None: a cloud of points, one at each vertex.
            color: of the whole mesh, as for `set_colors`, in place of `colors` or scalars, and of a mesh's own colours.
            normals: (v, 3), of any length; None: every triangle is shaded flat.
            uvs: (v, 2) texture coordinates, for the textures of `material`.
            colors: (v, 3) or (v, 4) sRGB, and opacity: uint8, or floats from 0 to 1.
            scalars: (v,) numbers of vertices, else (f,) of faces, shown as colours, with a colour bar in the picture.
            colormap: for the scalars: a name of matplotlib's, such as "viridis" or "coolwarm_r".
            scalar_range: the numbers that get the first and the last colour; None: the least and the greatest.
            title: of the bar; None: the name.
            vectors: (v, 3), shown as arrows at the vertices: a node below the new one, called "vectors".
            vector_scale: length of an arrow over that of its vector; None: the longest is a tenth of the mesh's size.
            material: of the mesh; None: white where there are colours or scalars, else the default.
            **placement: of the node, as for `add_nodes`.

        Raises:
            ValueError: an argument does not fit the others or is not finite; the scene is as it was.
        """
        from octoscope.scene.mesh.from_arrays import arrays_of, arrows, mesh_of_arrays  # here: most come from files

        if color is not None and not (colors is None and scalars is None):
            raise ValueError("color: it is that of the whole mesh: give it, or colors or scalars, not both")
        if scalars is None and (colormap != COLORMAP or scalar_range is not None or title is not None):
            raise ValueError("colormap, scalar_range and title are for scalars, of which none are given")
        if vectors is None and vector_scale is not None:
            raise ValueError("vector_scale is for vectors, of which none are given")
        vertices, faces, normals, uvs, own_colors = arrays_of(vertices, faces, normals, uvs, colors)
        mesh, scale = mesh_of_arrays(
            vertices,
            faces,
            normals=normals,
            uvs=uvs,
            colors=None if color is not None else own_colors if scalars is None else colors,
            scalars=scalars,
            colormap=colormap,
            scalar_range=scalar_range,
            title=name if title is None else title,
        )
        arrow_mesh = None if vectors is None else arrows(vertices, vectors, scale=vector_scale)
        material_id = 0
        if material is not None or mesh.colors is not None:
            wanted = material or Material(name, base_color=WHITE_COLOR)
            (material_id,) = added_materials(self, [wanted]) if scale else found_or_added(self, [wanted]).tolist()
        if scale is not None:  # whose material is no other mesh's
            self.color_scales = {**self.color_scales, material_id: scale}
        node = self.add_node(name, mesh=self._add_own(mesh, material_id), **placement)
        if color is not None:
            self.set_colors(node, color)
        if arrow_mesh is not None:
            (orange,) = found_or_added(self, [ARROW_MATERIAL]).tolist()
            self.add_node("vectors", mesh=self._add_own(arrow_mesh, orange), parent=node.id)
        return node

    def _add_own(self, mesh: MeshData, first_material: int) -> int:
        return self.meshes.add(mesh, first_material=first_material, lifetime=UNTIL_UNUSED)

"""SceneQueries: how nodes of a scene are found, by name and id, at a place, in sight, on a ray; the scene as text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import overload

import numpy as np
from numpy.typing import ArrayLike

from octoscope.array_arguments import as_array
from octoscope.guesses import advises, public
from octoscope.octree import Frustum
from octoscope.scene import public_names
from octoscope.scene.bvh.arrays import RayHits
from octoscope.scene.node import Hit, Node, Nodes
from octoscope.scene.nodes.bounds import world_bounds
from octoscope.scene.nodes.hierarchy import with_all_below
from octoscope.scene.nodes.layers import SHOWN
from octoscope.scene.nodes.name_search import advice_for, casefolded, fits_name
from octoscope.scene.nodes.node_table import NodeTable
from octoscope.scene.nodes.printed_tree import printed_tree
from octoscope.scene.spatial.index import SpatialIndex
from octoscope.scene.spatial.raycast import HitFacts, RayCaster

public(*public_names.RAY_HITS, instead=public_names.RAY_HITS_GUESSES)(RayHits)


class SceneQueries(NodeTable):
    """A table of nodes that can be asked for its nodes; a Scene is one."""

    # Made on demand: they refer to the scene, and a copy without them is freed at once.

    @cached_property
    def index(self) -> SpatialIndex:
        """The octree over the nodes; every query updates it first."""
        return SpatialIndex(self)

    @cached_property
    def rays(self) -> RayCaster:
        """The caster that `raycast`, `raycast_all` and `raycast_many` use."""
        return RayCaster(self.index)

    # By name and id.

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

    # By place.

    @property
    def is_stale(self) -> bool:
        """True if the world or the octree is out of date, so that the next reader waits for an update."""
        return super().is_stale or not self.index.is_current

    def bounds(self, ids: ArrayLike | None = None) -> tuple[np.ndarray, np.ndarray] | None:
        """Return the world box (lower, upper) of nodes and everything below them; None if nothing has a mesh.

        Examples:
            >>> lower, upper = scene.bounds(scene.find("gull*"))

        It is the box of their vertices, exact. Nodes whose matrix overflowed do not count.

        Args:
            ids: (k,) nodes; None: all.

        Raises:
            IndexError: an id that is no node's, or a deleted one's.
        """
        given = self.ids if ids is None else self.checked_ids(ids, alive=True)
        return world_bounds(self, with_all_below(self, given))

    def cull(self, frustum: Frustum) -> Nodes:
        """Return the nodes that are not hidden, and whose bounding spheres touch a frustum.

        Examples:
            >>> camera = Camera.looking_at(eye=(50, 30, 50), target=(0, 0, 0))
            >>> seen = scene.cull(Frustum.from_camera(camera, aspect=16 / 9))
        """
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

    @advises(**public_names.RAY_ARGUMENTS)
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
            layers: mask of the nodes that count: 1 selectable, 2 not selectable, 4 hidden; by default 1 | 2.
            back_faces: False leaves out triangles whose normal points along the ray.
            among: the nodes that count, and everything below them; or (n,) bool by node id, none of those beyond it;
                None for all.

        Raises:
            ValueError: a value is not finite, the direction has no length, or `among` is not (n,) bool.
            IndexError: a node of `among` was deleted, or there is none.
        """
        found = self.rays.nearest(origin, direction, t_max, layers=layers, back_faces=back_faces, among=among)
        return self._hit_of(found[0]) if found else None

    @advises(**public_names.RAY_ARGUMENTS)
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

    @advises(**public_names.RAY_ARGUMENTS)
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

        Examples:
            >>> origins = np.random.uniform((-50, 50, -50), (50, 50, 50), (1000, 3))
            >>> hits = scene.raycast_many(origins, (0, -1, 0))
            >>> is_hit = hits.nodes >= 0
            >>> points = origins[is_hit] + hits.t[is_hit, None] * (0, -1, 0)

        Origins are (n, 3), directions (n, 3) or one for all; other arguments, and what is raised, are as for `raycast`.
        """
        origins, directions = as_array(origins, "origins"), as_array(directions, "directions")
        if directions.shape == (3,):
            directions = np.broadcast_to(directions, origins.shape)
        return self.rays.many(origins, directions, t_max, layers=layers, back_faces=back_faces, among=among)

    def tree(self, max_lines: int | None = None) -> str:
        """Return the tree of nodes as text, a line for each; `print(scene)` shows its begin.

        Args:
            max_lines: of nodes; None: all.
        """
        return printed_tree(self, max_lines)

    def _repr_png_(self) -> bytes | None:
        """Return a picture for a notebook's cell in which the scene stands alone; None where it cannot be drawn."""
        from octoscope.scene.offers import PICTURES, offers  # only here: it takes long to import

        pictures = (draw(self) for draw in offers(PICTURES))
        return next((picture for picture in pictures if picture is not None), None)

    def to_html(self, *, title: str = "scene") -> str:
        """Return the page of one file that octoscope.save(scene, "scene.html") writes, which any browser shows.

        It asks no network for anything. octoscope.show(scene, where="page") shows it in the cell of a notebook.

        Raises:
            WriteError: the scene has nothing to write.
        """
        from octoscope.scene.offers import PAGES, offers  # only here: as above

        page: str = next(offers(PAGES))(self, title)
        return page

"""NodeFigures of nodes in world units: size, length, area and volume; distances and angles between points."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from weakref import ref

import numpy as np
from numpy.typing import ArrayLike

from octoscope.guesses import advises, public
from octoscope.scene.measuring.lengths import Lengths
from octoscope.scene.mesh.manifold import FLIPPED, NON_MANIFOLD, OPEN, UNBALANCED, edge_defects
from octoscope.scene.mesh.pool import Meshes
from octoscope.scene.mesh.surface import mesh_surfaces, node_areas, node_lengths
from octoscope.scene.nodes.hierarchy import with_all_below
from octoscope.scene.nodes.update import merge_vertices
from octoscope.scene.scene import Scene

_SAME_STRETCH = 1e-12  # relative: rounding of singular values that are equal
_RIGHT_ANGLE = 1e-6  # the largest cosine between axes that count as perpendicular


def distance(a: Sequence[float] | np.ndarray, b: Sequence[float] | np.ndarray) -> float:
    """Compute the distance between two points (3,)."""
    return math.dist(a, b)


def angle_rad(a: ArrayLike, vertex: ArrayLike, b: ArrayLike) -> float:
    """Compute the angle at `vertex` between two other points (3,): 0 to pi; NaN where one of them is the vertex.

    By Kahan ("How futile are mindless assessments of roundoff", 2006): exact to the last digits also for angles near 0
    and pi, where the arc cosine loses half of them.
    """
    u, v = np.subtract(a, vertex), np.subtract(b, vertex)
    u_length, v_length = math.hypot(*u), math.hypot(*v)
    if u_length == 0.0 or v_length == 0.0:
        return math.nan
    u, v = u / u_length, v / v_length
    return 2.0 * math.atan2(math.hypot(*(u - v)), math.hypot(*(u + v)))


@public(
    instead={
        **dict.fromkeys(("bounds", "box"), "figures.lower, figures.upper"),
        **dict.fromkeys(("center", "centroid"), "(figures.lower + figures.upper) / 2"),
        **dict.fromkeys(("extents", "size"), "figures.upper - figures.lower"),
        "distance": "numpy.linalg.norm of the difference of two points",
        **dict.fromkeys(("surface", "surface_area"), "it is called area"),
        **dict.fromkeys(("faces", "triangles", "vertices"), "node.mesh has them, as arrays"),
    },
)
@dataclass(frozen=True, eq=False)
class NodeFigures:
    """The measures of some nodes together, with everything below them; world units."""

    objects: int  # how many of them have a mesh
    lower: np.ndarray | None  # (3,) corner of the world box of their vertices, exact; None without an object
    upper: np.ndarray | None  # (3,) the other corner
    # (3,) sides of their box along the active node's axes; None where those are not perpendicular. For a single object
    # the sides of its own box, under any matrix.
    own_sides: np.ndarray | None
    points: int  # how many points
    lines: int  # how many lines
    length: float  # of all lines together
    area: float  # of all triangles
    volume: float | None  # of the objects that enclose one, or None: no object does. Objects that overlap count twice.
    solids: int  # how many objects have triangles
    enclosing: int  # how many of those bound a volume
    watertight: int  # how many of those do it without touching or crossing their own surface along an edge
    open_edges: int  # of all objects, as `edge_defects` defines them
    flipped_edges: int  # likewise
    non_manifold_edges: int  # likewise

    @property
    def is_watertight(self) -> bool:
        """True if there are objects with triangles, and all of them are watertight."""
        return 0 < self.solids == self.watertight


@advises()
def measure(scene: Scene, ids: ArrayLike | None = None) -> NodeFigures:
    """Measure nodes and everything below them: exact size, area, volume, whether they are watertight.

    Examples:
        >>> figures = measure(scene, scene["lighthouse_tower"])
        >>> size, area, volume = figures.upper - figures.lower, figures.area, figures.volume

    Args:
        ids: (k,) nodes; the last is the active one. None: all.

    Raises:
        IndexError: no such node, or it was deleted.
    """
    return Measurer(scene).measure(scene.ids if ids is None else scene.checked_ids(ids, alive=True))


class Measurer:
    """Measures nodes of a scene; the measures of meshes are computed once and kept."""

    def __init__(self, scene: Scene) -> None:
        self._scene = scene
        self._forget(scene.meshes)

    def _forget(self, meshes: Meshes) -> None:
        self._meshes = ref(meshes)  # weak: a pool that the scene has no more takes no memory
        self._known = np.zeros(0, dtype=bool)
        self._surfaces = np.zeros((0, 2))
        self._faults = np.zeros((0, 4), dtype=np.int64)

    def measure(self, ids: ArrayLike) -> NodeFigures:
        """Measure nodes and everything below them.

        Nodes whose matrix overflowed do not count.

        Args:
            ids: (k,) node ids; the last is the active one.
        """
        scene = self._scene
        ids = scene.checked_ids(ids)
        nodes, matrices = self._objects(ids)
        mesh_ids = scene.mesh_ids[nodes]
        self._know(mesh_ids)
        surfaces, faults = self._surfaces[mesh_ids], self._faults[mesh_ids]
        has_triangles = scene.meshes.rows["triangle_count"][mesh_ids] > 0
        has_sides = has_triangles & (surfaces[:, 0] > 0.0)  # triangles without area have none, and so none that is open
        encloses = has_sides & (faults[:, UNBALANCED] == 0)
        with np.errstate(all="ignore"):  # infinite is what the figures of such a size are
            volumes = np.abs(surfaces[:, 1] * np.linalg.det(matrices[:, :3, :3]))
            areas = self._areas(mesh_ids, matrices, surfaces[:, 0])
            own_sides = self._own_sides(ids, nodes, matrices) if len(nodes) else None
        meshes, columns = scene.meshes, scene.meshes.rows
        lengths = node_lengths(
            matrices,
            columns["first_vertex"][mesh_ids],
            columns["first_line"][mesh_ids],
            columns["line_count"][mesh_ids],
            meshes.vertices["position"],
            meshes.lines["ends"],
        )
        box = self._box(nodes, matrices)
        return NodeFigures(
            objects=len(nodes),
            lower=box[0] if len(nodes) else None,
            upper=box[1] if len(nodes) else None,
            own_sides=own_sides,
            points=int(columns["point_count"][mesh_ids].sum()),
            lines=int(columns["line_count"][mesh_ids].sum()),
            length=float(lengths.sum()),
            area=float(areas.sum()),
            volume=float(volumes[encloses].sum()) if encloses.any() else None,
            solids=int(has_triangles.sum()),
            enclosing=int(encloses.sum()),
            watertight=int((has_sides & ~faults.any(axis=1)).sum()),
            open_edges=int(faults[:, OPEN].sum()),
            flipped_edges=int(faults[:, FLIPPED].sum()),
            non_manifold_edges=int(faults[:, NON_MANIFOLD].sum()),
        )

    def _objects(self, ids: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Find the nodes with a mesh among some nodes and what is below them.

        Args:
            ids: (k,) node ids.

        Returns:
            (n,) node ids, and (n, 4, 4) their world matrices, all finite.
        """
        nodes = with_all_below(self._scene, ids)
        nodes = nodes[self._scene.mesh_ids[nodes] >= 0]
        matrices = self._scene.world_from_local[nodes]
        sound = np.isfinite(matrices).all(axis=(1, 2))
        return nodes[sound], matrices[sound]

    def _know(self, mesh_ids: np.ndarray) -> None:
        """Compute area, volume and defective edges of meshes that were not measured before."""
        meshes = self._scene.meshes
        if meshes is not self._meshes():  # the scene has another pool since
            self._forget(meshes)
        grown = len(meshes) - len(self._known)
        if grown:
            self._known = np.concatenate([self._known, np.zeros(grown, dtype=bool)])
            self._surfaces = np.concatenate([self._surfaces, np.zeros((grown, 2))])
            self._faults = np.concatenate([self._faults, np.zeros((grown, 4), dtype=np.int64)])
        is_new = np.zeros(len(meshes), dtype=bool)
        is_new[mesh_ids] = True
        new = np.flatnonzero(is_new & ~self._known)
        if len(new) == 0:
            return
        rows = meshes.rows
        positions, corners = meshes.vertices["position"], meshes.triangles["corners"]
        first_vertices, vertex_counts, first_triangles, triangle_counts, spheres = (
            rows[name][new] for name in ("first_vertex", "vertex_count", "first_triangle", "triangle_count", "sphere")
        )
        self._surfaces[new] = mesh_surfaces(
            first_vertices, first_triangles, triangle_counts, spheres[:, :3], positions, corners
        )
        bits = positions.view(np.uint64)
        none = np.empty((0, 4), dtype=np.int32)  # they are counted alone
        self._faults[new] = edge_defects(
            first_vertices, vertex_counts, first_triangles, triangle_counts, bits, corners, 0, none
        )
        self._known[new] = True

    def _areas(self, mesh_ids: np.ndarray, matrices: np.ndarray, local_areas: np.ndarray) -> np.ndarray:
        """Compute the world areas of nodes, (k,).

        From the mesh's own area where a matrix stretches all directions alike.
        """
        meshes = self._scene.meshes
        gram = matrices[:, :3, :3].transpose(0, 2, 1) @ matrices[:, :3, :3]
        squares = np.trace(gram, axis1=1, axis2=2) / 3.0
        areas = local_areas * squares
        uneven = np.flatnonzero(
            np.abs(gram - squares[:, None, None] * np.eye(3)).max(axis=(1, 2)) > _SAME_STRETCH * squares
        )
        rows, of_mesh = meshes.rows, mesh_ids[uneven]
        areas[uneven] = node_areas(
            matrices[uneven],
            rows["first_vertex"][of_mesh],
            rows["first_triangle"][of_mesh],
            rows["triangle_count"][of_mesh],
            meshes.vertices["position"],
            meshes.triangles["corners"],
        )
        return areas

    def _box(self, nodes: np.ndarray, frames: np.ndarray) -> np.ndarray:
        """Compute the box, (2, 3) lower and upper corner, of nodes in a frame.

        Args:
            nodes: (k,) node ids.
            frames: (k, 4, 4) matrices from each node's mesh to the frame.
        """
        meshes = self._scene.meshes
        box = np.array([[[np.inf] * 3, [-np.inf] * 3]])
        merge_vertices(
            np.arange(len(nodes)),
            np.zeros(len(nodes), dtype=np.int32),
            self._scene.mesh_ids[nodes],
            frames,
            meshes.rows["lower"],
            meshes.rows["upper"],
            meshes.rows["first_vertex"],
            meshes.rows["vertex_count"],
            meshes.vertices["position"],
            box,
        )
        return box[0]

    def _own_sides(self, ids: np.ndarray, nodes: np.ndarray, matrices: np.ndarray) -> np.ndarray | None:
        scene = self._scene
        active = int(ids[-1])
        columns = scene.world_from_local[active][:3, :3]
        lengths = np.hypot.reduce(columns, axis=0)
        if len(nodes) == 1 and nodes[0] == active:
            rows = scene.meshes.rows
            mesh_id = scene.mesh_ids[active]
            return rows["upper"][mesh_id] * lengths - rows["lower"][mesh_id] * lengths
        if not (np.isfinite(lengths).all() and lengths.all()):
            return None
        axes = (columns / lengths).T
        if np.abs(axes @ axes.T - np.eye(3)).max() > _RIGHT_ANGLE:
            return None
        frames = matrices.copy()
        frames[:, :3, 3] -= matrices[0, :3, 3]  # first, so that far away no digits are lost
        frames[:, :3] = axes @ frames[:, :3]
        lower, upper = self._box(nodes, frames)
        return upper - lower


def size_rows(figures: NodeFigures, lengths: Lengths | None = None) -> list[tuple[str, str]]:
    """Write figures for a person, as (label, text).

    They are a box's sides, the lines' length, points, area, volume, and whether objects are watertight.

    Args:
        lengths: of their scene; None: as in one without a size.
    """
    lengths = lengths or Lengths()
    if figures.objects == 0:
        return []
    rows = [("objects", f"{figures.objects:,}")] if figures.objects > 1 else []
    assert figures.lower is not None and figures.upper is not None  # there are objects
    with np.errstate(over="ignore", invalid="ignore"):
        sides = figures.upper - figures.lower
    # Of a box at infinity no side is known.
    rows.append(("size in the world", lengths.sides(np.where(np.isnan(sides), np.inf, sides))))
    if figures.own_sides is not None:
        whose = "its own" if figures.objects == 1 else "the active object's"
        rows.append((f"size in {whose} frame", lengths.sides(figures.own_sides)))
    if figures.lines:
        rows.append(("length", lengths.text(figures.length)))
    if figures.points:
        rows.append(("points", f"{figures.points:,}"))
    if figures.solids == 0:
        return rows
    rows.append(("area", lengths.area(figures.area)))
    of = "" if figures.enclosing == figures.solids else f" (of {figures.enclosing:,} closed objects)"
    none = "not closed" + ("; each object counts by itself" if figures.solids > 1 else "")
    rows.append(("volume", none if figures.volume is None else lengths.volume(figures.volume) + of))
    rows.append(("watertight", _watertight_text(figures)))
    return rows


def _watertight_text(figures: NodeFigures) -> str:
    if figures.is_watertight:
        return "yes"
    counts = (
        (figures.open_edges, "open"),
        (figures.flipped_edges, "with faces of opposite orientation"),
        (figures.non_manifold_edges, "with more than two faces"),
    )
    faults = ", ".join(f"{count:,} {what}" for count, what in counts if count)
    some = f"{figures.watertight:,} of {figures.solids:,} objects" if figures.solids > 1 else "no"
    return f"{some}; edges: {faults}"

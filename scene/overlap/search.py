"""Find objects that overlap: the octree finds pairs whose spheres meet, their boxes and then their triangles decide."""

from __future__ import annotations

import math
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from octoscope.guesses import advises, public
from octoscope.octree import LinearOctree
from octoscope.scene.bvh.arrays import BvhArrays
from octoscope.scene.geometry.triangle_pairs import CROSSES, TOUCHES
from octoscope.scene.mesh.manifold import UNBALANCED, edge_defects
from octoscope.scene.nodes.hierarchy import with_all_below
from octoscope.scene.overlap.broad_phase import ROUNDING, keep_overlapping
from octoscope.scene.overlap.containment import INSIDE, find_inside, mark_outer
from octoscope.scene.overlap.narrow_phase import find_contacts
from octoscope.scene.overlap.penetration import find_depths
from octoscope.scene.overlap.region_query import objects_of
from octoscope.scene.scene import Scene
from octoscope.scene.spatial.fitting import indexable
from octoscope.scene.system.processes import processor_count

# Called with the number of pairs that were compared and of all pairs, about ten times a second.
OverlapProgress = Callable[[int, int], None]

# Pairs whose spheres meet; they take half a gigabyte. Where there are more, such as of thousands of objects at one
# point, a part of the objects is compared; the number of pairs is estimated from a sample.
_MOST_PAIRS = 10_000_000
_SAMPLE = 4096
_PORTION = 500_000  # triangles and vertices that a thread tests before it reports progress: some milliseconds
_EACH_PAIR = 100  # cost of a pair, beside them
_REPORTS_AFTER_SECONDS = 0.1  # at most, even where a single pair takes minutes
# A tree pays for itself for a mesh of so many triangles in so many pairs: building it takes as long as testing all of
# the mesh some twenty times.
_TREE_TRIANGLES = 2000
_TREE_PAIRS = 32


class _Pairs(NamedTuple):
    crossing: np.ndarray
    touching: np.ndarray


@public(
    instead={
        **dict.fromkeys(("collisions", "overlapping", "overlaps"), "it is called crossing"),
        **dict.fromkeys(("ids", "nodes", "pairs"), "overlaps.crossing and overlaps.touching are pairs of node ids"),
    },
)
class Overlaps(_Pairs):
    """Pairs of node ids: (k, 2) and (m, 2) int32, the lower id first, in ascending order, each once.

    Attributes:
        crossing: pairs that reach into each other, or of which one lies inside the other.
        touching: pairs that only touch: a box and the floor it stands on.
        depths: (k,) float64 world: how deep the objects of each crossing pair reach into each other: the least way, of
            the directions that are tried, by which the smaller one gets clear of the part of the other one's surface
            that lies in its box, and where one is inside the other, out of that one's box. Exact for boxes in any
            rotation. `tolerance` measures otherwise, by triangles.
        inside: (k,) bool: whether one lies inside the other, without any contact of their surfaces.
        normals: (k, 3) float64 unit vectors: the direction of that way, for the second object of the pair.
        points: (k, 3) float64 world: the middle of where they overlap.
        left_out: a line that says how many objects were not compared, where there are too many pairs; or "": none.
    """

    depths: np.ndarray
    inside: np.ndarray
    normals: np.ndarray
    points: np.ndarray
    left_out: str = ""


@advises()
def find_overlaps(
    scene: Scene,
    ids: ArrayLike | None = None,
    *,
    tolerance: float | None = None,
    progress: OverlapProgress | None = None,
) -> Overlaps:
    """Find all pairs of objects whose triangles have a point in common, hidden ones included.

    Two objects cross where a triangle of one reaches through a triangle of the other, or where triangles of both lie
    in one plane, have an area in common and face the same way: a copy at its original's place, a box that overlaps
    another flush with its sides. Objects that meet without that touch: at a corner, along an edge, face against face.
    So does a surface that the other passes only along edges that lie in it exactly. An object inside another without
    contact crosses it, if that one's mesh bounds a volume and faces outward: not what stands in a room, or under a sky.
    Triangles without area are no surface, lines and points neither; an object that is scaled flat still is one.

    Examples:
        >>> overlaps = find_overlaps(scene)
        >>> names = [(scene[a].name, scene[b].name) for a, b in overlaps.crossing]

    Args:
        ids: (n,) nodes; None for all. Pairs of these and of all that is below them are looked for.
        tolerance: world units; objects that reach into each other no deeper only touch. Depth is measured triangle by
            triangle, so that it should be less than a triangle is wide. None: only as deep, or as far apart, as
            rounding may have moved them. 0: coordinates are taken as exact.
        progress: called on this thread with the pairs done and all pairs, again and again; an exception that it raises
            ends the search.

    Raises:
        ValueError: a tolerance below 0 or NaN.
        IndexError: no such node, or it was deleted.
    """
    ids = None if ids is None else with_all_below(scene, scene.checked_ids(ids, alive=True))
    return OverlapSearch(scene, ids=ids, tolerance=tolerance).run(progress)


class OverlapSearch:
    """A search for overlaps in a scene as it was when this was made: it may run on another thread than the scene's.

    Args:
        ids: (n,) nodes, without what is below them; None for all.
        about: (k,) of these, of which each pair has one or two; None for all.
    """

    def __init__(
        self,
        scene: Scene,
        *,
        ids: ArrayLike | None = None,
        about: np.ndarray | None = None,
        tolerance: float | None = None,
    ) -> None:
        if tolerance is not None and not tolerance >= 0.0:
            raise ValueError(f"a tolerance must be 0 or more, not {tolerance}")
        self._rounding = 0.0 if tolerance == 0.0 else ROUNDING
        self._tolerance = float(tolerance or 0.0)
        ids = scene.ids if ids is None else np.unique(scene.checked_ids(ids))
        rows = scene.meshes.rows
        ids = ids[scene.mesh_ids[ids] >= 0]
        ids = ids[(rows["triangle_count"][scene.mesh_ids[ids]] > 0) & indexable(scene.world_spheres[ids])]
        self._ids = ids.astype(np.int32)
        self._is_about = None if about is None else np.isin(ids, about)
        self._spheres = scene.world_spheres[ids]
        self._meshes, self._mesh_trees = scene.meshes, scene.rays.trees
        self._objects = objects_of(scene, ids)
        self._left_out = ""

    def run(self, progress: OverlapProgress | None = None) -> Overlaps:
        """Search; `progress` as for `find_overlaps`."""
        pairs = self._pairs_of_boxes()
        kinds = np.zeros(len(pairs), dtype=np.int8)
        self._is_container = self._containers(pairs)
        if progress is not None:
            progress(0, len(pairs))
        measured = self._find_contacts(pairs, kinds, progress)
        overlaps = Overlaps(self._ids[pairs[kinds >= CROSSES]], self._ids[pairs[kinds == TOUCHES]])
        overlaps.inside = kinds[kinds >= CROSSES] == INSIDE
        overlaps.depths, overlaps.normals, overlaps.points = measured[:, 0], measured[:, 1:4], measured[:, 4:]
        overlaps.left_out = self._left_out
        return overlaps

    def _pairs_of_boxes(self) -> np.ndarray:
        """List the pairs of rows of `_objects` whose boxes overlap, in ascending order: (m, 2) int32."""
        rows = self._rows_to_search()
        pairs = LinearOctree.build(self._spheres[rows, :3], self._spheres[rows, 3]).pairs()
        if self._left_out:
            pairs = rows[pairs]
        if self._is_about is not None:
            pairs = pairs[self._is_about[pairs].any(axis=1)]
        pairs = pairs[: keep_overlapping(pairs, self._objects.boxes)]
        return pairs[np.lexsort((pairs[:, 1], pairs[:, 0]))]

    def _rows_to_search(self) -> np.ndarray:
        """Return ascending rows of `_objects`, (k,) int32: all, or a random part with as many pairs as are allowed.

        What the search is about is in that part first.
        """
        count = len(self._spheres)
        if count * (count - 1) // 2 <= _MOST_PAIRS:
            return np.arange(count, dtype=np.int32)
        mixed = np.random.default_rng(count).permutation(count).astype(np.int32)  # the same each time
        sample = self._spheres[mixed[:_SAMPLE]]
        # Of all pairs as many meet as of the sample's.
        met = len(LinearOctree.build(sample[:, :3], sample[:, 3]).pairs())
        expected = met * (count / len(sample)) ** 2
        if expected <= _MOST_PAIRS:
            return np.arange(count, dtype=np.int32)
        kept = int(count * math.sqrt(_MOST_PAIRS / expected))
        self._left_out = (
            f"{kept:,} of {count:,} objects were compared: some {float(f'{expected:.2g}'):,.0f} pairs lie in the same "
            "place, too many to compare all; choose fewer"
        )
        if self._is_about is not None:
            mixed = mixed[np.argsort(~self._is_about[mixed], kind="stable")]
        return np.sort(mixed[:kept])

    def _find_contacts(self, pairs: np.ndarray, kinds: np.ndarray, progress: OverlapProgress | None) -> np.ndarray:
        """Write how each pair meets, a portion of pairs at a time on every processor.

        Returns:
            (k, 7) float64 depth, normal and point of the pairs that cross, in their order.
        """
        cancelled = np.zeros(1, dtype=np.uint8)
        options = self._rounding, self._tolerance, cancelled
        done = 0
        pool = ThreadPoolExecutor(processor_count(), thread_name_prefix="overlaps")
        try:
            trees = self._trees(pairs, pool)
            # Compiled here, the first time: a thread could not be interrupted while it compiles.
            measured = [self._compare(trees, pairs[:0], options, kinds[:0])]
            waiting = {}
            for part in self._portions(pairs, trees):
                future = pool.submit(self._compare, trees, pairs[part], options, kinds[part])
                waiting[future] = part.stop - part.start
            futures = list(waiting)
            while waiting:
                finished, _ = wait(waiting, _REPORTS_AFTER_SECONDS)
                for future in finished:
                    future.result()
                    done += waiting.pop(future)
                if progress is not None:
                    progress(done, len(pairs))
            return np.concatenate([*measured, *(future.result() for future in futures)])
        finally:
            cancelled[0] = 1  # whether this thread was interrupted, or progress raised: nobody waits for the rest
            pool.shutdown(cancel_futures=True)

    def _compare(
        self, trees: BvhArrays, pairs: np.ndarray, options: tuple[float, float, np.ndarray], kinds: np.ndarray
    ) -> np.ndarray:
        """Write how pairs meet, and return what is measured of those that cross."""
        find_contacts(self._objects, trees, pairs, *options, kinds)
        find_inside(self._objects, trees, pairs, self._is_container, options[-1], kinds)
        is_crossing = kinds >= CROSSES
        measured = np.zeros((np.count_nonzero(is_crossing), 7))
        find_depths(self._objects, trees, pairs[is_crossing], kinds[is_crossing] == INSIDE, options[-1], measured)
        return measured

    def _containers(self, pairs: np.ndarray) -> np.ndarray:
        """Return (n,) bool: the objects that may hold another, and whose mesh bounds a volume."""
        objects, rows = self._objects, self._meshes.rows
        is_outer = np.zeros(len(self._ids), dtype=bool)
        mark_outer(objects, pairs, is_outer)
        meshes = np.unique(objects.mesh[is_outer])
        if len(meshes) == 0:
            return is_outer
        first_vertices, vertex_counts, first_triangles, triangle_counts = (
            rows[name][meshes] for name in ("first_vertex", "vertex_count", "first_triangle", "triangle_count")
        )
        bits, none = objects.positions.view(np.uint64), np.empty((0, 4), dtype=np.int32)  # no edges are listed
        faults = edge_defects(
            first_vertices, vertex_counts, first_triangles, triangle_counts, bits, objects.corners, 0, none
        )
        return is_outer & np.isin(objects.mesh, meshes[faults[:, UNBALANCED] == 0])

    def _trees(self, pairs: np.ndarray, pool: ThreadPoolExecutor) -> BvhArrays:
        """Build the trees of the large meshes that many pairs have."""
        uses = np.bincount(self._objects.mesh[pairs].ravel(), minlength=1)
        meshes = np.flatnonzero(uses >= _TREE_PAIRS)
        self._mesh_trees.build(meshes[self._meshes.rows["triangle_count"][meshes] >= _TREE_TRIANGLES], pool)
        return self._mesh_trees.arrays()

    def _portions(self, pairs: np.ndarray, trees: BvhArrays) -> list[slice]:
        """Cut the pairs into portions of some milliseconds of work."""
        work = self._objects.vertex_count + self._objects.triangle_count
        work[trees.first_node[self._objects.mesh] >= 0] = _TREE_TRIANGLES
        portion = np.cumsum(work[pairs].sum(axis=1) + _EACH_PAIR) // _PORTION
        begins = np.flatnonzero(np.diff(portion, prepend=-1)).tolist()
        return [slice(*ends) for ends in pairwise([*begins, len(pairs)])]

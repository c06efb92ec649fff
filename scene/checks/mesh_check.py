"""Check meshes: each fault is a row of columns, with its node, how often it occurs, and where."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from octoscope.guesses import advises, public
from octoscope.scene.checks.triangle_defects import FLAT, POINTED, REPEATED, triangle_defects
from octoscope.scene.checks.vertex_looks import vertex_looks
from octoscope.scene.mesh.manifold import FLIPPED, NON_MANIFOLD, OPEN, UNBALANCED, edge_defects
from octoscope.scene.mesh.surface import mesh_surfaces
from octoscope.scene.nodes.hierarchy import with_all_below
from octoscope.scene.scene import Scene
from octoscope.scene.spatial.fitting import indexable

# Called with the numbers of triangles that were checked and of all.
CheckProgress = Callable[[int, int], None]

FAULT_KINDS = {
    "non-manifold edges": "edges of more than two faces",
    "flipped edges": "edges whose two faces look to opposite sides: the winding is not consistent",
    "inverted faces": "closed meshes that are inside out: all faces look inward",
    "open edges": "edges of a single face, where the mesh is not closed",
    "degenerate faces": "faces without an area: with a corner twice, or corners in a line",
    "duplicate faces": "faces that are there twice, with the same front",
    "tiny objects": "objects without a size, or a thousand times smaller than half of all objects",
    "missing textures": "objects with a material of which an image file is missing, or cannot be read",
    "no texture coordinates": "meshes whose material has a texture, but which do not say how it lies on them",
    "no normals": "meshes that no vertex has a normal in: each face is shaded flat",
}
_NAMES = np.array(list(FAULT_KINDS), dtype=np.dtypes.StringDType())
_CODES = {name: code for code, name in enumerate(FAULT_KINDS)}
EDGE_KINDS = {"non-manifold edges": NON_MANIFOLD, "flipped edges": FLIPPED, "open edges": OPEN}
FACE_KINDS = {"degenerate faces": (POINTED, FLAT), "duplicate faces": (REPEATED, REPEATED)}
_TINY = 1e-3  # of the size that half of the objects have at least
_PORTION = 200_000  # triangles that are checked before progress is reported


class _Columns(NamedTuple):
    kinds: np.ndarray
    nodes: np.ndarray
    counts: np.ndarray
    points: np.ndarray


@public(
    instead={
        "ids": "it is called nodes",
        **dict.fromkeys(("faults", "items", "rows"), "faults.kinds, nodes, counts and points are columns, row by row"),
        **dict.fromkeys(("positions", "where"), "it is called points"),
    },
)
class MeshFaults(_Columns):
    """Faults of meshes in columns, a row for each kind and node: kind by kind, and within it the most frequent first.

    Attributes:
        kinds: (r,) StringDType, keys of FAULT_KINDS: "open edges".
        nodes: (r,) int32 ids.
        counts: (r,) int64: how many edges or faces; 1 for what an object has as a whole.
        points: (r, 3) float64 world: a place where it occurs, else the object's middle.
    """

    def of(self, kind: str) -> np.ndarray:
        """Return the ids of the nodes that have a fault of a kind: (k,) int32."""
        return self.nodes[self.kinds == kind]


@advises()
def check_meshes(scene: Scene, ids: ArrayLike | None = None, *, progress: CheckProgress | None = None) -> MeshFaults:
    """Find faults of objects' meshes, of the kinds in FAULT_KINDS: open edges, inverted faces, missing normals ...

    An open edge is no fault of a sheet, nor are missing normals one of a mesh of flat faces: what counts is up to you.
    Vertices at equal points are one, also where normals or texture coordinates separate them.

    Examples:
        >>> faults = check_meshes(scene)
        >>> holed = [scene[id].name for id in faults.of("open edges")]

    Args:
        ids: (n,) nodes, with all that is below them; None for all.
        progress: called with the triangles done and all triangles, again and again; an exception that it raises ends
            the check.

    Raises:
        IndexError: no such node, or it was deleted.
    """
    ids = None if ids is None else with_all_below(scene, scene.checked_ids(ids, alive=True))
    return MeshCheck(scene, ids=ids).run(progress)


class MeshCheck:
    """A check of a scene as it was when this was made: it may run on another thread than the scene's.

    Args:
        ids: (n,) nodes, without what is below them; None for all.
    """

    def __init__(self, scene: Scene, *, ids: ArrayLike | None = None) -> None:
        ids = scene.ids if ids is None else np.unique(scene.checked_ids(ids))
        mesh_ids, pool = scene.mesh_ids[ids], scene.meshes
        is_checked = (mesh_ids >= 0) & (pool.rows["triangle_count"][mesh_ids] > 0) & indexable(scene.world_spheres[ids])
        self._ids = ids[is_checked].astype(np.int32)
        self._meshes, self._which = np.unique(mesh_ids[is_checked], return_inverse=True)
        self._matrices, self._spheres = scene.world_from_local[self._ids], scene.world_spheres[self._ids]
        self._overrides = scene.material_overrides[self._ids]
        self._pool = pool.frozen()
        self._is_textured = np.array([bool(material.textures) for material in scene.materials])
        self._lacks_textures = np.array([bool(material.missing_textures) for material in scene.materials])

    def run(self, progress: CheckProgress | None = None) -> MeshFaults:
        """Check; `progress` as for `check_meshes`."""
        count = len(self._meshes)
        # By kind and mesh: how often, and where, in the mesh's own units.
        counts = np.zeros((len(FAULT_KINDS), count), dtype=np.int64)
        places = np.tile(self._pool.rows["sphere"][self._meshes, :3], (len(FAULT_KINDS), 1, 1))
        total = int(self._pool.rows["triangle_count"][self._meshes].sum())
        done = 0
        for part in self._portions():
            if progress is not None:
                progress(done, total)
            done += self._check(part, counts[:, part], places[:, part])
        if progress is not None:
            progress(total, total)
        return self._faults(counts, places)

    def _portions(self) -> Iterator[slice]:
        """Cut the meshes into portions of some milliseconds of work."""
        portion = np.cumsum(self._pool.rows["triangle_count"][self._meshes]) // _PORTION
        begins = np.flatnonzero(np.diff(portion, prepend=-1)).tolist()
        return (slice(*ends) for ends in pairwise([*begins, len(portion)]))

    def _check(self, part: slice, counts: np.ndarray, places: np.ndarray) -> int:
        """Write counts (kinds, m) and places (kinds, m, 3) of some meshes; return how many triangles they have."""
        rows, vertices = self._pool.rows, self._pool.vertices
        first_vertices, vertex_counts, first_triangles, triangle_counts = ranges = (
            rows["first_vertex"][self._meshes[part]],
            rows["vertex_count"][self._meshes[part]],
            rows["first_triangle"][self._meshes[part]],
            rows["triangle_count"][self._meshes[part]],
        )
        centers = rows["sphere"][self._meshes[part]][:, :3]
        positions, corners = vertices["position"], self._pool.triangles["corners"]
        examples = np.zeros((3 * len(first_vertices), 4), dtype=np.int32)
        defects = edge_defects(*ranges, positions.view(np.uint64), corners, 1, examples)
        mesh, kind, *ends = examples[: np.count_nonzero(defects[:, :3])].T
        middles = sum(positions[first_vertices[mesh] + end] / 2.0 for end in ends)
        for name, column in EDGE_KINDS.items():
            counts[_CODES[name]] = defects[:, column]
            places[_CODES[name], mesh[kind == column]] = middles[kind == column]

        of_triangle = triangle_defects(*ranges, positions, corners)
        firsts = np.cumsum(triangle_counts) - triangle_counts
        for name, faults in FACE_KINDS.items():
            found = np.flatnonzero(np.isin(of_triangle, faults))
            mesh, example, each = np.unique(
                np.searchsorted(firsts, found, side="right") - 1, return_index=True, return_counts=True
            )
            counts[_CODES[name], mesh] = each
            triangles = corners[first_triangles[mesh] + found[example] - firsts[mesh]]
            places[_CODES[name], mesh] = (positions[first_vertices[mesh, None] + triangles] / 3.0).sum(axis=1)

        volumes = mesh_surfaces(first_vertices, first_triangles, triangle_counts, centers, positions, corners)[:, 1]
        is_inverted = (defects[:, UNBALANCED] == 0) & (volumes < 0.0)
        counts[_CODES["inverted faces"]] = triangle_counts * is_inverted
        normals, uvs, materials = (vertices[name] for name in ("normal", "uv", "material"))
        looks = vertex_looks(first_vertices, vertex_counts, normals, uvs, materials, self._is_textured)
        lacking = vertex_looks(first_vertices, vertex_counts, normals, uvs, materials, self._lacks_textures)
        counts[_CODES["missing textures"]] = lacking[:, 2]
        counts[_CODES["no normals"]] = ~looks[:, 0]
        # Whether it needs them is seen below, where nodes may show it with another material.
        counts[_CODES["no texture coordinates"]] = ~looks[:, 1] * (1 + looks[:, 2])
        return int(triangle_counts.sum())

    def _faults(self, counts: np.ndarray, places: np.ndarray) -> MeshFaults:
        """Return the faults of nodes, by those of their meshes."""
        counts = counts[:, self._which]
        textured = counts[_CODES["no texture coordinates"]]
        has_override = self._overrides >= 0
        textured[:] = np.where(has_override, (textured > 0) & self._is_textured[self._overrides], textured > 1)
        lacking = counts[_CODES["missing textures"]]
        lacking[:] = np.where(has_override, self._lacks_textures[self._overrides], lacking)
        sizes = self._spheres[:, 3]
        counts[_CODES["tiny objects"]] = sizes <= _TINY * (np.median(sizes) if len(sizes) else 0.0)
        kinds, rows = np.nonzero(counts)
        order = np.lexsort((-counts[kinds, rows], kinds))
        kinds, rows = kinds[order], rows[order]
        matrices = self._matrices[rows]
        local = places[kinds, self._which[rows], :, None]
        points = (matrices[:, :3, :3] @ local)[..., 0] + matrices[:, :3, 3]
        return MeshFaults(_NAMES[kinds], self._ids[rows], counts[kinds, rows], points)

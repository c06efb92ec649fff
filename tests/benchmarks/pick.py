"""Ray casts, one from Python or a thousand in a batch, and building for them, compared with other ray casters.

Before anything is timed, each ray must hit what Embree hits; rays that do not are printed with the answer of a float64
brute force. Competitors that are not installed are left out; the bench extra installs them. Embree calculates in
float32, as the others do; it is the only one that is asked for every ray.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from octoscope.scene import MeshData, RayHits, Scene
from octoscope.scene.bvh.build import build_meshes
from tests.benchmarks.harness import Result, compare, installed

_RAYS = 100_000
_BATCH = 1_000
_OBJECTS = 100_000
_MOVED = 10_000
_TOLERANCE = 1e-5  # of t, relative to the scene's size


class _Rays(NamedTuple):
    origins: np.ndarray
    directions: np.ndarray


class _Mesh(NamedTuple):
    positions: np.ndarray
    triangles: np.ndarray


def run() -> Iterator[Result]:
    """Measure two terrains, then a scene of many objects."""
    for count in (1_000_000, 5_000_000):
        yield from _one_mesh(count)
    yield from _many_objects()


def _one_mesh(count: int) -> Iterator[Result]:
    mesh = _terrain(count)
    name = f"{len(mesh.triangles) / 1e6:.0f} M triangles"
    rays = _random_rays(mesh.positions, mesh.positions[:, 0].max() / 3.0)
    yield _building(name, mesh)
    scene = Scene()
    scene.add_node(
        "terrain",
        mesh=scene.meshes.add(MeshData(mesh.positions, mesh.triangles, None, np.zeros(len(mesh.positions), dtype=int))),
    )
    yield from _casting(name, scene, rays, mesh)


def _many_objects() -> Iterator[Result]:
    """Measure rotated, scaled and mirrored spheres; competitors get them as one mesh."""
    rng = np.random.default_rng(5)
    ball = _ball()
    scene = Scene()
    scene.add_nodes(
        [""] * _OBJECTS,
        mesh=scene.meshes.add(MeshData(ball.positions, ball.triangles, None, np.zeros(len(ball.positions), dtype=int))),
        translation=rng.uniform(-200.0, 200.0, (_OBJECTS, 3)),
        rotation=rng.normal(size=(_OBJECTS, 4)),
        scale=rng.uniform(0.3, 2.0, (_OBJECTS, 3)) * rng.choice((-1.0, 1.0), (_OBJECTS, 3)),
    )
    assert len(scene.index) == _OBJECTS
    name = f"{_OBJECTS:,} objects"
    mesh = _in_one(scene, ball)
    rays = _random_rays(scene.world_spheres[:, :3], 200.0)
    yield from _casting(name, scene, rays, mesh)
    yield _after_a_move(scene, rays)


def _casting(name: str, scene: Scene, rays: _Rays, mesh: _Mesh) -> Iterator[Result]:
    """Check all rays, then measure a batch of them and single ones; competitors get the scene as a mesh."""
    note = _compared(scene.raycast_many(*rays), rays, mesh)
    batch = _Rays(rays.origins[:_BATCH], rays.directions[:_BATCH])
    competitors = {competitor: make(mesh) for competitor, make in _makers().items()}
    yield compare(
        f"{_BATCH:,} rays in a batch, {name}",
        lambda: scene.raycast_many(*batch),
        {competitor: partial(cast, batch) for competitor, cast in competitors.items()},
        rounds=15,
        note=note,
    )
    yield _single(f"one ray from Python, {name}", scene, batch, competitors)


def _after_a_move(scene: Scene, rays: _Rays) -> Result:
    """Measure the first pick after objects have moved and a frame's stages have run; the octree is not sorted yet."""
    rng = np.random.default_rng(6)
    moved = rng.choice(_OBJECTS, _MOVED, replace=False)
    took = []
    for origin, direction in zip(rays.origins[:41], rays.directions[:41], strict=True):
        scene.set_translations(moved, rng.uniform(-200.0, 200.0, (_MOVED, 3)))
        scene.index.update()  # as a frame's stages do
        tree = scene.index._tree
        waiting = tree._slot_count - tree._sorted_count
        begin = time.perf_counter()
        scene.raycast(origin, direction)
        took.append(time.perf_counter() - begin)
        assert tree._slot_count - tree._sorted_count == waiting > 0, "something was sorted"
        tree._prepare(completely=True)  # as the next frame's culling does
    name = f"one ray after {_MOVED:,} of {_OBJECTS:,} objects moved, nothing rebuilt"
    return Result(name, statistics.median(took) * 1e6, {}, unit="us")


def _building(name: str, mesh: _Mesh) -> Result:
    rows = (
        np.zeros(1, dtype=np.int64),
        np.array([len(mesh.positions)]),
        np.zeros(1, dtype=np.int64),
        np.array([len(mesh.triangles)]),
        mesh.positions.min(axis=0)[None],
        mesh.positions.max(axis=0)[None],
    )
    firsts = np.empty((1, 2), dtype=np.int32)

    def build() -> None:
        build_meshes(np.zeros(1, dtype=np.int64), *rows, mesh.positions, mesh.triangles, firsts)

    others = {
        competitor: _bound_build(make, mesh)
        for competitor, make in _makers().items()
        if not competitor.startswith("trimesh")
    }
    return compare(f"building, {name}, one thread (the others: all)", build, others, rounds=3)


def _single(name: str, scene: Scene, rays: _Rays, competitors: dict[str, Callable]) -> Result:
    """Measure rays one by one, one call each."""
    count = 100
    origins, directions = list(rays.origins[:count]), list(rays.directions[:count])

    def ours() -> None:
        for origin, direction in zip(origins, directions, strict=True):
            scene.raycast(origin, direction)

    def theirs(cast: Callable) -> Callable[[], None]:
        def run() -> None:
            for number in range(count):
                cast(_Rays(rays.origins[number : number + 1], rays.directions[number : number + 1]))

        return run

    others = {competitor: theirs(cast) for competitor, cast in competitors.items()}
    return compare(name, ours, others, rounds=15, times=count, unit="us")


def _compared(hits: RayHits, rays: _Rays, mesh: _Mesh) -> str:
    """Check that all rays hit what Embree hits, and return a note about it; `mesh` is the whole scene.

    Rays that do not are printed, and are an error unless the rounding of float32 explains them.
    """
    if "embreex" not in _makers():
        return "embreex is not installed: not compared"
    found = _embree_scene(mesh).run(*(array.astype(np.float32) for array in rays), output=True)
    size = float(np.ptp(mesh.positions, axis=0).max())
    t = np.where(found["geomID"] >= 0, found["tfar"], np.inf)
    with np.errstate(invalid="ignore"):
        same = (t == hits.t) | (np.abs(t - hits.t) <= _TOLERANCE * size)
    unexplained = 0
    for ray in np.flatnonzero(~same).tolist():
        # Which of the two is right, and how close the ray runs to an edge or along a triangle: float64 over triangles.
        near, margin = _brute_force(mesh, rays.origins[ray], rays.directions[ray])
        right = abs(near - hits.t[ray]) <= 1e-9 * size or near == hits.t[ray]
        unexplained += not right
        sys.stderr.write(
            f"ray {ray}: ours {hits.t[ray]:.6g}, Embree {t[ray]:.6g}, float64 {near:.6g}: "
            f"{'rounding of float32' if right else 'WE ARE WRONG'}, {margin:.1e} of a triangle from an edge\n"
        )
    assert unexplained == 0, f"{unexplained} rays hit something else"
    return f"{int(same.sum()):,} of {len(same):,} rays as Embree, the others by its float32"


def _brute_force(mesh: _Mesh, origin: np.ndarray, direction: np.ndarray) -> tuple[float, float]:
    """Return the nearest t of all triangles by Moller and Trumbore in float64, and the smallest barycentric weight."""
    best, margin = np.inf, np.inf
    for begin in range(0, len(mesh.triangles), 1_000_000):
        a, b, c = np.moveaxis(mesh.positions[mesh.triangles[begin : begin + 1_000_000]], 1, 0)
        ab, ac = b - a, c - a
        p = np.cross(direction, ac)
        determinant = np.einsum("ij,ij->i", ab, p)
        with np.errstate(divide="ignore", invalid="ignore"):
            s = origin - a
            u = np.einsum("ij,ij->i", s, p) / determinant
            q = np.cross(s, ab)
            v = (q @ direction) / determinant
            at = np.einsum("ij,ij->i", ac, q) / determinant
        weights = np.minimum(np.minimum(u, v), 1.0 - u - v)
        inside = np.flatnonzero((weights >= 0.0) & (at >= 0.0))
        if len(inside) and at[inside].min() < best:
            first = inside[at[inside].argmin()]
            best, margin = float(at[first]), float(weights[first])
    return best, margin


# Meshes and rays.


def _terrain(count: int) -> _Mesh:
    side = round((count / 2) ** 0.5)
    rng = np.random.default_rng(0)
    x, y = np.meshgrid(np.arange(side + 1.0), np.arange(side + 1.0), indexing="ij")
    z = 0.05 * side * np.sin(20.0 * x / side) * np.cos(17.0 * y / side) + 0.1 * rng.normal(size=x.shape)
    corner = (np.arange(side)[:, None] * (side + 1) + np.arange(side)).ravel()
    a, b, c, d = corner, corner + side + 1, corner + 1, corner + side + 2
    triangles = np.stack([a, b, c, c, b, d], axis=1).reshape(-1, 3).astype(np.int32)
    positions = np.stack([x, y, z], axis=-1).reshape(-1, 3)
    return _Mesh(positions.astype(np.float32).astype(np.float64), triangles)  # as the others get it


def _ball() -> _Mesh:
    """Return 80 triangles: an icosahedron, each of whose triangles is cut in four."""
    golden = (1.0 + 5.0**0.5) / 2.0
    positions = np.array([np.roll((0.0, a, b * golden), k) for k in range(3) for a in (-1, 1) for b in (-1, 1)])
    triples = np.array([(i, j, k) for i in range(12) for j in range(i) for k in range(j)])
    sides = positions[triples] - positions[np.roll(triples, 1, axis=1)]
    corners = positions[triples[(np.abs(np.linalg.norm(sides, axis=2) - 2.0) < 1e-9).all(axis=1)]]
    middles = (corners + np.roll(corners, -1, axis=1)) / 2.0
    corners = np.concatenate(
        [middles, *(np.stack([corners[:, k], middles[:, k], middles[:, k - 1]], axis=1) for k in range(3))]
    )
    corners /= np.linalg.norm(corners, axis=2, keepdims=True)
    return _Mesh(corners.reshape(-1, 3), np.arange(3 * len(corners), dtype=np.int32).reshape(-1, 3))


def _in_one(scene: Scene, mesh: _Mesh) -> _Mesh:
    """Return the triangles of all nodes in the world."""
    matrices = scene.world_from_local
    positions = np.einsum("nij,vj->nvi", matrices[:, :3, :3], mesh.positions) + matrices[:, None, :3, 3]
    firsts = np.arange(len(matrices), dtype=np.int32) * len(mesh.positions)
    return _Mesh(positions.reshape(-1, 3), (firsts[:, None, None] + mesh.triangles).reshape(-1, 3))


def _random_rays(targets: np.ndarray, distance: float) -> _Rays:
    """Return rays from all sides to places on or near the mesh, in numbers that float32 holds exactly."""
    rng = np.random.default_rng(1)
    aims = targets[rng.integers(len(targets), size=_RAYS)] + rng.normal(size=(_RAYS, 3))
    origins = (aims + distance * rng.normal(size=(_RAYS, 3))).astype(np.float32).astype(np.float64)
    directions = aims - origins
    directions /= np.linalg.norm(directions, axis=1, keepdims=True)
    return _Rays(origins, directions)


# Competitors: each makes its structure of a mesh, and casts a batch.


def _makers() -> dict[str, Callable[[_Mesh], Callable[[_Rays], object]]]:
    """Return the competitors that are installed."""
    makers = {
        "embreex": ("embreex.rtcore_scene", _make_embree),
        "trimesh with embreex": ("trimesh.ray.ray_pyembree", _make_trimesh),
        "open3d": ("open3d", _make_open3d),
        "VTK static cell locator": ("vtkmodules.vtkCommonDataModel", _make_vtk),
    }
    return installed(makers)


def _bound_build(make: Callable[[_Mesh], Callable], mesh: _Mesh) -> Callable[[], object]:
    one = _Rays(np.zeros((1, 3)), np.array([(0.0, 0.0, 1.0)]))
    return lambda: make(mesh)(one)  # some build on the first ray


def _embree_scene(mesh: _Mesh) -> Any:
    from embreex.mesh_construction import TriangleMesh
    from embreex.rtcore_scene import EmbreeScene

    scene = EmbreeScene()
    TriangleMesh(scene, mesh.positions[mesh.triangles].astype(np.float32))
    return scene


def _make_embree(mesh: _Mesh) -> Callable[[_Rays], object]:
    scene = _embree_scene(mesh)
    return lambda rays: scene.run(rays.origins.astype(np.float32), rays.directions.astype(np.float32), output=True)


def _make_trimesh(mesh: _Mesh) -> Callable[[_Rays], object]:
    import trimesh
    from trimesh.ray.ray_pyembree import RayMeshIntersector

    caster = RayMeshIntersector(trimesh.Trimesh(mesh.positions, mesh.triangles, process=False))
    return lambda rays: caster.intersects_first(rays.origins, rays.directions)


def _make_open3d(mesh: _Mesh) -> Callable[[_Rays], object]:
    import open3d

    scene = open3d.t.geometry.RaycastingScene()
    scene.add_triangles(mesh.positions.astype(np.float32), mesh.triangles.astype(np.uint32))
    return lambda rays: scene.cast_rays(np.concatenate(rays, axis=1).astype(np.float32))


def _make_vtk(mesh: _Mesh) -> Callable[[_Rays], object]:
    from vtkmodules.util.numpy_support import numpy_to_vtk, numpy_to_vtkIdTypeArray
    from vtkmodules.vtkCommonCore import mutable, vtkPoints
    from vtkmodules.vtkCommonDataModel import vtkCellArray, vtkPolyData, vtkStaticCellLocator

    points, cells, data = vtkPoints(), vtkCellArray(), vtkPolyData()
    points.SetData(numpy_to_vtk(mesh.positions, deep=True))
    cells.SetData(3, numpy_to_vtkIdTypeArray(mesh.triangles.astype(np.int64).ravel(), deep=True))
    data.SetPoints(points)
    data.SetPolys(cells)
    locator: Any = vtkStaticCellLocator()  # numbers that it writes are of a type that its stubs do not name
    locator.SetDataSet(data)
    locator.BuildLocator()
    size = 4.0 * float(np.abs(mesh.positions).max())
    t, part, cell, point, weights = mutable(0.0), mutable(0), mutable(0), [0.0] * 3, [0.0] * 3

    def cast(rays: _Rays) -> None:
        for origin, end in zip(rays.origins, rays.origins + size * rays.directions, strict=True):
            locator.IntersectWithLine(origin, end, 0.0, t, point, weights, part, cell)

    return cast

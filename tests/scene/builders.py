"""Small meshes, random scenes, and what a scene should derive from its own columns."""

from __future__ import annotations

import numpy as np

from octoscope.scene import MeshData, Scene
from octoscope.scene.geometry.triangulation import triangulate_all
from tests.oracles import local_matrix, random_quaternion, world_matrix

QUAD_CORNERS = np.array([(-1.0, -1.0, 0.0), (1.0, -1.0, 0.0), (1.0, 1.0, 0.0), (-1.0, 1.0, 0.0)])
BOX_CORNERS = np.array([(x, y, z) for z in (-1.0, 1.0) for y in (-1.0, 1.0) for x in (-1.0, 1.0)])
BOX_QUADS = [(0, 2, 3, 1), (4, 5, 7, 6), (0, 1, 5, 4), (2, 6, 7, 3), (0, 4, 6, 2), (1, 3, 7, 5)]  # seen from outside


def mesh_of(positions: np.ndarray, triangles: np.ndarray) -> MeshData:
    return MeshData(positions, np.asarray(triangles), None, np.zeros(len(positions), dtype=np.int32))


def triangulated(polygon: np.ndarray) -> np.ndarray:
    """(t, 3): a polygon of (n, 3) corners cut into triangles, by the kernel that readers of files call."""
    count = len(polygon)
    return triangulate_all(np.ascontiguousarray(polygon, dtype=float), np.array([count]), np.arange(count))[0]


def quad() -> MeshData:
    """Return a quad of half size 1 in the plane z = 0, facing +z; its diagonal runs through the middle."""
    return mesh_of(QUAD_CORNERS, [(0, 1, 2), (0, 2, 3)])


def box() -> MeshData:
    """Closed, of half size 1, facing outward; every side's diagonal runs through its middle."""
    return mesh_of(BOX_CORNERS, [(a, *pair) for a, b, c, d in BOX_QUADS for pair in ((b, c), (c, d))])


def ball(rings: int = 8, segments: int = 12) -> MeshData:
    """Closed, of radius 1, facing outward, with poles on the z axis."""
    heights = np.linspace(np.pi, 0.0, rings + 1)[1:-1]
    angles = np.arange(segments) * 2.0 * np.pi / segments
    grid = [(np.sin(h) * np.cos(a), np.sin(h) * np.sin(a), np.cos(h)) for h in heights for a in angles]
    south, north = len(grid), len(grid) + 1
    triangles = []
    for s in range(segments):
        n = (s + 1) % segments
        triangles += [(south, n, s), (north, len(grid) - segments + s, len(grid) - segments + n)]
        for r in range(0, (rings - 2) * segments, segments):
            triangles += [(r + s, r + n, r + segments + n), (r + s, r + segments + n, r + segments + s)]
    return mesh_of(np.array([*grid, (0.0, 0.0, -1.0), (0.0, 0.0, 1.0)]), triangles)


def soup(rng: np.random.Generator, count: int) -> MeshData:
    """`count` loose triangles about a point that is not the origin."""
    corners = rng.normal(size=3) * 3.0 + rng.normal(size=(count, 1, 3)) + 0.5 * rng.normal(size=(count, 3, 3))
    return mesh_of(corners.reshape(-1, 3), np.arange(3 * count).reshape(-1, 3))


def random_scales(rng: np.random.Generator, count: int, *, zeros: float = 0.02) -> np.ndarray:
    """Different along each axis; some mirrored, a few of zero."""
    scales = 10.0 ** rng.uniform(-1.0, 1.0, (count, 3)) * rng.choice((-1.0, 1.0), (count, 3), p=(0.2, 0.8))
    return scales * rng.choice((0.0, 1.0), (count, 3), p=(zeros, 1.0 - zeros))


def add_random_nodes(scene: Scene, rng: np.random.Generator, count: int, *, zeros: float = 0.02) -> range:
    """Nodes below nodes that exist, most of them with a mesh: scaled parents with turned children shear."""
    return scene.add_nodes(
        [f"node {number}" for number in range(count)],
        parent=rng.integers(-1, len(scene), count),
        mesh=rng.integers(-1, len(scene.meshes), count),
        translation=5.0 * rng.normal(size=(count, 3)),
        rotation=random_quaternion(rng, count),
        scale=random_scales(rng, count, zeros=zeros),
    )


def random_scene(seed: int, count: int = 60, *, zeros: float = 0.02) -> Scene:
    """`zeros` is the share of scales that are nothing along an axis."""
    rng = np.random.default_rng(seed)
    scene = Scene()
    for mesh in (quad(), box(), ball(4, 5), soup(rng, 6)):
        scene.meshes.add(mesh)
    for _ in range(4):
        add_random_nodes(scene, rng, count // 4, zeros=zeros)
    return scene


def local_matrices(scene: Scene) -> np.ndarray:
    rows = zip(scene.translations, scene.rotations, scene.scales, strict=True)
    return np.array([local_matrix(*row) for row in rows]).reshape(-1, 4, 4)


def below(scene: Scene, roots: set[int]) -> set[int]:
    """The nodes themselves and everything that hangs below them."""
    found = set()
    for node in scene.ids.tolist():
        above = node
        while above >= 0 and above not in roots:
            above = int(scene.parents[above])
        if above >= 0:
            found.add(node)
    return found


def assert_world_matrices_are_right(scene: Scene) -> None:
    local = local_matrices(scene)
    for node in range(len(scene)):
        expected, error = world_matrix(scene.parents, local, node)
        assert (np.abs(scene.world_from_local[node] - expected) <= error).all(), f"world matrix of node {node}"

"""Triangle trees: whatever the mesh, a ray through its tree hits what brute force in float64 hits."""

import time

import numba
import numpy as np
import pytest

from octoscope.scene import MeshData, RayHits, Scene
from octoscope.scene.bvh.build import build_meshes
from octoscope.scene.bvh.simd import enter_boxes, lowest_bit
from octoscope.scene.spatial.cast import BRUTE_BELOW
from octoscope.scene.spatial.raycast import BUILT_LATER
from tests import oracles
from tests.scene.builders import ball, mesh_of, quad

pytestmark = pytest.mark.usefixtures("strict_floats")


def terrain(side: int, seed: int = 0) -> MeshData:
    """Two triangles for each of side * side squares."""
    x, y = np.meshgrid(np.arange(side + 1.0), np.arange(side + 1.0), indexing="ij")
    z = 0.1 * side * np.sin(9.0 * x / side) * np.cos(7.0 * y / side)
    z += 0.1 * np.random.default_rng(seed).normal(size=x.shape)
    corner = (np.arange(side)[:, None] * (side + 1) + np.arange(side)).ravel()
    a, b, c, d = corner, corner + side + 1, corner + 1, corner + side + 2
    triangles = np.stack([a, b, c, c, b, d], axis=1).reshape(-1, 3)
    return mesh_of(np.stack([x, y, z], axis=-1).reshape(-1, 3), triangles)


def loose(rng: np.random.Generator, centers: np.ndarray, size: np.ndarray) -> MeshData:
    """A triangle of random shape about each center."""
    corners = centers[:, None] + np.asarray(size)[..., None, None] * rng.normal(size=(len(centers), 3, 3))
    return mesh_of(corners.reshape(-1, 3), np.arange(3 * len(centers)).reshape(-1, 3))


def kinds(rng: np.random.Generator) -> dict[str, MeshData]:
    sizes = 10.0 ** rng.uniform(-6.0, 6.0, 800)
    stadium = np.concatenate([rng.normal(size=(900, 3)) * 1e-5, rng.normal(size=(10, 3)) * 1e3])
    return {
        "soup": loose(rng, 10.0 * rng.normal(size=(1000, 3)), np.full(1000, 0.7)),
        "a teapot in a stadium": loose(rng, stadium, np.where(np.arange(910) < 900, 1e-6, 300.0)),
        "from 1e-6 to 1e6": loose(rng, sizes[:, None] * rng.normal(size=(800, 3)), sizes),
        "tiny": loose(rng, 1e-6 * rng.normal(size=(500, 3)), np.full(500, 1e-7)),
        "huge and far from its origin": loose(rng, 1e9 + 1e6 * rng.normal(size=(500, 3)), np.full(500, 1e5)),
        "flat": loose(rng, rng.normal(size=(300, 3)) * (1.0, 1.0, 0.0), np.full(300, 0.1)),
        "all in one place": loose(rng, np.ones((200, 3)), np.zeros(200)),
        "the same again and again": mesh_of(np.eye(3), np.tile([(0, 1, 2)], (500, 1))),
        "a line of needles": loose(rng, np.arange(400.0)[:, None] * (1.0, 0.0, 0.0), np.full(400, 20.0)),
        "one too many for brute force": loose(rng, rng.normal(size=(BRUTE_BELOW, 3)), np.full(BRUTE_BELOW, 0.5)),
        "ball": ball(30, 40),
    }


@pytest.mark.parametrize("name", kinds(np.random.default_rng(0)))
def test_every_triangle_is_in_the_tree_once_and_within_all_boxes_above_it(name):
    mesh = kinds(np.random.default_rng(1))[name]
    lower, upper = mesh.positions.min(axis=0), mesh.positions.max(axis=0)
    triangles = mesh.triangles.astype(np.int32)
    only, none = np.zeros(1, np.int64), np.zeros(1, np.int64)
    counts = np.array([len(mesh.positions)]), np.array([len(triangles)])
    firsts = np.empty((1, 2), np.int32)
    nodes, leaves = build_meshes(
        only, none, counts[0], none, counts[1], lower[None], upper[None], mesh.positions, triangles, firsts
    )
    boxes, children = nodes[:, :6], nodes.view(np.int32)[:, 6:].swapaxes(1, 2)
    np.testing.assert_array_equal(np.sort(leaves[:, 3]), np.arange(len(triangles)))
    np.testing.assert_array_equal(leaves[:, :3], triangles[leaves[:, 3]])
    half = (upper - lower).max() / 2.0 or 1.0
    in_cube = (mesh.positions - (lower / 2.0 + upper / 2.0)) / half
    seen, waiting = [], [(0, np.full(3, -np.inf), np.full(3, np.inf))]
    while waiting:
        node, low, high = waiting.pop()
        seen.append(node)
        for child in range(8):
            if boxes[node, 0, child] > boxes[node, 3, child]:
                continue
            own = np.maximum(low, boxes[node, :3, child]), np.minimum(high, boxes[node, 3:, child])
            first, count = children[node, child]
            if count == 0:
                waiting.append((first, *own))
            else:
                corners = in_cube[leaves[first : first + count, :3]]
                assert (corners >= own[0] - 1e-15).all() and (corners <= own[1] + 1e-15).all()
    assert sorted(seen) == list(range(len(boxes)))
    in_leaves = children[..., 1][boxes[:, 0] <= boxes[:, 3]]
    assert in_leaves.sum() == len(triangles)


@pytest.mark.parametrize("distance", (1.0, 1e6))
@pytest.mark.parametrize("name", kinds(np.random.default_rng(0)))
def test_rays_through_a_mesh_hit_what_brute_force_hits(name, distance):
    rng = np.random.default_rng(2)
    mesh = kinds(rng)[name]
    scene = Scene()
    scene.add_node("only", mesh=scene.meshes.add(mesh))
    corners = mesh.positions[mesh.triangles]
    size = np.ptp(mesh.positions, axis=0).max() or 1.0
    targets = np.einsum("nc,nck->nk", rng.dirichlet(np.ones(3), 60), corners[rng.integers(len(corners), size=60)])
    origins = targets + distance * size * rng.normal(size=(60, 3))
    hits = scene.raycast_many(origins, targets - origins)
    compared = 0
    for ray, (origin, target) in enumerate(zip(origins, targets, strict=True)):
        direction = (target - origin) / np.linalg.norm(target - origin)
        t, inside = oracles.ray_triangles(origin, direction, corners)
        if (np.abs(inside) < 1e-9 * distance * 1e3).any() and name != "the same again and again":
            continue  # close to an edge for float64
        found = scene.raycast_all(origin, direction)
        expected = np.sort(t[np.isfinite(t)])
        if name != "the same again and again":
            np.testing.assert_allclose([hit.t for hit in found], expected, rtol=1e-9)
        if len(expected):
            assert hits.t[ray] == pytest.approx(expected[0], rel=1e-9)
            compared += 1
        else:
            assert hits.nodes[ray] == -1
    if name not in ("all in one place", "tiny", "a teapot in a stadium", "from 1e-6 to 1e6") and distance == 1.0:
        assert compared > 5


def test_a_large_mesh_is_tested_triangle_by_triangle_until_its_tree_is_there_with_the_same_answer():
    mesh = terrain(round((BUILT_LATER / 2) ** 0.5) + 5)
    side = mesh.positions[:, 0].max()
    scene = Scene()
    scene.add_node("large", mesh=scene.meshes.add(mesh), rotation=(0.1, 0.2, 0.3, 1.0), translation=(1e3, 0.0, 0.0))
    scene.update_world()
    rng = np.random.default_rng(3)
    targets = oracles.transformed(scene.world_from_local[0], rng.uniform(0.0, side, (10, 3)) * (1.0, 1.0, 0.01))
    origins = targets + side * rng.normal(size=(10, 3))
    before = [scene.raycast(*ray) for ray in zip(origins, targets - origins, strict=True)]
    deadline = time.monotonic() + 60.0
    while scene.rays._trees.arrays().first_node[0] < 0 and time.monotonic() < deadline:
        time.sleep(0.01)
    assert scene.rays._trees.arrays().first_node[0] == 0
    after = [scene.raycast(*ray) for ray in zip(origins, targets - origins, strict=True)]
    assert [hit and (hit.t, hit.triangle) for hit in after] == [hit and (hit.t, hit.triangle) for hit in before]
    many = scene.raycast_many(origins, targets - origins)
    assert many.triangles.tolist() == [-1 if hit is None else hit.triangle for hit in after]
    assert sum(hit is not None for hit in after) > 3


def test_trees_follow_meshes_that_are_added_and_pools_that_are_replaced():
    scene = Scene()
    scene.add_node("ball", mesh=scene.meshes.add(ball(20, 20)))
    ray = (0.03, 0.01, 9.0), (0.0, 0.0, -1.0)
    assert scene.raycast(*ray).t == pytest.approx(8.0, abs=0.02)
    scene.add_node("front", mesh=scene.meshes.add(ball(22, 20)), translation=(0.0, 0.0, 3.0))
    assert scene.raycast(*ray).node.name == "front"
    other = Scene()
    for radius in (2.0, 0.5):
        other.meshes.add(mesh_of(radius * ball(20, 20).positions, ball(20, 20).triangles))
    scene.replace_meshes(other.meshes, np.array([0, 1]))
    hits = scene.raycast_all(*ray)
    assert [hit.node.name for hit in hits] == ["front", "front", "ball", "ball"]
    assert [hit.t for hit in hits] == pytest.approx([5.5, 6.5, 7.0, 11.0], abs=0.04)


def test_many_meshes_get_their_trees_in_one_go_and_instances_share_theirs():
    rng = np.random.default_rng(4)
    scene = Scene()
    meshes = [scene.meshes.add(ball(5 + number % 7, 9)) for number in range(200)]
    scene.add_nodes(
        [f"{number}" for number in range(600)],
        mesh=rng.choice(meshes, 600),
        translation=rng.uniform(-30.0, 30.0, (600, 3)),
        scale=rng.uniform(-2.0, 2.0, (600, 3)),
    )
    origins, directions = rng.uniform(-40.0, 40.0, (500, 3)), rng.normal(size=(500, 3))
    many = scene.raycast_many(origins, directions)
    for ray in range(500):
        hit = scene.raycast(origins[ray], directions[ray])
        if hit is None:
            assert many.nodes[ray] == -1 and many.t[ray] == np.inf and np.isnan(many.barycentric[ray]).all()
        else:
            assert (many.nodes[ray], many.triangles[ray]) == (hit.node.id, hit.triangle)
            assert many.t[ray] == pytest.approx(hit.t, rel=1e-14)
            np.testing.assert_allclose(many.barycentric[ray], hit.barycentric, atol=1e-15)
    assert (many.nodes >= 0).sum() > 50
    assert isinstance(many, RayHits) and many.nodes.dtype == many.triangles.dtype == np.int32


def test_barycentric_and_uv_name_the_point_that_was_hit():
    mesh = quad()
    uvs = np.array([(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)])
    scene = Scene()
    scene.add_node(
        "quad", mesh=scene.meshes.add(MeshData(mesh.positions, mesh.triangles, None, np.zeros(4, dtype=int), uvs)),
        scale=(2.0, -3.0, 1.0), rotation=(0.0, 0.0, 0.3, 1.0),
    )  # fmt: skip
    scene.update_world()
    for x, y in ((0.3, -0.4), (-0.7, 0.2)):
        (point,) = oracles.transformed(scene.world_from_local[0], np.array([(x, y, 0.0)]))
        hit = scene.raycast(np.add(point, (0.0, 0.0, 5.0)), (0.0, 0.0, -1.0))
        np.testing.assert_allclose(hit.uv, ((x + 1.0) / 2.0, (y + 1.0) / 2.0), atol=1e-12)
        np.testing.assert_allclose(hit.point, point, atol=1e-12)
        np.testing.assert_allclose(
            hit.barycentric @ mesh.positions[mesh.triangles[hit.triangle]], (x, y, 0), atol=1e-12
        )


def test_no_weight_of_a_corner_is_minus_0():
    scene = Scene()
    scene.add_node("quad", mesh=scene.meshes.add(quad()))
    scene.update_world()
    along = np.linspace(-1.0, 1.0, 5)
    places = np.stack(np.meshgrid(along, along, (-5.0, 5.0)), axis=-1).reshape(-1, 3)  # on edges and corners too
    for zero in (0.0, -0.0):
        directions = np.column_stack((np.full((len(places), 2), zero), -np.sign(places[:, 2])))
        many = scene.raycast_many(places, directions)
        assert (many.nodes == 0).all() and not np.signbit(many.barycentric).any()
        for ray, (place, direction) in enumerate(zip(places, directions, strict=True)):
            hit = scene.raycast(place, direction)
            assert not np.signbit(hit.barycentric).any()
            assert np.array_equal(hit.barycentric, many.barycentric[ray]) and hit.t == many.t[ray]


@pytest.mark.parametrize("scale", [(1, 1, 1), (-1, 1, 1), (2, -1, -3), (-1, -2, -1)])
def test_back_faces_are_left_out_on_demand_mirrored_or_not(scale):
    for mesh in (ball(3, 3), ball(20, 20)):
        scene = Scene()
        scene.add_node("ball", mesh=scene.meshes.add(mesh), scale=scale)
        outside, inside = (0.01, 0.02, 9.0), (0.01, 0.02, 0.0)
        assert len(scene.raycast_all(outside, (0, 0, -1))) == 2
        assert len(scene.raycast_all(outside, (0, 0, -1), back_faces=False)) == 1
        assert scene.raycast(outside, (0, 0, -1), back_faces=False).t < 9.0
        assert scene.raycast(inside, (0, 0, -1), back_faces=False) is None
        assert scene.raycast_many([inside], [(0, 0, -1)], back_faces=False).nodes.tolist() == [-1]


def test_among_leaves_out_nodes_and_those_beyond_it():
    scene = Scene()
    scene.add_nodes(["a", "b", "c"], mesh=scene.meshes.add(quad()), translation=[(0, 0, 3), (0, 0, 2), (0, 0, 1)])
    ray = (0.1, 0.2, 9.0), (0.0, 0.0, -1.0)
    assert scene.raycast(*ray, among=np.array([False, True, True])).node.name == "b"
    assert scene.raycast(*ray, among=np.array([False])) is None
    assert [hit.node.name for hit in scene.raycast_all(*ray, among=np.array([True, False, True]))] == [
        "a",
        "c",
    ]


def test_a_ray_with_thousands_of_hits_gives_them_all():
    corners = np.concatenate([np.add(quad().positions[:3], (0.0, 0.0, -z)) for z in range(3000)])
    scene = Scene()
    scene.add_node("stack", mesh=scene.meshes.add(mesh_of(corners, np.arange(9000).reshape(-1, 3))))
    hits = scene.raycast_all((0.3, -0.2, 1.0), (0.0, 0.0, -1.0))
    assert [hit.t for hit in hits] == [1.0 + z for z in range(3000)]


def test_rays_in_the_faces_of_cells_hit_what_lies_there():
    scene = Scene()
    places = np.array([(x, -y, z) for x in range(-4, 5) for y in range(1, 9) for z in range(-4, 5)], dtype=float)
    scene.add_nodes([""] * len(places), mesh=scene.meshes.add(ball(6, 8)), translation=places, scale=(0.2, 0.2, 0.2))
    hits = scene.raycast_all((0.0, 0.0, 0.0), (0.0, -1.0, 0.0))
    assert {hit.node.id for hit in hits} == set(np.flatnonzero((places[:, ::2] == 0.0).all(axis=1)).tolist())
    assert scene.raycast((0.0, 0.0, 0.0), (0.0, -1.0, 0.0)).node.translation.tolist() == [0.0, -1.0, 0.0]


def test_100_000_objects_of_which_10_000_moved_are_hit_where_they_are_now():
    rng = np.random.default_rng(5)
    count = 100_000
    scene = Scene()
    meshes = [scene.meshes.add(mesh) for mesh in (quad(), ball(4, 6), ball(8, 9))]
    places = rng.uniform(-200.0, 200.0, (count, 3))
    scene.add_nodes(
        [""] * count,
        mesh=rng.choice(meshes, count),
        translation=places,
        rotation=oracles.random_quaternion(rng, count),
        scale=rng.uniform(-3.0, 3.0, (count, 3)),
    )
    assert len(scene.index) == count
    moved = rng.choice(count, 10_000, replace=False)
    scene.set_translations(moved, rng.uniform(-200.0, 200.0, (10_000, 3)))
    origins, directions = rng.uniform(-250.0, 250.0, (8, 3)), rng.normal(size=(8, 3))
    many = scene.raycast_many(origins, directions)
    for ray, (origin, direction) in enumerate(zip(origins, directions, strict=True)):
        direction = direction / np.linalg.norm(direction)
        best, of = np.inf, -1
        gap = scene.world_spheres[:, :3] - origin
        away = np.linalg.norm(gap - (gap @ direction)[:, None] * direction, axis=1)
        for node in np.flatnonzero(away <= scene.world_spheres[:, 3] * 1.001).tolist():
            mesh = scene.meshes.mesh(scene.mesh_ids[node])
            corners = oracles.transformed(scene.world_from_local[node], mesh.positions)[mesh.triangles]
            t = oracles.ray_triangles(origin, direction, corners)[0].min(initial=np.inf)
            if t < best:
                best, of = t, node
        assert many.nodes[ray] == of
        assert of < 0 or many.t[ray] == pytest.approx(best, rel=1e-9)


@numba.njit
def _enter(nodes, node, rows, ray, limit, near):
    some = enter_boxes(nodes, node, rows, ray, limit, near)
    return some, lowest_bit(some)


def test_eight_boxes_at_once_are_what_numpy_says():
    rng = np.random.default_rng(6)
    for _ in range(200):
        boxes = np.sort(rng.normal(size=(3, 2, 3, 8)), axis=1).reshape(3, 6, 8).astype(np.float32)
        nodes = np.concatenate([boxes, np.zeros((3, 2, 8), dtype=np.float32)], axis=1)
        direction, origin = rng.normal(size=3), rng.normal(size=3) * 2.0
        rows = np.array(
            [*np.where(direction > 0, (0, 1, 2), (3, 4, 5)), *np.where(direction > 0, (3, 4, 5), (0, 1, 2))]
        )
        ray = np.concatenate([1.0 / direction, origin, origin]).astype(np.float32)
        near, limit = np.empty(8, dtype=np.float32), np.float32(rng.uniform(0.0, 4.0))
        some, lowest = _enter(nodes, 1, rows, ray, limit, near)
        t = (boxes[1, rows] - np.tile(origin, 2)[:, None]) / np.tile(direction, 2)[:, None]
        enter, leave = np.maximum(t[:3].max(axis=0), 0.0), np.minimum(t[3:].min(axis=0), limit)
        clear = np.abs(enter - leave) > 1e-4
        np.testing.assert_array_equal((near < np.inf)[clear], (enter <= leave)[clear])
        np.testing.assert_allclose(near[near < np.inf], enter[near < np.inf], rtol=1e-4, atol=1e-5)
        assert some == sum(1 << child for child in range(8) if near[child] < np.inf)
        assert some == 0 or lowest == (some & -some).bit_length() - 1

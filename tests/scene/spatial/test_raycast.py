"""Ray casts against triangles in float64, and the rays that slip through where an implementation is careless."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from octoscope.scene import Hit, MeshData, Scene
from tests import oracles
from tests.cases import quick
from tests.scene.builders import ball, box, mesh_of, quad, random_scene, soup

pytestmark = pytest.mark.usefixtures("strict_floats")


def every(scene: Scene, origin, direction, **options) -> list[Hit]:
    return scene.raycast_all(origin, direction, **options)


def one_node(mesh, **transform) -> Scene:
    scene = Scene()
    scene.add_node("only", mesh=scene.meshes.add(mesh), **transform)
    scene.update_world()
    return scene


def world_corners(scene: Scene, node: int) -> np.ndarray:
    """(t, 3, 3) corners of a node's triangles."""
    mesh = scene.mesh_ids[node]
    world = oracles.transformed(scene.world_from_local[node], scene.meshes.mesh(mesh).positions)
    return world[scene.meshes.mesh(mesh).triangles]


def crossings(scene: Scene, origin: np.ndarray, direction: np.ndarray) -> tuple[list[tuple[float, int]], bool]:
    """(t, node) of every triangle on the ray, ascending; and whether rounding can matter: it runs close to an edge."""
    found, close = [], False
    for node in np.flatnonzero(scene.mesh_ids >= 0):
        t, inside = oracles.ray_triangles(origin, direction, world_corners(scene, node))
        found += [(float(value), int(node)) for value in t[np.isfinite(t)]]
        close |= bool((np.abs(inside) < 1e-6).any())
    return sorted(found), close


def random_target(scene: Scene, rng: np.random.Generator) -> np.ndarray:
    """A point on a triangle of a node, so that most rays hit something."""
    node = rng.choice(np.flatnonzero(scene.mesh_ids >= 0))
    return rng.dirichlet(np.ones(3)) @ rng.choice(world_corners(scene, node))


@pytest.mark.parametrize("offset", (0.0, 1e6))
@pytest.mark.parametrize("seed", quick(range(5), 2))
def test_random_rays_through_random_scenes_hit_what_brute_force_hits(seed, offset):
    rng = np.random.default_rng(seed)
    scene = random_scene(seed, 60, zeros=0.0)
    tops = np.flatnonzero(scene.parents < 0)
    scene.set_translations(tops, scene.translations[tops] + (offset, -offset, offset))
    scene.update_world()
    compared = 0
    for _ in range(60):
        target = random_target(scene, rng)
        origin = target + rng.normal(size=3) * 10.0 ** rng.uniform(-1.0, 2.0)
        direction = (target - origin) / np.linalg.norm(target - origin)
        expected, close = crossings(scene, origin, direction)
        gaps = np.diff([t for t, _ in expected])
        if close or (gaps < 1e-6 * (1.0 + offset / 1e4)).any():
            continue  # two answers are right
        tolerance = {"rtol": 1e-9, "atol": 1e-9 + 1e-10 * offset}
        hits = every(scene, origin, 3.0 * direction)
        assert [hit.node.id for hit in hits] == [node for _, node in expected]
        np.testing.assert_allclose([hit.t for hit in hits], [t for t, _ in expected], **tolerance)
        nearest = scene.raycast(origin, 3.0 * direction)
        if expected:
            assert (nearest.node.id, nearest.t) == (hits[0].node.id, hits[0].t)
            compared += 1
        else:
            assert nearest is None
    assert compared > 20


@pytest.mark.parametrize("seed", range(5))
def test_point_normal_and_triangle_of_a_hit_belong_together(seed):
    rng = np.random.default_rng(seed)
    scene = random_scene(seed, 60, zeros=0.0)
    scene.update_world()
    for _ in range(30):
        target = random_target(scene, rng)
        origin = target + 10.0 * rng.normal(size=3)
        for hit in every(scene, origin, target - origin):
            a, b, c = world_corners(scene, hit.node.id)[hit.triangle]
            size = np.abs((a, b, c)).max() + np.abs(origin).max()
            np.testing.assert_allclose(np.linalg.norm(hit.normal), 1.0)
            np.testing.assert_allclose(hit.point, origin + hit.t * (target - origin) / np.linalg.norm(target - origin))
            np.testing.assert_allclose((hit.point - a) @ hit.normal, 0.0, atol=1e-9 * size)
            for edge in (b - a, c - a):
                np.testing.assert_allclose(edge / np.linalg.norm(edge) @ hit.normal, 0.0, atol=1e-9)


def test_the_nearest_in_world_units_wins_though_the_objects_are_scaled_differently():
    scene = Scene()
    mesh = scene.meshes.add(quad())
    # In its own units the large one is 0.1 away, the small one 500.
    scene.add_node("large and far", mesh=mesh, scale=(100.0, 100.0, 100.0), translation=(0.0, 0.0, -10.0))
    scene.add_node("small and near", mesh=mesh, scale=(0.01, 0.01, 0.01), translation=(0.0, 0.0, -5.0))
    hits = every(scene, (0.001, 0.002, 0.0), (0.0, 0.0, -7.0))
    assert [(hit.node.name, hit.t) for hit in hits] == [
        ("small and near", pytest.approx(5.0)),
        ("large and far", pytest.approx(10.0)),
    ]
    assert scene.raycast((0.001, 0.002, 0.0), (0.0, 0.0, -7.0)).node.name == "small and near"


def test_a_near_triangle_in_a_sphere_entered_late_beats_a_far_one_in_a_sphere_entered_early():
    scene = Scene()
    slanted = mesh_of(np.array([(-50.0, -1, -20), (50.0, -1, -20), (0.0, 1, -20)]), [(0, 1, 2)])
    scene.add_node("wide, entered at once", mesh=scene.meshes.add(slanted))
    scene.add_node("small, entered later", mesh=scene.meshes.add(quad()), translation=(0.0, 0.0, -15.0))
    assert scene.raycast((0.1, 0.0, 0.0), (0.0, 0.0, -1.0)).node.name == "small, entered later"


def test_both_sides_of_a_triangle_are_hit_and_its_normal_stays():
    scene = one_node(quad())
    for z in (5.0, -5.0):
        hit = scene.raycast((0.3, 0.2, z), (0.0, 0.0, -z))
        assert hit.t == 5.0
        np.testing.assert_array_equal(hit.normal, (0.0, 0.0, 1.0))


@pytest.mark.parametrize("scale", [(1, 1, 1), (-1, 1, 1), (1, -2, 1), (-1, -1, -1), (-3, -1, 2)])
@pytest.mark.parametrize("seed", range(3))
def test_the_normals_of_a_closed_mesh_point_outward_mirrored_or_not(scale, seed):
    rng = np.random.default_rng(seed)
    scene = one_node(box(), scale=scale, rotation=oracles.random_quaternion(rng), translation=(5.0, 6.0, 7.0))
    for _ in range(20):
        origin = np.array((5.0, 6.0, 7.0)) + 20.0 * rng.normal(size=3)
        hit = scene.raycast(origin, np.array((5.0, 6.0, 7.0)) - origin)
        assert hit.normal @ (hit.point - (5.0, 6.0, 7.0)) > 0.0


def test_a_ray_from_inside_a_closed_mesh_hits_it_once():
    hits = every(one_node(box(), scale=(2.0, 3.0, 4.0)), (0.1, 0.2, 0.3), (1.0, 0.0, 0.0))
    assert [hit.t for hit in hits] == [pytest.approx(1.9)]


def test_t_max_is_the_length_of_the_ray():
    scene = one_node(quad(), translation=(0.0, 0.0, -5.0))
    for cast in (Scene.raycast, lambda *ray, t_max: next(iter(every(*ray, t_max=t_max)), None)):
        assert cast(scene, (0.1, 0.3, 0.0), (0.0, 0.0, -100.0), t_max=4.999) is None
        assert cast(scene, (0.1, 0.3, 0.0), (0.0, 0.0, -100.0), t_max=5.001).t == 5.0


def test_a_ray_that_meets_nothing_gives_none_and_an_empty_list():
    for scene in (one_node(quad()), Scene()):
        assert scene.raycast((5.0, 5.0, 5.0), (1.0, 0.0, 0.0)) is None
        assert every(scene, (5.0, 5.0, 5.0), (1.0, 0.0, 0.0)) == []


def test_a_ray_in_the_plane_of_a_triangle_does_not_hit_it():
    assert every(one_node(quad()), (-5.0, 0.2, 0.0), (1.0, 0.0, 0.0)) == []


@pytest.mark.parametrize(
    "cast", (Scene.raycast, every, lambda scene, *ray: scene.raycast_many(*np.array([ray]).swapaxes(0, 1)))
)
@pytest.mark.parametrize("direction", [(0, 0, 0), (np.nan, 0, 1), (0, 0, np.inf)])
def test_a_direction_that_is_none_is_refused(cast, direction):
    with pytest.raises(ValueError, match="ray"):
        cast(one_node(quad()), (0.0, 0.0, 5.0), direction)


# Objects scaled to nothing.


@pytest.mark.parametrize("scale", [(0, 0, 0), (1, 1, 0), (0, 1, 1), (1, 0, 0)])
def test_an_object_scaled_to_nothing_is_skipped_and_what_is_behind_it_is_hit(scale):
    scene = Scene()
    mesh = scene.meshes.add(box())
    scene.add_node("nothing", mesh=mesh, scale=scale)
    scene.add_node("behind", mesh=mesh, translation=(0.0, 0.0, -5.0))
    assert scene.raycast((0.1, 0.2, 9.0), (0.0, 0.0, -1.0)).node.name == "behind"
    assert {hit.node.name for hit in every(scene, (0.1, 0.2, 9.0), (0.0, 0.0, -1.0))} == {"behind"}


def test_a_turned_object_below_a_turned_parent_scaled_to_nothing_is_skipped():
    """Its matrix is singular but for rounding: the inverse exists and holds nothing but that rounding."""
    rng = np.random.default_rng(0)
    for _ in range(50):
        scene = Scene()
        flat = scene.add_node("flat", rotation=oracles.random_quaternion(rng), scale=(1.0, 1.0, 0.0))
        mesh = scene.meshes.add(quad())
        scene.add_node("below", parent=flat.id, mesh=mesh, rotation=oracles.random_quaternion(rng))
        for _ in range(10):
            origin, target = 3.0 * rng.normal(size=(2, 3))
            assert scene.raycast(origin, target - origin) is None


# Edges and vertices.


def test_a_ray_through_the_edge_between_two_triangles_hits_one_of_them():
    corners = np.array([(-0.7, -0.8, 1.0), (1.0, 0.5, 1.0), (1.0, -2.0, 1.0), (-2.0, 1.5, 1.0)])
    triangles = np.array([(0, 1, 2), (1, 0, 3)], dtype=np.int32)
    direction = np.array((0.15, -0.15, 1.0))  # to the middle of the edge between corners 0 and 1
    assert one_node(mesh_of(corners, triangles)).raycast(np.zeros(3), direction) is not None


@pytest.mark.parametrize("seed", range(4))
def test_no_ray_from_inside_slips_through_an_edge_or_a_vertex_of_a_closed_mesh(seed):
    rng = np.random.default_rng(seed)
    mesh = ball(10, 14)
    sides = np.concatenate([mesh.triangles[:, pair] for pair in ((0, 1), (1, 2), (2, 0))])
    turned = oracles.random_rotation(rng) @ np.diag(rng.uniform(0.2, 2.0, 3)) @ oracles.random_rotation(rng)
    middle = rng.normal(size=3) * 10.0 ** rng.uniform(-1.0, 3.0)
    positions = np.ascontiguousarray(mesh.positions @ turned.T + middle)
    scene = one_node(mesh_of(positions, mesh.triangles))
    missed = 0
    for along in (0.0, 0.25, 0.5, *rng.random(5)):
        directions = (1.0 - along) * positions[sides[:, 0]] + along * positions[sides[:, 1]] - middle
        hits = scene.raycast_many(np.broadcast_to(middle, directions.shape), directions)
        missed += int((hits.nodes < 0).sum())
    assert missed == 0, f"{missed} of {8 * len(sides)} rays slipped through"


@pytest.mark.parametrize("seed", range(3))
def test_no_ray_at_a_corner_of_a_turned_box_slips_past_the_scene(seed):
    rng = np.random.default_rng(seed)
    scene = one_node(box(), rotation=oracles.random_quaternion(rng), scale=(1.0, 2.0, 3.0))
    corners = oracles.transformed(scene.world_from_local[0], box().positions)
    for corner in corners:
        assert scene.raycast((0.0, 0.0, 0.0), corner) is not None


def test_the_diagonal_of_a_quad_counts_once():
    scene = one_node(quad())
    for place in (-0.5, 0.0, 0.7):
        assert len(every(scene, (place, place, 3.0), (0.0, 0.0, -1.0))) == 1


@pytest.mark.parametrize("offset", (0.0, 1e6))
@pytest.mark.parametrize("seed", quick(range(3), 1))
def test_the_diagonal_of_a_turned_sheared_quad_counts_once(seed, offset):
    rng = np.random.default_rng(seed)
    for _ in range(60):
        scene = Scene()
        top = scene.add_node(
            "top", translation=(offset, 0, 0), rotation=oracles.random_quaternion(rng), scale=rng.uniform(0.2, 5.0, 3)
        )
        mesh = scene.meshes.add(quad())
        scene.add_node("quad", parent=top.id, mesh=mesh, rotation=oracles.random_quaternion(rng))
        scene.update_world()
        place = rng.uniform(-0.9, 0.9)
        above = np.append(rng.normal(size=2), rng.uniform(0.5, 3.0))
        target, origin = oracles.transformed(scene.world_from_local[1], np.array([(place, place, 0.0), above]))
        assert len(every(scene, origin, target - origin)) == 1


def test_a_ray_through_the_diagonals_of_a_box_meets_its_surface_twice():
    hits = every(one_node(box()), (0.0, 0.0, 9.0), (0.0, 0.0, -1.0))
    assert [hit.t for hit in hits] == [8.0, 10.0]


def test_the_two_sides_of_a_thin_wall_are_both_reported_from_far_away():
    scene = one_node(box(), scale=(1.0, 1.0, 1e-7))
    hits = every(scene, (0.1, 0.2, 1e6), (0.0, 0.0, -1.0))
    assert len(hits) == 2 and hits[0].normal[2] == 1.0 and hits[1].normal[2] == -1.0


def test_two_objects_at_one_place_are_both_reported():
    scene = Scene()
    mesh = scene.meshes.add(quad())
    scene.add_nodes(["a", "b"], mesh=mesh)
    hits = every(scene, (0.1, 0.2, 5.0), (0.0, 0.0, -1.0))
    assert sorted(hit.node.name for hit in hits) == ["a", "b"]


@pytest.mark.parametrize("scale", (1e-9, 1e-3, 1e3, 1e9))
def test_the_size_of_an_object_does_not_matter(scale):
    scene = one_node(box(), scale=(scale, scale, scale))
    hits = every(scene, np.array((0.1, 0.2, 5.0)) * scale, (0.0, 0.0, -1.0))
    np.testing.assert_allclose([hit.t for hit in hits], (4.0 * scale, 6.0 * scale))


def test_what_has_no_triangles_is_not_hit_and_what_is_behind_it_is():
    scene = Scene()
    positions, none = np.array([(-1.0, 0.0, 0.0), (1.0, 0.0, 0.0)]), np.empty((0, 3), dtype=int)
    line = MeshData(positions, none, None, np.zeros(2, dtype=int), lines=np.array([(0, 1)]), points=np.array([0]))
    scene.add_node("line", mesh=scene.meshes.add(line), translation=(0.0, 0.0, 2.0))
    assert scene.raycast((0.0, 0.0, 5.0), (0.0, 0.0, -1.0)) is None
    assert every(scene, (0.0, 0.0, 5.0), (0.0, 0.0, -1.0)) == []
    scene.add_node("wall", mesh=scene.meshes.add(quad()))
    assert scene.raycast((0.1, 0.2, 5.0), (0.0, 0.0, -1.0)).node.name == "wall"
    assert [hit.node.name for hit in every(scene, (0.1, 0.2, 5.0), (0.0, 0.0, -1.0))] == ["wall"]


def test_of_coinciding_triangles_those_that_share_a_corner_are_met_once():
    """Many triangles of two objects lie in one plane; some corners are the same but for the sign of 0."""
    rng = np.random.default_rng(0)
    sizes = rng.choice(np.linspace(1.0, 2.0, 40), (300, 1, 1))
    heights = rng.choice((0.0, -0.0, 1.0), (300, 1))
    corners = np.array([(-1.0, -1.0, 0.0), (1.0, -1.0, 0.0), (0.0, 1.0, 0.0)]) * sizes
    corners[:, :, 2] = heights
    scene = one_node(mesh_of(corners.reshape(-1, 3), np.arange(900).reshape(-1, 3)))
    scene.add_node("same", mesh=0)
    hits = every(scene, (0.1, 0.1, 5.0), (0.0, 0.0, -1.0))
    different = len(np.unique(np.column_stack([sizes.ravel(), np.abs(heights)]), axis=0))
    assert len(hits) == 2 * different and different < 100
    assert {round(hit.t, 9) for hit in hits} == {4.0, 5.0}


def test_a_hundred_thousand_triangles_in_one_plane_are_all_met_and_none_is_compared_with_all():
    count = 100_000
    corners = np.array([(-1.0, -1.0, 0.0), (1.0, -1.0, 0.0), (0.0, 1.0, 0.0)])
    corners = corners * np.linspace(1.0, 2.0, count)[:, None, None]
    scene = one_node(mesh_of(corners.reshape(-1, 3), np.arange(3 * count).reshape(-1, 3)))
    assert len(every(scene, (0.1, 0.1, 5.0), (0.0, 0.0, -1.0))) == count


# From several threads.


def test_several_threads_that_cast_rays_one_by_one_at_once_get_their_own_answers():
    rng = np.random.default_rng(0)
    scene = Scene()
    meshes = [scene.meshes.add(soup(rng, int(count))) for count in rng.integers(1, 2000, 40)]
    names = [f"node {number}" for number in range(300)]
    scene.add_nodes(names, mesh=rng.choice(meshes, 300), translation=8.0 * rng.normal(size=(300, 3)))
    scene.update_world()
    origins = 20.0 * rng.normal(size=(2000, 3))
    directions = 6.0 * rng.normal(size=(2000, 3)) - origins

    def cast(_) -> list[tuple[int, int]]:
        hits = map(scene.raycast, origins, directions)
        return [(-1, -1) if hit is None else (hit.node.id, hit.triangle) for hit in hits]

    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(cast, range(4)))
    expected = scene.raycast_many(origins, directions)
    expected = list(zip(expected.nodes.tolist(), expected.triangles.tolist(), strict=True))
    assert [answer == expected for answer in answers] == [True] * 4


def test_which_nodes_count_is_told_by_ids_too():
    scene = one_node(quad())
    ray = (0.0, 0.0, 5.0), (0.0, 0.0, -1.0)
    assert scene.raycast(*ray, among=[0]) is not None
    assert scene.raycast(*ray, among=np.empty(0, dtype=np.int32)) is None


@pytest.mark.parametrize("among", [np.ones((1, 1), dtype=bool), True], ids=["(1, 1)", "one"])
def test_which_nodes_count_is_a_bool_for_each(among):
    scene = one_node(quad())
    with pytest.raises(ValueError, match="by node id"):
        scene.raycast((0.0, 0.0, 5.0), (0.0, 0.0, -1.0), among=among)
    with pytest.raises(ValueError, match="by node id"):
        scene.raycast_many([(0.0, 0.0, 5.0)], [(0.0, 0.0, -1.0)], among=among)

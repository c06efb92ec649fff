"""Falls, against every pair of triangles clipped against each other as seen from above."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from octoscope.scene import MeshData, Scene, find_overlaps
from octoscope.scene.drop import search
from octoscope.scene.drop.box_tree import MOST_ON_STACK, box_tree_of, next_candidate
from octoscope.scene.drop.search import drop_distances
from octoscope.scene.nodes.bounds import world_boxes
from tests.cases import quick
from tests.oracles import transformed
from tests.scene.builders import ball, box, mesh_of, soup

SEEDS = st.integers(0, 2**32 - 1)


def triangles_of(scene: Scene, node: int) -> np.ndarray:
    """(t, 3, 3) world."""
    mesh = int(scene.mesh_ids[node])
    if mesh < 0:
        return np.empty((0, 3, 3))
    points = transformed(scene.world_from_local[node], scene.meshes.mesh(mesh).positions)
    return points[scene.meshes.mesh(mesh).triangles]


def clipped(polygon: list[np.ndarray], triangle: np.ndarray) -> list[np.ndarray]:
    """Return the part of a polygon over a triangle, seen from above, (x, z) (Sutherland and Hodgman)."""
    a, b, c = triangle[:, (0, 2)]
    sign = np.sign(cross(b - a, c - a))
    for begin, end in ((a, b), (b, c), (c, a)):
        sides = [sign * cross(end - begin, point - begin) for point in polygon]
        kept = []
        for i, point in enumerate(polygon):
            before = sides[i - 1]
            if (before < 0.0) != (sides[i] < 0.0):
                t = before / (before - sides[i])
                kept.append(polygon[i - 1] + t * (point - polygon[i - 1]))
            if sides[i] >= 0.0:
                kept.append(point)
        polygon = kept
    return polygon


def cross(a: np.ndarray, b: np.ndarray) -> float:
    return a[0] * b[1] - a[1] * b[0]


def height(triangle: np.ndarray, place: np.ndarray) -> float:
    normal = np.cross(triangle[1] - triangle[0], triangle[2] - triangle[0])
    offset = place - triangle[0, (0, 2)]
    return triangle[0, 1] - (normal[0] * offset[0] + normal[2] * offset[1]) / normal[1]


def expected_fall(upper: np.ndarray, lower: np.ndarray) -> float:
    """NaN where a triangle reaches through another."""
    least = np.inf
    for first in upper:
        for second in lower:
            places = clipped(list(first[:, (0, 2)]), second)
            gaps = [height(first, place) - height(second, place) for place in places]
            if gaps and min(gaps) < 0.0 < max(gaps):
                return np.nan
            if gaps and min(gaps) >= 0.0:
                least = min(least, *gaps)
    return least


def falls_of(scene: Scene, groups: list[list[int]], **options: object) -> tuple[np.ndarray, np.ndarray]:
    scene.update_world()
    places = np.full(scene.row_count, -1, dtype=np.int32)
    boxes = []
    for number, nodes in enumerate(groups):
        places[nodes] = number
        each = world_boxes(scene, np.array(nodes))
        boxes.append((each[:, 0].min(axis=0), each[:, 1].max(axis=0)))
    return tuple(drop_distances(scene, places, np.array(boxes), **options))


def thinner(triangles: np.ndarray) -> np.ndarray:
    """Shrink triangles across by a millionth of their size, as falling objects are."""
    corners = triangles.reshape(-1, 3)
    middle = (corners.min(axis=0) + corners.max(axis=0)) / 2.0
    middle[1] = 0.0
    return middle + (triangles - middle) * (1.0 - 1e-6, 1.0, 1.0 - 1e-6)


def assert_falls_are_right(scene: Scene, groups: list[list[int]]) -> None:
    distances, blocked = falls_of(scene, groups)
    falling = {node for nodes in groups for node in nodes}
    lower = np.concatenate([triangles_of(scene, node) for node in range(len(scene)) if node not in falling])
    for number, nodes in enumerate(groups):
        upper = np.concatenate([triangles_of(scene, node) for node in nodes])
        expected = expected_fall(thinner(upper), lower)
        assert blocked[number] == np.isnan(expected)
        size = np.ptp(upper.reshape(-1, 3), axis=0).max()
        np.testing.assert_allclose(
            distances[number], np.nan_to_num(expected, posinf=np.inf), rtol=1e-8, atol=2e-6 * size
        )


@given(seed=SEEDS)
@settings(max_examples=40)
def test_things_fall_as_far_as_the_nearest_pair_of_their_triangles(seed):
    rng = np.random.default_rng(seed)
    scene = Scene()
    for count in (1, 3, 6):
        scene.meshes.add(soup(rng, count))
    scene.add_nodes(
        [""] * 8,
        mesh=rng.integers(0, 3, 8),
        translation=rng.normal(size=(8, 3)) * (2.0, 8.0, 2.0),
        rotation=rng.normal(size=(8, 4)),
        scale=rng.uniform(0.5, 2.0, (8, 3)) * rng.choice((-1.0, 1.0), (8, 3)),
    )
    assert_falls_are_right(scene, [[0], [1, 2], [3]])


@pytest.mark.parametrize("seed", quick(range(3), 1))
def test_meshes_of_many_triangles_fall_as_far_as_the_nearest_pair(seed):
    rng = np.random.default_rng(seed)
    scene = Scene()
    for count in (80, 90):
        scene.meshes.add(soup(rng, count))
    scene.add_nodes(["upper", "lower"], mesh=[0, 1], translation=[(0, 7.0 - seed, 0), (0, 0, 0)], scale=(2, 1, 2))
    rows = scene.meshes.rows
    middles = (rows["lower"] + rows["upper"]) / 2.0
    scene.set_translations([0, 1], scene.translations - middles * (2, 1, 2))
    assert_falls_are_right(scene, [[0]])


def test_a_large_mesh_falls_through_its_tree_as_without(monkeypatch):
    rng = np.random.default_rng(5)
    scene = Scene()
    scene.meshes.add(ball(4, 5))
    scene.meshes.add(hills(40))
    scene.add_nodes([""] * 50, mesh=0, translation=rng.uniform((-8, 12, -8), (8, 28, 8), (50, 3)))
    scene.add_node("hills", mesh=1, rotation=(0.1, 0.2, 0.0, 1.0))
    groups = [[node] for node in range(50)]
    monkeypatch.setattr(search, "_TREE_FALLS", 10**9)
    without, _ = falls_of(scene, groups)
    monkeypatch.setattr(search, "_TREE_FALLS", 1)
    through, blocked = falls_of(scene, groups)
    assert np.isfinite(without).sum() > 40 and not blocked.any()
    np.testing.assert_allclose(through, without, rtol=1e-12)


def hills(count: int) -> MeshData:
    """A net of count x count triangles twice, 20 units wide."""
    ticks = np.linspace(-10.0, 10.0, count + 1)
    x, z = np.meshgrid(ticks, ticks, indexing="ij")
    places = np.arange((count + 1) ** 2).reshape(count + 1, count + 1)
    a, b, c, d = places[:-1, :-1], places[1:, :-1], places[1:, 1:], places[:-1, 1:]
    triangles = np.stack([(a, c, b), (a, d, c)]).transpose(0, 2, 3, 1).reshape(-1, 3)
    return mesh_of(np.stack([x, np.sin(x) * np.cos(z), z], axis=-1).reshape(-1, 3), triangles)


@pytest.mark.parametrize("seed", range(4))
def test_what_has_fallen_touches_and_would_reach_into_what_it_fell_on(seed):
    """The search for overlaps knows nothing of falling."""
    rng = np.random.default_rng(seed)
    scene = Scene()
    for mesh in (ball(4, 5), box()):
        scene.meshes.add(mesh)
    scene.add_nodes(
        ["upper", "lower"],
        mesh=rng.integers(0, 2, 2),
        translation=[(0.3, 9.0, 0.2), (0, 0, 0)],
        rotation=rng.normal(size=(2, 4)),
        scale=rng.uniform(0.5, 2.0, (2, 3)),
    )
    ((distance,), _) = falls_of(scene, [[0]])
    for depth, crossing in ((-1e-4, 0), (1e-4, 1)):
        scene.set_translations([0], (0.3, 9.0 - distance - depth, 0.2))
        scene.update_world()
        assert len(find_overlaps(scene, tolerance=0.0).crossing) == crossing


def test_a_peak_under_the_middle_of_a_face_and_edges_that_cross_hold_it():
    scene = Scene()
    table, beam = scene.meshes.add(box()), scene.meshes.add(box())
    scene.add_nodes(
        ["table", "needle", "beam", "beam across"],
        mesh=[table, table, beam, beam],
        translation=[(0.1, 9, 0.2), (0, 0, 0), (50, 9, 0), (50, 0, 0)],
        scale=[(5, 1, 5), (0.01, 3, 0.01), (5, 1, 0.1), (0.1, 1, 5)],
    )
    # On their edges, so that two of them cross and no corner lies over the other.
    sine, cosine = np.sin(np.pi / 8), np.cos(np.pi / 8)
    scene.set_rotations([2, 3], [(sine, 0, 0, cosine), (0, 0, sine, cosine)])
    distances, blocked = falls_of(scene, [[0], [2]])
    assert not blocked.any()
    assert distances[0] == pytest.approx(5.0, abs=1e-9)
    half = (1.0 + 0.1) / np.sqrt(2.0)
    assert distances[1] == pytest.approx(9.0 - 2.0 * half, abs=1e-5)


def test_neighbours_side_against_side_let_each_other_fall():
    scene = Scene()
    mesh = scene.meshes.add(box())
    places = [(0.1 * 20 * step, 5.0, 0.3) for step in range(-1, 2)]
    scene.add_nodes(["left", "middle", "right", "floor"], mesh=mesh, translation=[*places, (0, -1, 0)])
    scene.set_scales([3], (50, 1, 50))
    distances, blocked = falls_of(scene, [[1]])
    assert distances[0] == pytest.approx(4.0, abs=1e-12) and not blocked[0]


def test_only_what_is_shown_and_among_those_asked_about_lies_in_the_way():
    scene = Scene()
    mesh = scene.meshes.add(box())
    scene.add_nodes(["upper", "hidden", "left out", "floor"], mesh=mesh, translation=[(0, y, 0) for y in (9, 6, 3, 0)])
    scene.set_hidden([1], True)
    among = np.array([True, True, False, True])
    assert falls_of(scene, [[0]])[0][0] == pytest.approx(4.0)
    assert falls_of(scene, [[0]], among=among)[0][0] == pytest.approx(7.0)
    assert falls_of(scene, [[0]], among=np.zeros(4, dtype=bool))[0][0] == np.inf


def test_a_tower_of_things_falls_in_portions_as_it_does_at_once(monkeypatch):
    scene, stories = Scene(), 12
    mesh = scene.meshes.add(box())
    places = [(0.01 * story, 5.0 + 3.0 * story, 0.0) for story in range(stories)]
    scene.add_nodes([*map(str, range(stories)), "floor"], mesh=mesh, translation=[*places, (0, 0, 0)])
    groups = [[story] for story in range(stories)]
    whole = falls_of(scene, groups)
    monkeypatch.setattr(search, "_PORTION", 3)
    in_portions = falls_of(scene, groups)
    assert np.array_equal(whole[0], in_portions[0]) and np.array_equal(whole[1], in_portions[1])
    assert np.isfinite(whole[0]).all()


def test_thousands_fall_from_one_place_onto_thousands_without_a_list_of_their_pairs():
    scene, count = Scene(), 3000
    mesh = scene.meshes.add(box())
    heights = np.arange(count) * 3.0
    stack = np.stack([np.zeros(count), -heights, np.zeros(count)], axis=1)
    above = np.stack([np.zeros(count), 5.0 + heights, np.zeros(count)], axis=1)
    scene.add_nodes([""] * 2 * count, mesh=mesh, translation=np.concatenate([above, stack]))
    scene.update_world()
    groups = [[group] for group in range(count)]
    tracemalloc.start()
    distances, blocked = falls_of(scene, groups)
    _, most_bytes = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    np.testing.assert_allclose(distances, 3.0 + heights, rtol=1e-12)
    assert not blocked.any()
    assert most_bytes < count * count, "not a byte for each pair"


@pytest.mark.parametrize("seed", range(10))
def test_what_may_lie_below_is_found_as_by_looking_at_every_box(seed):
    rng = np.random.default_rng(seed)
    count = int(rng.choice([1, 2, 8, 9, 300]))
    lower = rng.integers(0, 12, (count, 3)) * rng.choice([0.0, 1.0, 1e12], 3)
    boxes = np.stack([lower, lower + rng.integers(0, 3, (count, 3))], axis=1).astype(np.float64)
    below = box_tree_of(boxes)
    assert sorted(below.rows.tolist()) == list(range(count))
    for _ in range(20):
        start = boxes[rng.integers(count), 0] + rng.integers(-2, 6, 3)
        box_of_group, least = np.stack([start, start + rng.integers(0, 5, 3)]), float(rng.choice([0.0, 3.0, np.inf]))
        stack = np.empty((MOST_ON_STACK, 2), dtype=np.int64)
        stack[0] = len(below.first_of_level) - 2, 0
        found, left = [], 1
        while True:
            row, left = next_candidate(below, box_of_group, box_of_group[0, 1], least, stack, left)
            if row < 0:
                break
            found.append(row)
        over = (boxes[:, 0] <= box_of_group[1]).all(axis=1) & (boxes[:, 1] >= box_of_group[0])[:, (0, 2)].all(axis=1)
        expected = np.flatnonzero(over & (box_of_group[0, 1] - boxes[:, 1, 1] < least))
        assert sorted(found) == expected.tolist()


def test_points_lines_and_what_has_no_mesh_fall_too():
    scene = Scene()
    eaves = [(-9, 0, -9), (9, 0, -9), (9, 0, 9), (-9, 0, 9)]
    roof = mesh_of(np.array([*eaves, (0, 2.0, 0)]), [(0, 4, 1), (1, 4, 2), (2, 4, 3), (3, 4, 0)])
    none = np.zeros((0, 3), dtype=int)
    line = MeshData(np.array([(-1.0, 0, -1), (1, 0, 1)]), none, None, np.zeros(2, np.int32), lines=[(0, 1)])
    point = MeshData(np.array([(3.0, 0, 0)]), none, None, np.zeros(1, np.int32), points=[0])
    for mesh in (roof, line, point):
        scene.meshes.add(mesh)
    places = [(0, 0, 0), (0, 9, 0), (0, 9, 0), (0, 9, 4.5)]
    scene.add_nodes(["roof", "line", "point", "empty"], mesh=[0, 1, 2, -1], translation=places)
    distances, _ = falls_of(scene, [[1], [2], [3]])
    np.testing.assert_allclose(distances, (7.0, 9.0 - 4.0 / 3.0, 8.0), atol=1e-5)

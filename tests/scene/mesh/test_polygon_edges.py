"""The sides of polygons among the sides of triangles, each once."""

from __future__ import annotations

import numpy as np
import pytest

from octoscope.scene import MeshData, Meshes
from octoscope.scene.mesh.polygon_edges import PolygonEdges

QUAD = [(0, 1, 2), (0, 2, 3)]


def mesh(count: int, triangles: list[tuple[int, int, int]] | np.ndarray, **arrays: np.ndarray) -> MeshData:
    positions = np.random.default_rng(count).normal(size=(count, 3))
    return MeshData(
        positions, np.array(triangles, dtype=int).reshape(-1, 3), None, np.zeros(count, dtype=int), **arrays
    )


def edges_of(edges: PolygonEdges, mesh_id: int) -> list[tuple[int, int]]:
    first, count = (int(edges.rows[name][mesh_id]) for name in ("first_edge", "edge_count"))
    return [tuple(sorted(ends)) for ends in edges.edges["ends"][first : first + count].tolist()]


def edges_of_all(*meshes: MeshData) -> list[list[tuple[int, int]]]:
    pool = Meshes()
    for one in meshes:
        pool.add(one)
    edges = PolygonEdges(pool)
    edges.update()
    assert len(edges.rows) == len(pool) and edges.rows["edge_count"].sum() == len(edges.edges)
    return [edges_of(edges, mesh_id) for mesh_id in range(len(pool))]


def test_a_quads_sides_are_edges_and_its_diagonal_is_none() -> None:
    (found,) = edges_of_all(mesh(4, QUAD, edges=np.array([0b011, 0b110], dtype=np.uint8)))
    assert sorted(found) == [(0, 1), (0, 3), (1, 2), (2, 3)]


def test_two_triangles_share_an_edge_and_it_comes_once_whichever_way_they_run() -> None:
    for second in ((0, 2, 3), (2, 0, 3), (3, 2, 0)):
        (found,) = edges_of_all(mesh(4, [(0, 1, 2), second]))
        assert sorted(found) == [(0, 1), (0, 2), (0, 3), (1, 2), (2, 3)]


def test_vertices_that_are_one_in_the_file_are_one_end() -> None:
    """A seam has two vertices at each place, of different normals or texture coordinates."""
    (found,) = edges_of_all(mesh(6, [(0, 1, 2), (3, 4, 5)], source_vertices=np.array([7, 5, 6, 5, 7, 9])))
    assert sorted(found) == [(0, 1), (0, 2), (0, 5), (1, 2), (1, 5)]


def test_a_side_between_two_vertices_at_one_place_is_none() -> None:
    (found,) = edges_of_all(mesh(3, [(0, 1, 2)], source_vertices=np.array([4, 4, 8])))
    assert found == [(0, 2)]


def test_equal_numbers_in_two_meshes_are_two_vertices() -> None:
    same = {"source_vertices": np.array([3, 1, 2])}
    assert [sorted(found) for found in edges_of_all(mesh(3, [(0, 1, 2)], **same), mesh(3, [(2, 1, 0)], **same))] == [
        [(0, 1), (0, 2), (1, 2)]
    ] * 2


def test_meshes_of_lines_and_points_have_none() -> None:
    line = mesh(2, [], lines=np.array([(0, 1)]))
    point = mesh(1, [], points=np.array([0]))
    assert [len(found) for found in edges_of_all(line, mesh(3, [(0, 1, 2)]), point)] == [0, 3, 0]
    assert edges_of_all(point) == [[]]


def test_without_meshes_there_are_none() -> None:
    assert edges_of_all() == []


@pytest.mark.parametrize("numbers", [(2_000_000_000, -2_000_000_000, 0), (-3, -2, -1)])
def test_any_numbers_will_do_for_vertices(numbers: tuple[int, ...]) -> None:
    (found,) = edges_of_all(mesh(3, [(0, 1, 2)], source_vertices=np.array(numbers)))
    assert sorted(found) == [(0, 1), (0, 2), (1, 2)]


def test_meshes_that_come_later_are_taken_in_and_the_earlier_stay() -> None:
    pool = Meshes()
    edges = PolygonEdges(pool)
    for round_number in range(3):
        pool.add(mesh(4, QUAD))
        pool.add(mesh(2, [], lines=np.array([(0, 1)])))
        for _ in range(2):
            edges.update()
        assert [len(edges_of(edges, mesh_id)) for mesh_id in range(len(pool))] == [5, 0] * (round_number + 1)


@pytest.mark.parametrize("seed", range(20))
def test_random_meshes_have_the_edges_that_a_set_of_pairs_has(seed: int) -> None:
    rng = np.random.default_rng(seed)
    meshes, expected = [], []
    for _ in range(6):
        count, triangles = int(rng.integers(1, 30)), int(rng.integers(1, 40))
        corners = rng.integers(0, count, (triangles, 3))
        bits = rng.integers(0, 8, triangles).astype(np.uint8)
        numbers = rng.integers(0, rng.choice((5, 50, 5000)), count)
        meshes.append(mesh(count, corners, edges=bits, source_vertices=numbers))
        sides = [
            (t[k], t[(k + 1) % 3]) for t, flags in zip(corners, bits, strict=True) for k in range(3) if flags >> k & 1
        ]
        expected.append({tuple(sorted((numbers[a], numbers[b]))) for a, b in sides} - {(n, n) for n in numbers})
    for one, pairs, found in zip(meshes, expected, edges_of_all(*meshes), strict=True):
        numbers = one.source_vertices
        assert len(found) == len(pairs)
        assert {tuple(sorted((numbers[a], numbers[b]))) for a, b in found} == pairs


def test_a_vertex_that_a_hundred_thousand_triangles_share_is_no_burden() -> None:
    """Compared pair by pair, its sides would take minutes."""
    count = 100_000
    rim = np.arange(1, count + 1)
    fan = np.stack([np.zeros(count, dtype=int), rim, rim % count + 1], axis=1)
    (found,) = edges_of_all(mesh(count + 1, fan))
    assert len(found) == 2 * count

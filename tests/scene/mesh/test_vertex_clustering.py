"""Vertex clustering against a plain loop over cells, materials and triangles."""

from __future__ import annotations

import numpy as np
import pytest

from octoscope.scene.mesh.vertex_clustering import cluster_vertices

CELLS = (1024, 64, 8, 4, 2)
MOST_TRIANGLES = 0.75


def random_mesh(rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Positions on a grid or anywhere, materials, and triangles, some of them without area or there twice."""
    count = int(rng.integers(1, 60))
    positions = rng.uniform(-1.0, 1.0, (count, 3)) * rng.choice((0.0, 1e-3, 1.0, 1e6), 3)
    if rng.random() < 0.5:  # several vertices at one point, and cells whose border goes through vertices
        positions = np.round(positions * 4.0) / 4.0
    triangles = rng.integers(0, count, (int(rng.integers(0, 3 * count)), 3)).astype(np.int32)
    again = triangles[rng.random(len(triangles)) < 0.3]
    materials = rng.integers(-1, 3, count).astype(np.int32)
    return positions, materials, np.concatenate([triangles, np.roll(again, 1, axis=1), again[:, ::-1]])


def levels_of(positions: np.ndarray, materials: np.ndarray, triangles: np.ndarray) -> list[tuple[float, list]]:
    """The error and the triangles of each level, by loops."""
    lower, upper = positions.min(axis=0), positions.max(axis=0)
    extent = np.where(upper > lower, upper - lower, 1.0)
    outward = ((positions - (lower + upper) / 2.0) ** 2).sum(axis=1)
    levels, finer = [], len(triangles)
    for cells in CELLS:
        places = np.clip(((positions - lower) / extent * cells).astype(int), 0, cells - 1)
        cell_of = [tuple(place) for place in places.tolist()]
        farthest: dict[tuple, int] = {}
        for vertex, group in enumerate(zip(cell_of, materials.tolist(), strict=True)):
            if group not in farthest or outward[vertex] > outward[farthest[group]]:
                farthest[group] = vertex
        stands_for = [farthest[group] for group in zip(cell_of, materials.tolist(), strict=True)]
        error = max(float(np.linalg.norm(positions[i] - positions[stands_for[i]])) for i in range(len(positions)))
        made, used, lines = {}, set(), []
        for corners in triangles.tolist():
            touched = {cell_of[corner] for corner in corners}
            if len(touched) == 3:
                drawn = tuple(stands_for[corner] for corner in corners)
                made.setdefault(frozenset(drawn), drawn)
                used |= touched
            elif len(touched) == 2:
                lines.append(touched)
        is_worth_it = 0 < len(made) <= MOST_TRIANGLES * finer and all(line <= used for line in lines)
        levels.append((error, list(made.values()) if is_worth_it else []))
        finer = len(made) if is_worth_it else finer
    return levels


@pytest.mark.parametrize("seed", range(20))
def test_levels_are_those_of_a_loop_over_cells(seed):
    rng = np.random.default_rng(seed)
    meshes = [random_mesh(rng) for _ in range(12)]
    vertex_counts = np.array([len(positions) for positions, _, _ in meshes])
    triangle_counts = np.array([len(triangles) for _, _, triangles in meshes])
    counts = np.full((len(meshes), len(CELLS)), -1)
    errors = np.full(counts.shape, np.nan)
    clustered = np.empty((int(triangle_counts.sum() / (1.0 - MOST_TRIANGLES)), 3), dtype=np.int32)
    written = cluster_vertices(
        np.cumsum(vertex_counts) - vertex_counts,
        vertex_counts,
        triangle_counts,
        np.array([positions.min(axis=0) for positions, _, _ in meshes]),
        np.array([positions.max(axis=0) for positions, _, _ in meshes]),
        *(np.concatenate(part) for part in zip(*meshes, strict=True)),
        np.array(CELLS),
        MOST_TRIANGLES,
        True,
        counts,
        errors,
        clustered,
    )
    expected = [level for mesh in meshes for level in levels_of(*mesh)]
    np.testing.assert_allclose(errors.ravel(), [error for error, _ in expected], rtol=1e-12)
    assert counts.ravel().tolist() == [len(triangles) for _, triangles in expected]
    assert clustered[:written].tolist() == [list(triangle) for _, triangles in expected for triangle in triangles]
    assert written > 0


def test_no_meshes_have_no_levels():
    none, no_points = np.empty(0, dtype=np.int64), np.empty((0, 3))
    no_corners, no_materials = np.empty((0, 3), dtype=np.int32), np.empty(0, dtype=np.int32)
    counts = np.empty((0, len(CELLS)), dtype=np.int64)
    arrays = (none, none, none, no_points, no_points, no_points, no_materials, no_corners, np.array(CELLS))
    assert cluster_vertices(*arrays, MOST_TRIANGLES, True, counts, counts.astype(float), no_corners) == 0

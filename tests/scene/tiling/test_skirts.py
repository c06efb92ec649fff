"""No gap is seen between coarser tiles that stand beside each other."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import ArrayLike

from octoscope.scene import MeshData, Scene, write_glb
from octoscope.scene.merging.merged_geometry import MergedGeometry
from octoscope.scene.merging.skirts import with_skirts
from octoscope.scene.mesh.data import MeshBatch
from octoscope.scene.tiling import cutting
from octoscope.scene.tiling.tiling import write_tiles
from tests.scene.formats.tiles.reading import read_content, read_tileset_file


def mesh(positions: ArrayLike, triangles: np.ndarray) -> MeshData:
    positions = np.asarray(positions, dtype=np.float64)
    return MeshData(
        positions, triangles.astype(np.int32), np.zeros(positions.shape, "f4"), np.zeros(len(positions), "i4")
    )


def terrain(n: int) -> MeshData:
    x, z = np.meshgrid(np.linspace(0, 100, n), np.linspace(0, 100, n), indexing="ij")
    y = 4 * np.sin(x / 9) * np.cos(z / 7) + 1.5 * np.sin(x / 2.3 + z / 3.1)
    rows = np.arange(n * n).reshape(n, n)
    a, b, c, d = (part.ravel() for part in (rows[:-1, :-1], rows[1:, :-1], rows[1:, 1:], rows[:-1, 1:]))
    return mesh(np.stack([x, y, z], axis=2).reshape(-1, 3), np.stack([a, d, c, a, c, b], axis=1).reshape(-1, 3))


def uncovered(points: np.ndarray, parts: list[MergedGeometry]) -> int:
    """Count the points, (n, 2) x and z, that have no triangle above or below."""
    is_open = np.ones(len(points), dtype=np.bool_)
    for part in parts:
        flat = part.positions[:, [0, 2]][part.triangles]  # (t, 3, 2)
        near = np.flatnonzero(is_open & ((flat.min((0, 1)) <= points) & (points <= flat.max((0, 1)))).all(axis=1))
        along, there = np.roll(flat, -1, axis=1) - flat, points[near, None, None] - flat
        sides = along[..., 0] * there[..., 1] - along[..., 1] * there[..., 0]
        inside = (sides >= 0).all(axis=2) | (sides <= 0).all(axis=2)
        is_open[near] = ~inside.any(axis=1)
    return int(is_open.sum())


@pytest.mark.parametrize("has_skirts", [True, False])
def test_tiles_of_a_level_cover_the_ground(tmp_path, monkeypatch, has_skirts):
    if not has_skirts:
        monkeypatch.setattr(cutting, "with_skirts", lambda geometry, *rest: geometry)
    scene = Scene()
    scene.add_node("terrain", mesh=scene.meshes.add(terrain(150)))
    write_glb(scene, tmp_path / "a.glb")
    write_tiles([tmp_path / "a.glb"], tmp_path / "tiles", leaf_elements=1024)
    tileset = read_tileset_file(tmp_path / "tiles" / "tileset.json")
    chosen = [tile for tile, facts in tileset.tiles.items() if tile.level == 2 and facts.has_content]
    parts = [read_content(tmp_path / "tiles" / tile.placed_in(tileset.content_template))[0] for tile in chosen]
    assert len(parts) > 8
    points = np.random.default_rng(0).uniform(3, 97, (3000, 2))
    gaps = uncovered(points, parts)
    assert gaps < 5 if has_skirts else gaps > 20  # of 3,000


def test_strips_go_on_from_open_edges_and_stay_in_the_box():
    square = mesh([(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0)], np.array([(0, 1, 2), (0, 2, 3)]))
    few = MergedGeometry.of(MeshBatch.of([square], ["few"]), np.array([0]))
    assert with_skirts(few, 1.0, np.full(3, -9.0), np.full(3, 9.0)) is few, "not more triangles than there were"
    whole = MergedGeometry.of(MeshBatch.of([terrain(40)], ["terrain"]), np.array([5]))
    lower, upper = np.array([0.0, -9.0, -9.0]), np.full(3, 200.0)
    made = with_skirts(whole, 2.0, lower, upper)
    assert len(made.triangles) == len(whole.triangles) + 2 * 4 * 39
    assert (made.triangles[: len(whole.triangles)] == whole.triangles).all() and (made.objects == 5).all()
    added = made.positions[len(whole.positions) :]
    assert added[:, 0].min() == 0.0 and 100.4 < added[:, 0].max() <= 100.6
    assert -0.6 <= added[:, 2].min() < -0.4 and len(added) == 4 * 39

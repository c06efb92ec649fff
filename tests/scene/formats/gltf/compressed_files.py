"""Files of other programs, which hold the same five balls."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from octoscope.scene import Scene, load
from tests.scene.builders import ball

FOLDER = Path(__file__).parent / "compressed"
TOLERANCE = 4e-3  # units, of positions in 14 bits; the balls are 2 to 6 across


def five_balls() -> Scene:
    scene = Scene()
    mesh = scene.meshes.add(ball(6, 9))
    for k in range(5):
        turn = (0.0, 0.0, np.sin(k / 4), np.cos(k / 4))
        scene.add_node(f"ball {k}", mesh=mesh, translation=(3 * k, k, 0), rotation=turn, scale=(1 + k / 2,) * 3)
    return scene


def assert_five_balls(path: Path) -> None:
    """Check that a file opens without a problem as five balls, each vertex where it should be."""
    expected, read = five_balls(), load(path)
    assert read.report.problems == []
    assert [scene.element_count("triangle") for scene in (read, expected)] == [450, 450]
    places = [_world_positions(scene) for scene in (read, expected)]
    far = np.abs(places[0][:, None] - places[1][None]).max(axis=2)
    assert max(far.min(axis=0).max(), far.min(axis=1).max()) < TOLERANCE


def _world_positions(scene: Scene) -> np.ndarray:
    """Return all vertices in world space, (n, 3)."""
    found = []
    for node in scene.ids[scene.mesh_ids[scene.ids] >= 0].tolist():
        positions = scene.meshes.mesh(int(scene.mesh_ids[node])).positions
        matrix = scene.world_from_local[node]
        found.append(positions @ matrix[:3, :3].T + matrix[:3, 3])
    return np.concatenate(found)

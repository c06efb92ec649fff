"""The city of the demo: as many separate objects as one asks for, the same each time."""

from __future__ import annotations

import numpy as np
import pytest

from octoscope.scene import Scene, SpatialIndex
from octoscope.scene.city import city


def shown(scene: Scene) -> np.ndarray:
    return np.flatnonzero(scene.mesh_ids >= 0)


@pytest.mark.parametrize("count", [1, 2, 36, 37, 38, 1000, 20_000])
def test_a_city_has_exactly_the_objects_asked_for_each_with_a_name_of_its_own(count: int) -> None:
    scene = city(count)
    objects = shown(scene)
    assert len(objects) == count == len(set(scene.names[objects].tolist()))
    assert (scene.parents[objects] > 0).all(), "each hangs under the node of its block"
    assert len(SpatialIndex(scene)) == count


def test_the_same_number_gives_the_same_city_and_another_seed_another() -> None:
    first, again, other = city(500), city(500), city(500, seed=2)
    assert np.array_equal(first.world_from_local, again.world_from_local)
    assert not np.array_equal(first.world_from_local, other.world_from_local)


def test_objects_share_a_handful_of_meshes_and_stand_on_the_ground() -> None:
    scene = city(5000)
    assert len(scene.meshes) < 12 and len(scene.materials) < 60
    lower, upper = scene.bounds()
    assert lower[1] == pytest.approx(0.0, abs=1e-9) and upper[1] > 20.0

"""Arrays in JSON and back."""

from __future__ import annotations

import json

import numpy as np
import pytest

from octoscope.scene.project.packing import pack, unpack


@pytest.mark.parametrize("count", (0, 1, 3000, 100_000))
@pytest.mark.parametrize("kind", ("noise", "round numbers", "flags", "ids", "far ids", "few"))
def test_what_is_packed_comes_back_to_the_bit(kind, count):
    rng = np.random.default_rng(count)
    array = {
        "noise": lambda: rng.normal(size=(count, 3)),
        "round numbers": lambda: rng.integers(0, 8, (count, 3)) * 0.5,
        "flags": lambda: rng.random(count) < 0.5,
        "ids": lambda: np.arange(count, dtype=np.int32),
        "far ids": lambda: np.arange(count, dtype=np.int32) % 7 * np.int32(2**30 - 1) - np.int32(2**31 - 5),
        "few": lambda: rng.integers(0, 5, count).astype(np.int32),
    }[kind]()
    again = unpack(json.loads(json.dumps(pack(array))), array.dtype, array.shape[1:])
    assert again.dtype == array.dtype
    np.testing.assert_array_equal(again, array)


def test_what_shrinks_is_deflated_and_what_does_not_takes_hardly_more_than_it_is():
    noise, grid = np.random.default_rng(0).normal(size=(100_000, 3)), np.zeros((100_000, 3))
    assert len(pack(noise)["data"]) < 1.34 * noise.nbytes
    assert len(pack(grid)["data"]) < 0.02 * grid.nbytes


def test_ids_that_ascend_take_next_to_nothing():
    ids = np.flatnonzero(np.arange(100_000) % 38).astype(np.int32)
    assert len(pack(ids)["data"]) < 0.02 * ids.nbytes


@pytest.mark.parametrize("array", (np.zeros((5, 3), dtype=np.int32), np.zeros(5)))
def test_steps_of_what_has_none_are_turned_away(array):
    with pytest.raises(ValueError, match="steps"):
        unpack(pack(array) | {"steps": True}, array.dtype, array.shape[1:])

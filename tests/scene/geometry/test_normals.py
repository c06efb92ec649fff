"""Unit normals: of length 1, and unchanged where they already are."""

from __future__ import annotations

import numpy as np

from octoscope.scene.geometry.normals import unit_normals


def test_normals_come_to_length_one_whatever_their_size():
    normals = np.random.default_rng(1).normal(size=(1000, 3))
    for size in (1e-150, 1e-3, 1.0, 1e3, 1e300):
        found = unit_normals(normals * size)
        np.testing.assert_allclose(found, normals / np.linalg.norm(normals, axis=1, keepdims=True), atol=1e-6)
        assert found.dtype == np.float32


def test_what_was_written_as_float32_or_in_its_digits_stays():
    normals = unit_normals(np.random.default_rng(2).normal(size=(100_000, 3)))
    np.testing.assert_array_equal(unit_normals(normals), normals)
    np.testing.assert_array_equal(unit_normals(normals.astype(np.dtypes.StringDType()).astype(np.float64)), normals)


def test_none_and_what_is_none_is_zero():
    odd = np.array([(0, 0, 0), (np.nan, 0, 0), (np.inf, 0, 0), (0, 0, 5)])
    assert unit_normals(odd).tolist() == [[0, 0, 0], [0, 0, 0], [0, 0, 0], [0, 0, 1]]
    assert unit_normals(np.empty((0, 3))).shape == (0, 3)

"""Affine matrices fall into turns and scales that multiply to them again."""

from __future__ import annotations

import numpy as np
import pytest

from octoscope.scene.geometry.affine import factorize, smallest_turns
from octoscope.scene.geometry.decompose import SHEAR_TOLERANCE, quaternions
from tests.oracles import local_matrix, random_quaternion, random_rotation

pytestmark = pytest.mark.usefixtures("strict_floats")
ORIGIN, ONE = np.zeros(3), np.ones(3)


def product(parts, number: int) -> np.ndarray:
    outer = local_matrix(ORIGIN, parts.rotations[number], parts.scales[number])
    return (outer @ local_matrix(ORIGIN, parts.inner_rotations[number], ONE))[:3, :3]


def assert_multiplies_to(matrices: np.ndarray, relative_error: float = 1e-14) -> None:
    parts = factorize(matrices)
    np.testing.assert_allclose(np.linalg.norm(parts.rotations, axis=1), 1.0, rtol=1e-14)
    for number, matrix in enumerate(matrices):
        error = np.abs(product(parts, number) - matrix).max()
        np.testing.assert_allclose(parts.matrices()[number], product(parts, number), atol=1e-14 * np.abs(matrix).max())
        assert error <= relative_error * np.abs(matrix).max(), matrix


def test_rotations_and_scales_come_back_mirrored_and_flat_ones_too():
    rng = np.random.default_rng(1)
    scales = 10.0 ** rng.uniform(-3.0, 3.0, (300, 3)) * rng.choice((-1.0, 1.0, 0.0), (300, 3), p=(0.3, 0.5, 0.2))
    matrices = np.array([random_rotation(rng) * scale for scale in scales])
    assert not factorize(matrices).sheared.any()
    assert_multiplies_to(matrices)


def test_sheared_matrices_are_two_turns_about_a_scale():
    rng = np.random.default_rng(2)
    matrices = rng.normal(size=(300, 3, 3)) * 10.0 ** rng.uniform(-3.0, 3.0, (300, 1, 1))
    assert factorize(matrices).sheared.all()
    assert_multiplies_to(matrices)


@pytest.mark.parametrize("size", [1e-300, 1e-30, 1e30, 1e300])
def test_sizes_at_the_ends_of_what_a_number_holds(size):
    rng = np.random.default_rng(3)
    assert_multiplies_to(np.array([random_rotation(rng), rng.normal(size=(3, 3))]) * size)


def test_shear_of_a_matrix_written_with_few_digits_is_none():
    rng = np.random.default_rng(4)
    matrices = np.array([random_rotation(rng) for _ in range(100)]).round(6)
    assert not factorize(matrices).sheared.any()
    assert_multiplies_to(matrices, SHEAR_TOLERANCE)


def test_nothing_and_no_matrices_at_all():
    assert_multiplies_to(np.zeros((1, 3, 3)))
    assert factorize(np.empty((0, 3, 3))).rotations.shape == (0, 4)


def test_quaternions_of_half_turns_are_exact():
    expected = np.concatenate([np.eye(4), random_quaternion(np.random.default_rng(5), 50)])
    expected *= np.where(expected[:, 3:] < 0.0, -1.0, 1.0)
    matrices = np.array([local_matrix(ORIGIN, quaternion, ONE)[:3, :3] for quaternion in expected])
    found = quaternions(matrices)
    flipped = np.where((found * expected).sum(axis=1, keepdims=True) < 0.0, -1.0, 1.0)
    np.testing.assert_allclose(found * flipped, expected, atol=1e-15)


def test_the_smallest_turns_lead_from_one_direction_to_others():
    rng = np.random.default_rng(4)
    begin, *ends = (each / np.linalg.norm(each) for each in rng.normal(size=(50, 3)))
    near = begin - 1e-8 * ends[0]
    ends = np.array([*ends, begin, -begin, -near / np.linalg.norm(near)])
    turns = smallest_turns(begin, ends)
    np.testing.assert_allclose(turns @ begin, ends, atol=1e-9)
    np.testing.assert_allclose(turns @ turns.transpose(0, 2, 1), np.tile(np.eye(3), (len(ends), 1, 1)), atol=1e-14)
    assert (np.linalg.det(turns) > 0.0).all()
    np.testing.assert_allclose(np.trace(turns, axis1=1, axis2=2), 1.0 + 2.0 * ends @ begin, atol=1e-14)

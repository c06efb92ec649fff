"""Euler angles against quaternions multiplied axis by axis."""

from __future__ import annotations

import numpy as np

from octoscope.scene.geometry.pyrr_transforms import quaternions_of_degrees
from octoscope.viewer.editing.euler import degrees_of
from tests.oracles import random_quaternion


def same_rotation(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    return np.abs((first * second).sum(axis=-1)) > 1.0 - 1e-12


def product(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Multiply two quaternions x, y, z, w: b turns first."""
    vector = a[3] * b[:3] + b[3] * a[:3] + np.cross(a[:3], b[:3])
    return np.append(vector, a[3] * b[3] - a[:3] @ b[:3])


def about(axis: int, degrees: float) -> np.ndarray:
    half = np.radians(degrees) / 2.0
    quaternion = np.zeros(4)
    quaternion[axis], quaternion[3] = np.sin(half), np.cos(half)
    return quaternion


def test_angles_turn_about_x_then_y_then_z():
    rng = np.random.default_rng(0)
    for x, y, z in rng.uniform(-180.0, 180.0, (50, 3)):
        expected = product(about(2, z), product(about(1, y), about(0, x)))
        assert same_rotation(quaternions_of_degrees(np.array([(x, y, z)])), expected).all()


def test_angles_of_a_rotation_give_it_back():
    rotations = random_quaternion(np.random.default_rng(1), 500)
    assert same_rotation(quaternions_of_degrees(degrees_of(rotations)), rotations).all()


def test_where_two_axes_become_one_the_angles_still_give_it_back():
    rng = np.random.default_rng(2)
    degrees = np.column_stack(
        (rng.uniform(-180, 180, 200), rng.choice((-90.0, 90.0), 200), rng.uniform(-180, 180, 200))
    )
    rotations = quaternions_of_degrees(degrees)
    assert same_rotation(quaternions_of_degrees(degrees_of(rotations)), rotations).all()
    assert np.abs(degrees_of(np.concatenate((rotations, -rotations)))).max() <= 180.0
    for quarter in (about(1, 90.0), about(1, -90.0)):
        for same in (quarter, -quarter):  # of a quaternion and its negative one is not told from the other
            np.testing.assert_allclose(degrees_of(same[None])[0], (0.0, np.copysign(90.0, quarter[1]), 0.0), atol=1e-12)


def test_plain_angles_are_shown_as_they_were_typed():
    degrees = np.array([(0.0, 0.0, 0.0), (30.0, 0.0, 0.0), (0.0, 45.0, 0.0), (10.0, -20.0, 170.0)])
    np.testing.assert_allclose(degrees_of(quaternions_of_degrees(degrees)), degrees, atol=1e-12)


def test_what_a_person_types_about_one_axis_is_what_is_shown():
    degrees = np.zeros((0, 3))
    for axis in range(3):
        for angle in (-179.0, -135.0, -91.0, -45.0, 1e-3, 60.0, 91.0, 120.0, 179.5, 180.0):
            degrees = np.append(degrees, [angle * np.eye(3)[axis]], axis=0)
    np.testing.assert_allclose(degrees_of(quaternions_of_degrees(degrees)), degrees, atol=1e-7)


def test_no_angle_is_above_half_a_turn_and_rounding_is_none():
    rng = np.random.default_rng(3)
    whole = rng.choice((-360.0, -270.0, -180.0, -90.0, 0.0, 90.0, 180.0, 270.0), (300, 3))
    shown = degrees_of(quaternions_of_degrees(whole))
    assert (np.abs(shown) <= 180.0 + 1e-6).all()
    assert np.isin(np.round(shown, 5), (-180.0, -90.0, 0.0, 90.0, 180.0)).all()
    assert not ((shown != 0.0) & (np.abs(shown) < 1e-9)).any()
    assert same_rotation(quaternions_of_degrees(shown), quaternions_of_degrees(whole)).all()

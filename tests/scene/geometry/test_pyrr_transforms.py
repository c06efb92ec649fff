"""pyrr's matrices and quaternions are those of the textbooks' formulas, in our conventions."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from octoscope.scene.geometry import pyrr_transforms
from octoscope.scene.geometry.affine import linear
from octoscope.scene.geometry.decompose import multiply
from tests.oracles import random_quaternion, random_rotation

pytestmark = pytest.mark.usefixtures("strict_floats")
angles = st.floats(-10.0, 10.0)
axes = st.tuples(*[st.floats(-1.0, 1.0)] * 3).filter(lambda axis: np.linalg.norm(axis) > 1e-3)


def rodrigues(axis: np.ndarray, angle_rad: float) -> np.ndarray:
    x, y, z = axis / np.linalg.norm(axis)
    across = np.array([(0.0, -z, y), (z, 0.0, -x), (-y, x, 0.0)])
    return np.eye(3) + np.sin(angle_rad) * across + (1.0 - np.cos(angle_rad)) * (across @ across)


def check(found: np.ndarray, expected: np.ndarray, atol: float = 4e-15) -> None:
    assert found.dtype == np.float64
    np.testing.assert_allclose(found, expected, rtol=4e-15, atol=atol)


@given(axes, angles)
def test_rotations_about_an_axis_are_those_of_rodrigues(axis, angle_rad):
    check(pyrr_transforms.rotation_about(axis, angle_rad), rodrigues(np.array(axis), angle_rad))
    many = np.array([0.0, angle_rad, -angle_rad])
    check(pyrr_transforms.rotation_about(axis, many), np.array([rodrigues(np.array(axis), each) for each in many]))


def test_whole_numbers_make_no_whole_numbers():
    """pyrr alone would make an integer matrix, which is all zeros, of an integer axis."""
    check(pyrr_transforms.rotation_about((0, 2, 0), 1), rodrigues(np.array((0.0, 1.0, 0.0)), 1.0))
    check(pyrr_transforms.rotation_about(np.array((0, 1, 0), np.float32), 1), rodrigues(np.array((0, 1, 0)), 1.0))
    check(pyrr_transforms.rotation_of_quaternion((0, 0, 0, 2)), np.eye(3))
    check(pyrr_transforms.quaternion_of_rotation(np.eye(3, dtype=int)), np.array((0.0, 0.0, 0.0, 1.0)))
    check(pyrr_transforms.translation((1, 2, 3))[:3, 3], np.array((1.0, 2.0, 3.0)))
    check(pyrr_transforms.quaternions_of_degrees([(0, 180, 0)]), np.array([(0.0, 1.0, 0.0, 0.0)]))


@given(angles, angles, angles)
def test_rotations_of_three_angles_turn_about_z_then_x_then_y(yaw_rad, pitch_rad, roll_rad):
    x, y, z = np.eye(3)
    expected = rodrigues(y, yaw_rad) @ rodrigues(x, pitch_rad) @ rodrigues(z, roll_rad)
    check(pyrr_transforms.rotation_of_angles(yaw_rad, pitch_rad, roll_rad), expected)


@given(angles, angles, angles)
def test_degrees_turn_about_x_then_y_then_z(x_rad, y_rad, z_rad):
    x, y, z = np.eye(3)
    found = pyrr_transforms.quaternions_of_degrees(np.degrees([(x_rad, y_rad, z_rad), (0.0, 0.0, 0.0)]))
    assert found.shape == (2, 4)
    expected = rodrigues(z, z_rad) @ rodrigues(y, y_rad) @ rodrigues(x, x_rad)
    check(linear(np.ascontiguousarray(found), np.ones((2, 3)))[0], expected, atol=2e-14)
    assert (found[1] == (0.0, 0.0, 0.0, 1.0)).all()


def test_quaternions_of_every_rotation_come_back_half_turns_too():
    quaternions = np.concatenate([np.eye(4), random_quaternion(np.random.default_rng(1), 300)])
    for quaternion, matrix in zip(quaternions, linear(quaternions, np.ones((len(quaternions), 3))), strict=True):
        check(pyrr_transforms.rotation_of_quaternion(3.0 * quaternion), matrix)
        found = pyrr_transforms.quaternion_of_rotation(matrix)
        assert found[3] >= 0.0
        check(pyrr_transforms.rotation_of_quaternion(found), matrix)


def test_products_are_those_of_the_kernel():
    first, *others = random_quaternion(np.random.default_rng(2), 20)
    expected = np.array(others)
    for row in expected:
        multiply(first, row.copy(), row)
    check(pyrr_transforms.product(first, np.array(others)), expected)


@given(st.floats(1e-3, 3.0), st.floats(0.1, 10.0), st.floats(1e-9, 1e6), st.floats(1.001, 1e13))
def test_perspective_is_that_of_opengl(fov_y_rad, aspect, near, factor):
    far = near * factor
    half_height = np.tan(fov_y_rad / 2.0)
    expected = np.zeros((4, 4))
    expected[0, 0], expected[1, 1] = 1.0 / (half_height * aspect), 1.0 / half_height
    expected[2, 2:] = -(far + near) / (far - near), -2.0 * far * near / (far - near)
    expected[3, 2] = -1.0
    check(pyrr_transforms.perspective(fov_y_rad, aspect, near, far), expected, atol=0.0)


def test_orthographic_takes_corners_of_the_box_to_corners_of_clip_space():
    rng = np.random.default_rng(3)
    for _ in range(100):
        lower = rng.normal(size=3) * 10.0 ** rng.uniform(-6.0, 6.0)
        upper = lower + 10.0 ** rng.uniform(-3.0, 6.0, 3)
        matrix = pyrr_transforms.orthographic(lower, upper)
        room = 1e-14 * np.abs([lower, upper]).max() / (upper - lower).min()
        np.testing.assert_allclose(matrix @ (*lower, 1.0), (-1.0, -1.0, 1.0, 1.0), atol=room)
        np.testing.assert_allclose(matrix @ (*upper, 1.0), (1.0, 1.0, -1.0, 1.0), atol=room)


def test_axes_of_a_view_look_back_from_the_target():
    rng = np.random.default_rng(4)
    for _ in range(100):
        eye, target, up = rng.normal(size=(3, 3))
        back = (eye - target) / np.linalg.norm(eye - target)
        right = np.cross(up, back) / np.linalg.norm(np.cross(up, back))
        check(pyrr_transforms.view_axes(eye, target, up), np.array((right, np.cross(back, right), back)))


def test_matrices_move_and_turn_columns():
    rng = np.random.default_rng(5)
    turn, offset = random_rotation(rng), rng.normal(size=3)
    matrix = pyrr_transforms.translation(offset) @ pyrr_transforms.affine_of_linear(turn)
    check(matrix @ (1.0, 2.0, 3.0, 1.0), np.append(turn @ (1.0, 2.0, 3.0) + offset, 1.0))


def test_normalized_vectors():
    vectors = np.random.default_rng(6).normal(size=(5, 3))
    check(pyrr_transforms.normalized(vectors), vectors / np.linalg.norm(vectors, axis=-1, keepdims=True))

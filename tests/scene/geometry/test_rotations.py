"""Axes along directions."""

from __future__ import annotations

import numpy as np

from octoscope.scene.geometry.pyrr_transforms import rotation_about
from octoscope.scene.geometry.rotations import axes_along


def test_axes_are_rotations_whose_third_row_is_the_direction() -> None:
    directions = np.concatenate([np.eye(3), -np.eye(3), np.random.default_rng(1).normal(size=(100, 3))])
    directions /= np.linalg.norm(directions, axis=1, keepdims=True)
    axes = axes_along(directions)
    np.testing.assert_allclose(axes @ axes.transpose(0, 2, 1), np.broadcast_to(np.eye(3), axes.shape), atol=1e-12)
    np.testing.assert_allclose(np.linalg.det(axes), 1.0)
    np.testing.assert_array_equal(axes[:, 2], directions)
    np.testing.assert_array_equal(axes[7], axes_along(directions[7]))


def test_axes_of_a_direction_near_another_are_turned_little() -> None:
    near = axes_along(np.array([0.0, 0.6, 0.8]))
    turned = near @ rotation_about(np.array([1.0, 0.0, 0.0]), 0.01)
    np.testing.assert_allclose(axes_along(turned[2], near), near, atol=0.02)

"""The ground has one height, for the grid, what is placed, and what is dropped."""

from __future__ import annotations

import numpy as np
import pytest

from octoscope.scene import Scene
from tests.viewer.scenes import add_box_mesh, view_of


@pytest.mark.parametrize("up_axis", ["y", "z"])
@pytest.mark.parametrize(
    ("lowest", "expected"),
    [(0.0, 0.0), (0.5, 0.0), (2.0, 0.0), (2.5, 2.5), (-0.5, -0.5), (-7.0, -7.0)],  # of a box of height 2
)
def test_what_hangs_a_little_over_height_0_hangs_over_the_ground(up_axis, lowest, expected):
    scene = Scene(up_axis=up_axis)
    places = np.zeros((2, 3))
    places[:, "xyz".index(up_axis)] = lowest + 1.0, -90.0
    scene.add_nodes(["box", "sunk"], mesh=add_box_mesh(scene), translation=places, scale=2.0)
    visibility = view_of(scene).visibility
    assert visibility.ground_height == pytest.approx(-91.0)
    assert visibility.ground_height_without([1]) == pytest.approx(expected), "once the sunk one is lifted"
    assert visibility.ground_height_without([0, 1]) == 0.0

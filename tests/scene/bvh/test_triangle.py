"""Crossings of one triangle, at the limits of floats."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from octoscope.scene.bvh.triangle import cross_triangle, sheared_ray

LEAST = 5e-324
DEPTHS = st.sampled_from([0.0, -0.0, LEAST, -LEAST, 1e-310, 1e-160, -1e-160, 0.25, 1.0, -3.0, 1e10])


@given(st.lists(st.tuples(DEPTHS, DEPTHS, DEPTHS), min_size=3, max_size=3), st.sampled_from([1.0, -1.0, 1e-5]))
def test_a_crossing_lies_between_the_nearest_and_the_farthest_corner(corners, direction_z):
    corners = np.array(corners)
    origin = np.array([0.1, 0.0, -0.35])
    t = cross_triangle(sheared_ray(origin, np.array([0.0, 0.0, direction_z])), corners, 0, 1, 2, True)[0]
    if np.isfinite(t) and t >= 0.0:  # else missed
        depths = np.sort((corners[:, 2] - origin[2]) / direction_z)
        assert depths[0] <= t <= depths[2]

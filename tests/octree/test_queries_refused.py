"""Volumes and rays that queries refuse."""

import numpy as np
import pytest

from tests.octree.query_checks import INFINITE, a_few_kinds, on_x_axis

pytestmark = pytest.mark.usefixtures("strict_floats")


@a_few_kinds
@pytest.mark.parametrize(
    ("method", "arguments"),
    [
        ("query_box", ((0.0, np.nan, 0.0), (1.0, 1.0, 1.0))),
        ("query_box", ((0.0, 0.0, 0.0), (1.0, 1.0, np.nan))),
        ("query_box", ((0.0, 0.0, 1.5), (1.0, 1.0, 1.0))),
        ("query_box", (INFINITE, -INFINITE)),
        ("query_box", ((0.0, 0.0), (1.0, 1.0))),
        ("query_box", (0.0, 1.0)),
        ("query_sphere", ((0.0, 0.0, 0.0), -1e-9)),
        ("query_sphere", ((0.0, 0.0, 0.0), np.nan)),
        ("query_sphere", ((0.0, np.nan, 0.0), 1.0)),
        ("query_sphere", ((0.0, np.inf, 0.0), 1.0)),
        ("raycast_nearest", ((0.0, 0.0, 0.0), (0.0, 0.0, 0.0))),
        ("raycast_nearest", ((0.0, 0.0, np.nan), (0.0, 0.0, 1.0))),
    ],
)
def test_volumes_and_rays_that_make_no_sense_are_refused(kind, method, arguments):
    tree = on_x_axis(kind, 5)
    with pytest.raises(ValueError, match=r"box|ball|ray|radius"):
        getattr(tree, method)(*arguments)

"""Bookmarks: what can be one, and that their names differ."""

import math

import pytest

from octoscope.scene import Bookmark


@pytest.mark.parametrize(
    "values",
    [
        {"position": (0.0, math.nan, 0.0)},
        {"position": (0.0, math.inf, 0.0)},
        {"position": (0.0, 0.0)},
        {"rotation": (0.0, 0.0, 0.0, 0.0)},
        {"rotation": (math.nan, 0.0, 0.0, 1.0)},
        {"rotation": (1.0, 0.0, 0.0)},
        {"distance": 0.0},
        {"distance": -1.0},
        {"distance": math.nan},
        {"fov_y_rad": 0.0},
        {"fov_y_rad": math.pi},
        {"fov_y_rad": math.nan},
    ],
)
def test_what_no_camera_can_have_is_refused(values):
    with pytest.raises(ValueError, match=r"^(an? |[a-z_]+ must be )"):
        Bookmark(**{"position": (0.0, 0.0, 0.0), **values})

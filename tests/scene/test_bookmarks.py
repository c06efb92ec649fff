"""Bookmarks: what can be one, and that their names differ."""

import math

import pytest

from octoscope.scene import Bookmark
from octoscope.scene.bookmarks import free_name


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
    with pytest.raises(ValueError, match=r"^an? "):
        Bookmark(**{"position": (0.0, 0.0, 0.0), **values})


def test_a_name_that_is_taken_gets_the_first_free_number():
    assert free_name("gate", {"gat": 1}) == "gate"
    assert free_name("gate", {"gate": 1}) == "gate (2)"
    assert free_name("gate", {"gate": 1, "gate (2)": 1}) == "gate (3)"


def test_many_bookmarks_of_one_name_are_numbered_without_trying_every_number_for_each():
    class Asked(dict):
        count = 0

        def __contains__(self, name):
            self.count += 1
            return super().__contains__(name)

    taken, tried = Asked({"gate": 1, "gate (3)": 1}), {}
    for _ in range(1000):
        taken[free_name("gate", taken, tried)] = 1
    assert list(taken)[2:5] == ["gate (2)", "gate (4)", "gate (5)"] and list(taken)[-1] == "gate (1002)"
    assert len(taken) == 1002 and taken.count < 4000

"""Tiles are as coarse as pictures need to keep up while the cameras move, and as fine as wanted once they rest."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from octoscope.viewer.features.tiles.stream import COARSEST, REST_SECONDS, Coarseness


def moved(coarseness: Coarseness, *loads: float, is_whole: bool = True) -> float:
    """Note pictures of cameras that move, and return by how many pixels tiles may be off then."""
    for load in loads:
        coarseness.note_move(0.0)
        coarseness.note_picture(load, is_whole=is_whole)
    coarseness.note_move(0.0)
    return coarseness.pixels


def test_pictures_that_keep_up_are_as_fine_as_at_rest():
    coarseness = Coarseness(1.5)
    assert moved(coarseness, 0.9, 0.1, 0.5) == 1.5 and coarseness.is_finest
    assert not coarseness.refine(100.0)


def test_slow_pictures_become_coarser_by_the_square_root_of_their_time():
    assert moved(Coarseness(1.0), 17.0, 15.0) == 4.0
    assert moved(Coarseness(1.0), 1.1, 1.2) == 2.0
    assert moved(Coarseness(0.5), 1e6, 1e6) == 0.5 * COARSEST


def test_one_slow_picture_alone_changes_nothing():
    assert moved(Coarseness(1.0), 0.5, 30.0, 0.5, 30.0, 0.5) == 1.0


def test_pictures_become_finer_only_where_four_times_as_many_triangles_fit():
    coarseness = Coarseness(1.0)
    assert moved(coarseness, 16.0, 16.0) == 4.0
    assert moved(coarseness, 0.3, 0.3) == 4.0
    assert moved(coarseness, 0.2, is_whole=False) == 4.0, "the rest of its tiles is to come"
    assert moved(coarseness, 0.2) == 2.0
    assert moved(coarseness, 0.2, 0.2, 0.2) == 1.0


def test_at_rest_it_goes_finer_step_by_step_and_back_at_the_next_move():
    coarseness = Coarseness(1.0)
    moved(coarseness, 60.0, 60.0)
    coarseness.note_move(10.0)
    assert coarseness.pixels == 8.0
    assert not coarseness.refine(10.0 + 0.9 * REST_SECONDS) and coarseness.pixels == 8.0
    steps = []
    coarseness.note_picture(1.0, is_whole=True, triangles=900)
    while coarseness.refine(10.0 + 1.1 * REST_SECONDS):
        steps.append(coarseness.pixels)
        coarseness.note_picture(3.0, is_whole=True, triangles=1000)
    assert steps == [4.0, 2.0, 1.0] and coarseness.is_finest
    coarseness.note_move(11.0)
    assert coarseness.pixels == 8.0
    assert not coarseness.refine(11.0)


def test_a_picture_at_rest_that_would_keep_up_is_seen_in_the_next_move():
    coarseness = Coarseness(1.0)
    moved(coarseness, 60.0, 60.0)
    for load in (0.5, 0.7, 3.0):
        assert coarseness.refine(100.0)
        coarseness.note_picture(load, is_whole=True)
    coarseness.note_move(101.0)
    assert coarseness.pixels == 2.0


@given(st.floats(1e-3, 1e4), st.floats(0.0, 0.2))
def test_it_settles_where_time_goes_with_the_number_of_triangles(finest_load, fixed_load):
    coarseness = Coarseness(1.0)
    chosen = []
    for _ in range(40):
        coarseness.note_move(0.0)
        chosen.append(coarseness.pixels)
        coarseness.note_picture(fixed_load + finest_load / coarseness.pixels**2, is_whole=True)
    assert len(set(chosen[-20:])) == 1, "it does not flicker"
    load = fixed_load + finest_load / chosen[-1] ** 2
    assert load <= 1.0 or chosen[-1] == COARSEST
    assert chosen[-1] == 1.0 or fixed_load + finest_load / (chosen[-1] / 4.0) ** 2 > 1.0, "no coarser than it must be"


def rested(coarseness: Coarseness, triangles: Sequence[int], load_of_a_triangle: float) -> list[float]:
    """Rest, with so many triangles in the picture of each step; return by how many pixels tiles are off in each."""
    coarseness.note_move(0.0)
    steps = [coarseness.pixels]
    for count in triangles:
        coarseness.note_picture(count * load_of_a_triangle, is_whole=True, triangles=count)
        if not coarseness.refine(100.0):
            break
        steps.append(coarseness.pixels)
    return steps


@pytest.mark.parametrize(
    ("triangles", "load", "steps"),
    [
        ((1, 2, 4, 8), 1.0, [8.0, 4.0, 2.0]),  # 8 triangles take too long
        ((1, 2, 4, 8), 0.5, [8.0, 4.0, 2.0, 1.0]),
        ((10, 11, 11, 11), 0.3, [8.0]),  # the first step may double them
        ((10, 11, 11, 11), 0.24, [8.0, 4.0, 2.0, 1.0]),  # nearly all of them are there at once
    ],
)
def test_at_rest_it_goes_no_finer_than_pictures_of_half_a_second(triangles, load, steps):
    coarseness = Coarseness(1.0)
    assert moved(coarseness, 60.0, 60.0) == 8.0
    assert rested(coarseness, triangles, load) == steps
    assert coarseness.is_finest and coarseness.is_held_back == (steps[-1] > 1.0)
    assert not coarseness.refine(200.0)


def test_pictures_at_rest_that_take_too_long_become_coarser_and_stay_so():
    coarseness = Coarseness(1.0)
    coarseness.note_picture(40.0, is_whole=True, triangles=100)
    assert coarseness.pixels == 1.0, "it may have waited for another program"
    coarseness.note_picture(40.0, is_whole=True, triangles=100)
    assert coarseness.pixels == 4.0 and coarseness.is_held_back and not coarseness.refine(100.0)

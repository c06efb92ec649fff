"""The quality of pictures that move, by the times that frames took."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from octoscope.viewer.frame.quality import (
    BEST,
    BUDGET_MS,
    MODES,
    QUALITIES,
    SHADOWED,
    CardTimes,
    Quality,
    QualityController,
)

USUAL = CardTimes.of_software()


def controller_of(*, is_software: bool) -> QualityController:
    return QualityController(USUAL, is_software=is_software)


# From the best to the fastest: one may choose -1, which has shadows.
LEVELS = {SHADOWED: -1, **{quality: level for level, quality in enumerate(QUALITIES)}}


def cost(
    fixed_ms: float, pixels_ms: float, times: CardTimes = USUAL, shadows_ms: float = 100.0
) -> Callable[[Quality], float]:
    """A scene whose frames take so long whatever the quality, for the pixels of the best one, and for shadows."""

    def frame_ms(quality: Quality) -> float:
        extra_ms = shadows_ms if quality is SHADOWED else 0.0
        return fixed_ms + pixels_ms * times.costs[max(LEVELS[quality], 0)] + extra_ms

    return frame_ms


def chosen(controller: QualityController, frame_ms: Callable[[Quality], float], frames: int = 60) -> list[int]:
    """The levels of so many frames, one after another."""
    levels = []
    for _ in range(frames):
        quality = controller.quality("automatic")
        levels.append(LEVELS[quality])
        controller.note(quality, frame_ms(quality))
    return levels


def changes(levels: Sequence[int]) -> int:
    return sum(one != other for one, other in itertools.pairwise(levels))


def test_qualities_are_sorted_from_the_best_to_the_cheapest() -> None:
    assert QUALITIES[0] is BEST
    for times in (USUAL, CardTimes.unmeasured()):
        assert len(times.costs) == len(QUALITIES)
        assert list(times.costs) == sorted(set(times.costs), reverse=True) and times.costs[0] == 1.0


def test_on_a_fast_card_nothing_is_ever_reduced() -> None:
    controller = controller_of(is_software=False)
    assert set(chosen(controller, cost(3.0, 12.0))) == {0} and controller.bands() == 1


def test_on_a_slow_card_a_picture_that_moves_becomes_as_good_as_the_budget_allows() -> None:
    for pixels_ms, level in ((50.0, 1), (90.0, 2), (350.0, 2), (450.0, 3), (5000.0, 3)):
        levels = chosen(controller_of(is_software=False), cost(1.0, pixels_ms))
        assert levels[:4] == [0] * 4 and set(levels[30:]) == {level}


def test_on_a_software_renderer_it_begins_fast_and_becomes_better_where_there_is_time() -> None:
    levels = chosen(controller_of(is_software=True), cost(1.0, 15.0))
    assert levels[0] == 2 and set(levels[30:]) == {0}


def test_a_better_quality_that_would_just_fit_is_not_chosen_as_it_would_not_for_long() -> None:
    levels = chosen(controller_of(is_software=True), cost(1.0, 0.9 * BUDGET_MS))
    assert set(levels[30:]) == {1}


def test_a_scene_that_takes_its_time_in_any_quality_is_drawn_as_fast_as_it_can_be() -> None:
    assert set(chosen(controller_of(is_software=True), cost(300.0, 5.0))[30:]) == {3}


def test_on_a_card_that_has_time_pictures_that_move_have_shadows() -> None:
    fast, slow = cost(1.0, 3.0, shadows_ms=10.0), cost(1.0, 3.0, shadows_ms=60.0)
    controller = controller_of(is_software=False)
    assert set(chosen(controller, fast)[10:]) == {-1}
    assert set(chosen(controller, slow)[10:]) == {0}, "another scene, whose shadows take long"
    assert set(chosen(controller, slow, 500)) == {0}, "it was learned how long"
    assert set(chosen(controller, cost(0.1, 0.3, shadows_ms=2.0))[10:]) == {-1}
    assert set(chosen(controller, cost(1.0, 300.0))[20:]) == {2}


def test_on_a_software_renderer_pictures_that_move_have_no_shadows() -> None:
    assert set(chosen(controller_of(is_software=True), cost(0.1, 0.2, shadows_ms=0.1))[20:]) == {0}


def test_one_slow_frame_changes_nothing() -> None:
    controller = controller_of(is_software=False)
    assert set(chosen(controller, cost(1.0, 15.0))) == {0}
    for milliseconds in (400.0, 16.0, 16.0, 16.0, 500.0, 16.0, 16.0):
        controller.note(BEST, milliseconds)
        assert controller.quality("automatic") is BEST


def test_the_first_frame_of_a_quality_does_not_count() -> None:
    controller = controller_of(is_software=False)
    controller.note(BEST, 2000.0)
    assert set(chosen(controller, cost(1.0, 15.0))) == {0}


def test_times_of_another_quality_are_not_taken_for_those_of_this_one() -> None:
    controller = controller_of(is_software=False)
    for _ in range(20):
        controller.note(QUALITIES[3], 500.0)
    assert controller.quality("automatic") is BEST


def test_only_the_automatic_mode_reduces_anything() -> None:
    controller = controller_of(is_software=True)
    chosen(controller, cost(300.0, 500.0))
    assert {mode: controller.quality(mode) is BEST for mode in MODES} == {
        "automatic": False,
        "best": True,
        "constant": True,
    }


CARDS = st.lists(st.floats(0.01, 20.0), min_size=len(QUALITIES), max_size=len(QUALITIES)).map(
    lambda qualities_ms: CardTimes.from_measured(qualities_ms, (1.0, 1.0), (1.0, 1.0), 1.0, 2.0 * qualities_ms[0])
)


@given(
    st.floats(0.0, 100.0),
    st.floats(0.0, 60.0),
    st.floats(0.0, 400.0),
    st.booleans(),
    st.floats(0.0, 60.0),
    st.floats(0.0, 400.0),
    CARDS,
    CARDS,
)
def test_the_choice_settles_and_fits_the_budget_where_anything_does(
    shadows_ms: float,
    fixed_ms: float,
    pixels_ms: float,
    is_software: bool,
    later_fixed_ms: float,
    later_pixels_ms: float,
    times: CardTimes,
    guessed: CardTimes,
) -> None:
    """Also where the card was measured between two scenes: until then its costs are guesses."""
    controller = QualityController(guessed, is_software=is_software)
    scenes = cost(fixed_ms, pixels_ms, guessed, shadows_ms), cost(later_fixed_ms, later_pixels_ms, times, shadows_ms)
    for frame_ms in scenes:
        levels = chosen(controller, frame_ms, 120)
        assert changes(levels[60:]) == 0, "it does not flicker"
        controller.times = times
        settled = SHADOWED if levels[-1] < 0 else QUALITIES[levels[-1]]
        assert not (is_software and settled is SHADOWED)
        fits = [quality for quality in QUALITIES if frame_ms(quality) <= BUDGET_MS]
        assert (frame_ms(settled) <= BUDGET_MS) if fits else settled is QUALITIES[-1]


@pytest.mark.parametrize(("fixed_ms", "pixels_ms", "bands"), [(0.0, 20.0, 1), (0.0, 150.0, 5), (0.0, 5000.0, 8)])
def test_the_best_picture_is_divided_so_that_each_band_fits_the_budget(
    fixed_ms: float, pixels_ms: float, bands: int
) -> None:
    controller = controller_of(is_software=True)
    chosen(controller, cost(fixed_ms, pixels_ms))
    assert controller.bands() == bands


def test_what_every_band_does_again_takes_no_longer_than_the_rest() -> None:
    controller = controller_of(is_software=True)
    chosen(controller, cost(100.0, 210.0))
    assert controller.bands() == 3

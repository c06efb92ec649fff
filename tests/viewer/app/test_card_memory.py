"""A card is measured once, between frames; what was found out is kept by renderer and driver, and used."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from types import SimpleNamespace

import moderngl
import numpy as np
import pytest

from octoscope.viewer.app import picture as picture_file
from octoscope.viewer.app.card_memory import CardMemory
from octoscope.viewer.app.picture import Picture
from octoscope.viewer.doctor.comparison import difference
from octoscope.viewer.doctor.reference_scenes import REFERENCES
from octoscope.viewer.frame.quality import BEST, QUALITIES, CardTimes
from octoscope.viewer.rendering import card_measuring
from octoscope.viewer.rendering.context import card_errors
from octoscope.viewer.rendering.context.card_errors import DriverReset
from octoscope.viewer.rendering.context.offscreen import image_of
from octoscope.viewer.rendering.passes import scene_passes
from octoscope.viewer.rendering.passes.render_pass import FAST, FAST_AT_CORNERS
from octoscope.viewer.settings.config import cache_folder
from tests.viewer.scenes import SIZE, box_scene, view_of

TIMES = CardTimes((1.0, 0.8, 0.5, 0.3), most_at_corners=0.0, fewest_culled=30_000.0)


@pytest.fixture
def card(ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch, tmp_path) -> Iterator[moderngl.Context]:
    """A context that passes for a card's, with a folder of its own for what is kept."""
    monkeypatch.setenv("OCTOSCOPE_CONFIG_DIR", str(tmp_path))
    monkeypatch.setattr(picture_file, "is_software", lambda _: False)
    monkeypatch.setattr(card_measuring, "_LARGE", (64, 48))
    monkeypatch.setattr(card_measuring, "_SMALL", (16, 12))
    yield ctx


def shown(picture: Picture) -> np.ndarray:
    view = view_of(box_scene(), distance=8.0)
    view.layout.resize(SIZE)
    picture.draw(view)
    return image_of(picture.renderer.picture).copy()


def test_it_is_measured_in_short_turns_and_not_again(card: moderngl.Context) -> None:
    picture = Picture(card)
    assert picture.measures_card and picture.renderer.passes.times == CardTimes.of_software()
    before = shown(picture)
    turns = 0
    while picture.measures_card:
        picture.measure_card()
        card.finish()  # as time goes by
        turns += 1
        assert turns < 500
    assert turns >= 20, "one picture at most in each"
    times = CardMemory(card).times()
    assert times is not None and picture.renderer.passes.times == times == picture._controller.times
    assert (shown(picture) == before).all()
    assert card.error == "GL_NO_ERROR"
    picture.release()
    again = Picture(card)
    assert not again.measures_card and again.renderer.passes.times == times
    again.release()


def test_a_picture_that_is_let_go_while_it_measures_leaves_nothing(card: moderngl.Context) -> None:
    picture = Picture(card)
    for _ in range(3):
        picture.measure_card()
    picture.release()
    assert not picture.measures_card and card.error == "GL_NO_ERROR"
    assert CardMemory(card).times() is None


def test_a_card_that_tells_no_times_is_given_up(card: moderngl.Context, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(card_measuring, "_MOST_TURNS", 5)
    monkeypatch.setattr(card_measuring.GpuTimer, "take", lambda _: None)
    picture = Picture(card)
    usual = picture.renderer.passes.times
    for _ in range(20):
        picture.measure_card()
    assert not picture.measures_card and picture.renderer.passes.times == usual
    assert CardMemory(card).times() is None
    picture.release()


def test_a_reset_of_the_driver_is_told_though_it_is_found_while_the_card_is_measured(
    card: moderngl.Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = [0x8253]  # GL_GUILTY_CONTEXT_RESET, which the driver tells once
    monkeypatch.setattr(card_errors, "_reset_status_of", lambda _: lambda: told.pop() if told else 0)
    picture = Picture(card)
    with pytest.raises(DriverReset):
        for _ in range(20):
            picture.measure_card()
    picture.release()
    assert not picture.measures_card


def test_a_processor_that_draws_is_not_measured(ctx: moderngl.Context) -> None:
    picture = Picture(ctx)
    assert not picture.measures_card
    picture.release()


def _card(renderer: str, version: str = "4.6") -> SimpleNamespace:
    return SimpleNamespace(info={"GL_RENDERER": renderer, "GL_VERSION": version}, version_code=460)


def test_each_renderer_and_driver_has_its_own_times(card: moderngl.Context) -> None:
    CardMemory(_card("A")).keep(TIMES)
    other = replace(TIMES, fewest_culled=90_000.0)
    CardMemory(_card("A", "4.6.1")).keep(other)
    assert CardMemory(_card("A")).times() == TIMES and CardMemory(_card("A", "4.6.1")).times() == other
    assert CardMemory(_card("B")).times() is None
    for number in range(40):
        CardMemory(_card(f"card {number}")).keep(TIMES)
    assert CardMemory(_card("A")).times() is None and CardMemory(_card("card 39")).times() == TIMES


@pytest.mark.parametrize("text", ["", "[]", "{", '{"A, 4.6, 460": 3}', '{"A, 4.6, 460": {"costs": [1]}}', "\xff" * 9])
def test_a_damaged_file_is_none_and_is_replaced(card: moderngl.Context, text: str) -> None:
    cache_folder().mkdir()
    (cache_folder() / "cards.json").write_text(text, encoding="latin-1")
    memory = CardMemory(_card("A"))
    assert memory.times() is None
    memory.keep(TIMES)
    assert memory.times() == TIMES


def test_a_folder_that_cannot_be_written_is_no_fault(card: moderngl.Context) -> None:
    cache_folder().write_text("no folder")
    memory = CardMemory(_card("A"))
    memory.keep(TIMES)
    assert memory.times() is None


def test_a_card_draws_the_best_at_once_whatever_was_measured(card: moderngl.Context) -> None:
    CardMemory(card).keep(TIMES)
    picture = Picture(card)
    assert picture._controller.quality("automatic") is BEST
    picture.release()


@pytest.mark.parametrize(("most", "program"), [(0.0, FAST), (1e9, FAST_AT_CORNERS)])
def test_light_is_calculated_where_that_is_faster_on_this_card(card: moderngl.Context, most: float, program) -> None:
    frame = view_of(box_scene(), distance=8.0).build_frames(SIZE)[0].frame
    assert scene_passes._lit(frame, QUALITIES[2], replace(TIMES, most_at_corners=most)) is program


def test_on_a_fast_card_pictures_that_move_have_the_shadows_of_those_that_stand_still(card, monkeypatch) -> None:
    monkeypatch.setattr(CardMemory, "times", lambda _: TIMES)
    reference = REFERENCES["shadow"]
    view, picture, card_ms = reference.make_view(), Picture(card), [1.0]
    view.layout.resize(reference.size)
    labels: list[object] = []

    @contextmanager
    def measure(_: object, label: object) -> Iterator[None]:
        labels.append(label)
        yield

    monkeypatch.setattr(picture_file.GpuTimer, "measure", measure)
    monkeypatch.setattr(picture_file.GpuTimer, "take", lambda _: (labels.pop(), card_ms[0]) if labels else None)

    def moving() -> np.ndarray:
        for _ in range(6):
            picture.draw(view)
            picture.take_card_time(view)
        return image_of(picture.renderer.picture).copy()

    fast = moving()
    still = picture.image(view)
    apart = difference(fast, still)
    assert not apart.is_seen, str(apart)
    card_ms[0] = 60.0
    assert difference(moving(), still).is_seen, "without shadows"
    assert card.error == "GL_NO_ERROR"
    picture.release()

"""A window comes back where it was, and where it can be seen: the screens may be others by then."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from octoscope.viewer.settings.config import WindowState, read_window_state, save_window_state
from octoscope.viewer.window.place import USUAL_SIZE, ScreenRectangle, on_screens
from tests.cases import quick
from tests.viewer.windows.window_steps import WINDOW_TEST
from tests.viewer.windows.xvfb import PLAIN, open_window, wait_for

LENGTHS = st.integers(300, 4000)
PLACES = st.builds(ScreenRectangle, st.integers(-9000, 9000), st.integers(-9000, 9000), LENGTHS, LENGTHS)


def holds(outer: ScreenRectangle, inner: ScreenRectangle) -> bool:
    left, top = inner.left - outer.left, inner.top - outer.top
    return left >= 0 and top >= 0 and left + inner.width <= outer.width and top + inner.height <= outer.height


@given(window=PLACES, screens=st.lists(PLACES, min_size=1, max_size=3))
def test_a_window_is_brought_wholly_onto_a_screen_and_stays_where_it_is_there_already(window, screens):
    placed = on_screens(window, screens)
    assert any(holds(screen, placed) for screen in screens)
    assert placed.width <= window.width and placed.height <= window.height
    if any(holds(screen, window) for screen in screens):
        assert placed == window


def test_where_no_screen_is_known_it_stays_where_it_is():
    assert on_screens(ScreenRectangle(-5000, 9, 800, 600), []) == ScreenRectangle(-5000, 9, 800, 600)


@pytest.mark.parametrize("place", ("here", [1, 2, 3], [0, 0, 0, 600], [0, 0, 800, 1e9], [0, 0, 10**9, 600], [True] * 4))
def test_a_place_that_cannot_be_is_passed_over_with_a_line(tmp_path, place):
    (tmp_path / "window.json").write_text(json.dumps({"place": place}))
    state, problems = read_window_state(tmp_path)
    assert state == WindowState() and len(problems) == 1


@pytest.mark.window
class TestInAWindow:
    pytestmark = WINDOW_TEST

    @pytest.mark.parametrize(
        ("screen_size", "options", "expected"),
        quick(
            [
                ((800, 600), (), (800, 600)),
                ((1366, 768), (), USUAL_SIZE),
                ((1366, 768), ("--size", "1380x860"), (1366, 768)),
                ((800, 600), ("--size", "640x400"), (640, 400)),
            ],
            1,
            several=True,
        ),
    )
    def test_a_new_window_fits_its_screen_and_an_interrupt_ends_it(
        self, boxes, tmp_path, screen_size, options, expected
    ):
        with open_window(boxes, *options, folder=tmp_path, screen_size=screen_size) as window:
            window.rest()
            assert window.size == expected
            assert window.picture().shape == (*expected[::-1], 3)
            window.interrupt()
            assert window.wait_for_exit() == 130
            assert window.errors == ""

    def test_size_and_place_come_back_and_a_place_off_the_screen_does_not(self, boxes, tmp_path):
        config = tmp_path / "config"
        save_window_state(config, WindowState(panels=False, settings=PLAIN))
        with open_window(boxes, folder=tmp_path, config=config) as window:
            window.resize(900, 500)
            window._screen.xdotool("windowmove", "--sync", window.id, 200, 100)
            window.rest()
            window.press("ctrl+q")
            assert window.wait_for_exit() == 0
        assert read_window_state(config)[0].place == [200, 100, 900, 500]
        state = read_window_state(config)[0]
        state.place = [5000, 5000, 800, 520]
        save_window_state(config, state)
        with open_window(boxes, folder=tmp_path, config=config) as window:
            wait_for(lambda: window.size == (800, 520), "the size of before")
            window.press("ctrl+q")
            assert window.wait_for_exit() == 0

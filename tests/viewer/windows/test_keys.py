"""The window's keys: framing, views, lenses, switches, and the sheet that lists them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from octoscope.viewer.camera import controls
from tests.cases import quick
from tests.viewer.windows.window_boxes import (
    ALL,
    BOXES,
    FIGURES,
    SIZE,
    assert_shows,
    box_pixel,
    differing,
    empty_pixel,
    first_camera,
    scene_part,
    seen,
)
from tests.viewer.windows.window_steps import SWITCHED_ON, WINDOW_TEST, selected
from tests.viewer.windows.xvfb import close_to, wait_for

pytestmark = WINDOW_TEST
FRUSTUM = (255, 217, 51)


def test_f_frames_the_selection_and_then_all(window, first):
    window.click(box_pixel(first_camera(), "green"))
    window.press("f")
    picture = window.picture()
    middle, half, _ = BOXES["green"]
    box = np.array(middle) - half, np.array(middle) + half
    assert_shows(picture, controls.frame_box(first_camera(), *box, SIZE[0] / SIZE[1]), "green", pixels=5.0)
    window.click(empty_pixel(picture))
    window.press("f")
    assert differing(window.picture(), first) == 0.0


def centers(picture: np.ndarray) -> dict[str, np.ndarray]:
    """Return the mean pixel of each box that can be seen."""
    masks = {name: seen(picture, name) for name in BOXES}
    return {name: np.argwhere(mask).mean(axis=0)[::-1] for name, mask in masks.items() if mask.sum() > 100}


@pytest.mark.parametrize("keys", quick((("1", "3", "7"), ("KP_1", "KP_3", "KP_7")), 1), ids=("digits", "keypad"))
def test_digits_look_from_the_front_the_right_and_the_top(window, first, keys):
    window.press(keys[0])
    front = centers(window.picture())
    assert set(front) == {"red", "green", "blue"}, "the green box hides the one behind it"
    assert front["red"][0] < front["green"][0] < front["blue"][0]
    assert np.ptp([y for _, y in front.values()]) < 3.0

    window.press(keys[1])
    picture = window.picture()
    right = centers(picture)
    assert right["behind"][0] > right["blue"][0]
    assert seen(picture, "blue").sum() > seen(picture, "green").sum() > seen(picture, "red").sum()

    window.press(keys[2])
    top = centers(window.picture())
    assert top["red"][0] < top["green"][0] < top["blue"][0]
    assert top["behind"][1] < top["green"][1] - 100.0

    window.press(keys[0].replace("1", "0"))
    assert differing(window.picture(), first) == 0.0


def test_5_switches_between_perspective_and_orthographic(window, first):
    window.press("5")
    picture = window.picture()
    camera = controls.frame_box(replace(first_camera(), orthographic=True), *ALL, SIZE[0] / SIZE[1])
    for name in BOXES:
        assert_shows(picture, camera, name)
    window.click(box_pixel(camera, "blue"))
    assert selected(window) == "blue"
    window.click(empty_pixel(picture))
    window.press("5")
    assert differing(window.picture(), first) == 0.0


@pytest.mark.slow
def test_o_shows_the_octree(window, first):
    def line_pixels(picture: np.ndarray) -> int:
        return int((np.ptp(scene_part(picture), axis=-1) > 100).sum())

    window.scroll(empty_pixel(first), -1)  # where everything is framed, the root would be
    before = window.picture()
    window.press("o")
    assert line_pixels(window.picture()) > line_pixels(before) + 300
    window.press("o")
    assert differing(window.picture(), before) == 0.0
    window.press("0", "Home")
    assert differing(window.picture(), first) < 0.002


def test_e_shows_the_edges_of_polygons(window, first):
    window.press("shift+e")
    picture = window.picture()
    darker = scene_part(first).astype(int).sum(axis=-1) - scene_part(picture).astype(int).sum(axis=-1)
    assert (darker > 60).sum() > 300 and (darker < -10).sum() == 0
    window.press("shift+e")
    assert differing(window.picture(), first) == 0.0


@pytest.mark.slow
def test_c_switches_culling_and_the_picture_stays(window, first):
    def on(picture: np.ndarray) -> int:
        return int(close_to(picture[FIGURES], SWITCHED_ON, 12).sum())

    window.press("c")
    picture = window.picture()
    assert (scene_part(picture) == scene_part(first)).all()
    assert on(picture) < 5 < 20 < on(first)
    window.press("c")
    picture = window.picture()
    assert on(picture) == on(first)


def test_x_freezes_the_frustum_and_shows_it_from_elsewhere(window, first):
    def frustum_pixels() -> int:
        return int(close_to(scene_part(window.picture()), FRUSTUM, 8).sum())

    start = empty_pixel(first)
    end = (start[0] - 150, start[1] + 40)
    window.press("x")
    assert frustum_pixels() == 0, "seen from itself it is the picture's own edge"
    window.drag(start, end)
    assert frustum_pixels() > 100
    window.press("x")
    assert frustum_pixels() == 0


def key_sheet_is_there(picture: np.ndarray, first: np.ndarray) -> bool:
    middle = np.s_[SIZE[1] // 2 - 100 : SIZE[1] // 2 + 100, SIZE[0] // 2 - 200 : SIZE[0] // 2 + 200]
    return bool((picture[middle] != first[middle]).any(axis=-1).mean() > 0.7)


def test_f1_shows_the_keys_and_hides_them(window, first):
    window.press("F1")
    wait_for(lambda: key_sheet_is_there(window.picture(), first), "the key sheet")
    window.press("F1")
    wait_for(lambda: not key_sheet_is_there(window.picture(), first), "the end of the key sheet")
    assert differing(window.picture(), first) == 0.0


def test_no_key_is_lost_after_a_burst_of_clicks(window, first):
    """Clicks made before a panel opened under the mouse must not count as clicks on that panel, and keep the keys."""
    for _ in range(4):  # it depends on the moment
        with window.busy():
            x, y = box_pixel(first_camera(), "green")
            for step in (0, 12) * 3:  # in two places by turns: no double clicks
                window.click((x + step, y))
            window.press("F1")
        wait_for(lambda: key_sheet_is_there(window.picture(), first), "the key sheet")
        window.rest()
        window.press("F1")
        wait_for(lambda: not key_sheet_is_there(window.picture(), first), "the end of the key sheet", seconds=5.0)


@pytest.mark.slow
def test_g_switches_the_grid(window, first):
    strip = np.s_[60:62, 700:]
    assert np.ptp(first[strip], axis=1).max() > 10
    window.press("shift+g")
    assert np.ptp(window.picture()[strip], axis=1).max() <= 1
    window.press("shift+g")
    assert differing(window.picture(), first) == 0.0


def test_the_grid_lies_before_the_scene_too(window):
    """The floor goes on towards the person; it does not end where the nearest object begins."""
    window.press("1")
    before_the_boxes = window.picture()[450:600, 300:1000]
    assert np.ptp(before_the_boxes, axis=1).max() > 10


def test_letters_typed_before_the_palette_is_drawn_are_no_commands(window, first):
    window.press("ctrl+p", "o", "x")
    window.press("Escape")
    assert differing(window.picture(), first) == 0.0, "the octree is drawn, or culling is frozen"

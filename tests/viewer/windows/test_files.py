"""Files, the sample and the demo in the window, and messages about files that cannot be opened."""

from __future__ import annotations

import numpy as np
import pytest

from octoscope.scene import load, save_project
from octoscope.viewer.camera import controls
from octoscope.viewer.camera.camera import Camera
from tests.viewer.windows.window_boxes import ALL, BOXES, FIGURES, SIZE, assert_shows, first_camera, scene_part
from tests.viewer.windows.window_steps import OUTLINE, WINDOW_TEST, run_to_end
from tests.viewer.windows.xvfb import Screen, close_to, open_window, wait_for

pytestmark = WINDOW_TEST
ERROR = (255, 120, 107)
MOST_OF_A_LINE = 18  # pixels that letters of one line take, from top to bottom


def test_the_window_shows_every_box_where_the_camera_says(window, first):
    assert "boxes.obj" in window.title
    assert first.shape == (SIZE[1], SIZE[0], 3)
    for name in BOXES:
        assert_shows(first, first_camera(), name)


@pytest.mark.slow
def test_without_files_the_sample_opens(tmp_path):
    with open_window(folder=tmp_path) as window:
        picture = window.picture()
        assert "harbour.obj" in window.title
        saturated = np.ptp(scene_part(picture), axis=-1) > 60
        assert saturated.mean() > 0.05
        window.press("ctrl+q")
        assert window.wait_for_exit() == 0
        assert window.errors == ""


@pytest.mark.slow
def test_the_demo_opens_and_can_be_picked_in(tmp_path):
    with open_window("demo", "--objects", 3000, folder=tmp_path) as window:
        window.rest()
        title = window.title
        window.click((SIZE[0] // 2, SIZE[1] // 2))
        window.rest()
        assert close_to(window.picture(), OUTLINE, 4).sum() > 50
        assert len(window.title.split(" - ")) == 3
        assert title == "city of 3,000 - Octoscope"


# Files that cannot be opened.


@pytest.mark.slow
def test_a_missing_file_is_told_and_the_others_open(boxes, tmp_path):
    other = tmp_path / "other.obj"
    other.write_text("o flag\nv 0 2 0\nv 0 4 0\nv 1 3 0\nf 1 2 3\n")
    with open_window(boxes, "missing.obj", other, folder=tmp_path) as window:
        picture = window.picture()
        assert "boxes.obj and 2 more" in window.title
        assert_shows(picture, message_camera(), "blue")

        shown = message_pixels(picture)
        assert len(shown) > 50, "no message in the window"
        below, left = shown[:, 0].max(), shown[:, 1].min()
        assert below - shown[:, 0].min() < MOST_OF_A_LINE
        window.click((left + 20, below + 11))  # "dismiss", in the next line
        wait_for(lambda: len(message_pixels(window.picture())) == 0, "the message to go")
        window.press("ctrl+q")
        assert window.wait_for_exit() == 1, "not all could be opened"
        assert "missing.obj" in window.errors
        assert len(window.errors.splitlines()) == 1


@pytest.mark.slow
def test_a_long_message_goes_on_in_the_next_line_and_nothing_of_it_is_cut(boxes, tmp_path):
    with open_window(boxes, "broken " * 30 + ".obj", folder=tmp_path) as window:
        height, width = np.ptp(message_pixels(window.picture()), axis=0)
        assert height > 2 * MOST_OF_A_LINE
        assert width < 620


def message_pixels(picture: np.ndarray) -> np.ndarray:
    """Rows and columns of the pixels that have the colour of errors."""
    mask = close_to(picture, ERROR, 30)
    mask[FIGURES] = False
    return np.argwhere(mask)


def message_camera() -> Camera:
    """The camera on the boxes and the flag above them."""
    lower, upper = ALL
    return controls.frame_box(first_camera(), lower, np.maximum(upper, (1.0, 4.0, 0.0)), SIZE[0] / SIZE[1])


def test_with_no_file_to_show_it_says_why_and_ends(tmp_path):
    (tmp_path / "noise.obj").write_bytes(bytes(range(256)) * 40)
    screen = Screen()
    try:
        done = run_to_end("missing.obj", "noise.obj", folder=tmp_path, environment=screen.environment)
    finally:
        screen.close()
    assert done.returncode == 2
    lines = done.stderr.splitlines()
    assert len(lines) == 2 and "missing.obj" in lines[0] and "noise.obj" in lines[1]


# Files that change while they are open.


def test_a_file_that_changes_is_shown_as_it_is_now_from_where_one_looks(tmp_path):
    path = tmp_path / "flag.obj"
    square = "o flag\nv -1 -1 0\nv 1 -1 0\nv 1 1 0\nv -1 1 0\nf 1 2 3 4\n"
    (tmp_path / "flag.mtl").write_text("newmtl red\nKd 1 0 0\nKs 0 0 0\nnewmtl blue\nKd 0 0 1\nKs 0 0 0\n")
    path.write_text("mtllib flag.mtl\nusemtl red\n" + square)
    with open_window(path, folder=tmp_path) as window:
        window.press("1")
        before = window.picture()
        assert reddish(before).sum() > 1000
        path.write_text("mtllib flag.mtl\nusemtl blue\n" + square)
        wait_for(lambda: bluish(window.picture()).sum() > 1000, "the blue flag")
        assert reddish(window.picture()).sum() == 0

        def is_as_large() -> bool:
            return bool(0.99 < bluish(window.picture()).sum() / reddish(before).sum() < 1.01)

        wait_for(is_as_large, "all of the flag: the camera has moved, or a message lies over it for ever")

        path.write_text("v 1 0 0\nthis is no longer an OBJ file\n" * 3 + "f 9 9 9\n")
        wait_for(lambda: len(message_pixels(window.picture())) > 50, "a message that says so")
        assert bluish(window.picture()).sum() > 1000, "the old scene is gone"


def reddish(picture: np.ndarray) -> np.ndarray:
    picture = picture.astype(int)
    return (picture[..., 0] > 80) & (picture[..., 1] < 60) & (picture[..., 2] < 60)


def bluish(picture: np.ndarray) -> np.ndarray:
    picture = picture.astype(int)
    return (picture[..., 2] > 80) & (picture[..., 0] < 60) & (picture[..., 1] < 60)


@pytest.mark.slow
def test_a_project_opens_as_any_file_does_and_its_files_are_watched(tmp_path):
    square = "o flag\nv -1 -1 0\nv 1 -1 0\nv 1 1 0\nv -1 1 0\nf 1 2 3 4\n"
    (tmp_path / "flag.mtl").write_text("newmtl red\nKd 1 0 0\nKs 0 0 0\nnewmtl blue\nKd 0 0 1\nKs 0 0 0\n")
    (tmp_path / "flag.obj").write_text("mtllib flag.mtl\nusemtl red\n" + square)
    scene = load(tmp_path / "flag.obj")
    scene["flag"].scale = (3.0, 1.0, 1.0)
    save_project(scene, tmp_path / "flag.octo.json")
    with open_window(tmp_path / "flag.octo.json", folder=tmp_path) as window:
        window.press("1")
        rows, columns = np.nonzero(reddish(window.picture()))
        assert "flag.octo.json" in window.title
        assert 2.9 < np.ptp(columns) / np.ptp(rows) < 3.1, "the flag is not as the project has it"
        (tmp_path / "flag.obj").write_text("mtllib flag.mtl\nusemtl blue\n" + square)
        wait_for(lambda: bluish(window.picture()).sum() > 1000, "the blue flag")
        rows, columns = np.nonzero(bluish(window.picture()))
        assert 2.9 < np.ptp(columns) / np.ptp(rows) < 3.1, "the edit is gone"
        assert window.errors == ""


def test_problems_of_files_are_on_standard_error_while_the_window_is_open_and_once(boxes, tmp_path):
    (tmp_path / "half.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\nf 1 2 9\n")
    (tmp_path / "bad.obj").write_bytes(bytes(range(256)) * 9)
    with open_window(boxes, "half.obj", "bad.obj", folder=tmp_path) as window:
        wait_for(lambda: "half.obj" in window.errors and "bad.obj" in window.errors, "both files' problems")
        before = window.errors
        window.press("ctrl+q")
        window.process.wait(timeout=60)
        assert window.errors == before and len(before.splitlines()) == 2, before

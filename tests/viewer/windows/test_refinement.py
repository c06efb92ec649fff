"""A window draws fast while its picture moves, refines it when it stands still, and then draws nothing."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from octoscope.viewer.frame.quality import BEST, QUALITIES
from octoscope.viewer.settings.config import WindowState, save_window_state
from tests.viewer.windows.window_boxes import SIZE, box_pixel, first_camera, write_boxes
from tests.viewer.windows.window_steps import WINDOW_TEST, named_in_title
from tests.viewer.windows.xvfb import PLAIN, open_window, wait_for

pytestmark = WINDOW_TEST
# Frames take long here, whatever the machine, in proportion to their pixels.
LOGGED = """
import json, sys
from octoscope.viewer.app.picture import Picture
from octoscope.viewer.cli import main
from octoscope.viewer.frame.quality import QUALITIES, QualityController
from octoscope.viewer.rendering.renderer import Renderer

log = open("log.txt", "w", buffering=1)
render, refine, note = Renderer.render_parts, Renderer.refine, QualityController.note

def logged_render(self, parts, size, quality=QUALITIES[0]):
    render(self, parts, size, quality)
    print(json.dumps(["draw", QUALITIES.index(quality)]), file=log)

def logged_refine(self, parts, bands=1):
    is_better = refine(self, parts, bands)
    print(json.dumps(["refine", is_better, self.is_refined]), file=log)
    return is_better

Renderer.render_parts, Renderer.refine = logged_render, logged_refine

def slow_note(self, quality, milliseconds):
    note(self, quality, 1000.0 * self.times.costs[QUALITIES.index(quality)])

QualityController.note = slow_note
raise SystemExit(main(sys.argv[1:]))
"""


@pytest.fixture
def logged(tmp_path: Path):
    """Opens a window in a mode, and returns it with a function that returns what it has drawn."""
    opened = []

    def open_in(mode: str):
        path = write_boxes(tmp_path)
        script = tmp_path / "script.py"
        script.write_text(LOGGED)
        config = tmp_path / "config"
        save_window_state(config, WindowState(settings=PLAIN))
        (config / "config.toml").write_text(f'quality = "{mode}"\n')
        opened.append(open_window(path, folder=tmp_path, script=script, config=config))
        return opened[-1].__enter__(), lambda: [
            json.loads(line) for line in (tmp_path / "log.txt").read_text().splitlines()
        ]

    yield open_in
    for window in opened:
        window.__exit__(None, None, None)


def wait_until_refined(drawn: Callable[[], list]) -> None:
    wait_for(lambda: drawn()[-1:] == [["refine", True, True]], "the picture to be refined", seconds=30.0)


def test_a_drag_is_drawn_fast_and_what_stands_still_is_refined_and_then_drawn_no_more(logged, tmp_path):
    window, drawn = logged("automatic")
    window.rest()
    wait_until_refined(drawn)
    before = len(drawn())
    path = [(600 + 4 * step, 420 + step % 7) for step in range(40)]
    window.drag(*path, pause_seconds=0.02)
    window.rest()  # it may also have refined a picture on the way
    wait_for(lambda: len(drawn()) > before and drawn()[-1] == ["refine", True, True], "the end", seconds=30.0)
    after = drawn()[before:]
    moving = [level for kind, level, *_ in after if kind == "draw"]
    assert moving[-1] == len(QUALITIES) - 1 and moving == sorted(moving), "it is drawn ever faster while it moves"
    last = len(after) - 1 - [kind for kind, *_ in after[::-1]].index("draw")
    pieces = after[last + 1 :]
    assert [is_better for _, is_better, _ in pieces].count(True) == 4 and len(pieces) > 4
    count = len(drawn())
    window.move((700, 300))
    window.press("F1", "F1")
    window.rest()  # the key sheet has come and gone, and the mouse has moved over the boxes
    assert len(drawn()) == count, "the picture is there"


@pytest.mark.slow
def test_a_picture_that_is_asked_for_is_the_best_one_and_no_fast_one(logged, tmp_path):
    window, drawn = logged("automatic")
    window.rest()
    window.press("F12")
    wait_for(lambda: list(tmp_path.rglob("*.png")), "the picture to be written", seconds=10.0)
    assert ["refine", True, True] in drawn()


@pytest.mark.slow
def test_nothing_is_reduced_or_refined_where_the_user_wants_it_constant(logged):
    window, drawn = logged("constant")
    window.rest()
    window.click(box_pixel(first_camera(), "green", SIZE))
    wait_for(lambda: named_in_title(window) == "green", "the selection", seconds=10.0)
    window.drag((600, 420), (640, 440), (700, 430))
    window.rest()
    assert {tuple(line) for line in drawn()} == {("draw", QUALITIES.index(BEST))}


@pytest.mark.slow
def test_every_picture_is_the_best_where_the_user_wants_it_so(logged):
    window, drawn = logged("best")
    window.rest()
    wait_until_refined(drawn)
    before = len(drawn())
    window.drag((600, 420), (640, 440), (700, 430))
    window.rest()
    wait_for(lambda: len(drawn()) > before and drawn()[-1] == ["refine", True, True], "the end", seconds=30.0)
    assert {level for kind, level, *_ in drawn() if kind == "draw"} == {QUALITIES.index(BEST)}

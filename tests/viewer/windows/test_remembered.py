"""A window that is opened twice: what was set the first time, and what options say of all that is opened in it."""

from __future__ import annotations

from octoscope.viewer.settings.config import WindowState, read_window_state, save_window_state
from tests.viewer.windows.test_views import quarters
from tests.viewer.windows.window_steps import WINDOW_TEST
from tests.viewer.windows.xvfb import PLAIN, open_window, wait_for

pytestmark = WINDOW_TEST
TOLD = """
import sys
from octoscope.viewer.app import app
from octoscope.viewer.cli import main

told = open("told.txt", "w", buffering=1)

class Told(app.App):
    def run(self, **options):
        self.tell()
        super().run(**options)

    def set_document(self, *arguments, **options):
        super().set_document(*arguments, **options)
        self.tell()

    def tell(self):
        level, view = self.view.index.stats().split_level, self.view
        octree = next(each for each in view.decorations if each.name == "octree")
        print(self.session.document.title, level, octree.is_shown, view.settings.show_grid, file=told)

app.App = Told
raise SystemExit(main(sys.argv[1:]))
"""


def test_what_is_set_in_one_run_is_there_in_the_next_and_options_go_for_all_that_one_opens(boxes, tmp_path):
    config = tmp_path / "config"
    save_window_state(config, WindowState(panels=False, settings=PLAIN))
    with open_window(boxes, folder=tmp_path, config=config) as window:
        window.press("shift+g", "e", "comma", "shift+Tab", "c", "x", "ctrl+alt+4")
        window.rest()
        window.press("ctrl+q")
        assert window.wait_for_exit() == 0
    first, problems = read_window_state(config)
    assert problems == []
    told = {name: first.settings[f"gizmo.{name}"] for name in ("mode", "space", "snaps")}
    assert told == {"mode": "rotate", "space": "local", "snaps": True}
    assert first.settings["view.count"] == 4 and first.settings["view.grid"] is False
    script = tmp_path / "script.py"
    script.write_text(TOLD)
    with open_window(boxes, "--split-level", 3, "--octree", folder=tmp_path, config=config, script=script) as window:
        picture = window.picture()
        assert all((part[..., 2] > 150).any() for part in quarters(picture)), "four views, each with all in it"
        window.press("ctrl+n")
        wait_for(lambda: "untitled" in window.title, "the new scene")
        window.rest()
        window.press("ctrl+q")
        assert window.wait_for_exit() == 0
    lines = (tmp_path / "told.txt").read_text().splitlines()
    assert lines == ["boxes.obj 3 True False", "untitled 3 True False"]
    assert read_window_state(config)[0].settings == first.settings

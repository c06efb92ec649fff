"""Two windows, each on a screen of its own: what one copies, the other pastes, undoes, and saves in its project."""

from __future__ import annotations

import pytest

from octoscope.scene import load, save_project
from tests.viewer.windows.other_programs import ask_client, other_client
from tests.viewer.windows.window_steps import WINDOW_TEST, named_in_title
from tests.viewer.windows.xvfb import open_window, wait_for

pytestmark = WINDOW_TEST
RED = (120, 110)


@pytest.mark.slow
def test_what_one_window_copies_another_pastes_undoes_and_saves(boxes, tmp_path):
    project = tmp_path / "other.octo.json"
    save_project(load(boxes), project)
    with open_window(boxes, folder=tmp_path, config=tmp_path / "config") as window:
        window.rest()
        window.click(RED)
        wait_for(lambda: named_in_title(window) == "red", "the red box in the title")
        window.press("ctrl+c")
        window.rest()
        text = ask_client(window, "paste")
    with (
        open_window(project, folder=tmp_path, config=tmp_path / "config") as window,
        other_client(window, "copy", text),
    ):
        window.rest()
        window.press("ctrl+v")
        wait_for(lambda: named_in_title(window) == "red.001", "the copy")
        window.press("ctrl+z")
        wait_for(lambda: named_in_title(window) == "", "nothing to be selected")
        window.press("ctrl+shift+z", "ctrl+s")
        wait_for(lambda: "red.001" in load(project), "the copy in the project")
    scene = load(project)
    assert scene["red.001"].mesh_id == scene["red"].mesh_id, "of the same file"

"""The panel of materials in the window: a sphere is chosen, given to an object, renamed, and kept in the project."""

from __future__ import annotations

import json
from pathlib import Path

from octoscope.scene import load, open_project
from octoscope.viewer.settings.config import WindowState
from tests.viewer.headless_app import HeadlessApp
from tests.viewer.windows.test_panels import in_window
from tests.viewer.windows.window_boxes import BOXES, first_camera, pixel_of, write_boxes
from tests.viewer.windows.window_steps import WINDOW_TEST, named_in_title
from tests.viewer.windows.xvfb import close_to, open_window, wait_for

pytestmark = WINDOW_TEST


def test_a_sphere_is_given_to_an_object_renamed_and_saved(ctx, tmp_path: Path) -> None:
    boxes, config = write_boxes(tmp_path), tmp_path / "config"
    state = WindowState(open={"materials": True})
    app = HeadlessApp(ctx, load(boxes), state=state)  # it knows where the picture is
    picture, covered = app.shell.picture, app.shell.toolbar_width
    app.close()
    config.mkdir()
    (config / "window.json").write_text(json.dumps({"open": state.open}))
    size = tuple(map(round, picture.size))
    box = in_window(pixel_of(first_camera(size, covered), BOXES["blue"][0], size), picture)
    top = round(picture.bottom) + 63  # of the first row of spheres: behind, blue, green, grey, red
    red = round(picture.left) + 12 + 4 * 78 + 36, top + 36
    with open_window(boxes, folder=tmp_path, config=config) as window:
        wait_for(lambda: close_to(window.shown()[red[1], red[0]], (200, 40, 40), 60).any(), "the red sphere")
        window.click(box)
        wait_for(lambda: named_in_title(window) == "blue", "the blue box in the title")
        window.click(red)
        window.rest()
        window.click((round(picture.left) + 355, top - 20))  # Assign
        wait_for(lambda: close_to(window.shown()[box[1], box[0]], (200, 40, 40), 70).any(), "a red box")
        window.click(red, times=2)
        window.rest()
        window.press("ctrl+a", "r", "u", "b", "y", "Return")
        window.rest()
        window.press("ctrl+s")
        window.rest()
        window.press("Return")
        (path,) = wait_for(lambda: list(tmp_path.glob("*.octo.json")), "the project")
        window.rest()
        scene = open_project(path)
        assert [scene[name].material.name for name in ("red", "blue", "green")] == ["ruby", "ruby", "green"]
        assert [material.name for material in scene.unused_materials] == ["blue"]
        assert window.errors == ""

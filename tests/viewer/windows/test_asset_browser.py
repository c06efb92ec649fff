"""The asset browser in the window: thumbnails come, and a drag places a file on what the mouse points at."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

from octoscope.scene import load, open_project
from octoscope.viewer.settings.config import WindowState
from tests.viewer.headless_app import HeadlessApp
from tests.viewer.windows.test_panels import in_window
from tests.viewer.windows.window_boxes import first_camera, pixel_of, write_boxes
from tests.viewer.windows.window_steps import WINDOW_TEST, named_in_title
from tests.viewer.windows.xvfb import close_to, open_window, wait_for

pytestmark = WINDOW_TEST
TETRAHEDRON = "mtllib kit.mtl\nusemtl pink\nv -1 0 -1\nv 1 0 -1\nv 0 0 1\nv 0 2 0\nf 1 2 3\nf 1 4 2\nf 2 4 3\nf 3 4 1\n"
PINK = (220, 60, 160)


def test_a_drag_from_the_browser_puts_a_file_onto_an_object(ctx, tmp_path: Path) -> None:
    boxes, kit, config = write_boxes(tmp_path), tmp_path / "kit", tmp_path / "config"
    kit.mkdir()
    (kit / "spike.obj").write_text(TETRAHEDRON)
    (kit / "kit.mtl").write_text("newmtl pink\nKd 1 0.2 0.7\n")
    state = WindowState(open={"assets": True}, settings={"assets.folder": str(kit), "assets.by_origin": False})
    app = HeadlessApp(ctx, load(boxes), state=state)  # it knows where the picture is
    picture, covered = app.shell.picture, app.shell.toolbar_width
    app.close()
    config.mkdir()
    (config / "window.json").write_text(json.dumps({"open": state.open, "settings": state.settings}))
    camera = first_camera(tuple(map(round, picture.size)), covered)
    cell = round(picture.left) + 45, round(picture.bottom) + 105
    lid = in_window(pixel_of(camera, (0.0, 2.0, 0.0), tuple(map(round, picture.size))), picture)
    with open_window(boxes, folder=tmp_path, config=config) as window:
        x, y = cell
        there = np.s_[y - 30 : y + 30, x - 30 : x + 30]
        wait_for(lambda: close_to(window.shown()[there], PINK, 70).any(), "a thumbnail")
        window.rest()
        with window.held_button(cell, 1):
            for share in (0.3, 0.6, 1.0):
                window.move(tuple(np.round(np.add(cell, share * np.subtract(lid, cell))).astype(int)))
            over = np.s_[lid[1] - 60 : lid[1] + 5, lid[0] - 30 : lid[0] + 30]
            wait_for(lambda: close_to(window.shown()[over], PINK, 70).sum() > 30, "the file as it will stand")
        wait_for(lambda: named_in_title(window) == "spike", "the placed file in the title")
        window.press("ctrl+s")
        window.rest()
        window.press("Return")
        (path,) = wait_for(lambda: list(tmp_path.glob("*.octo.json")), "the project")
        window.rest()
        scene = open_project(path)
        lower, upper = scene["spike.obj"].bounds
        np.testing.assert_allclose((lower + upper) / 2.0, (0.0, 3.0, 0.0), atol=0.05)
        assert window.errors == ""

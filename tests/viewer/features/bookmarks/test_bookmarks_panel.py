"""The bookmarks panel under the mouse."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from imgui_bundle import imgui

from octoscope.viewer.features.bookmarks.panel import BookmarksPanel
from octoscope.viewer.settings.config import WindowState
from tests.viewer.frame.test_any_scale import in_each_frame
from tests.viewer.headless_app import HeadlessApp
from tests.viewer.scenes import box_scene

LEFT = 1030  # of the panel's rows, on the right of the window
ROW_HEIGHT = 28


@pytest.fixture
def app(ctx) -> Iterator[HeadlessApp]:
    """With the panel in the inspector's place."""
    app = HeadlessApp(ctx, box_scene(), state=WindowState(open={BookmarksPanel.id: True, "inspector": False}))
    yield app
    app.close()


def row(number: int) -> tuple[int, int]:
    return LEFT, 92 + ROW_HEIGHT * number


def test_a_click_goes_there_the_pen_renames_and_the_bin_removes(app):
    scene, view = app.view.scene, app.view
    front = view.camera.axes
    app.click((1140, 297))  # the button of the empty panel
    assert list(scene.bookmarks) == ["bookmark"]
    app.press("7")
    app.press("Ctrl+B")
    assert list(scene.bookmarks) == ["bookmark", "bookmark (2)"]

    app.click(row(0))
    assert np.allclose(view.camera.axes, front)
    app.click(row(1))
    assert np.allclose(view.camera.axes[2], (0.0, 1.0, 0.0))

    app.press("1")
    app.click(pen := (1218, row(1)[1]))
    app.type("plan")
    app.press("Enter")
    assert list(scene.bookmarks) == ["bookmark", "plan"]
    assert view.camera.axes[2].tolist() == [0.0, 0.0, 1.0], "a bookmark that is renamed is not gone to"
    app.click(pen)
    app.type("no")
    app.press("Esc")
    assert list(scene.bookmarks) == ["bookmark", "plan"]

    app.click((1246, row(0)[1]))
    assert list(scene.bookmarks) == ["plan"]
    app.press("Ctrl+Z")
    assert list(scene.bookmarks) == ["bookmark", "plan"]
    assert app.done == ['Add bookmark "bookmark"', 'Add bookmark "bookmark (2)"', 'Rename bookmark "bookmark (2)"']


def test_a_name_stands_in_the_middle_of_its_row(app):
    app.press("Ctrl+B")
    rows = app.picture()[:, LEFT - 4 : LEFT + 60].astype(int)
    is_row = (np.abs(rows - app.chosen_color()).max(axis=2) <= 4.0).any(axis=1)
    begin, end = np.flatnonzero(is_row)[[0, -1]]
    letters = np.flatnonzero((rows[begin : end + 1].min(axis=2) > 180).any(axis=1))
    assert end - begin > 20
    assert abs(letters.mean() - (end - begin) / 2.0) <= 3.0


@pytest.mark.parametrize("scale", [1.0, 2.0])
def test_the_button_that_adds_a_bookmark_fits_a_narrow_panel(open_app, monkeypatch, scale):
    app = open_app(box_scene(), scale=scale, size=(1280, 720))
    buttons = in_each_frame(app, monkeypatch, "button")
    app.shell.show_panel("bookmarks")
    app.settle()
    highs = [high.x for text, _, high in buttons if "Add bookmark" in text]
    assert highs and highs[-1] <= app.size[0] - imgui.get_style().window_padding.x / 2.0

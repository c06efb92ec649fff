"""The bookmarks panel under the mouse."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from tests.viewer.desk import Desk
from tests.viewer.scenes import box_scene
from viewer.settings.config import WindowState
from viewer.ui.panels.bookmarks import BookmarksPanel

LEFT = 1030  # of the panel's rows, on the right of the window
ROW_HEIGHT = 28


@pytest.fixture
def desk(ctx) -> Iterator[Desk]:
    """With the panel in the inspector's place."""
    desk = Desk(ctx, box_scene(), state=WindowState(open={BookmarksPanel.id: True, "inspector": False}))
    yield desk
    desk.close()


def row(number: int) -> tuple[int, int]:
    return LEFT, 92 + ROW_HEIGHT * number


def test_a_click_goes_there_a_double_click_renames_and_the_bin_removes(desk):
    scene, view = desk.view.scene, desk.view
    front = view.camera.axes
    desk.click((LEFT + 40, 65))  # the button
    assert list(scene.bookmarks) == ["bookmark"]
    desk.press("7")
    desk.press("Ctrl+B")
    assert list(scene.bookmarks) == ["bookmark", "bookmark (2)"]

    desk.click(row(0))
    assert np.allclose(view.camera.axes, front)
    desk.click(row(1))
    assert np.allclose(view.camera.axes[2], (0.0, 1.0, 0.0))

    desk.click(row(1), times=2)
    desk.type("plan")
    desk.press("Enter")
    assert list(scene.bookmarks) == ["bookmark", "plan"]
    desk.click(row(1), times=2)
    desk.type("no")
    desk.press("Esc")
    assert list(scene.bookmarks) == ["bookmark", "plan"]

    desk.click((1246, row(0)[1]))
    assert list(scene.bookmarks) == ["plan"]
    desk.press("Ctrl+Z")
    assert list(scene.bookmarks) == ["bookmark", "plan"]
    assert desk.done == ["Add bookmark bookmark", "Add bookmark bookmark (2)", "Rename bookmark bookmark (2)"]


def test_a_name_stands_in_the_middle_of_its_row(desk):
    desk.press("Ctrl+B")
    rows = desk.picture()[:, LEFT - 4 : LEFT + 60].astype(int)
    is_row = (np.abs(rows - desk.chosen_color()).max(axis=2) <= 4.0).any(axis=1)
    begin, end = np.flatnonzero(is_row)[[0, -1]]
    letters = np.flatnonzero((rows[begin : end + 1].min(axis=2) > 180).any(axis=1))
    assert end - begin > 20
    assert abs(letters.mean() - (end - begin) / 2.0) <= 3.0

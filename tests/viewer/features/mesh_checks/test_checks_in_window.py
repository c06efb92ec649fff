"""Faults of meshes in a real window: checked from the palette, gone through, mended with undo."""

from __future__ import annotations

import pytest

from tests.viewer.features.overlaps.test_overlaps_in_window import run
from tests.viewer.windows.window_steps import WINDOW_TEST, named_in_title
from tests.viewer.windows.xvfb import open_window, wait_for

pytestmark = WINDOW_TEST


@pytest.fixture
def tetrahedra(tmp_path):
    """The first one is closed, the second inside out."""
    text = ""
    for number, faces in enumerate((((1, 3, 2), (1, 2, 4), (2, 3, 4), (3, 1, 4)),) * 2):
        corners = ((0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1))
        text += f"o t{number}\n" + "".join(f"v {x + 2 * number} {y} {z}\n" for x, y, z in corners)
        for face in faces:
            text += "f {} {} {}\n".format(*(4 * number + corner for corner in (face if number == 0 else face[::-1])))
    path = tmp_path / "tetrahedra.obj"
    path.write_text(text)
    return path


@pytest.mark.slow
def test_the_mesh_that_is_inside_out_is_found_and_mended(tetrahedra, tmp_path):
    with open_window(tetrahedra, folder=tmp_path, config=tmp_path / "config") as window:
        run(window, "check meshes")
        wait_for(lambda: named_in_title(window) == "t1", "the one that is inside out")
        run(window, "face outward")
        wait_for(lambda: named_in_title(window).startswith("t1") and "- *" in window.title, "an edit that is not saved")

"""Overlapping pairs in a real window: found from the palette, gone through on the panel."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.viewer.windows.test_panels import type_slowly
from tests.viewer.windows.window_steps import WINDOW_TEST, named_in_title
from tests.viewer.windows.xvfb import Window, close_to, open_window, wait_for

pytestmark = WINDOW_TEST
RED = (255, 92, 77)
FACES = ((1, 4, 3, 2), (5, 6, 7, 8), (1, 2, 6, 5), (2, 3, 7, 6), (3, 4, 8, 7), (4, 1, 5, 8))


@pytest.fixture
def cubes(tmp_path: Path) -> Path:
    """Three cubes: b is deeper in c than in a."""
    text = ""
    for number, (name, x) in enumerate((("a", 0.0), ("b", 1.9), ("c", 3.4))):
        text += f"o {name}\n" + "".join(
            f"v {x + 2 * (k % 4 in (1, 2))} {2 * (k % 4 > 1)} {2 * (k > 3)}\n" for k in range(8)
        )
        text += "".join("f {} {} {} {}\n".format(*(8 * number + corner for corner in face)) for face in FACES)
    path = tmp_path / "cubes.obj"
    path.write_text(text)
    return path


def run(window: Window, words: str) -> None:
    window.press("ctrl+p")
    window.rest()
    type_slowly(window, words)
    window.press("Return")
    window.rest()


def test_the_deepest_pair_is_first_and_its_neighbour_is_next(cubes, tmp_path):
    with open_window(cubes, folder=tmp_path, config=tmp_path / "config") as window:
        run(window, "find overlaps")
        wait_for(lambda: named_in_title(window) == "c and 1 more", "the deepest pair")
        run(window, "next overlap")
        wait_for(lambda: named_in_title(window) == "b and 1 more", "the other pair")
        wait_for(lambda: close_to(window.picture(), RED, 12).sum() > 50, "the box around where they overlap")
        run(window, "mesh checks")  # the panel, a tab beside
        wait_for(lambda: not close_to(window.picture(), RED, 12).any(), "the box to go with its list")

"""A list scrolls to the object that is clicked in the picture: at once, or by a motion that ends."""

from __future__ import annotations

import pytest
from imgui_bundle import imgui

from octoscope.scene import Scene
from tests.viewer.headless_app import ROW_HEIGHT
from tests.viewer.scenes import add_box_mesh

COUNT = 200


@pytest.fixture
def scene() -> Scene:
    scene = Scene()
    scene.add_nodes([f"box {number}" for number in range(COUNT)], mesh=add_box_mesh(scene))
    return scene


def scrolled() -> float:
    """Return how far the rows of the outliner are scrolled, logical pixels."""
    return max(window.scroll.y for window in imgui.get_current_context().windows if "outliner" in window.name)


@pytest.mark.parametrize("eases", [False, True])
def test_the_outliner_goes_to_what_is_selected_in_the_picture(open_app, scene, eases):
    app = open_app(scene)
    app.view.layout.eases = eases
    app.editor.select([COUNT - 1])
    places = []
    for _ in range(40):
        app.frame()
        places.append(scrolled())
    assert places == sorted(places) and places[-1] > 100 * 20
    assert (len({*places} - {0.0}) > 3) == eases, "on its way"
    assert places[-1] == places[-5], "it has come"
    app.editor.select([COUNT // 2])
    app.settle(40)
    assert scrolled() % ROW_HEIGHT == 0.0, "no row is cut above"

"""The card of first steps: it shows the gestures of the preset, ends with the first one, and does not come again."""

from __future__ import annotations

import pytest

from octoscope.scene import Scene
from octoscope.viewer.features.first_steps.feature import FirstSteps
from octoscope.viewer.settings.config import WindowState
from tests.viewer.headless_app import HeadlessApp
from tests.viewer.scenes import box_scene

NEW = {"help.first_steps": True}


def card_of(app: HeadlessApp) -> FirstSteps:
    return app.feature_tool(FirstSteps)


@pytest.mark.parametrize(
    ("preset", "orbits", "pans"),
    [("octoscope", "Left drag", "Shift + left drag"), ("maya", "Alt + left drag", "Middle drag")],
)
def test_it_names_the_gestures_of_the_preset(open_app, preset, orbits, pans):
    app = open_app(box_scene(), state=WindowState(settings=NEW), preset=preset)
    labels = [label.partition("  ")[2] for label, _ in card_of(app).box().rows]
    assert labels == [orbits, pans, "Wheel"]


def test_an_empty_scene_has_the_start_box_alone(open_app):
    assert card_of(open_app(Scene(), state=WindowState(settings=NEW))).box() is None


@pytest.mark.parametrize("key", ["Esc", "7"])
def test_a_key_ends_it_and_does_what_it_does(open_app, key):
    app = open_app(box_scene(), state=WindowState(settings=NEW))
    axes = app.view.camera.axes.copy()
    app.press(key)
    assert card_of(app).box() is None
    assert (app.view.camera.axes == axes).all() == (key == "Esc")
    app.table.run(app.table["help.first_steps"])
    assert card_of(app).box() is not None

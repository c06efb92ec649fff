"""Turning the key light by drags over the picture."""

from __future__ import annotations

import numpy as np

from octoscope.viewer.features.light_tool.feature import LightTool
from octoscope.viewer.frame.look.lighting import LIGHTING
from tests.viewer.headless_app import HeadlessApp


def dragged(app: HeadlessApp) -> tuple[float, float]:
    """Return how far a light moved in the picture, to the right and up, by a drag to the right and down."""
    before, camera = app.view.settings.lighting.in_view(app.view.camera.axes), app.view.camera
    left, top = app.shell.picture.left + 300.0, app.shell.picture.top + 200.0
    app.drag((left, top), (left + 40.0, top + 20.0))
    assert app.view.camera is camera
    right, up, _ = app.view.settings.lighting.in_view(app.view.camera.axes) - before
    return right, up


def test_drags_turn_the_light_while_the_tool_is_on_and_the_camera_again_after_esc(app):
    assert app.feature_tool(LightTool).text == ""
    app.press("Alt+L")
    assert "drag to turn the key light" in app.feature_tool(LightTool).text
    right, up = dragged(app)
    assert right > 0.1 and up < -0.05
    assert not app.view.settings.lighting.is_fixed_to_world
    app.press("Esc")
    assert app.feature_tool(LightTool).text == ""
    camera, light = app.view.camera, app.view.settings.lighting
    left, top = app.shell.picture.left + 300.0, app.shell.picture.top + 200.0
    app.drag((left, top), (left + 40.0, top + 20.0))
    assert app.view.camera is not camera and app.view.settings.lighting == light


def test_a_light_in_the_world_is_turned_as_it_is_seen_and_stays_there(app):
    app.table.run(app.table["light.fix"])
    app.table.run(app.table["light.turn"])
    assert "fixed to the world" in app.feature_tool(LightTool).text
    right, up = dragged(app)
    assert right > 0.1 and up < -0.05
    assert app.view.settings.lighting.is_fixed_to_world
    np.testing.assert_allclose(np.linalg.norm(app.view.settings.lighting.direction), 1.0)
    app.table.run(app.table["light.reset"])
    assert app.view.settings.lighting == LIGHTING


def test_a_drag_to_the_right_takes_the_environment_along_until_the_light_is_usual_again(app):
    tool, settings = app.feature_tool(LightTool), app.view.settings
    left, top = app.shell.picture.left + 300.0, app.shell.picture.top + 200.0
    app.press("Alt+L", "Alt+Shift+L")
    assert "turn the environment, now 0°" in tool.text
    app.drag((left, top), (left + 40.0, top + 20.0))
    turned, light = settings.environment_rotation_deg, settings.lighting
    assert 340.0 < turned < 360.0 and light == LIGHTING
    assert app.session.host.preferences.values()["view.environment_rotation"] == turned
    app.press("Alt+Shift+L")
    assert not tool.is_on
    app.table.run(app.table["light.reset"])
    assert settings.environment_rotation_deg == 0.0


def test_the_palette_finds_it_by_what_people_call_it(app):
    assert app.table.search("sun")[0].id == "light.turn"

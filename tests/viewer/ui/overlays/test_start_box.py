"""An empty scene shows its ground, and how to begin; what lies behind a scene follows the theme."""

from __future__ import annotations

import numpy as np
import pytest
from imgui_bundle import imgui

from octoscope.scene import Scene
from octoscope.viewer.frame.view import View
from octoscope.viewer.rendering.context.offscreen import image_of
from octoscope.viewer.rendering.renderer import Renderer
from octoscope.viewer.settings.recent_files import add_recent
from octoscope.viewer.ui.imgui.theme import BY_NAME, DARK, LIGHT
from octoscope.viewer.ui.overlays.status_bar import status_of
from tests.viewer.needs import needs
from tests.viewer.scenes import box_scene


def start_box():
    """The box as Dear ImGui has it, or None where it is not on the screen."""
    window = imgui.internal.find_window_by_name("start")
    return window if window is not None and window.active else None


@needs("asset_browser")
@pytest.mark.parametrize(("row", "command_id"), ((1, "file.open"), (2, "file.open_sample"), (3, "panel.assets")))
def test_an_empty_scene_offers_to_open_a_file_or_the_sample(open_app, monkeypatch, row, command_id):
    app = open_app(Scene())
    ran = []
    monkeypatch.setattr(app.table, "run", lambda command: ran.append(command.id))
    box = start_box()
    x, y = box.pos.x + 60.0, box.pos.y + (row + 0.5) / 4.0 * box.size.y
    assert app.shell.covers((x, y))
    app.click((x, y))
    assert ran == [command_id]


@pytest.mark.parametrize("scale", [1.0, 2.0])
def test_the_box_lies_within_the_picture(open_app, scale):
    picture = open_app(Scene(), scale=scale).shell.picture
    box = start_box()
    assert picture.left < box.pos.x and box.pos.x + box.size.x < picture.right


def test_a_scene_with_something_in_it_has_no_such_box(open_app):
    open_app(box_scene())
    assert start_box() is None


def test_the_status_of_an_empty_scene_says_how_to_begin_and_not_what_to_click():
    assert status_of(View(Scene())) == "Drop files on the window to begin"
    assert status_of(View(box_scene())) == "Click an object to select it"


def picture_of(renderer: Renderer, view: View) -> np.ndarray:
    """(48, 64, 3) int: what a view of an empty scene shows."""
    renderer.render_parts(view.build_frames((64, 48)), (64, 48))
    return image_of(renderer.picture).astype(int)


def test_an_empty_scene_has_a_ground(ctx):
    view, renderer = View(Scene()), Renderer(ctx)
    with_ground = picture_of(renderer, view)
    view.settings.show_grid = False
    assert (with_ground != picture_of(renderer, view)).any(axis=-1).sum() > 100


def test_the_background_is_as_light_as_the_theme(ctx):
    view, renderer = View(Scene()), Renderer(ctx)
    view.settings.show_grid = False
    means = {}
    for name, theme in BY_NAME.items():
        view.settings.backdrop = theme.backdrop
        picture = picture_of(renderer, view)
        means[name] = picture.mean()
        expected = 255.0 * np.array([theme.backdrop.top, theme.backdrop.bottom])
        assert np.allclose(picture[[0, -1], 0], expected, atol=4.0)
    assert means["light"] > 180.0 > 90.0 > means["dark"]


@pytest.mark.parametrize("theme", (DARK, LIGHT), ids=("dark", "light"))
def test_what_the_mouse_is_over_does_not_look_chosen(open_app, theme):
    app = open_app(Scene())
    name = next(name for name, each in BY_NAME.items() if each is theme)
    app.table.run(app.table[f"view.theme_{name}"])
    hovered = imgui.get_style_color_vec4(imgui.Col_.header_hovered)
    assert tuple(hovered)[:3] == pytest.approx(theme.text[:3])
    assert tuple(imgui.get_style_color_vec4(imgui.Col_.header)) == pytest.approx(theme.chosen)


@needs("asset_browser")
def test_recent_files_are_offered_below(open_app, monkeypatch, tmp_path):
    for number in range(7):
        (tmp_path / f"scene{number}.obj").write_text("v 0 0 0\n")
        add_recent(tmp_path, tmp_path / f"scene{number}.obj")
    app = open_app(Scene(), folder=tmp_path)
    ran = []
    monkeypatch.setattr(app.table, "run", lambda command: ran.append(command.label))
    box = start_box()
    x, bottom, row = box.pos.x + 60.0, box.pos.y + box.size.y, box.size.y / 10.0
    app.click((x, bottom - 0.8 * row))
    app.click((x, bottom - 4.8 * row))
    assert ran == ["scene2.obj", "scene6.obj"], "five of them, the last one first"

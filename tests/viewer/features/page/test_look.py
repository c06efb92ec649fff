"""A page has the light, the background and the section of the view that it is made of."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path

import numpy as np
import pytest

from octoscope.scene.formats.page.look import usual_look
from octoscope.viewer.camera.camera import Camera
from octoscope.viewer.features.page.look import _LEFT_OUT, KEY_COLOR, page_look_of
from octoscope.viewer.frame.look.backdrop import LIGHT_BACKDROP
from octoscope.viewer.frame.look.environment import built_in
from octoscope.viewer.frame.look.lighting import Lighting, world_light
from octoscope.viewer.frame.section import Section
from octoscope.viewer.frame.view_settings import ViewSettings

ROOT = Path(__file__).parents[4]


def test_the_usual_look_is_that_of_a_window_that_was_just_opened():
    made, kept = page_look_of(ViewSettings()).values(), usual_look().values()
    assert list(page_look_of(ViewSettings()).notes) == usual_look().notes
    for name, value in made.items():
        if isinstance(value, tuple) and value:
            np.testing.assert_allclose(kept[name], value, atol=2e-4, err_msg=name)
        else:
            assert kept[name] == value or list(kept[name]) == list(value), name


def test_the_key_light_has_the_colour_that_the_shader_gives_it():
    text = (ROOT / "shaders" / "light.glsl").read_text(encoding="utf-8")
    (numbers,) = re.findall(r"KEY_COLOR = vec3\((.*?)\)", text)
    assert tuple(map(float, numbers.split(","))) == KEY_COLOR


@pytest.mark.parametrize("name", ["studio", "day", "sunset"])
def test_light_from_all_around_keeps_its_brightness(name):
    rows = np.array(page_look_of(ViewSettings(environment=built_in(name))).environment)
    weights = np.sin((np.arange(len(rows)) + 0.5) / len(rows) * np.pi)
    mean = (rows.mean(axis=1) * weights[:, None]).sum(axis=0) / weights.sum()
    ambient, _ = ViewSettings().lighting.mean_visibility
    np.testing.assert_allclose(mean, built_in(name).irradiance[0] * ambient, rtol=0.04)


def test_light_from_all_around_comes_from_where_it_came():
    rows = np.array(page_look_of(ViewSettings(environment=built_in("sunset"))).environment)
    row, column = np.unravel_index(rows.sum(axis=2).argmax(), rows.shape[:2])
    polar, heading = (row + 0.5) / rows.shape[0] * np.pi, (column + 0.5) / rows.shape[1] * 2.0 * np.pi
    toward = np.array([np.sin(polar) * np.sin(heading), np.cos(polar), -np.sin(polar) * np.cos(heading)])
    sun = np.array([-0.8, 0.10, 0.5])
    assert toward @ sun / np.linalg.norm(sun) > 0.98
    turned = page_look_of(ViewSettings(environment=built_in("sunset"), environment_rotation_deg=90.0)).environment
    np.testing.assert_allclose(np.roll(rows, -len(rows[0]) // 4, axis=1), turned, atol=0.02 * rows.max())


def test_what_a_person_chose_is_taken_over():
    settings = ViewSettings(section=Section.of(["x<1.5", "y>-2"]), show_grid=False, backdrop=LIGHT_BACKDROP)
    settings.lighting = world_light(90.0, 0.0)
    settings.mode = "clay"
    look = page_look_of(settings, Camera(np.array([1.0, 2.0, 3.0]), distance=7.0))
    assert look.planes == ((-1.0, 0.0, 0.0, -1.5), (0.0, 1.0, 0.0, -2.0))
    assert not look.shows_grid and not look.is_dark and look.top == LIGHT_BACKDROP.top
    assert not look.key_follows_camera and look.key_direction[0] == pytest.approx(1.0)
    assert look.camera is not None and look.camera.distance == 7.0
    assert look.notes == (
        "the shading mode is ignored: all is shown with its materials",
        "ambient occlusion is left out",
    )


def test_each_setting_of_a_view_is_taken_over_or_said_to_be_left_out_or_shows_nothing():
    followed = {"show_grid", "backdrop", "lighting", "environment", "environment_rotation_deg", "background", "section"}
    shows_nothing = {"culling", "tiny_culling", "simplifying", "occlusion_culling", "matcap", "quality", "redraw"}
    said = {name for _, names in _LEFT_OUT for name in names}
    assert followed | shows_nothing | said == {each.name for each in fields(ViewSettings)}
    settings = ViewSettings(show_spheres=True, lighting=Lighting(has_occlusion=False, has_shadow=False))
    assert page_look_of(settings).notes == ("boxes, spheres and axes of objects are left out",)

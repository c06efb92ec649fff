"""A user's settings are there the next time; the command line's and a broken file's are not."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from operator import attrgetter

import numpy as np
import pytest

from octoscope.viewer.app.preferences import Preferences
from octoscope.viewer.editing.editor import Editor
from octoscope.viewer.editing.log import Log
from octoscope.viewer.frame.look.backdrop import BACKGROUNDS
from octoscope.viewer.frame.look.environment import built_in
from octoscope.viewer.frame.look.lighting import Lighting
from octoscope.viewer.frame.look.shading import Strokes
from octoscope.viewer.frame.view import View
from octoscope.viewer.settings.config import WindowState, read_window_state, save_window_state
from octoscope.viewer.tools.gizmo.settings import FACES, ROTATE
from octoscope.viewer.tools.tools import Tools
from tests.viewer.scenes import box_scene


class Start:
    """The parts of a window that have settings, with those that were kept."""

    def __init__(self, kept: dict[str, object], before: Start | None = None) -> None:
        self.view = View(box_scene())
        editor = Editor(self.view, Log())
        self.tools = Tools(editor)
        self.preferences = Preferences(kept) if before is None else before.preferences
        self.preferences.attach(self.view, self.tools, {})

    def change_everything(self) -> None:
        settings = self.tools.gizmo.settings
        self.view.settings.tiny_culling = self.view.settings.simplifying = self.view.settings.occlusion_culling = True
        self.view.settings.show_edges = self.tools.camera.trackball = settings.snaps = True
        self.view.settings.culls_back_faces = False
        self.view.settings.show_grid = self.tools.select.hover.enabled = self.view.settings.culling = False
        self.view.settings.show_matcap("jade")
        self.view.settings.is_flat = self.view.settings.show_boxes = self.view.settings.show_spheres = (
            self.view.settings.show_axes
        ) = True
        self.view.settings.strokes = Strokes(line_width=3.0, point_size=6.0, round_points=True)
        self.view.settings.lighting = Lighting(
            strength=0.5, has_shadow=False, shadow_strength=0.25, has_occlusion=False, occlusion_strength=0.75
        )
        self.view.settings.environment, self.view.settings.background = built_in("overcast"), "environment"
        self.view.layout.set_count(4)
        self.view.build_frames((640, 480))
        self.view.visibility.toggle_freeze(self.view.snapshot.frustum)
        self.view.visibility.isolated_ids = np.array([1], dtype=np.int32)
        self.tools.camera.speed = 2.5
        settings.mode, settings.space, settings.pivot, settings.target = ROTATE, "local", "cursor", FACES
        settings.step, settings.step_deg, settings.step_factor = 0.25, 45.0, 0.5


def test_all_that_a_person_sets_is_there_the_next_time_but_not_what_would_hide_or_slow_another_scene(tmp_path):
    first = Start({})
    first.preferences.begin()
    first.change_everything()
    save_window_state(tmp_path, WindowState(settings=first.preferences.values()))
    state, problems = read_window_state(tmp_path)
    again = Start(state.settings)
    assert problems == again.preferences.problems == []
    for what in (
        "tools.gizmo.settings",
        "tools.camera.trackball",
        "tools.camera.speed",
        "tools.select.hover.enabled",
        "view.settings.tiny_culling",
        "view.settings.simplifying",
        "view.settings.occlusion_culling",
        "view.settings.mode",
        "view.settings.matcap",
        "view.settings.is_flat",
        "view.settings.culls_back_faces",
        "view.settings.show_boxes",
        "view.settings.show_spheres",
        "view.settings.show_axes",
        "view.settings.strokes",
        "view.settings.lighting",
        "view.settings.environment",
        "view.settings.background",
    ):
        of = attrgetter(what)
        assert of(first) == of(again) != of(Start({})), what
    assert again.view.settings.show_edges and not again.view.settings.show_grid and len(again.view.viewports) == 4
    assert (
        again.view.settings.culling
        and again.view.visibility.frozen is None
        and again.view.visibility.isolated_ids is None
    )
    assert again.preferences.values() == first.preferences.values()


@pytest.mark.parametrize("name", BACKGROUNDS)
def test_a_background_of_the_menu_is_checked_in_it_the_next_time_too(name):
    first = Start({})
    first.preferences.begin()
    first.view.settings.show_before(BACKGROUNDS[name][1])
    again = Start(json.loads(json.dumps(first.preferences.values())))
    assert again.preferences.problems == []
    assert again.view.settings.background == BACKGROUNDS[name][1]


def test_what_the_command_line_wants_is_for_this_run_alone_unless_a_person_changes_it():
    kept = Start({}).preferences.values() | {"view.grid": True}
    run = Start(kept)
    run.view.settings.show_edges, run.view.settings.show_grid = True, False  # --edges --no-grid
    run.preferences.begin()
    assert run.preferences.values() == kept
    following = Start({}, before=run)  # another document in the same window
    following.preferences.begin()
    assert following.view.settings.show_edges and not following.view.settings.show_grid
    assert following.preferences.values() == kept
    following.view.settings.show_edges = False
    following.view.settings.show_edges = True
    following.view.settings.show_boxes = True
    assert following.preferences.values() == kept | {"view.object_boxes": True}
    following.view.settings.show_grid = True
    assert following.preferences.values()["view.grid"] is True
    last = Start({}, before=following)
    assert last.view.settings.show_edges and last.view.settings.show_boxes and last.view.settings.show_grid


@pytest.mark.parametrize(
    ("name", "value"),
    (
        ("view.grid", 0),
        ("view.count", 3),
        ("view.count", True),
        ("view.background", "#12345"),
        ("view.background", [0.0, 0.0, 0.0]),
        ("view.fly_speed", 0.0),
        ("view.fly_speed", math.nan),
        ("view.fly_speed", "fast"),
        ("gizmo.mode", "shear"),
        ("gizmo.space", None),
        ("gizmo.pivot", []),
        ("gizmo.step", -1.0),
        ("gizmo.step", 1e300),
        ("gizmo.step", 10**400),
        ("gizmo.step", True),
        ("gizmo.step_deg", math.inf),
    ),
)
def test_a_value_that_cannot_be_is_told_in_a_line_and_the_others_count(tmp_path, name, value):
    text = json.dumps({"settings": {name: value, "view.edges": True}})
    (tmp_path / "window.json").write_text(text)
    state, problems = read_window_state(tmp_path)
    start = Start(state.settings)
    assert problems == [] and len(start.preferences.problems) == 1
    (line,) = start.preferences.problems
    assert "window.json" in line and name.strip() in line and "\n" not in line and len(line) < 150
    assert start.view.settings.show_edges
    assert start.preferences.values() == Start({"view.edges": True}).preferences.values()


def test_the_settings_of_a_feature_that_was_taken_away_are_there_when_it_comes_back():
    start = Start({"view.of_a_feature": {"a": [1]}, "view.edges": True})
    assert start.preferences.problems == [] and start.view.settings.show_edges
    assert start.preferences.values()["view.of_a_feature"] == {"a": [1]}


def test_of_an_environment_that_a_script_made_the_usual_one_is_kept():
    script = Start({})
    script.view.settings.environment = replace(built_in("day"), name="mine")
    assert script.preferences.values()["view.environment"] == "studio"

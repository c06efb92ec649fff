"""Preferences: the settings of view, gizmo and features that are kept between runs, with their names and valid values.

Cameras and isolation are not kept, as they belong to a scene; nor is culling that is switched off or frozen, which
would only make the next scene slow or incomplete.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from octoscope.scene.system.paths import abspath
from octoscope.scene.system.text_file import ReadError, printable
from octoscope.viewer.camera.controls import FLY_SPEEDS
from octoscope.viewer.frame.look.backdrop import Color
from octoscope.viewer.frame.look.environment import built_in
from octoscope.viewer.frame.look.environment_names import environment_called, is_environment
from octoscope.viewer.frame.look.lighting import STRENGTHS
from octoscope.viewer.frame.look.shading import MATCAPS, STROKE_SIZES
from octoscope.viewer.frame.look.shading import MODES as SHADING_MODES
from octoscope.viewer.frame.look.studios import ENVIRONMENT, STUDIOS, USUAL
from octoscope.viewer.frame.points import COUNTS
from octoscope.viewer.frame.view import View
from octoscope.viewer.frame.view_settings import ViewSettings
from octoscope.viewer.settings.kept import Setting, Value, between, choice, is_switch, number, one_of, switch
from octoscope.viewer.tools.gizmo.settings import MODES, PIVOTS, SPACES, TARGETS
from octoscope.viewer.tools.tools import Tools

_HEXADECIMAL = re.compile(r"#[0-9a-f]{6}\Z")  # a colour


class Preferences:
    """Settings that are restored when the window opens, passed from document to document, and saved when it closes."""

    def __init__(self, kept: Mapping[str, Any]) -> None:
        self.problems: list[str] = []  # a line about each saved value that is not valid
        self._kept = kept
        self._not_chosen: dict[str, Value] = {}
        self._settings: dict[str, Setting] = {}
        self._put_back: dict[str, Value] = {}

    def attach(self, view: View, tools: Tools, more: Mapping[str, Setting]) -> None:
        """Apply the last document's settings, or the saved ones, to a view, tools and features, and read them there."""
        values: Mapping[str, Any] = self._now() if self._settings else self._kept
        settings = tools.gizmo.settings
        self._settings = {
            "view.edges": switch(view.settings, "show_edges"),
            "view.grid": switch(view.settings, "show_grid"),
            "view.object_boxes": switch(view.settings, "show_boxes"),
            "view.object_spheres": switch(view.settings, "show_spheres"),
            "view.object_axes": switch(view.settings, "show_axes"),
            "view.tiny_culling": switch(view.settings, "tiny_culling"),
            "view.simplifying": switch(view.settings, "simplifying"),
            "view.occlusion_culling": switch(view.settings, "occlusion_culling"),
            "view.mode": choice(view.settings, "mode", tuple(SHADING_MODES)),
            "view.matcap": choice(view.settings, "matcap", tuple(MATCAPS)),
            "view.flat": switch(view.settings, "is_flat"),
            "view.backface_culling": switch(view.settings, "culls_back_faces"),
            "view.line_width": _field(view.settings, "strokes", "line_width", between(*STROKE_SIZES)),
            "view.point_size": _field(view.settings, "strokes", "point_size", between(*STROKE_SIZES)),
            "view.round_points": _field(view.settings, "strokes", "round_points", is_switch),
            "view.environment": Setting(
                lambda: _environment(view), lambda name: self._choose_environment(view, name), is_environment
            ),
            "view.environment_rotation": number(view.settings, "environment_rotation_deg", 0.0, 360.0),
            "view.background": Setting(
                lambda: _background_text(view.settings.background),
                view.settings.show_before,
                lambda text: text in (None, ENVIRONMENT) or (isinstance(text, str) and bool(_HEXADECIMAL.match(text))),
            ),
            "light.strength": _field(view.settings, "lighting", "strength", between(*STRENGTHS)),
            "light.shadow": _field(view.settings, "lighting", "has_shadow", is_switch),
            "light.shadow_strength": _field(view.settings, "lighting", "shadow_strength", between(0.0, 1.0)),
            "light.occlusion": _field(view.settings, "lighting", "has_occlusion", is_switch),
            "light.occlusion_strength": _field(view.settings, "lighting", "occlusion_strength", between(0.0, 1.0)),
            "view.count": Setting(lambda: view.layout.chosen_count, view.layout.set_count, one_of(COUNTS)),
            "view.smooth": switch(view.layout, "eases"),
            "view.trackball": switch(tools.camera, "trackball"),
            "view.fly_speed": number(tools.camera, "speed", *FLY_SPEEDS),
            "select.hover": switch(tools.select.hover, "enabled"),
            "gizmo.mode": choice(settings, "mode", (None, *MODES)),
            "gizmo.space": choice(settings, "space", SPACES),
            "gizmo.pivot": choice(settings, "pivot", PIVOTS),
            "gizmo.snaps": switch(settings, "snaps"),
            "gizmo.target": choice(settings, "target", TARGETS),
            "gizmo.aligns": switch(settings, "aligns"),
            "gizmo.step": number(settings, "step", 1e-9, 1e9),
            "gizmo.step_deg": number(settings, "step_deg", 1e-6, 360.0),
            "gizmo.step_factor": number(settings, "step_factor", 1e-6, 1e3),
            **more,
        }
        for name, value in values.items():
            setting = self._settings.get(name)
            if setting is None:
                continue  # of a feature that this installation lacks: it is saved again
            if not setting.fits(value):
                shown = f"{printable(name)[:60]}: {printable(repr(value))[:60]}"
                self.problems.append(f"window.json: {shown} is ignored")
            else:
                setting.set(value)
        self._put_back = self._now()

    def begin(self) -> None:
        """Note that settings changed since `attach` come from the command line, and are not to be saved."""
        self._not_chosen |= {name: value for name, value in self._now().items() if value != self._put_back[name]}

    def values(self) -> dict[str, object]:
        """Return the values to save, by name; those of the command line are saved as they were before."""
        values: dict[str, object] = {**self._kept, **self._now()}
        for name, value in self._not_chosen.items():
            if values[name] == value:
                del values[name]
                if name in self._kept and self._settings[name].fits(self._kept[name]):
                    values[name] = self._kept[name]
        return values

    def _choose_environment(self, view: View, name: str) -> None:
        """Set an environment; a file that cannot be read any more is a problem, and the usual one is shown."""
        try:
            view.settings.environment = environment_called(name)
        except ReadError as error:
            self.problems.append(f"{error}; the usual environment is shown")
            view.settings.environment = built_in(USUAL)

    def _now(self) -> dict[str, Value]:
        return {name: setting.get() for name, setting in self._settings.items()}


def _environment(view: View) -> str:
    """Return the name of the environment, or the path of its file; of one that a script made, the usual one's."""
    name = view.settings.environment.name
    if not is_environment(name):
        return USUAL
    return name if name in STUDIOS else str(abspath(name))


def _background_text(background: str | Color | None) -> str | None:
    """Return a background as it is kept: a colour as "#1e2226"."""
    if background is None or isinstance(background, str):
        return background
    return "#" + "".join(f"{round(255.0 * channel):02x}" for channel in background)


def _field(view: ViewSettings, attribute: str, name: str, fits: Callable[[object], bool]) -> Setting:
    """Return the setting of a field of one of a view's values."""

    def set_field(value: Any) -> None:
        setattr(view, attribute, replace(getattr(view, attribute), **{name: value}))

    return Setting(lambda: getattr(getattr(view, attribute), name), set_field, fits)

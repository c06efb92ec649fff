"""The camera panel: place, target and lens of the active viewport's camera as numbers."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from functools import partial

from imgui_bundle import imgui

from octoscope.scene.measuring import Lengths
from octoscope.viewer.app.contribution import Contribution, WindowPart
from octoscope.viewer.camera import controls
from octoscope.viewer.camera.camera import Camera
from octoscope.viewer.commands.context import Context
from octoscope.viewer.editing.editor import Editor
from octoscope.viewer.ui.imgui.items import check_box, item, item_tooltip, small_gap
from octoscope.viewer.ui.imgui.theme import Theme
from octoscope.viewer.ui.panels.inspector.rows import label
from octoscope.viewer.ui.widgets.fields import PICTURE_PX, FieldLook, NumberFields

_FILM_HEIGHT_MM = 24.0  # of a 35 mm camera, whose focal lengths people know
_LEAST_FOV_DEGREES, _MOST_FOV_DEGREES = 0.001, 179.0
_DEGREES, _MILLIMETRES = (FieldLook(0.25, unit=unit, lengths=Lengths(decimals=1)) for unit in ("°", " mm"))
_LEVEL_RAD = 1e-9  # of roll


class CameraPanel:
    """Number fields for the active viewport's camera."""

    id, title, place, keys, starts_open = "camera", "Camera", "right", ("Ctrl+6",), False

    def __init__(self, editor: Editor, run: Callable[[str], object], expect_field: Callable[[], object]) -> None:
        self._editor = editor
        self._tell = partial(editor.log.tell, "Camera")
        self._run = run
        self._fields = NumberFields(self._tell, expect_field)

    def draw(self, theme: Theme) -> None:
        """Draw the fields."""
        view = self._editor.view
        camera = view.camera
        self._fields.begin(view.active)
        look = FieldLook(camera.pixel_size(PICTURE_PX), lengths=Lengths.of(self._editor.scene))
        up = camera.axes[1] if abs(camera.roll_rad) > _LEVEL_RAD else None
        label(theme, "Position")
        position = self._fields.vector("Position", camera.position, look)
        label(theme, "Target")
        target = self._fields.vector("Target", camera.pivot, look)
        if position is not None or target is not None:
            try:
                view.camera = controls.look_at(
                    camera,
                    camera.position if position is None else position,
                    camera.pivot if target is None else target,
                    up=up,
                )
            except ValueError as error:
                self._tell(f"Camera: {error}")
        distance = self._draw_number(theme, "Distance", camera.distance, look)
        if distance is not None:
            view.camera = replace(camera, distance=max(distance, controls.closest_distance(camera.pivot)))
        self._draw_lens(theme, camera)
        for command_id, text in (("view.copy_camera", "Copy"), ("view.paste_camera", "Paste")):
            if imgui.button(item(text, command_id)):
                self._run(command_id)
            imgui.same_line(0.0, small_gap())

    def _draw_lens(self, theme: Theme, camera: Camera) -> None:
        view = self._editor.view
        fov_degrees = math.degrees(camera.fov_y_rad)
        changed = self._draw_number(theme, "Field of view", fov_degrees, _DEGREES, "vertical")
        half_height = math.tan(camera.fov_y_rad / 2.0)
        length = _FILM_HEIGHT_MM / 2.0 / half_height
        length = self._draw_number(theme, "Focal length", length, _MILLIMETRES, "of a film that is 24 mm high")
        if length is not None:
            changed = math.degrees(2.0 * math.atan2(_FILM_HEIGHT_MM / 2.0, length)) if length > 0.0 else math.inf
        if changed is not None:
            fov_degrees = min(max(changed, _LEAST_FOV_DEGREES), _MOST_FOV_DEGREES)
            view.camera = replace(camera, fov_y_rad=math.radians(fov_degrees))
        label(theme, "Orthographic")
        if check_box("##orthographic", camera.orthographic)[0]:
            self._run("view.orthographic")

    def _draw_number(self, theme: Theme, name: str, value: float, look: FieldLook, hint: str = "") -> float | None:
        """Draw a label and its field."""
        label(theme, name)
        changed = self._fields.number(name, value, look)
        item_tooltip(hint)
        return changed


def _contribute(context: Context) -> Contribution:
    return Contribution(panels=[CameraPanel(context.editor, context.run, context.expect_field)])


PART = WindowPart(_contribute)

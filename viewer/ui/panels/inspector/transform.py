"""The foldout about location, rotation and scale, in the parent's frame or the world's."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from imgui_bundle import icons_fontawesome_6 as icons
from imgui_bundle import imgui

from octoscope.scene import Edit, EditError, Scene, change_nodes, editing
from octoscope.scene.conventions.length_unit import NO_UNIT
from octoscope.scene.editing.transforms import dimensions, set_dimensions
from octoscope.scene.geometry.pyrr_transforms import quaternions_of_degrees
from octoscope.scene.measuring.lengths import Lengths
from octoscope.scene.nodes.node_table import NO_PARENT
from octoscope.scene.one_object_files import with_whole_files
from octoscope.viewer.editing import euler
from octoscope.viewer.editing.editor import LARGE, REFUSED, Editor
from octoscope.viewer.editing.memo import Memo, state_of
from octoscope.viewer.tools.gizmo.settings import MOVE, ROTATE, SCALE, VERBS, GizmoSettings
from octoscope.viewer.ui.imgui.items import item, item_tooltip, small_gap
from octoscope.viewer.ui.imgui.theme import Theme
from octoscope.viewer.ui.panels.inspector.held_edit import HeldEdit
from octoscope.viewer.ui.panels.inspector.rows import fields_of, icon_button, labels_end, quiet, to_value
from octoscope.viewer.ui.widgets.fields import (
    NUMBERS,
    PICTURE_PX,
    Changed,
    FieldLook,
    NumberFields,
    fitting_row,
    width_of_three,
)

_SPACES = {"parent": "relative to the parent", "world": "in the world"}  # as the gizmo calls them
_DEGREES_PER_PIXEL, _SCALE_PER_PIXEL = 0.5, 0.005
_SAME_LENGTH = 1e-9  # rounding error of the length of a parent's axis in the world, if nothing scales it
_ROUNDING = 1e-6  # relative, of a value that no button resets
_SAME_TURN = 1e-14  # rounding error of the cosine between two equal quaternions


@dataclass(frozen=True, eq=False)
class _Places:
    values: dict[str, np.ndarray]  # by column (k, 3), rotation in degrees
    same: dict[str, np.ndarray]  # by column (3,) bool, whether all nodes have one value
    sheared: int
    has_unit: bool  # whether one of these lengths is as long in the world, so that the scene's unit applies


@dataclass(frozen=True)
class _Row:
    column: str
    label: str
    mode: str
    neutral: float | None  # what a button resets it to; None: there is none


_ROWS = (
    _Row("translation", "Location", MOVE, 0.0),
    _Row("rotation", "Rotation", ROTATE, 0.0),
    _Row("scale", "Scale", SCALE, 1.0),
    _Row("dimensions", "Dimensions", SCALE, None),
)


class TransformFoldout:
    """Location, rotation, scale, and dimensions of objects, as number fields; drags snap to the gizmo's steps.

    `expect_field` is as for NumberFields.
    """

    def __init__(
        self, editor: Editor, settings: GizmoSettings, held: HeldEdit, expect_field: Callable[[], object]
    ) -> None:
        self._editor = editor
        self._settings = settings
        self._held = held
        self._fields = NumberFields(partial(editor.log.tell, REFUSED), expect_field)
        self._space = "parent"
        self._scale_is_locked = False
        self._places: Memo[_Places | str] = Memo()
        self._typed: tuple[np.ndarray, str, np.ndarray, np.ndarray] | None = None  # ids, space, rotations, degrees

    def draw(self, ids: np.ndarray, theme: Theme) -> None:
        """Draw the foldout for nodes."""
        self._draw_spaces()
        scene = self._editor.scene
        places = self._places.get(ids, (self._space, *state_of(scene)), lambda: self._places_of(ids))
        if isinstance(places, str):
            quiet(theme, places)
            return
        self._fields.begin(ids)
        with fields_of(self._editor):
            for row in _ROWS:
                if row.column in places.values:
                    self._draw_row(row, ids, places, theme)
        if places.sheared:
            quiet(theme, "sheared in the world: the nearest rotation and scale are shown")

    def cancel_drag(self) -> None:
        """End the drag of a field."""
        self._fields.cancel_drag()

    def _draw_spaces(self) -> None:
        width = (imgui.get_content_region_avail().x - small_gap()) / 2.0
        for place, (space, hint) in enumerate(_SPACES.items()):
            if place:
                imgui.same_line(0.0, small_gap())
            is_on = space == self._space
            if is_on:
                imgui.push_style_color(imgui.Col_.button, imgui.get_style_color_vec4(imgui.Col_.header))
            if imgui.button(item(space.capitalize(), space), (width, 0.0)):
                self._space = space
            if is_on:
                imgui.pop_style_color()
            item_tooltip(hint)

    def _draw_row(self, row: _Row, ids: np.ndarray, places: _Places, theme: Theme) -> None:
        values, same = places.values[row.column], places.same[row.column]
        imgui.align_text_to_frame_padding()
        imgui.text_colored(theme.quiet, row.label)
        end, size = labels_end(), imgui.get_font_size()
        if row.column == "scale":
            imgui.same_line(end - 2.6 * size)
            icon = icons.ICON_FA_LOCK if self._scale_is_locked else icons.ICON_FA_LOCK_OPEN
            hint = "scale all axes together"
            if icon_button(theme, icon, "lock scale", hint, is_on=self._scale_is_locked):
                self._scale_is_locked = not self._scale_is_locked
        if row.neutral is not None and not (
            same.all() and np.isclose(values[-1], row.neutral, _ROUNDING, atol=0.0).all()
        ):
            imgui.same_line(end - 1.3 * size)
            if icon_button(theme, icons.ICON_FA_ROTATE_LEFT, f"reset {row.column}", f"reset the {row.label.lower()}"):
                self._change(row, ids, np.full_like(values, row.neutral), is_drag=False)
        to_value()
        width = width_of_three()
        is_length = row.column in ("translation", "dimensions")
        speed, step = self._speed_and_step(MOVE if is_length else row.mode)
        lengths, note = fitting_row(Lengths.of(self._editor.scene), values[-1], width) if is_length else NUMBERS, ""
        if lengths.unit and row.mode == MOVE and not places.has_unit:
            lengths, note = replace(lengths, unit=NO_UNIT), "in units of the parent, which is scaled"
        elif row.mode != MOVE:
            note = "about the origin, which Object > Origin and scale > Centre origin brings to the middle"
        unit = "°" if row.mode == ROTATE else ""
        for axis in range(3):
            if axis:
                imgui.same_line(0.0, small_gap())
            key, title = f"{row.column} {axis}", f"{row.label} {'xyz'[axis]}"
            look = FieldLook(speed, step, width, lengths, unit, axis, note)
            changed = self._fields.field(key, title, values[:, axis], look, same=bool(same[axis]))
            if changed is not None:
                self._change(row, ids, self._all_axes(row, values, axis, changed), is_drag=changed.is_drag)

    def _speed_and_step(self, mode: str) -> tuple[float, float]:
        settings = self._settings
        match mode:
            case "move":  # a pixel of a drag moves by about a pixel of the picture
                return self._editor.view.camera.pixel_size(PICTURE_PX), settings.step
            case "rotate":
                return _DEGREES_PER_PIXEL, settings.step_deg
            case _:
                return _SCALE_PER_PIXEL, settings.step_factor

    def _all_axes(self, row: _Row, values: np.ndarray, axis: int, changed: Changed) -> np.ndarray:
        """Return the values of all axes, (k, 3); a locked scale keeps its proportions."""
        after = values.copy()
        if row.mode == SCALE and self._scale_is_locked:
            before = values[:, axis]
            flat = before == 0.0
            after *= np.where(flat, 1.0, changed.values / np.where(flat, 1.0, before))[:, None]
            after[flat] = changed.values[flat, None]
        after[:, axis] = changed.values
        return after

    def _change(self, row: _Row, ids: np.ndarray, values: np.ndarray, *, is_drag: bool) -> None:
        scene = self._editor.scene
        what = f"{len(ids):,} objects" if len(ids) > 1 else str(scene.names[ids[0]])
        label = f"{VERBS[row.mode]} {what}"
        given = quaternions_of_degrees(values) if row.column == "rotation" else values

        def make(scene: Scene) -> Edit:
            if row.column == "dimensions":
                return set_dimensions(scene, ids, given, label=label)
            if self._space == "parent" and (with_whole_files(scene, ids) == ids).all():
                return change_nodes(scene, ids, label=label, **{row.column: given})
            edit = editing.set_world(scene, ids, **{row.column: given}, relative_to=self._frames(scene, ids))
            return replace(edit, label=label)

        if self._space == "world" and len(ids) > LARGE and not is_drag:
            self._editor.run_in_background(f"changing {len(ids):,} objects", make)
        else:
            try:
                edit = make(scene)
            except EditError as error:
                self._editor.log.say("error", f"{label}: {error}", REFUSED)
                return
            (self._held.live().extend if is_drag else self._editor.do)(edit)
        if row.column == "rotation":
            self._typed = (ids, self._space, given, values)

    def _frames(self, scene: Scene, ids: np.ndarray) -> np.ndarray:
        """Return (k,) nodes in whose frames nodes are shown: -1, or the parents that the outliner shows."""
        is_world = self._space == "world"
        return np.full(len(ids), NO_PARENT) if is_world else scene.parents[with_whole_files(scene, ids)]

    def _places_of(self, ids: np.ndarray) -> _Places | str:
        """Return the transforms of nodes, or a line that says why there are none."""
        scene, sheared = self._editor.scene, 0
        frames = self._frames(scene, ids)
        if (frames == scene.parents[ids]).all():
            translations, rotations, scales = scene.translations[ids], scene.rotations[ids], scene.scales[ids]
        else:
            try:
                translations, rotations, scales, sheared = editing.world_transforms(scene, ids, relative_to=frames)
            except EditError as error:
                return str(error)
        values = {"translation": translations, "rotation": self._degrees_of(ids, rotations), "scale": scales}
        if (scene.mesh_ids[ids] >= 0).all():
            values["dimensions"] = dimensions(scene, ids)
        same = {
            name: np.array([(column[:, axis] == column[0, axis]).all() for axis in range(3)])
            for name, column in values.items()
        }
        return _Places(values, same, sheared, has_unit=not _scale(scene, frames))

    def _degrees_of(self, ids: np.ndarray, rotations: np.ndarray) -> np.ndarray:
        """Return rotations in degrees, (k, 3): as they were typed, as long as the rotations are the same."""
        if self._typed is not None:
            known_ids, space, known, degrees = self._typed
            if known_ids is ids and space == self._space:
                alike = np.abs((known * rotations).sum(axis=1)) >= 1.0 - _SAME_TURN
                if alike.all():
                    return degrees
        if (rotations == rotations[0]).all():
            return np.broadcast_to(euler.degrees_of(rotations[:1]), (len(ids), 3))
        return euler.degrees_of(rotations)


def _scale(scene: Scene, frames: np.ndarray) -> bool:
    """Return whether a length in the frame of a node is another one in the world."""
    axes = scene.world_from_local[np.unique(frames[frames >= 0]), :3, :3]
    return bool((np.abs(np.hypot.reduce(axes, axis=1) - 1.0) > _SAME_LENGTH).any())

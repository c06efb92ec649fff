"""FormBox: a form over the window, such as that of Array, until it is confirmed or cancelled."""

from __future__ import annotations

import numpy as np
from imgui_bundle import imgui

from octoscope.viewer.commands.forms import CheckField, ChoiceField, Field, Form, FormState, NumberField
from octoscope.viewer.ui.imgui.docking import Area, free_corner
from octoscope.viewer.ui.imgui.items import (
    button_width,
    check_box,
    check_width,
    continue_check,
    continue_line,
    is_enter_pressed,
    item,
    last_on_line,
    primary_button,
    radio_button,
    sentence,
    sentence_case,
    wrapped_text,
)
from octoscope.viewer.ui.imgui.theme import Theme
from octoscope.viewer.ui.imgui.windows import begin_modal

_DEAF_FRAMES = 3  # the key that brought it up may still be down; then its first field has the keyboard
_WIDTH, _LABELS, _NUMBER, _GAP, _MARGIN = 440.0, 92.0, 78.0, 6.0, 12.0
_CORNERS = ((0.0, 1.0), (1.0, 1.0), (1.0, 0.0), (0.0, 0.0))  # of the picture: shares across and down
_KEYS = "Enter confirms, Esc cancels"


class FormBox:
    """Draws the form that was asked for.

    Tab and the arrows go from field to field, Space toggles check boxes and choices. Enter confirms if the entries can
    be used, Esc cancels. A form that was confirmed begins with the same entries next time.
    """

    def __init__(self) -> None:
        self._filling: FormState | None = None
        self._frames = 0
        self._typed_in = ""  # name of the field that had the keyboard last
        self._refocus = False
        self._beside = np.empty((0, 2))
        self._size = (0.0, 0.0)  # in the last frame
        self._last: dict[str, dict[str, str | bool]] = {}

    @property
    def is_open(self) -> bool:
        """True from `ask` until the form is confirmed or cancelled; no command may run meanwhile."""
        return self._filling is not None

    @property
    def is_coming(self) -> bool:
        """True for the first frames, in which the form takes no keys."""
        return self._filling is not None and self._frames < _DEAF_FRAMES

    def ask(self, form: Form, beside: np.ndarray | None = None) -> None:
        """Open a form. One with a preview stands in the first corner of the picture where it covers none of the points.

        These (n, 2) points are logical pixels of the picture; those that are not seen are NaN.
        """
        self._beside = np.empty((0, 2)) if beside is None else beside[np.isfinite(beside).all(axis=1)]
        if self._filling is not None:
            self._filling.preview(on=False)
        self._filling, self._frames = FormState(form, self._last.get(form.title, {})), 0
        self._typed_in, self._refocus = form.fields[0].name, True

    def hide(self) -> None:
        """Keep the entries while the box is not drawn, and begin again with its first frames."""
        if self._filling is not None:
            self._frames, self._refocus = 0, True

    def draw(self, theme: Theme, picture: Area, window_size: tuple[int, int], scale: float) -> None:
        """Draw the form, if one is open, and submit its entries once they are confirmed."""
        filling = self._filling
        if filling is None:
            return
        place = None if filling.form.preview is None else self._place(picture, window_size, _MARGIN * scale)
        title, is_new = item(filling.form.title, "form"), self._frames < _DEAF_FRAMES
        if not begin_modal(title, window_size, _WIDTH * scale, place=place, moves=True, is_new=is_new):
            return
        self._size = Area.of_window().size
        before = dict(filling.entered)  # Enter is not for the field that it is pressed in
        does, leaves = self._draw_inside(filling, theme, scale)
        if self._frames >= _DEAF_FRAMES:
            leaves |= imgui.is_key_pressed(imgui.Key.escape, False)
            if is_enter_pressed():
                does = True
                typed = {field.name for field in filling.form.fields if isinstance(field, NumberField)}
                filling.entered = before | {name: filling.entered[name] for name in typed}
        self._frames += 1
        if does and not filling.outcome().is_possible:
            does, self._refocus = False, True
        does &= not leaves
        if does or leaves:
            self._filling = None
            imgui.set_nav_cursor_visible(False)  # else keys are for the panel behind, once the form was gone through
            imgui.close_current_popup()
        filling.preview(on=not (does or leaves))
        imgui.end_popup()
        if does:
            self._last[filling.form.title] = filling.entered
            filling.form.submit(filling.values())

    def _place(self, picture: Area, window_size: tuple[int, int], margin: float) -> tuple[float, float]:
        """Return its upper left corner where it stands in a corner of the picture, and covers nothing it is about."""
        room, points = picture.grown(-margin), self._beside + np.array((picture.left, picture.top))
        about = [Area(*points.min(axis=0).tolist(), *points.max(axis=0).tolist())] if len(points) else []
        corner = free_corner(room, self._size, about, _CORNERS)
        place = np.array(room.corner(*corner)) - np.array(corner) * self._size
        x, y = np.clip(place, 0.0, np.maximum(np.subtract(window_size, self._size), 0.0)).tolist()
        return x, y

    def _draw_inside(self, filling: FormState, theme: Theme, scale: float) -> tuple[bool, bool]:
        """Draw fields, outcome and buttons; return whether the first button and whether Cancel was clicked."""
        imgui.spacing()
        gap = imgui.get_style().item_spacing.x
        first_field = max(_LABELS * scale, *(imgui.calc_text_size(label).x + 2 * gap for label, _ in filling.form.rows))
        for label, fields in filling.form.rows:
            imgui.align_text_to_frame_padding()
            imgui.text_colored(theme.quiet, label)
            for number, field in enumerate(fields):
                if number:
                    continue_line(_width_of(field, scale), left=first_field)
                else:
                    imgui.same_line(first_field)
                focuses = self._refocus and field.name == self._typed_in
                self._refocus &= not focuses
                filling.entered[field.name] = _draw_field(
                    field, filling.entered[field.name], theme, scale, left=first_field, focuses=focuses
                )
                if isinstance(field, NumberField) and imgui.is_item_active():
                    self._typed_in = field.name
        imgui.spacing()
        outcome = filling.outcome()
        wrapped_text(sentence(outcome.text), theme.text if outcome.is_possible or filling.is_untouched else theme.error)
        imgui.spacing()
        imgui.align_text_to_frame_padding()
        imgui.text_colored(theme.quiet, _KEYS)
        last_on_line(filling.form.verb, "Cancel")
        imgui.begin_disabled(not outcome.is_possible)
        does = primary_button(theme, item(filling.form.verb, "does"))
        imgui.end_disabled()
        continue_line(button_width("Cancel"))
        leaves = imgui.button("Cancel")
        return does, leaves


def _width_of(field: Field, scale: float) -> float:
    """Return the width of a field; of choices, that of the first."""
    match field:
        case NumberField():
            return (imgui.calc_text_size(field.label).x + _GAP * scale if field.label else 0.0) + _NUMBER * scale
        case ChoiceField():
            return check_width(field.options[0][1])
        case CheckField():
            return check_width(field.label)


def _draw_field(
    field: Field, entry: str | bool, theme: Theme, scale: float, *, left: float, focuses: bool
) -> str | bool:
    """Draw a field, which gets the keyboard if it `focuses`; return its entry. Further lines of it begin at `left`."""
    match field:
        case NumberField():
            if field.label:
                imgui.align_text_to_frame_padding()
                imgui.text_colored(theme.quiet, field.label)
                imgui.same_line(0.0, _GAP * scale)
            if focuses:
                imgui.set_keyboard_focus_here()
            imgui.set_next_item_width(_NUMBER * scale)
            return imgui.input_text(f"##{field.name}", str(entry), imgui.InputTextFlags_.auto_select_all)[1]
        case ChoiceField():
            for place, (value, label) in enumerate(field.options):
                if place:
                    continue_check(label, left=left)
                if radio_button(item(sentence_case(label), f"{field.name} {value}"), entry == value):
                    entry = value
            return entry
        case CheckField():
            return check_box(item(sentence_case(field.label), field.name), bool(entry))[1]

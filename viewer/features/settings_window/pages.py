"""Rows of settings: label, control, and a button that gives a setting its default again."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

from imgui_bundle import icons_fontawesome_6 as icons
from imgui_bundle import imgui

from octoscope.viewer.settings.config import DECLARED, Config, Declared
from octoscope.viewer.settings.settings import Settings
from octoscope.viewer.ui.imgui.items import (
    button,
    button_width,
    check_box,
    item,
    list_row,
    sentence_case,
    wrapped_text,
)
from octoscope.viewer.ui.imgui.theme import Theme
from octoscope.viewer.window.drags import BOX, DRAGS, GESTURES, LOOK, NOTHING, action_of, actions_of

_LABELS = 0.34  # share of the width
_WIDEST = 260.0  # logical pixels of a control
_ACTIONS = {BOX: "Box select", LOOK: "Look around", NOTHING: "Nothing"}  # of a drag, if not as they are called
_DRAG = 0.01  # of a number, per pixel
_DEFAULTS: dict[str, Any] = {each.name: each.default for each in fields(Config)}


class Rows:
    """Draws settings as rows of a page."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._dragged: dict[str, float] = {}  # numbers that are held: applied, a scale would move them

    def draw_page(self, page: str, theme: Theme, scale: float) -> None:
        """Draw the settings that are declared for a page; `scale` is that of text and spacing now."""
        for name, declared in DECLARED.items():
            if declared.page == page:
                self.draw_setting(name, theme, scale)

    def draw_setting(self, name: str, theme: Theme, scale: float) -> None:
        """Draw the row of a setting, and set what the user chooses."""
        declared, value = DECLARED[name], getattr(self._settings.config, name)
        _begin_row(declared.label, scale)
        chosen = self._control(name, declared, value, scale)
        if value != _DEFAULTS[name] and _reset_button(name):
            chosen = _DEFAULTS[name]
        imgui.set_cursor_pos_x(_LABELS * imgui.get_window_width())
        if declared.limits is not None and value is not None and scale < value:
            wrapped_text(f"This window has room for {scale:.2f}", theme.warm)
        else:
            wrapped_text(sentence_case(declared.about), theme.quiet)
        imgui.spacing()
        if chosen != value:
            self._settings.config = replace(self._settings.config, **{name: chosen})

    def draw_drags(self, scale: float) -> None:
        """Draw a row for each drag of the mouse."""
        config = self._settings.config
        preset = DRAGS[config.preset]
        for gesture in GESTURES:
            held, _, button = gesture.rpartition("+")
            action = action_of(config.drags, button, [held])
            label = sentence_case(f"{gesture.replace('+', ' + ')} drag")
            _begin_row(label, scale)
            labels = {each: _ACTIONS.get(each, sentence_case(each)) for each in actions_of(gesture)}
            chosen = _combo(gesture, labels, action)
            mouse = {**config.mouse}
            if gesture in mouse and _reset_button(gesture):
                del mouse[gesture]
            elif chosen != action:
                mouse[gesture] = chosen
                if preset.get(gesture) == chosen:
                    del mouse[gesture]
            if mouse != config.mouse:
                self._settings.config = replace(config, mouse=mouse)

    def _control(self, name: str, declared: Declared, value: Any, scale: float) -> Any:
        if declared.choices:
            return _combo(name, declared.choices, value)
        if declared.limits is None:
            return check_box(f"##{name}", value)[1]
        shown, flags = self._dragged.get(name, scale if value is None else value), imgui.SliderFlags_.always_clamp
        _, shown = imgui.drag_float(f"##{name}", shown, _DRAG, *declared.limits, "%.2f", flags)
        if imgui.is_item_active():
            self._dragged[name] = shown
        elif self._dragged.pop(name, None) is not None and imgui.is_item_deactivated_after_edit():
            return round(shown, 2)
        return value


def _combo(name: str, labels: Any, value: str) -> str:
    """Draw a choice, and return the value that is chosen."""
    if imgui.begin_combo(f"##{name}", labels[value]):
        for each, label in labels.items():
            if list_row(item(label, each), each == value):
                value = each
        imgui.end_combo()
    return value


def _begin_row(label: str, scale: float) -> None:
    imgui.align_text_to_frame_padding()
    imgui.text(label)
    imgui.same_line(_LABELS * imgui.get_window_width())
    reset = button_width(icons.ICON_FA_ROTATE_LEFT) + imgui.get_style().item_spacing.x
    imgui.set_next_item_width(min(_WIDEST * scale, imgui.get_content_region_avail().x - reset))


def _reset_button(name: str) -> bool:
    imgui.same_line()
    return button(item(icons.ICON_FA_ROTATE_LEFT, f"reset {name}"), "Reset to default")

"""The panel of scripts: the buttons, sliders ... that they have added."""

from __future__ import annotations

from imgui_bundle import icons_fontawesome_6 as icons
from imgui_bundle import imgui

from octoscope.viewer.editing.controls import Control
from octoscope.viewer.editing.script import Script
from octoscope.viewer.ui.imgui.items import empty_state, item, slider
from octoscope.viewer.ui.imgui.theme import Theme


class ScriptPanel:
    """A row for each control; open by itself as soon as there is one."""

    id, title, place, keys = "script", "Script", "right", ()

    def __init__(self, script: Script) -> None:
        self._script = script
        self._typing: dict[Control, str] = {}

    @property
    def starts_open(self) -> bool:
        """True if there are controls."""
        return bool(self._script.controls)

    def draw(self, theme: Theme) -> None:
        """Draw the controls."""
        if not self._script.controls:
            text = "Scripts add controls here: window.slider(...), window.button(...)."
            empty_state(theme, icons.ICON_FA_SLIDERS, text)
        held = None
        for place, control in enumerate(list(self._script.controls)):
            value = self._drawn(control, item(control.label, f"control {place}"))
            held = control if imgui.is_item_active() else held
            if value is not None:
                self._script.change(control, None if control.kind == "button" else value)
        self._script.held = held

    def _drawn(self, control: Control, name: str) -> object:
        """Draw a control, and return its new value, or None if it stays as it is."""
        before = control.value
        imgui.set_next_item_width(0.6 * imgui.get_content_region_avail().x)
        match control.kind:
            case "button":
                return imgui.button(name) or None
            case "checkbox":
                changed, value = imgui.checkbox(name, before)
            case "slider" if control.is_whole:
                changed, value = slider(name, before, int(control.lowest), int(control.highest), "%d")
            case "slider":
                changed, value = slider(name, float(before), control.lowest, control.highest, "%.3f")
                value = min(max(value, control.lowest), control.highest)
            case "dropdown":
                changed, index = imgui.combo(name, control.choices.index(before), list(control.choices))
                value = control.choices[index]
            case _:
                _, value = imgui.input_text(name, self._typing.get(control, before))
                self._typing[control] = value
                changed = imgui.is_item_deactivated_after_edit()
                if not imgui.is_item_active():
                    self._typing.pop(control)
        return value if changed and value != before else None

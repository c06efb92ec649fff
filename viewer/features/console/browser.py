"""BrowserScript: the controls of scripts in browsers, and buttons for the keys that they bind."""

from __future__ import annotations

from contextlib import suppress
from functools import partial
from typing import Any

from octoscope.viewer.app.open_window import SCRIPT_MENU
from octoscope.viewer.editing.controls import Control
from octoscope.viewer.features.web.front import BrowserFront, BrowserPart

_STEPS = 200  # of a slider of fractions


class BrowserScript:
    """The controls and keys of a script; every browser shows the same values."""

    commands = ()

    def __init__(self, front: BrowserFront) -> None:
        self._context, self._script, self._controls = front.context, front.context.script, front.controls
        self._folder: Any = front.controls.gui.add_folder("Script", visible=False, order=-1.0)  # first
        self._shown: dict[Control, tuple[Any, Any]] = {}  # by control: its handle, and the value that both last had
        self._keys: dict[str, Any] = {}  # buttons for keys, by the ids of their commands

    def update(self) -> None:
        """Show controls that are new, and values that the script has set; take away those that it has removed."""
        for control in self._shown.keys() - set(self._script.controls):
            self._shown.pop(control)[0].remove()
        for control in self._script.controls:
            if control not in self._shown:
                with self._folder:
                    self._shown[control] = self._added(control), control.value
            handle, value = self._shown[control]
            if value != control.value:
                self._shown[control] = handle, control.value
                handle.value = control.value
        for command in self._context.table().commands:
            if command.menu == SCRIPT_MENU:
                if command.id not in self._keys:
                    with self._folder:
                        self._keys[command.id] = self._controls.button("", partial(self._context.run, command.id))
                self._keys[command.id].label = f"{command.label} ({', '.join(command.keys)})"
        self._folder.visible = bool(self._shown or self._keys)

    def _added(self, control: Control) -> Any:
        gui, label = self._controls.gui, control.label
        match control.kind:
            case "button":
                return self._controls.button(label, partial(self._script.change, control))
            case "slider":
                step = 1 if control.is_whole else (control.highest - control.lowest) / _STEPS
                handle: Any = gui.add_slider(label, control.lowest, control.highest, step or 1.0, control.value)
            case "checkbox":
                handle = gui.add_checkbox(label, control.value)
            case "dropdown":
                handle = gui.add_dropdown(label, control.choices, initial_value=control.value)
            case _:
                handle = gui.add_text(label, control.value)
        self._controls.follow(handle, partial(self._take, control, handle))
        return handle

    def _take(self, control: Control, handle: Any) -> None:
        """Take a value that a browser has chosen, if it is new and one that the control can have."""
        value, before = handle.value, self._shown[control][1]
        if value != before:
            self._shown[control] = handle, value
            with suppress(ValueError):  # what a browser sends may be anything; `update` shows what it was before
                self._script.change(control, value)


PART = BrowserPart(BrowserScript)

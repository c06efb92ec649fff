"""Window keys as Dear ImGui names them."""

from __future__ import annotations

import functools
import string

from imgui_bundle import imgui

# Most names differ only in case; these are the others.
_IMGUI_NAME_BY_WINDOW_NAME = {
    **{name: f"{name.lower()}_arrow" for name in ("LEFT", "RIGHT", "UP", "DOWN")},
    **{f"NUMBER_{digit}": f"_{digit}" for digit in string.digits},
    **{f"NUMPAD_{digit}": f"keypad{digit}" for digit in string.digits},
}


@functools.cache
def imgui_key_from_name(name: str) -> imgui.Key | None:
    """Return the Dear ImGui key of a name of `viewer.window.keys`; None where there is none."""
    return imgui.Key.__members__.get(_IMGUI_NAME_BY_WINDOW_NAME.get(name, name.lower()))

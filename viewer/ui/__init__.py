"""Dear ImGui: panels, dialogs and overlays. Reads everything below, changes it through editing and commands.

Sub-packages, bottom first: imgui, widgets, panels, dialogs, overlays.

    shell           Shell: lays out menus, docked panels and overlays around the picture.
    shell_commands  commands of the interface: show panels, themes, layout, full screen, palette, key sheet.
    boxes           Boxes: the dialogs of one document.
    focus           Focus: whether keys go to commands, a text field or a dialog, and whether that is known yet.
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress

# The binary of imgui-bundle asks for functions of GLFW's for X11, which nothing here calls, and is given the GLFW that
# is loaded already. One for Wayland lacks them: that is no matter as long as functions are looked up when they are
# called, and not, as Python has it, when a module is imported.
if sys.platform.startswith("linux"):
    _flags = sys.getdlopenflags()
    sys.setdlopenflags(os.RTLD_LAZY | os.RTLD_LOCAL)
    try:
        with suppress(ImportError):  # who needs it imports it again; kernels are compiled where there is no libX11, too
            import imgui_bundle  # noqa: F401
    finally:
        sys.setdlopenflags(_flags)

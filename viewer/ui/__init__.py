"""Dear ImGui: panels, dialogs and overlays. Reads everything below, changes it through editing and commands.

Sub-packages, bottom first: imgui, widgets, panels, dialogs, overlays.

    shell           Shell: lays out menus, docked panels and overlays around the picture.
    shell_commands  commands of the interface: show panels, themes, layout, full screen, palette, key sheet.
    boxes           Boxes: the dialogs of one document.
    focus           Focus: whether keys go to commands, a text field or a dialog, and whether that is known yet.
"""

"""Dear ImGui: panels, dialogs and overlays. Reads everything below, changes it through editing and commands.

Sub-packages, bottom first: imgui, widgets, panels, dialogs, overlays.

    shell           Shell: the window around the picture: menus, docked panels, overlays.
    shell_commands  the commands of the interface itself.
    boxes           Boxes: what wants something of a person.
    focus           what keys and clicks are for.
"""

"""Overlays: everything over the picture or at its edge: statistics, labels, toolbar, menus, status bar.

Imports the viewer below ui, viewer.ui.imgui.

    hud              Hud: statistics, progress, messages (toasts) and a tool's rows over the picture.
    statistics       counts and times of the last frame.
    viewport_labels  name and counts of each of several viewports.
    select_overlay   selection box, and the list of objects behind each other.
    gizmo_overlay    handles of the gizmo.
    toolbar          buttons of the tools at the edge of the picture.
    status_bar       the bar below the picture; its text, and that of the title.
    menus            menus from the table of commands; the menu of a right click.
    start_box        buttons in the picture of an empty scene.
"""

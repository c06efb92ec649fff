"""What lies over the picture or beside it: figures, labels, toolbar, menus, status.

Imports the viewer below ui, viewer.ui.imgui.

    hud              figures, progress and messages over the picture.
    figures          counts and times of the last frame.
    viewport_labels  name of each viewport.
    select_overlay   selection box and list of stacked hits.
    gizmo_overlay    handles of the gizmo.
    toolbar          tools at the edge of the picture.
    status_bar       the bar below the picture.
    status_text      texts of title and status bar.
    menus            menus from the table of commands.
    picture_menu     menu of a right click.
    start_box        how to begin, in an empty scene.
"""

"""Dear ImGui itself: backend, fonts, theme, docking.

Imports nothing of the viewer.

    backend        events in, triangles out through moderngl.
    keys           keys as Dear ImGui names them.
    fonts          fonts.
    theme          colours and spacing, dark and light.
    items          labels and ids of items.
    docking        where panels are docked.
    picture_share  keep the picture's share of a window that is resized.
"""

"""Dear ImGui itself: backend, fonts, theme, docking.

Imports viewer.frame.look.

    backend        ImguiBackend: events in, triangles out through moderngl.
    fonts          fonts, also for other scripts, and icons.
    theme          colours and spacing, dark and light.
    items          labels and ids of items, rows of lists, lines that are continued; texts cut to fit, tooltips.
    windows        boxes in the middle of the window that wait for an answer, and panels over the picture.
    docking        Docking: original and present positions of panels.
"""

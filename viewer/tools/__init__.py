"""Tools: pointer and keys over the picture become edits. gizmo/ is one of them.

Imports viewer.editing, viewer.frame, viewer.camera, viewer.window.

    intents       what a person wants of the picture: Press, Drag, Click, KeyPress ...
    tools         Tools: the tools of a window.
    select_tool   select by click and by box.
    hover         what a click would select.
    measure_tool  clicks become measurements.
    camera_tool   drags and keys move the camera.
"""

"""Tools: pointer and keys over the picture become edits. The gizmo has a sub-package of its own, gizmo/.

Imports viewer.editing, viewer.frame, viewer.camera, viewer.window.

    intents       Press, Drag, Click, Hover, KeyPress ...: what the pointer and keys mean over the picture.
    held_button   HeldButton: a button that is held over the picture: a click or a drag.
    tool          Follow: a tool that is offered intents; Hand: holds the one that is used.
    tools         Tools: the tools of a window.
    select_tool   SelectTool: selection by click and by box, objects behind each other; HoverPicker.
    nudging       Nudger: the arrows move the selection by steps.
    camera_tool   CameraTool: drags, wheel and keys move the camera; speed of flying.
"""

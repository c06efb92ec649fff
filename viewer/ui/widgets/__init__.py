"""Widgets that panels are made of.

Imports viewer.ui.imgui.

    fields         number fields for one or many objects.
    arithmetic     expressions in number fields: 90/4, +=1.
    panel          Panel: what the shell docks.
    focus_request  ask for the keyboard focus.
"""

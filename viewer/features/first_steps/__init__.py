"""First steps: a card with three gestures over the first scene that a user opens, until the first of them.

Imports viewer.app.contribution, viewer.commands, viewer.frame, viewer.settings, viewer.tools, viewer.window,
viewer.ui.overlays, viewer.ui.imgui.

    feature  FirstSteps: the card's rows, and what ends it; the command in the Help menu.
"""

"""Copy, cut and paste objects, within a window, between windows, and as text.

Imports viewer.app.contribution, viewer.commands, viewer.editing.

    feature  the commands of the Edit menu.
"""

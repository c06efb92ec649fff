"""Copy, cut and paste objects, within a window, between windows, and as text.

Imports viewer.app.contribution, viewer.commands, viewer.editing; in browsers the front of `web`.

    feature  the commands of the Edit menu.
    browser  the commands in browsers; what they copy stays there.
"""

"""Docked panels. inspector/ is one of them.

Imports viewer.ui.widgets, viewer.ui.imgui and the viewer below ui.

    outliner       the tree of nodes.
    outliner_rows  the rows that the outliner shows.
    history        the history.
    messages       problems of files, and the log.
    bookmarks      bookmarks.
"""

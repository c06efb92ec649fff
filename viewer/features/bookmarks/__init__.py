"""Bookmarks of the camera in a window: add, visit, step through, rename and remove them.

The bookmarks themselves are the scene's (scene/annotations/bookmarks.py): files and projects keep them.
Imports viewer.app.contribution, viewer.commands, viewer.editing, viewer.camera, and the front of `web`.

    bookmark_list  BookmarkList: the operations, each with undo.
    panel          BookmarksPanel.
    feature        what the feature adds to a window, and its commands.
    browser        BrowserBookmarks: buttons and commands in browsers.
"""

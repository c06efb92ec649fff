"""The 3D cursor: a point that the user places, for pivots, arrays, origins and new objects. The point is Scene.cursor.

Imports viewer.app.contribution, viewer.commands, viewer.editing, viewer.tools, viewer.frame, and the front of `web`.

    decoration  CursorMark: the cursor in pictures.
    feature     places it by a right click with Shift; the commands of Object > Snap.
    browser     the commands in browsers.
"""

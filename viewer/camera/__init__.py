"""The camera: an immutable value, and pure functions from it to the next one.

Imports the scene alone.

    camera         Camera: pose, pivot, lens, near and far plane; matrices and rays.
    views          the named views: directions along the axes.
    controls       orbit, pan, zoom, fly, frame a box, and how far a pixel or a step of the wheel goes.
    bookmark_pose  conversion between bookmarks and cameras.
    camera_json    a camera as JSON, for the clipboard and for files.
"""

"""The camera: an immutable value, and pure functions from it to the next one.

Imports the scene alone.

    camera         Camera: pose, pivot, lens, near and far plane; named views; matrices and rays.
    controls       orbit, pan, zoom, fly, frame a box, and how far a pixel or a step of the wheel goes.
    bookmark_pose  conversion between bookmarks and cameras.
"""

"""Where one looks from: an immutable camera, and pure functions to the next one.

Imports the scene alone.

    camera         Camera: pose, pivot and lens; matrices and rays.
    controls       orbit, pan, zoom, fly: from a camera and a gesture to the next camera.
    bookmark_pose  convert between bookmarks and cameras.
"""

"""Panoramas: pictures of all directions in files, which light a scene as the environment.

Imports viewer.app.contribution, viewer.commands, viewer.tools, viewer.document, viewer.editing, viewer.frame.

    environment  which files are panoramas, for options and settings.
    reading      their pixels, by OpenImageIO.
    panorama     the environment of a picture: broken pixels, what rough surfaces mirror.
    feature      View > Light > Open panorama; files that are dropped on the window.
"""

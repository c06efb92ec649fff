"""The asset browser: folders as grids of thumbnails, and files of them placed in the scene by the mouse.

Imports viewer.app.contribution, viewer.commands, viewer.editing, viewer.document, viewer.frame, viewer.rendering,
viewer.settings, viewer.tools, viewer.ui.

    asset_folder  AssetFolder: the folder that is shown, favourites, recent folders.
    thumbnails    Thumbnails: pictures of files, from the user's cache or drawn in the background.
    drawing       the process that draws them.
    standing      where an object stands on a surface: arithmetic.
    placing       Placer: reads a file and adds it where the mouse points.
    panel         AssetPanel: the panel.
    overlay       the box that shows where a dragged file will stand.
    feature       what the feature adds to a window.
"""

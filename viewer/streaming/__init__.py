"""A tileset that is larger than memory, in a view: scene.streaming, asked for what the cameras see.

Nothing that streams in is an edit, and nothing can be edited: objects come and go with their tiles.

Imports viewer.camera, viewer.frame, viewer.editing.

    coarseness   Coarseness: by how many pixels tiles may be off while the cameras move, and as they rest.
    tile_stream  TileStream: reads tiles beside the window, and shows them once they are on the graphics card.
"""

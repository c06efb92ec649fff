"""3D Tiles: `octoscope tiles` makes them (scene/tiling/), and tilesets larger than memory stream (scene/streaming/).

Nothing that streams in is an edit, and nothing can be edited: objects come and go with their tiles.

Imports viewer.cli and below.

    command_line  the options of `octoscope tiles`, and --budget of others, which opens a tileset.
    tiles       the command.
    coarseness  Coarseness: by how many pixels tiles may be off while the cameras move, and as they rest.
    stream      TileStream: reads tiles beside the window, and shows them once they are on the graphics card.
"""

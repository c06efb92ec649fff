"""3D Tiles: `octoscope tiles` makes them (scene/tiling/), and tilesets larger than memory stream (scene/streaming/).

Nothing that streams in is an edit, and nothing can be edited: objects come and go with their tiles.

Imports viewer.cli and below.

    command_line  the options of `octoscope tiles`, and --budget of others, which opens a tileset.
    tiles       the command.
    feature     TileFoldout of the inspector: the tile that shows an object.
    stream      TileStream: reads tiles beside the window, as coarse as keeps up, and shows what is on the card.
"""

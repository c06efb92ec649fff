"""Show tilesets that do not fit in memory: the tiles that a picture needs, as far as a budget of memory goes.

A tile is shown until all tiles right below it are there, and then together with them only if these add to it. The
scene holds the objects of the tiles that are shown, and no others. None of it is an edit.

Imports scene.formats and below.

    tile_selection  select: which tiles to show, and which to read, for what cameras see.
    tile_content    read_tile: a tile's file as meshes, one for each object.
    streamed_tiles  StreamedTiles: the tiles in memory, and those of them that a scene shows.
    opening         open_tileset: a tileset that streams.
"""

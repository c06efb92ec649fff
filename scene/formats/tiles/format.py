"""The names of 3D Tiles, and their reader."""

FORMATS = {"3D Tiles": (("tileset.json",), ("tiles.reader", "read_tileset"))}  # no other .json in a folder is one

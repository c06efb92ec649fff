"""The names of 3D Tiles, and their reader."""

# No other .json in a folder is one.
FORMATS = {"3D Tiles": (("tileset.json", ".3tz"), ("tiles.reader", "read_tileset"))}

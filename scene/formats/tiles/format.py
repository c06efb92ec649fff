"""The names of 3D Tiles, and their reader; that of glTF, which may have features as the contents of tiles do."""

# No other .json in a folder is one.
FORMATS = {"3D Tiles": (("tileset.json", ".3tz"), ("tiles.reader", "read_tileset"))} | {
    name: ((ending,), ("tiles.gltf_reader", "read_gltf")) for name, ending in (("GLB", ".glb"), ("glTF", ".gltf"))
}

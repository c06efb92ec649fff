"""Property tables: names, numbers and texts that a tileset states of its features.

Imports scene.formats.tiles.files, scene.formats.gltf and what scene.formats may.

    property_table  PropertyTable: columns of numbers, strings and lists, as EXT_structural_metadata has them.
    metadata        what tilesets, tiles, contents and groups say of themselves; schemas.
    features        Features: which rows of property tables vertices, nodes and instances are of.
    at_point        what a glTF says of a point: features and properties in textures, and of vertices.
    batch_table     property tables of contents of 3D Tiles 1.0.
"""

"""OGC 3D Tiles 1.0 and 1.1: any tileset read; implicit octrees written, of what scene.tiling makes.

3D Tiles have Z up, and glTF has Y up, as a scene has: whoever shows a tile turns its glTF by (x, y, z) -> (x, -z, y).
Cells and boxes of tiles are therefore in the turned frame, "tiles" in names, and contents stay as the scene is.
Imports scene.formats.gltf and what scene.formats may.

    files/          files in archives, on servers, or packed.
    tables/         property tables, and the features that they describe.
    objects         Objects: names and parents of all objects of a tileset.
    cells           cells of the octree, in the frame of 3D Tiles.
    volumes         bounding volumes as boxes; regions on the WGS84 ellipsoid.
    subtree         Subtree: which tiles there are, as bits in Morton order, and what is said of each.
    tileset         Tileset: tileset.json with its subtrees, written.
    implicit        ImplicitTiles: the tiles of an octree or quadtree, read from its subtrees.
    description     TilesetDescription: what one tileset.json says of its tiles.
    tileset_columns TilesetColumns: the same as arrays.
    tile_table      TileTable: the tiles of a tileset as arrays in the world, and of those placed in it once read.
    placed_tilesets write tilesets in a tileset, each with a transform.
    materials       materials and textures that many contents share.
    reduced_textures  each image at a half, a quarter ... of its size, for tiles that stand for those far away.
    repeats         objects that show the same mesh, and copies of it in a tile.
    content         a tile's geometry as a GLB.
    feature_table   places, directions, sizes and colours in contents of 3D Tiles 1.0.
    contents        read_contents: glTF, GLB, b3dm, i3dm, pnts and cmpt.
    object_content  objects_in: the objects of a content, one for each feature.
    format          FORMATS: its name and endings.
    file_properties FileProperties: what files that were read whole state of their objects.
    reader          read_tileset: the finest contents of a tileset as one file's content.
"""

"""glTF and GLB: reader and writer, without trimesh.

writing/ makes the parts of a file; compression/ has Draco and meshoptimizer. Imports what scene.formats may.

    reader             read_gltf.
    document           the container: JSON and buffers.
    older              glTF 1.0 as 2.0.
    codes              the numbers that glTF gives to types and modes.
    accessors          typed arrays in a file's bytes, checked before use.
    primitives         a file's primitives as one table.
    elements           kernels: points, lines and triangles of primitives; items of accessors as floats.
    read_meshes        meshes of a file.
    read_materials     materials and images of a file.
    read_nodes         nodes of a file.
    read_cameras       cameras of a file, as bookmarks.
    read_extras        measurements and labels of our own files.
    instances          a mesh at many places by one node.
    read_sparse        accessors of which a file has few items.
    writer             write_glb.
    texture_placement  KHR_texture_transform: scale and offset of textures.
"""

"""Decompression of meshes and buffers in glTF files.

Imports scene.formats.gltf.codes, .document, .accessors, .instances and what scene.formats imports.

    draco            meshes, by the library DracoPy.
    meshopt          buffers of meshoptimizer (EXT_meshopt_compression, KHR_meshopt_compression).
    meshopt_codec    the three streams of meshoptimizer.
    quantized        whole numbers that a matrix makes floats of (WEB3D_quantized_attributes).
"""

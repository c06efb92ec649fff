"""Wavefront MTL: materials, read and written.

Imports scene.mesh, scene.geometry, scene.system.

    reader      read the libraries that an OBJ file names.
    statements  the statements of one library.
    maps        map_... statements: find and read their images.
    writer      write a library and its images.
"""

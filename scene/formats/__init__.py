"""Other programs' files: obj/ mtl/ gltf/ ply/ tiles/ converted/ las/ and what they share.

obj/ imports mtl/, ply/ imports obj/ and gltf/, tiles/ and converted/ import gltf/.

Readers import scene.mesh and below, writers the scene. What cannot be read raises ReadError, what cannot be written
WriteError or SaveError; docstrings name other exceptions alone.

    endings         FORMATS: the formats that are read, by name.
    readers         read_file: choose the reader by the ending of a file name.
    writers         WRITERS: writers by the ending of a file name.
    export          what every writer needs: nodes to write, what is left out.
    nested_nodes    a file's tree of nodes as columns.
    bulk_text       format many rows of numbers in one call.
    simple_files    what PLY, STL, OFF and 3MF files hold, as FileContent.
    off_reader      OFF.
    stl_reader      STL, through trimesh.
    threemf_reader  3MF.
    ply_elements    the elements of a PLY file, or triangles, as a mesh.
    ply_stl_writer  write PLY and STL.
"""

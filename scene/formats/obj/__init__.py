"""Wavefront OBJ: reader and writer. The stages of the reader are listed in reader.py in their order.

Imports scene.formats.mtl and what scene.formats may.

    reader         read_obj: from a path to plain arrays; read_obj_in_parts.
    blocks         cut a file into blocks of whole lines, unpacked and decoded.
    statements     one block of bytes becomes numbers in BlockArrays.
    calls          Calls: a file with those that it reads in place.
    words          words and lines in bytes.
    numbers        numbers in bytes.
    block_arrays   BlockArrays: the arrays that one block fills.
    collected      Collected: the numbers of all blocks; indices become absolute.
    freeform       curves and surfaces become lines and faces; a room of its own.
    object_tree  objects, groups and materials of a file, and which faces are whose.
    vertices       corners become vertices, one for each distinct set of indices.
    meshing        a file's statements become a MeshBatch, on several threads.
    mesh_kernels   the kernels of meshing; convex polygons become fans.
    parts          parts of a file too large for memory.
    faults         what was wrong with a file's statements, as problems.
    writer         write_obj.
    text           meshes as text.
"""

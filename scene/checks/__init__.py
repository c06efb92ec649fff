"""Find what is wrong with meshes: open edges, faces that are there twice, missing normals.

Imports scene.mesh, scene.nodes, scene.spatial.

    mesh_check        check_meshes and MeshCheck: all faults, in columns.
    triangle_defects  triangles without an area, and those that are there twice.
    vertex_looks      which meshes have normals, texture coordinates and textures.
    fault_marks       the edges and faces of one fault.
"""

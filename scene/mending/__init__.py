"""Mend meshes: turn, remove and add faces, weld vertices; every column of what stays is kept.

Imports scene.checks, scene.mesh, scene.geometry.

    mending  the mends, as functions of a MeshBatch.
    winding  which triangles are to be turned so that all look outward.
    welding  which vertices lie within a distance of each other.
    holes    the closed loops that open edges make.
"""

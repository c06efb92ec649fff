"""The meshes of many objects in one set of arrays, and coarser ones: for tiles, and far objects in browsers.

Imports scene.mesh, scene.upright.

    geometry    JoinedGeometry: triangles, lines and points of many objects.
    coarsening  simplify it up to an error.
"""

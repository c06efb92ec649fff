"""Find the nodes that a frustum or a ray meets: the only place where a scene meets an octree.

Imports scene.nodes, scene.bvh, scene.geometry, scene.system, octree.

    index               SpatialIndex: the octree over the nodes that have a mesh.
    fitting             size and levels of an octree that fit a scene.
    index_settings      IndexSettings: how the octree is built: placement, looseness, capacity, size, level.
    frustum_select      nodes whose elements a frustum touches or holds (box selection), or a section cuts.
    frustum_kernels     the kernels of frustum_select: triangles, lines and points against planes.
    cursor_kernels      lines and points in the picture, near the cursor (scene.measuring.near_cursor).
    raycast             RayCaster: cast rays at the nodes.
    cast                the kernel of a ray cast: octree, then triangle trees.
    hit_attributes      point, normal and texture coordinates of a hit.
    incremental_bounds  bounds of many spheres that change, kept up to date.
    lod_view            LodView: a camera as the selection of levels of detail (LOD) needs it.
"""

"""Which nodes a frustum or a ray meets: the only place where a scene meets an octree.

Imports scene.nodes, scene.bvh, octree.

    index               SpatialIndex: the octree over the nodes of a scene.
    frustum_select      nodes whose elements a frustum touches or holds (box selection).
    raycast             RayCaster: cast rays at a scene.
    cast                the kernel of a ray cast: octree, then triangle trees.
    hit_attributes      point, normal and texture coordinates of a hit.
    ray_hits            RayHits: the answer to many rays.
    near_cursor         lines and points near a pixel, which are too thin for a ray to hit.
    incremental_bounds  bounds of many spheres that change, kept up to date.
"""

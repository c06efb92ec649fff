"""Find objects that reach into each other (clash detection).

Imports scene.spatial, scene.nodes, scene.mesh, scene.bvh, scene.geometry, scene.system.

    search        find_overlaps and OverlapSearch: all overlapping pairs.
    broad_phase   pairs whose world boxes overlap.
    narrow_phase  decide by triangles whether two objects overlap.
    containment   decide whether one of two objects lies inside the other.
    penetration   measure how deep two objects reach into each other, where and in which direction.
    region_query  triangles of an object that reach into a region.
"""

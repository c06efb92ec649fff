"""The triangle trees of meshes (bounding volume hierarchies): build, keep, walk.

Imports scene.mesh and octree.

    arrays      the arrays of trees, queries and hits, as kernels take them.
    build       build the trees of meshes, eight children a node.
    sah         choose where to divide boxes (surface area heuristic).
    store       MeshTrees: the trees of a pool of meshes, built when first asked for.
    traverse    walk one ray through one mesh.
    triangle    one ray against one triangle, watertight (Woop, Benthin and Wald 2013).
    simd        one ray against eight boxes at once.
"""

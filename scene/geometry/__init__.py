"""Pure functions and kernels over arrays of numbers; nothing here knows a mesh, a node or a file.

Imports octree.jit.

    matrix_kernels   kernels on one 4x4 matrix: compose, largest singular value, box.
    affine           check numbers and rotations; factor matrices into rotations and scales.
    pyrr_transforms  matrices and quaternions by pyrr: rotations, projections, axes of a camera.
    rotations        axes along directions.
    decompose        translations, rotations and scales of many matrices in one pass.
    forest           trees as columns of parents: top-down order, depths, cycles.
    disjoint_sets    sets of numbers that kernels unite.
    bounded          bins and powers of two that stay within bounds for any float.
    ranges           row numbers of ranges, and which rows are equal.
    colors           convert colours between sRGB and linear light.
    normals          normals of unit length as they are stored.
    vertex_transform positions and normals of many meshes, each through its matrix.
    triangulation    cut polygons into triangles: a fan if convex, else ear clipping.
    polygon_merging  join triangles that were cut from one polygon.
    predicates       exact signs of determinants (orientation tests).
    triangle_pairs   decide exactly whether two triangles intersect.
    clearance        vertical distance between two triangles.
"""

"""Meshes, materials and textures as data.

Imports scene.geometry and scene.system.

    table                 ColumnTable: numpy columns that grow together.
    layout                COLUMNS: the columns of meshes, which batches, the pool and project files follow.
    arrays                Mesh: a mesh as arrays by trimesh's names, and as a trimesh.
    data                  MeshData and MeshBatch: meshes as readers and generators make them.
    pool                  Meshes: all meshes of a scene, pooled in one set of arrays.
    batch_bounds          check the indices of meshes; find their boxes and spheres.
    material              Material: the look of a surface.
    texture               Texture: the pixels of an image.
    images                textures from images and back, with Pillow: under limits, shrunk if too large, and shared.
    color_scale           ColorScale: colours that stand for numbers; matplotlib's colormaps.
    from_arrays           meshes of arrays that a script has; arrows.
    primitives            cube, plane, sphere, cylinder, cone, torus.
    polygon_edges         PolygonEdges: the sides of the polygons that a mesh was made from.
    polygon_sides         the kernel of polygon_edges.
    vertex_clustering     make coarser triangles of meshes over the same vertices.
    manifold              find out whether meshes are watertight.
    facing                find the meshes that face outward.
    connected_components  split meshes into their connected parts.
    smoothing             smooth normals, split at sharp edges.
    surface               area and volume of meshes.
"""

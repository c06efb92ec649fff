"""The geometry of many objects merged into one, for tiles and far objects in browsers, and its simplification.

Imports scene.geometry, scene.mesh, scene.conventions.

    merged_geometry  MergedGeometry: triangles, lines and points of many objects.
    simplification   simplify it up to an error.
    skirts           close the gaps between parts that were simplified each by itself.
"""

"""Compute the faces that close objects where planes cut them open.

Imports the scene and scene.geometry.

    caps     Caps: the faces of all objects, as triangles on their meshes; which one lies at a point.
    contours  the lines along which a plane cuts triangles, over small gaps, without those that enclose nothing.
    fill     divide what lines enclose into triangles, each of one object.
"""

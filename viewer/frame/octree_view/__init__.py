"""The octree itself in a picture: its nodes, and another tree beside it.

Imports octree and scene, nothing of the viewer.

    display     OctreeDisplay: which nodes are drawn, and in which colours; the rows that the renderer takes.
    comparison  TreeComparison: another octree over the same objects, and what its queries cost.
"""

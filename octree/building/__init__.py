"""Changes of the tree's arrays: insert, move, remove, sort, divide.

Imports octree.layout, octree.jit.

    placement     the cell of each sphere: looseness; how far spheres stick out of their cells.
    edit          ids and their slots: insert, move, remove.
    sort          sort the slots by cell.
    divide        which cells a capacity divides, and for how many sorts they stay divided.
    leaf_entries  the entries of a LeafOctree: one in every leaf that a sphere touches.
"""

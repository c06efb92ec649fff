"""Changes of the tree's arrays: insert, move, remove, sort, divide.

Imports octree.layout, octree.jit.

    placement     the cell of each sphere: looseness; how far spheres stick out of their cells.
    edit          ids and their slots: insert, move, remove.
    sort          sort the slots by cell.
    divide        capacity: which cells are divided, and for how long.
    leaf_entries  the entries of a LeafOctree: one in every leaf that a sphere touches.
"""

"""The tree in arrays: the keys of cells, the columns of spheres, and the walk from a cell to its children.

Imports octree.jit.

    morton  Morton codes and locational codes: position and level of a cell in one integer.
    slots   Slots and Grid: the columns of spheres, the keys of cells, the table of where cells begin.
    walk    the stack of a walk through the tree; find a cell's children.
"""

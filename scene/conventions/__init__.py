"""Conventions of coordinates: the up axis, the unit of length, and numbers as people type them.

Imports scene.geometry.

    up_axis        the axis that points up: Y or Z.
    upright        the turn from one up axis to the other.
    world          World: both of them, and the way from one world to another.
    length_unit    what one unit of the world is: mm, cm, m, in, ft, or nothing that is known; decimals of lengths.
    typed_numbers  numbers as users type them: 90/4, +=1, 3 in.
"""

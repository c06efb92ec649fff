"""What coordinates mean: which axis points up, and how long a unit is.

Imports scene.geometry.

    up_axis      the axis that points up: Y or Z.
    upright      the turn from one up axis to the other.
    world        World: both of them, and the way from one world to another.
    length_unit  what one unit of the world is: mm, cm, m, in, ft, or nothing that is known; decimals of lengths.
"""

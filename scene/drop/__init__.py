"""Compute how far objects can fall until they touch something.

Imports scene.overlap and below.

    search    drop distances of objects.
    fall      the kernel: fall one object after another.
    box_tree  boxes below an object, met from the top down.
"""

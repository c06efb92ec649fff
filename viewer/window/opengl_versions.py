"""The versions of OpenGL that a context is asked for, one after the other.

The newest that a driver has is wanted, and some make exactly what is asked for. Each of these has a part that is used
where it is there; 3.3 is enough.
"""

VERSIONS = ((4, 6), (4, 5), (4, 3), (4, 1), (3, 3))

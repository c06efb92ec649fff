"""How far objects can fall until they touch something: search, over objects; fall, one after another; gap, triangles.

What an object would land on first need not lie under one of its corners: a peak can reach up into its middle, two edges
can cross. So triangles are compared with triangles, as they are seen from above.
"""

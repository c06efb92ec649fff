"""Ray casts against a scene: the octree finds candidates front to back, the triangles decide, all in one kernel.

A hit's t is in world units along the normalised world direction. Rays go to a mesh's local space with their
direction not renormalised, so that t means the same for every object, however it is scaled.

A mesh of more than a few triangles has a bounding volume hierarchy (bvh.py) rather than the linear octree over its
triangles: a ray meets eight boxes at once. Measured beside `octoscope bench pick`, on two busy cores, in processor time
of one thread: built over 1 M triangles in 0.12 s, over 5 M in 0.8; a random ray through 1 M takes 2.4 to 3.5
microseconds (Embree 0.9 to 1.2), 12 nodes and 12 triangles, most of it waiting for memory; through 20,000 triangles 0.7
(Embree 0.25).
"""

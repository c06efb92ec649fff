"""The kernels of the queries; SphereTree checks the arguments and calls them.

Imports octree.layout, octree.jit.

    volumes  spheres that touch a frustum, a box or a ball.
    raycast  spheres that a ray enters.
    pairs    pairs of spheres that overlap.
"""

"""One ray and one triangle, in float64: watertight at any size.

The ray is sheared onto the z axis and edges are judged by the sign of 2D determinants. Two triangles that share an edge
see the same numbers with opposite signs, so that a ray through the edge hits at least one of them (Woop, Benthin, Wald,
"Watertight Ray/Triangle Intersection", 2013). No epsilon.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from octoscope.octree.jit import borrowing_kernel

MISSED = np.inf


class ShearedRay(NamedTuple):
    """A ray in a mesh's frame, ready to be tested; its direction may have any length."""

    x: int  # the axes that become the sheared frame's; along z the direction is longest
    y: int  # the axes that become the sheared frame's; along z the direction is longest
    z: int  # the axes that become the sheared frame's; along z the direction is longest
    origin_x: float  # origin along these axes
    origin_y: float  # origin along these axes
    origin_z: float  # origin along these axes
    shear_x: float  # how far a step along z moves along x and y
    shear_y: float  # how far a step along z moves along x and y
    direction_z: float  # the direction along z


@borrowing_kernel
def sheared_ray(origin: np.ndarray, direction: np.ndarray) -> ShearedRay:
    """Prepare a ray, from (3,) float64 each; the direction must not be zero."""
    z = 0
    for axis in range(1, 3):
        if abs(direction[axis]) > abs(direction[z]):
            z = axis
    x = (z + 1) % 3
    y = (x + 1) % 3
    return ShearedRay(
        x, y, z, origin[x], origin[y], origin[z], direction[x] / direction[z], direction[y] / direction[z], direction[z]
    )


@borrowing_kernel
def cross_triangle(
    ray: ShearedRay, positions: np.ndarray, i: int, j: int, k: int, back_faces: bool
) -> tuple[float, float, float, float]:
    """Find where a ray crosses the triangle of three rows of `positions`, and the weights of its corners there.

    Returns:
        t, u, v, w: t in lengths of the ray's direction, negative ones too, or MISSED; the weights are not yet divided
        by their sum. A triangle that the ray sees edge on is missed.
    """
    az = positions[i, ray.z] - ray.origin_z
    bz = positions[j, ray.z] - ray.origin_z
    cz = positions[k, ray.z] - ray.origin_z
    ax = positions[i, ray.x] - ray.origin_x - ray.shear_x * az
    ay = positions[i, ray.y] - ray.origin_y - ray.shear_y * az
    bx = positions[j, ray.x] - ray.origin_x - ray.shear_x * bz
    by = positions[j, ray.y] - ray.origin_y - ray.shear_y * bz
    cx = positions[k, ray.x] - ray.origin_x - ray.shear_x * cz
    cy = positions[k, ray.y] - ray.origin_y - ray.shear_y * cz
    u = cx * by - cy * bx
    v = ax * cy - ay * cx
    w = bx * ay - by * ax
    if min(u, min(v, w)) < 0.0 < max(u, max(v, w)):
        return MISSED, 0.0, 0.0, 0.0
    determinant = u + v + w
    if determinant == 0.0 or not (back_faces or (determinant > 0.0) == (ray.direction_z > 0.0)):
        return MISSED, 0.0, 0.0, 0.0
    # Rounding, and underflow in a triangle of hardly any area, must not move the crossing off the triangle's own z.
    z = (u * az + v * bz + w * cz) / determinant
    z = max(min(z, max(az, max(bz, cz))), min(az, min(bz, cz)))
    return z / ray.direction_z, u, v, w

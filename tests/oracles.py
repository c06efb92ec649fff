"""Brute force in float64, and the random scenes it is applied to. Slow, short, and independent of the product's code.

A query's oracle gives each object a `clearance`: how far it is from being found, in world units, negative for what
the query must find. A sphere that touches has clearance 0.
"""

from __future__ import annotations

import numpy as np

EVERYTHING = np.diag((1e-9, 1e-9, -1e-9, 1.0))  # clip_from_world of an orthographic camera that sees a billion units


# Spheres.


def frustum_clearance(planes: np.ndarray, centers: np.ndarray, radii: np.ndarray) -> np.ndarray:
    """(n,): how far outside of its worst plane each sphere is; `planes` (6, 4) inward and of unit length."""
    return (-(centers @ planes[:, :3].T + planes[:, 3])).max(axis=1) - radii


def ray_clearance(
    origin: np.ndarray, direction: np.ndarray, t_max: float, centers: np.ndarray, radii: np.ndarray
) -> np.ndarray:
    """(n,): distance of each sphere from the piece of ray with 0 <= t <= t_max; `direction` of unit length."""
    t_closest = np.clip((centers - origin) @ direction, 0.0, t_max)
    return np.linalg.norm(centers - origin - t_closest[:, None] * direction, axis=1) - radii


def ray_entry(origin: np.ndarray, direction: np.ndarray, centers: np.ndarray, radii: np.ndarray) -> np.ndarray:
    """(n,): t where the ray enters each sphere, 0 from inside it, infinity where it never does."""
    t_closest = (centers - origin) @ direction
    squared = radii**2 - ((centers - origin - t_closest[:, None] * direction) ** 2).sum(axis=1)
    half_chord = np.sqrt(np.maximum(squared, 0.0))
    meets = (radii >= 0.0) & (squared >= 0.0) & (t_closest + half_chord >= 0.0)
    return np.where(meets, np.maximum(t_closest - half_chord, 0.0), np.inf)


def random_spheres(
    rng: np.random.Generator, count: int, center: np.ndarray, half_size: float
) -> tuple[np.ndarray, np.ndarray]:
    """Centres and radii that give a tree about `center` trouble: each sphere of a kind of its own.

    Centres all over the root, in a cluster, on the borders of cells, coincident, and outside the root; radii of
    zero, from a millionth of the root to ten times its size, and powers of two of it, the limits of the levels.
    """
    kinds = [
        rng.uniform(-1.0, 1.0, (count, 3)),
        0.3 + 1e-3 * rng.normal(size=(count, 3)),
        rng.integers(-8, 9, (count, 3)) / 8.0,
        np.full((count, 3), -0.7),
        rng.normal(size=(count, 3)) * 10.0 ** rng.uniform(0.0, 3.0, (count, 1)),
    ]
    centers = np.choose(rng.choice(5, count, p=(0.5, 0.2, 0.1, 0.1, 0.1))[:, None], kinds)
    sizes = [np.zeros(count), 10.0 ** rng.uniform(-6.0, 1.0, count), 0.5 ** rng.integers(0, 9, count)]
    radii = np.choose(rng.choice(3, count, p=(0.1, 0.7, 0.2)), sizes)
    return center + half_size * centers, half_size * radii


# Cameras and rays.


def random_rotation(rng: np.random.Generator) -> np.ndarray:
    """(3, 3), determinant 1."""
    rotation = np.linalg.qr(rng.normal(size=(3, 3)))[0]
    return rotation * np.linalg.det(rotation)


def random_camera(rng: np.random.Generator, center: np.ndarray, half_size: float) -> np.ndarray:
    """clip_from_world of a perspective or orthographic camera near, in or far from a cube of that half size."""
    view_from_world = np.eye(4)
    view_from_world[:3, :3] = random_rotation(rng)
    position = center + half_size * rng.normal(size=3) * 10.0 ** rng.uniform(-2.0, 1.0)
    view_from_world[:3, 3] = -view_from_world[:3, :3] @ position
    near, far = half_size * 10.0 ** rng.uniform(-3.0, -1.0), half_size * 10.0 ** rng.uniform(0.0, 2.0)
    if rng.random() < 0.3:
        return orthographic(half_size * rng.uniform(0.05, 2.0), rng.uniform(0.5, 2.0), -near, far) @ view_from_world
    return perspective(rng.uniform(0.1, 2.8), rng.uniform(0.5, 2.0), near, far) @ view_from_world


def perspective(fov_y: float, aspect: float, near: float, far: float) -> np.ndarray:
    """clip_from_view as gluPerspective has it; `fov_y` in radians."""
    f = 1.0 / np.tan(fov_y / 2.0)
    depth = near - far
    return np.array(
        [[f / aspect, 0, 0, 0], [0, f, 0, 0], [0, 0, (far + near) / depth, 2.0 * far * near / depth], [0, 0, -1, 0]]
    )


def orthographic(half_height: float, aspect: float, near: float, far: float) -> np.ndarray:
    """clip_from_view as glOrtho has it, for a picture about the view's axis."""
    depth = near - far
    scales = np.diag((1.0 / (half_height * aspect), 1.0 / half_height, 2.0 / depth, 1.0))
    scales[2, 3] = (far + near) / depth
    return scales


def random_ray(rng: np.random.Generator, center: np.ndarray, half_size: float) -> tuple[np.ndarray, np.ndarray]:
    """Origin in or about a cube, and a unit direction; one ray in three runs along an axis."""
    origin = center + half_size * rng.normal(size=3) * 10.0 ** rng.uniform(-1.0, 1.0)
    if rng.random() < 0.33:
        direction = np.zeros(3)
        direction[rng.integers(3)] = rng.choice((-1.0, 1.0))
        return origin, direction
    direction = center + half_size * rng.uniform(-1.0, 1.0, 3) - origin
    return origin, direction / np.linalg.norm(direction)


# Transforms.


def random_quaternion(rng: np.random.Generator, *shape: int) -> np.ndarray:
    """(*shape, 4), of unit length, x, y, z, w."""
    quaternion = rng.normal(size=(*shape, 4))
    return quaternion / np.linalg.norm(quaternion, axis=-1, keepdims=True)


def random_affine(rng: np.random.Generator) -> np.ndarray:
    """(4, 4): turned, scaled, sheared, one in two mirrored, and moved."""
    matrix = np.eye(4)
    matrix[:3, :3] = random_rotation(rng) @ np.diag(rng.uniform(0.1, 10.0, 3)) @ random_rotation(rng)
    matrix[:3, 3] = rng.normal(size=3) * 10.0
    return matrix @ np.diag((rng.choice((-1.0, 1.0)), 1.0, 1.0, 1.0))


def local_matrix(translation: np.ndarray, rotation: np.ndarray, scale: np.ndarray) -> np.ndarray:
    """T @ R @ S; the quaternion turns each axis by v + 2 w (q x v) + 2 q x (q x v)."""
    matrix = np.eye(4)
    for column, axis in enumerate(np.eye(3)):
        crossed = np.cross(rotation[:3], axis)
        matrix[:3, column] = axis + 2.0 * rotation[3] * crossed + 2.0 * np.cross(rotation[:3], crossed)
    matrix[:3, :3] *= scale
    matrix[:3, 3] = translation
    return matrix


def world_matrix(parents: np.ndarray, local: np.ndarray, node: int) -> tuple[np.ndarray, np.ndarray]:
    """World matrix of a node from the (n, 4, 4) local ones, and a bound for its rounding error, both (4, 4)."""
    matrix, size, depth = local[node], np.abs(local[node]), 1
    while (node := parents[node]) >= 0:
        matrix, size, depth = local[node] @ matrix, np.abs(local[node]) @ size, depth + 1
    return matrix, size * depth * 2.0**-49


def max_singular_value(matrix: np.ndarray) -> float:
    """Return the largest factor by which a matrix's upper left 3x3 stretches a direction."""
    return float(np.linalg.svd(matrix[:3, :3], compute_uv=False)[0])


def transformed(matrix: np.ndarray, points: np.ndarray) -> np.ndarray:
    """(n, 3) points through a (4, 4) matrix."""
    return points @ matrix[:3, :3].T + matrix[:3, 3]


# Triangles.


def ray_triangles(origin: np.ndarray, direction: np.ndarray, corners: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Moller and Trumbore, both sides, for (n, 3, 3) corners.

    Returns:
        t (n,), infinity where the ray's line is parallel or passes outside or behind; and how far inside its
        triangle the line passes, (n,): the smallest barycentric coordinate, negative outside.
    """
    a, ab, ac = corners[:, 0], corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
    across = np.cross(direction, ac)
    determinant = (ab * across).sum(axis=1)
    parallel = determinant == 0.0
    inverse = 1.0 / np.where(parallel, 1.0, determinant)
    u = ((origin - a) * across).sum(axis=1) * inverse
    turned = np.cross(origin - a, ab)
    v = (turned @ direction) * inverse
    t = (turned * ac).sum(axis=1) * inverse
    inside = np.where(parallel, -np.inf, np.minimum(np.minimum(u, v), 1.0 - u - v))
    return np.where((inside >= 0.0) & (t >= 0.0), t, np.inf), inside

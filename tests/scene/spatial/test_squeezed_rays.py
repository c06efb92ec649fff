"""Rays at nodes that are squeezed by up to 1e13, against exact arithmetic on the very numbers that the scene has."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from octoscope.scene import Scene
from tests.oracles import random_quaternion
from tests.scene.builders import mesh_of, soup


def exactly(values: np.ndarray) -> list:
    return [Fraction(float(value)) for value in values]


def world_corners(scene: Scene, node: int, triangle: int) -> list[list[Fraction]]:
    """The triangle's corners through the node's matrix, without rounding."""
    mesh = int(scene.mesh_ids[node])
    matrix = [exactly(row) for row in scene.world_from_local[node]]
    points = scene.meshes.mesh(mesh).positions[scene.meshes.mesh(mesh).triangles[triangle]]
    return [
        [sum(m * p for m, p in zip(row, [*exactly(point), 1], strict=True)) for row in matrix[:3]] for point in points
    ]


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def dot(a, b):
    return sum(x * y for x, y in zip(a, b, strict=True))


def exact_crossing(corners, origin, direction) -> tuple[Fraction, list[Fraction]] | None:
    """t and the corners' weights of a ray and a triangle's plane (Möller and Trumbore), or None: they are parallel."""
    a, b, c = corners
    ab, ac = ([x - y for x, y in zip(point, a, strict=True)] for point in (b, c))
    p = cross(direction, ac)
    determinant = dot(ab, p)
    if determinant == 0:
        return None
    s = [x - y for x, y in zip(origin, a, strict=True)]
    q = cross(s, ab)
    v, w = dot(s, p) / determinant, dot(direction, q) / determinant
    return dot(ac, q) / determinant, [1 - v - w, v, w]


@pytest.mark.parametrize("exponent", (4.0, 6.5, 9.5, 11.0, 12.5))
def test_what_is_clearly_hit_is_hit_where_exact_arithmetic_says(exponent):
    rng = np.random.default_rng(int(exponent * 10))
    hits = 0
    for _ in range(25):
        scene = Scene()
        mesh = scene.meshes.add(soup(rng, 3))  # of a closed one front and back may count as one crossing
        scales = 10.0 ** np.array([0.0, -rng.uniform(0.0, min(exponent, 13.0 - exponent)), -exponent])
        scales *= rng.choice((-1.0, 1.0), 3)
        turns = random_quaternion(rng, 2)
        parent = scene.add_node("", scale=rng.permutation(scales), rotation=turns[0], translation=rng.normal(size=3))
        node = scene.add_node("", parent=parent.id, mesh=mesh, rotation=turns[1]).id
        scene.update_world()
        for _ in range(4):
            triangle = int(rng.integers(len(scene.meshes.mesh(mesh).triangles)))
            corners = world_corners(scene, node, triangle)
            weights = exactly(rng.dirichlet((4.0, 4.0, 4.0)))
            aim = np.array([float(dot(weights, along)) for along in zip(*corners, strict=True)])
            origin = aim + rng.normal(size=3)
            direction = aim - origin
            direction /= np.linalg.norm(direction)
            crossing = exact_crossing(corners, exactly(origin), exactly(direction))
            if crossing is None or min(crossing[1]) < Fraction(1, 20):
                continue  # so thin from there that the ray, rounded, meets its border
            # It is clear where rounding of a coordinate moves the crossing little within the triangle.
            shifted = exact_crossing(corners, exactly(origin + 4e-15 * rng.choice((-1, 1), 3)), exactly(direction))
            if shifted is None or max(abs(x - y) for x, y in zip(crossing[1], shifted[1], strict=True)) > 0.01:
                continue
            found = [hit for hit in scene.raycast_all(origin, direction) if hit.triangle == triangle]
            assert len(found) == 1, (exponent, crossing)
            assert found[0].t == pytest.approx(float(crossing[0]), rel=1e-6, abs=1e-9)
            np.testing.assert_allclose(found[0].barycentric, [float(w) for w in crossing[1]], rtol=0.0, atol=0.02)
            hits += 1
    assert hits >= 5


@pytest.mark.parametrize("sign", (1.0, -1.0))
@pytest.mark.parametrize("squeezed", (1e-6, 1e-11))
def test_front_and_back_are_those_of_the_mesh_however_it_is_squeezed_or_mirrored(sign, squeezed):
    scene = Scene()
    mesh = scene.meshes.add(mesh_of(np.array([(-1.0, -1.0, 0.0), (1.0, -1.0, 0.0), (0.0, 2.0, 0.0)]), [(0, 1, 2)]))
    scene.add_node("", mesh=mesh, scale=(sign, 1.0, squeezed))
    seen = scene.raycast((0.0, 0.0, 5.0), (0.0, 0.0, -1.0), back_faces=False)
    assert seen.t == pytest.approx(5.0) and seen.normal[2] == pytest.approx(1.0)
    np.testing.assert_allclose(seen.barycentric, (1 / 3, 1 / 3, 1 / 3), atol=1e-9)
    off = scene.raycast((0.25, 0.0, 5.0), (0.0, 0.0, -1.0))
    np.testing.assert_allclose(off.barycentric @ (-1.0, 1.0, 0.0), 0.25 * sign, atol=1e-9)
    assert scene.raycast((0.0, 0.0, -5.0), (0.0, 0.0, 1.0), back_faces=False) is None
    assert scene.raycast((0.0, 0.0, -5.0), (0.0, 0.0, 1.0)).t == pytest.approx(5.0)

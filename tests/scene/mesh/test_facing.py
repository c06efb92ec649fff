"""Meshes that face outward, against winding numbers: the sums of the solid angles under which triangles are seen."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from octoscope.scene import MeshData, Scene
from octoscope.scene.mesh.facing import face_outward
from tests.scene.builders import ball, box, mesh_of, quad


def outward(*meshes: MeshData) -> list[bool]:
    pool = Scene().meshes
    for mesh in meshes:
        pool.add(mesh)
    rows = pool.rows
    columns = (rows[name] for name in ("first_vertex", "vertex_count", "first_triangle", "triangle_count"))
    positions, corners = pool.vertices["position"], pool.triangles["corners"]
    return face_outward(*columns, rows["sphere"][:, :3], positions, corners).tolist()


def joined(*meshes: MeshData) -> MeshData:
    firsts = np.cumsum([0, *(len(mesh.positions) for mesh in meshes)])
    triangles = [mesh.triangles + first for mesh, first in zip(meshes, firsts, strict=False)]
    return mesh_of(np.concatenate([mesh.positions for mesh in meshes]), np.concatenate(triangles))


def moved(mesh: MeshData, by: tuple[float, float, float] = (0.0, 0.0, 0.0), scale: float = 1.0) -> MeshData:
    return mesh_of(mesh.positions * scale + by, mesh.triangles)


def reversed_of(mesh: MeshData) -> MeshData:
    return mesh_of(mesh.positions, mesh.triangles[:, ::-1])


def with_seams(mesh: MeshData) -> MeshData:
    """Each triangle has corners of its own."""
    return mesh_of(mesh.positions[mesh.triangles.ravel()], np.arange(mesh.triangles.size).reshape(-1, 3))


def winding_numbers(mesh: MeshData, points: np.ndarray) -> np.ndarray:
    """(p,): van Oosterom and Strackee, "The Solid Angle of a Plane Triangle" (1983)."""
    a, b, c = (mesh.positions[mesh.triangles[:, k]] - points[:, None] for k in range(3))
    lengths = [np.linalg.norm(each, axis=2) for each in (a, b, c)]
    volume = np.einsum("pti,pti->pt", a, np.cross(b, c))
    below = np.prod(lengths, axis=0)
    for (u, v), length in (((a, b), lengths[2]), ((b, c), lengths[0]), ((c, a), lengths[1])):
        below = below + np.einsum("pti,pti->pt", u, v) * length
    return np.arctan2(volume, below).sum(axis=1) / (2.0 * np.pi)


def test_closed_meshes_face_outward_or_not() -> None:
    shapes = (box(), ball(), with_seams(box()), with_seams(ball(4, 5)))
    assert outward(*shapes) == [True] * 4
    assert outward(*map(reversed_of, shapes)) == [False] * 4
    assert outward(quad(), mesh_of(box().positions, box().triangles[1:]), box()) == [False, False, True]
    half = box().triangles.copy()
    half[3] = half[3, ::-1]
    assert outward(mesh_of(box().positions, half)) == [False]


def test_triangles_that_have_a_point_twice_change_nothing() -> None:
    shape = box()
    thin = np.concatenate([[(0, 0, 1)], shape.triangles, [(2, 2, 2)]])
    assert outward(mesh_of(shape.positions, thin)) == [True]
    assert outward(mesh_of(shape.positions, thin[:, ::-1])) == [False]
    assert outward(mesh_of(shape.positions, [(0, 0, 1), (2, 2, 2)])) == [False], "it has no surface"


def test_a_mesh_without_triangles_beside_others_has_no_front() -> None:
    lines = MeshData(
        quad().positions, np.empty((0, 3), dtype=int), None, np.zeros(4, dtype=int), lines=np.array([(0, 1), (2, 3)])
    )
    assert outward(lines, box(), lines) == [False, True, False]


SHARED = {  # boxes of half size 1, and how far apart they are
    "apart": (3.0, 0.0, 0.0),
    "into each other": (0.7, 0.3, 0.1),
    "a corner": (2.0, 2.0, 2.0),
    "an edge": (2.0, 2.0, 0.0),
    "a face": (2.0, 0.0, 0.0),
}


@pytest.mark.parametrize("by", SHARED.values(), ids=SHARED)
@pytest.mark.parametrize("larger", (1.0, 3.0))
def test_one_of_two_boxes_that_is_inside_out_is_found_however_they_touch(
    by: tuple[float, float, float], larger: float
) -> None:
    """The sum of the two volumes is positive."""
    small, large = box(), moved(box(), by=np.multiply(by, (1.0 + larger) / 2.0), scale=larger)
    assert outward(joined(small, large)) == [True]
    for inside_out in (joined(reversed_of(small), large), joined(small, reversed_of(large))):
        assert outward(inside_out, with_seams(inside_out)) == [False, False]


def test_the_wall_of_a_cavity_does_not_count() -> None:
    """A back face of its wall would be seen by nobody outside, but it could as well be a box that is inside out."""
    assert outward(joined(moved(box(), scale=3.0), reversed_of(box()))) == [False]


def test_surfaces_that_touch_without_vertices_of_their_own_do_not_count() -> None:
    both = joined(box(), moved(box(), by=SHARED["a face"]))
    points, welded = np.unique(both.positions, axis=0, return_inverse=True)
    assert outward(mesh_of(points, welded.reshape(-1)[both.triangles])) == [False]


def bow_tie(smaller: float) -> MeshData:
    """A prism whose sides cross: it consists of two lobes, of which the smaller is inside out."""
    outline = np.array([(-1.0, -1.0), (smaller, smaller), (smaller, -smaller), (-1.0, 1.0)])[::-1]
    points = np.array([(x, height, z) for height in (-0.5, 0.5) for x, z in outline])
    sides = [(a, b, 4 + b, 4 + a) for a, b in ((0, 1), (1, 2), (2, 3), (3, 0))]
    faces = np.array([(0, 3, 2, 1), (4, 5, 6, 7), *sides])
    triangles = np.concatenate([faces[:, :3], faces[:, [0, 2, 3]]])
    mesh = mesh_of(points, triangles)
    return mesh if winding_numbers(mesh, np.array([(-0.8, 0.0, 0.0)]))[0] > 0.0 else reversed_of(mesh)


@pytest.mark.parametrize("smaller", (0.3, 0.5, 0.8, 0.99))
@pytest.mark.parametrize("turn", range(8))
def test_a_part_of_a_surface_that_is_inside_out_is_found_where_the_surface_ends(smaller: float, turn: int) -> None:
    shape = bow_tie(smaller)
    inside_out = winding_numbers(shape, np.array([(-0.8, 0.0, 0.0), (0.8 * smaller, 0.0, 0.0)]))
    assert inside_out == pytest.approx([1.0, -1.0], abs=1e-6)
    axes = np.linalg.qr(np.random.default_rng(turn).normal(size=(3, 3)))[0]
    axes *= np.linalg.det(axes)
    assert outward(mesh_of(shape.positions @ axes.T, shape.triangles)) == [False]


@given(seed=st.integers(0, 2**32 - 1))
@settings(max_examples=40)
def test_no_winding_number_is_negative_about_what_faces_outward(seed: int) -> None:
    rng = np.random.default_rng(seed)
    parts, is_flipped = [], []
    for _ in range(rng.integers(1, 5)):
        part = moved((box(), ball(4, 5))[rng.integers(2)], rng.integers(-2, 3, 3) * rng.choice((1.0, 0.4)))
        part = with_seams(part) if rng.random() < 0.5 else part
        is_flipped.append(rng.random() < 0.15)
        parts.append(reversed_of(part) if is_flipped[-1] else part)
    whole = joined(*parts)
    whole = mesh_of(whole.positions, rng.permutation(whole.triangles))
    points = rng.uniform(-5.0, 5.0, (300, 3))
    (found,) = outward(whole)
    if found:
        assert winding_numbers(whole, points).min() > -0.5
        assert not any(is_flipped)

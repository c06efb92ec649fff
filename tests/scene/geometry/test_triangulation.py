"""Concave polygons fall into triangles that cover them, and nothing else."""

from __future__ import annotations

import numpy as np
import pytest

from octoscope.scene import read_obj
from octoscope.scene.geometry.triangulation import is_concave
from tests.oracles import random_rotation
from tests.scene.builders import triangulated

L_SHAPE = np.array([(0, 0), (2, 0), (2, 1), (1, 1), (1, 2), (0, 2)], dtype=float)
ARROW = np.array([(0, 0), (2, 1), (0, 2), (0.5, 1)], dtype=float)
SQUARE = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], dtype=float)


def in_space(outline: np.ndarray) -> np.ndarray:
    return np.insert(outline, 2, 0.0, axis=1)


def areas(points: np.ndarray, triangles: np.ndarray) -> np.ndarray:
    """(t, 3) area vectors."""
    a, b, c = points[triangles].transpose(1, 0, 2)
    return np.cross(b - a, c - a) / 2.0


def star(rng: np.random.Generator, corners: int) -> np.ndarray:
    """A star-shaped polygon: simple, and as a rule concave."""
    angles = np.sort(rng.uniform(0.0, 2.0 * np.pi, corners))
    while np.diff(angles, append=angles[0] + 2.0 * np.pi).max() > 3.0:  # its centre must see all of it
        angles = np.sort(rng.uniform(0.0, 2.0 * np.pi, corners))
    return rng.uniform(0.2, 1.0, (corners, 1)) * np.stack([np.cos(angles), np.sin(angles)], axis=1)


def test_concave_polygons_are_told_from_convex_ones() -> None:
    outlines = [SQUARE, L_SHAPE, SQUARE[::-1], ARROW, L_SHAPE[::-1], SQUARE[:3]]
    assert [is_concave(in_space(outline)) for outline in outlines] == [False, True, False, True, True, False]


@pytest.mark.parametrize("offset", [0.0, 1e6])
def test_corners_in_line_do_not_make_a_polygon_concave(offset: float) -> None:
    points = in_space(np.array([(0, 0), (1, 0), (2, 0), (2, 1), (2, 2), (0, 2)], dtype=float)) + offset
    rotated = points @ random_rotation(np.random.default_rng(1)).T
    assert not is_concave(points)
    assert not is_concave(rotated) or offset > 0.0


@pytest.mark.parametrize("outline", [L_SHAPE, ARROW, SQUARE, L_SHAPE[::-1], np.roll(L_SHAPE, 2, axis=0)])
def test_triangles_cover_the_polygon_and_are_wound_like_it(outline: np.ndarray) -> None:
    rng = np.random.default_rng(2)
    for _ in range(20):
        points = in_space(outline) @ random_rotation(rng).T * rng.uniform(1e-3, 1e3) + rng.normal(0.0, 10.0, 3)
        triangles = triangulated(points)
        assert triangles.shape == (len(outline) - 2, 3)
        about = points - points[0]
        whole = np.cross(about, np.roll(about, -1, axis=0)).sum(axis=0) / 2.0
        parts = areas(points, triangles)
        np.testing.assert_allclose(parts.sum(axis=0), whole, rtol=1e-9, atol=1e-12 * np.abs(whole).max())
        assert (parts @ whole > 0.0).all()


@pytest.mark.parametrize("corners", [5, 12, 60, 300])
def test_random_concave_polygons_are_covered_once(corners: int) -> None:
    rng = np.random.default_rng(corners)
    for _ in range(10):
        points = in_space(star(rng, corners)) @ random_rotation(rng).T
        parts = areas(points, triangulated(points))
        whole = np.cross(points, np.roll(points, -1, axis=0)).sum(axis=0) / 2.0
        # No overlap: the areas add up without their signs, too.
        assert np.linalg.norm(parts, axis=1).sum() == pytest.approx(np.linalg.norm(whole), rel=1e-9)


@pytest.mark.parametrize("corners", [1_000, 10_000, 100_000])
@pytest.mark.parametrize("teeth", [0.05, 0.5])
def test_polygons_of_many_corners_are_covered_once(corners: int, teeth: float) -> None:
    """A cogwheel of many or few teeth, and one of a hundred thousand random spikes."""
    rng = np.random.default_rng(corners)
    angles = np.arange(corners) * 2.0 * np.pi / corners
    for radii in (1.0 + 0.3 * np.sin(angles * corners * teeth * 0.5), rng.uniform(0.5, 1.0, corners)):
        points = in_space(radii[:, None] * np.stack([np.cos(angles), np.sin(angles)], axis=1))
        parts = areas(points, triangulated(points))
        whole = np.cross(points, np.roll(points, -1, axis=0)).sum(axis=0) / 2.0
        assert np.linalg.norm(parts, axis=1).sum() == pytest.approx(np.linalg.norm(whole), rel=1e-6)


@pytest.mark.parametrize("turned", [0, 3, 7])
def test_a_hole_joined_to_the_outline_by_a_slit_stays_a_hole(turned: int) -> None:
    outline = [(0, 0), (4, 0), (4, 4), (0, 4), (0, 0), (1, 1), (1, 3), (3, 3), (3, 1), (1, 1)]
    points = in_space(np.roll(np.array(outline, dtype=float), turned, axis=0))
    parts = areas(points, triangulated(points))
    assert np.linalg.norm(parts, axis=1).sum() == pytest.approx(16.0 - 4.0)
    assert (parts[:, 2] >= 0.0).all()


@pytest.mark.parametrize(
    "outline",
    [
        [(0, 0), (1, 1), (1, 0), (0, 1)],  # crosses itself
        [(0, 0), (1, 0), (2, 0), (3, 0)],  # has no area
        [(0, 0)] * 5,
        [(0, 0), (1, 0), (1, 1), (0, 0), (0, 1)],  # a corner twice
    ],
)
def test_polygons_that_are_none_are_cut_up_all_the_same(outline: list) -> None:
    points = in_space(np.array(outline, dtype=float))
    assert sorted(set(triangulated(points).ravel().tolist())) <= list(range(len(outline)))
    is_concave(points)


def test_an_l_shaped_face_of_a_file_has_its_own_area_and_keeps_its_normals_and_uvs(tmp_path) -> None:
    text = "".join(f"v {x} 0 {-y}\nvt {x} {y}\n" for x, y in L_SHAPE) + "vn 0 1 0\n"
    text += "f " + " ".join(f"{i}/{i}/1" for i in range(1, 7)) + "\nf 1/1/1 2/2/1 3/3/1\n"
    (tmp_path / "l.obj").write_text(text)
    file = read_obj(tmp_path / "l.obj")
    mesh = file.objects[0][1]
    assert file.warnings == []
    parts = areas(mesh.positions, mesh.triangles[:4])
    assert np.linalg.norm(areas(mesh.positions, mesh.triangles), axis=1).sum() == pytest.approx(3.0 + 1.0)
    assert (parts[:, 1] > 0.0).all() and (mesh.normals == (0, 1, 0)).all()
    assert (mesh.uvs == np.stack([mesh.positions[:, 0], -mesh.positions[:, 2]], axis=1)).all()

"""Circles, planes, areas and outlines of faces, against what made them."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from octoscope.scene import Scene
from octoscope.scene.annotations.measurement import IN_WORLD, KINDS, Anchor, Measurement
from octoscope.scene.measuring import Lengths
from octoscope.scene.measuring.drawings import drawing_of
from octoscope.scene.measuring.faces import face_outline
from octoscope.scene.measuring.figures import angle_rad
from octoscope.scene.measuring.measurements import figure_of, figure_text, figures_of, world_points
from octoscope.scene.measuring.planes import area_within, circle_through, dihedral_legs, plane_pair
from octoscope.scene.mesh.data import MeshData
from octoscope.scene.mesh.primitives import PRIMITIVES

SEEDS = st.integers(0, 2**32 - 1)


def turned(rng: np.random.Generator, points: np.ndarray) -> np.ndarray:
    """Return points turned about the origin at random."""
    turn, _ = np.linalg.qr(rng.normal(size=(3, 3)))
    return points @ turn.T


def random_points(kind: str, rng: np.random.Generator) -> np.ndarray:
    return rng.normal(size=({"distance": 2, "path": 4, "angle": 3, "circle": 3, "faces": 6, "area": 8}[kind], 3))


@given(seed=SEEDS)
def test_a_circle_is_found_from_any_three_of_its_points(seed):
    rng = np.random.default_rng(seed)
    radius, center = rng.uniform(0.01, 100.0), rng.normal(size=3) * 50.0
    angles = rng.uniform(0.0, 1.5) + np.array([0.0, rng.uniform(0.7, 2.0), rng.uniform(2.5, 4.0)])
    flat = radius * np.stack([np.cos(angles), np.sin(angles), np.zeros(3)], axis=1)
    turn, _ = np.linalg.qr(rng.normal(size=(3, 3)))
    circle = circle_through(center + flat @ turn.T)
    assert circle.radius == pytest.approx(radius, rel=1e-9)
    np.testing.assert_allclose(circle.center, center, atol=1e-9 * (radius + 100.0))
    assert abs(circle.normal @ turn[:, 2]) == pytest.approx(1.0)
    drawn = drawing_of("circle", center + flat @ turn.T)
    np.testing.assert_allclose(np.linalg.norm(drawn.lines - circle.center, axis=2), radius, rtol=1e-9)


def test_three_points_on_a_line_have_no_circle_and_do_no_harm():
    points = np.array([(0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (3.0, 0.0, 0.0)])
    assert figure_of("circle", points) == math.inf
    assert np.isfinite(drawing_of("circle", points).middle).all()


@given(seed=SEEDS, gap=st.floats(-10.0, 10.0), tilt=st.floats(0.01, 3.1))
def test_planes_have_the_distance_and_the_angle_that_they_were_given(seed, gap, tilt):
    rng = np.random.default_rng(seed)
    first, second = (np.pad(rng.normal(size=(3, 2)), ((0, 0), (0, 1))) for _ in range(2))
    second[:, 2] += gap
    pair = plane_pair(turned(rng, np.vstack([first, second])))
    spread = min(abs(np.cross(each[1] - each[0], each[2] - each[0])[2]) for each in (first, second))
    if spread < 0.05:
        return  # three points almost on a line
    assert math.isclose(pair.distance, abs(gap), abs_tol=1e-9)
    assert pair.angle_rad < 1e-9
    c, s = math.cos(tilt), math.sin(tilt)
    tilted = second @ np.array([(1.0, 0.0, 0.0), (0.0, c, -s), (0.0, s, c)]).T
    points = turned(rng, np.vstack([first, tilted]))
    pair = plane_pair(points)
    assert pair.angle_rad == pytest.approx(min(tilt, math.pi - tilt), abs=1e-9)
    assert math.isnan(pair.distance), "planes that cross have no distance"
    leg, vertex, other = dihedral_legs(points)
    assert angle_rad(leg, vertex, other) == pytest.approx(min(pair.angle_rad, math.pi - pair.angle_rad), abs=1e-6) or (
        angle_rad(leg, vertex, other) == pytest.approx(math.pi - pair.angle_rad, abs=1e-6)
    )
    arc = drawing_of("faces", points).figure_lines
    assert angle_rad(arc[0, 0], vertex, arc[-1, 1]) == pytest.approx(pair.angle_rad, abs=1e-6), (
        "the arc shows the figure"
    )


@given(seed=SEEDS)
def test_the_area_within_an_outline_is_that_of_its_triangles(seed):
    rng = np.random.default_rng(seed)
    count = int(rng.integers(3, 12))
    angles = np.sort(rng.uniform(0.0, 2.0 * np.pi, count))
    rim = rng.uniform(0.5, 3.0, count)[:, None] * np.stack([np.cos(angles), np.sin(angles)], axis=1)
    following = np.roll(rim, -1, axis=0)
    expected = abs(0.5 * (rim[:, 0] * following[:, 1] - rim[:, 1] * following[:, 0]).sum())
    rim3 = turned(rng, np.pad(rim, ((0, 0), (0, 1)))) + rng.normal(size=3) * 10.0
    sides = np.stack([rim3, np.roll(rim3, -1, axis=0)], axis=1)
    assert area_within(rng.permutation(sides)) == pytest.approx(expected, abs=1e-10)


def plate(columns: int, rows: int, holes: set[tuple[int, int]]) -> MeshData:
    """Return a plate of unit squares with holes, and a wall that stands up at its right; no vertex is shared."""
    squares = [
        [(x, y, 0.0), (x + 1, y, 0.0), (x + 1, y + 1, 0.0), (x, y + 1, 0.0)]
        for x in range(columns)
        for y in range(rows)
        if (x, y) not in holes
    ]
    squares.append([(columns, 0.0, 0.0), (columns, 0.0, 2.0), (columns, rows, 2.0), (columns, rows, 0.0)])
    corners = np.array(squares, dtype=np.float64).reshape(-1, 3)
    first = 4 * np.arange(len(squares))[:, None]
    return mesh_of(corners, np.concatenate([first + np.array(each) for each in ((0, 1, 2), (0, 2, 3))]))


def mesh_of(positions: np.ndarray, triangles: np.ndarray) -> MeshData:
    count = len(positions)
    return MeshData(positions, triangles.astype(np.int32), np.zeros((count, 3)), np.zeros(count, dtype=np.int32))


@pytest.mark.parametrize("holes", [set(), {(1, 1)}, {(1, 1), (3, 2), (3, 1)}])
def test_an_outline_runs_around_the_plane_part_and_its_holes(holes):
    mesh = plate(6, 4, holes)
    outline = face_outline(mesh, 0)
    assert area_within(outline) == pytest.approx(24 - len(holes))
    assert (outline[:, :, 2] == 0.0).all(), "the wall is another face"
    straight = 20 + {0: 0, 1: 4, 3: 10}[len(holes)]
    assert len(outline) == straight, "each side of a square once, none between two"
    wall = face_outline(mesh, len(mesh.triangles) - 1)
    assert area_within(wall) == pytest.approx(8.0)


def test_what_lies_in_the_same_plane_apart_belongs_to_another_face():
    near, far = plate(2, 2, set()), plate(2, 2, set())
    positions = np.vstack([near.positions, far.positions + np.array((50.0, 0.0, 0.0))])
    mesh = mesh_of(positions, np.vstack([near.triangles, far.triangles + len(near.positions)]))
    assert area_within(face_outline(mesh, 0)) == pytest.approx(4.0)
    assert face_outline(mesh, len(near.triangles))[:, :, 0].min() == 50.0


def test_a_face_of_too_many_sides_and_a_triangle_without_area_have_no_outline():
    mesh = plate(1001, 1, set())
    assert face_outline(mesh, 0) is None
    flat = mesh_of(np.zeros((3, 3)), np.array([(0, 1, 2)]))
    assert face_outline(flat, 0) is None


@pytest.mark.parametrize("kind", KINDS)
def test_figures_follow_their_node_by_its_scale(kind):
    scene = Scene()
    node = scene.add_node("a", mesh=scene.meshes.add(PRIMITIVES["cube"]()))
    points = random_points(kind, np.random.default_rng(3))
    measurement = Measurement(kind, tuple(Anchor(node.id, tuple(point)) for point in points.tolist()))
    scene.update_world()
    before = figures_of(kind, world_points(scene, measurement.anchors))
    node.translation, node.scale, node.rotation = (5.0, -3.0, 2.0), (3.0, 3.0, 3.0), (0.0, 0.6, 0.0, 0.8)
    after = figures_of(kind, world_points(scene, measurement.anchors))
    powers = {"angle": 0, "area": 2}
    for name in before.keys() - set("xyz"):
        assert after[name] == pytest.approx(before[name] * 3.0 ** powers.get(name, 1)), name


@pytest.mark.parametrize("kind", KINDS)
def test_a_drawing_has_a_place_for_its_figure_once_all_points_are_there(kind):
    points = random_points(kind, np.random.default_rng(4))
    drawing = drawing_of(kind, points)
    assert drawing.middle.shape == (3,) and figure_text(kind, points, Lengths())
    assert len(drawing_of(kind, points[:1]).figure_lines) == 0


@given(SEEDS)
@example(47261)
def test_the_figure_of_an_area_lies_on_the_face_and_not_in_its_hole(seed):
    rng = np.random.default_rng(seed)
    angles = np.linspace(0.0, 2.0 * np.pi, int(rng.integers(4, 40)))
    rim = np.stack([np.cos(angles), np.sin(angles), 0.0 * angles], axis=1)
    hole = 0.4 * rim[::-1]
    sides = [np.stack([each[:-1], each[1:]], axis=1).reshape(-1, 3) for each in (rim, hole)]
    middle = drawing_of("area", turned(rng, np.concatenate(sides)) + 5.0).middle - 5.0
    assert 0.2 <= np.linalg.norm(middle) < 1.0


def test_unknown_kinds_and_wrong_counts_are_refused():
    anchor = Anchor(IN_WORLD, (0.0, 0.0, 0.0))
    wrong = ("distance", 3), ("path", 1), ("circle", 2), ("faces", 5), ("area", 7), ("area", 4), ("length", 2)
    for kind, count in wrong:
        with pytest.raises(ValueError, match=kind):
            Measurement(kind, (anchor,) * count)

"""Two triangles against exact rational arithmetic, on coordinates where nearly all is coincidence."""

import numpy as np
import pytest

from octoscope.scene.geometry.predicates import orientation, side_of_plane
from octoscope.scene.geometry.triangle_pairs import APART, CROSSES, TOUCHES, contact, meeting
from tests import oracles
from tests.cases import quick
from tests.scene.geometry.rational import exact_side, exact_turn, in_one_plane_facing, meet

pytestmark = pytest.mark.usefixtures("strict_floats")
SCRATCH = np.empty((9, 3))


def expected(corners: np.ndarray, facing: int = 1) -> int:
    touch, cross = meet(corners[:3], corners[3:])
    if not touch:
        return APART
    same_plane = in_one_plane_facing(corners[:3], corners[3:]) * facing
    return CROSSES if cross and same_plane >= 0 else TOUCHES


def of(*corners: tuple[float, float, float]) -> np.ndarray:
    return np.array(corners, dtype=np.float64)


@pytest.mark.parametrize("facing", quick((1, -1), 1))
@pytest.mark.parametrize("size", (1, 2, 3, 6))
def test_triangles_on_a_small_grid_meet_as_exact_arithmetic_says(size, facing):
    rng = np.random.default_rng(size)
    seen = set()
    for _ in range(400):
        corners = rng.integers(-size, size + 1, (6, 3)).astype(np.float64)
        if rng.random() < 0.4:
            corners[:, rng.integers(3)] = 0.0
        assert contact(corners, facing) == expected(corners, facing), corners
        seen.add(contact(corners, facing))
    assert seen == {APART, TOUCHES, CROSSES}


@pytest.mark.parametrize("seed", quick(range(4), 2))
def test_triangles_whose_corners_lie_on_the_other_but_for_rounding_meet_as_exact_arithmetic_says(seed):
    """Their determinants are nearly or exactly zero: here plain float64 is wrong."""
    rng = np.random.default_rng(seed)
    seen, plainly_wrong = set(), 0
    for _ in range(150):
        turned = oracles.random_rotation(rng)
        corners = (rng.integers(-4, 5, (6, 3)) * rng.choice((1.0, 0.1, 1e-7))) @ turned + rng.choice((0.0, 1.0, 1e3))
        for corner in range(3, 6):
            if rng.random() < 0.7:
                weights = rng.choice((0.0, 0.25, 0.5, 1.0), 2)
                corners[corner] = corners[0] + weights @ (corners[1:3] - corners[0]) * rng.choice((1.0, 1.0, -0.5))
        answer = expected(corners)
        assert contact(corners, 1) == answer, corners.tolist()
        seen.add(answer)
        plainly_wrong += np.sign(np.linalg.det(corners[:3] - corners[3])) != -exact_side(*corners[:4])
    assert seen == {APART, TOUCHES, CROSSES} and plainly_wrong > 3


@pytest.mark.parametrize("seed", range(4))
def test_signs_are_exact_for_coordinates_of_very_different_size(seed):
    rng = np.random.default_rng(seed)
    for _ in range(300):
        points = rng.normal(size=(4, 3)) * 10.0 ** rng.uniform(-20.0, 0.0, (4, 3))
        points[3] = points[0] + rng.normal(size=2) @ (points[1:3] - points[0])
        assert side_of_plane(points, 0, 1, 2, 3) == exact_side(*points)
        points[2] = points[0] + rng.normal() * (points[1] - points[0])
        assert orientation(points, 0, 1, 2, 0, 2) == exact_turn(*points[:3, [0, 2]])


def test_all_orders_of_all_corners_give_the_same_answer():
    rng = np.random.default_rng(1)
    for _ in range(300):
        corners = rng.integers(-2, 3, (6, 3)).astype(np.float64)
        answers = set()
        for shift in range(3):
            first, second = np.roll(corners[:3], shift, axis=0), np.roll(corners[3:], -shift, axis=0)
            answers |= {contact(np.concatenate(pair), 1) for pair in ((first, second), (second, first))}
            answers.add(contact(np.concatenate((first[::-1], second[::-1])), 1))
        assert len(answers) == 1


FLOOR = ((0, 0, 0), (4, 0, 0), (0, 4, 0))


@pytest.mark.parametrize(
    ("what", "other", "answer"),
    [
        ("through the middle", ((1, 1, -1), (1, 1, 1), (2, 1, 1)), CROSSES),
        ("standing on a corner", ((1, 1, 0), (1, 2, 1), (2, 1, 1)), TOUCHES),
        ("standing on an edge", ((1, 1, 0), (2, 1, 0), (2, 1, 1)), TOUCHES),
        ("edge through edge", ((2, -1, -1), (2, 1, 1), (2, -3, 1)), TOUCHES),
        ("sharing an edge, folded", ((0, 0, 0), (4, 0, 0), (0, -1, 3)), TOUCHES),
        ("sharing a corner", ((0, 0, 0), (-1, 0, 0), (0, -1, 1)), TOUCHES),
        ("in the plane, an area in common", ((1, 1, 0), (5, 1, 0), (1, 5, 0)), CROSSES),
        ("in the plane, an area in common, turned over", ((1, 1, 0), (1, 5, 0), (5, 1, 0)), TOUCHES),
        ("in the plane, one inside the other", ((1, 1, 0), (2, 1, 0), (1, 2, 0)), CROSSES),
        ("in the plane, beside", ((4, 0, 0), (4, 4, 0), (0, 4, 0)), TOUCHES),
        ("in the plane, apart", ((4, 1, 0), (4, 4, 0), (1, 4, 0)), APART),
        ("the same", FLOOR, CROSSES),
        ("above", ((1, 1, 1), (2, 1, 1), (1, 2, 1)), APART),
        ("a line through it", ((1, 1, -1), (1, 1, 0), (1, 1, 1)), APART),
        ("a point on it", ((1, 1, 0), (1, 1, 0), (1, 1, 0)), APART),
    ],
)
def test_two_triangles(what, other, answer):
    corners = of(*FLOOR, *other)
    assert contact(corners, 1) == answer, what
    assert contact(corners[[3, 4, 5, 0, 1, 2]], 1) == answer, what


@pytest.mark.parametrize("deep", (-0.5, -0.01, 0.01, 0.5))
def test_what_crosses_no_deeper_than_the_tolerance_touches_and_so_does_what_rounding_parted(deep):
    corners = of(*FLOOR, (1, 1, -deep), (1, 1, 3), (2, 1, 3))
    for rounding, tolerance in ((0.0, 0.0), (1e-9, 0.0), (0.0, 1e-3), (1e-3, 0.0)):
        assert meeting(corners, SCRATCH, 1, rounding, tolerance) == (CROSSES if deep > 0.0 else APART)
    assert meeting(corners, SCRATCH, 1, 0.0, 1.0) == (TOUCHES if deep > 0.0 else APART)
    assert meeting(corners, SCRATCH, 1, 1e-9, 1.0) == (TOUCHES if deep > 0.0 else APART)
    assert meeting(corners, SCRATCH, 1, 1.0, 0.0) == TOUCHES


def test_triangles_in_one_plane_but_for_rounding_are_one_surface_where_they_face_the_same_way():
    corners = of(*FLOOR, (3, -1, 1e-9), (8, -1, 2e-9), (3, 8, 1e-9))
    assert contact(corners, 1) == APART
    assert meeting(corners, SCRATCH, 1, 1e-6, 0.0) == CROSSES
    assert meeting(corners, SCRATCH, -1, 1e-6, 0.0) == TOUCHES
    beside = of(*FLOOR, (4 + 1e-9, 0, 1e-9), (8, 0, 2e-9), (4, 4, 1e-9))
    assert meeting(beside, SCRATCH, 1, 1e-6, 0.0) == TOUCHES
    assert meeting(corners[[0, 0, 1, 3, 4, 5]], SCRATCH, 1, 1e-6, 0.0) == APART

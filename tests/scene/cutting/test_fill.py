"""The inside of closed lines, cut into triangles, against counts of the lines beside random points."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from octoscope.scene.cutting.contours import closed_lines
from octoscope.scene.cutting.fill import fill

NO_CLIPS = np.empty((0, 3))


def loop(points: object) -> np.ndarray:
    """(n, 4): the sides of a polygon."""
    points = np.asarray(points, dtype=float)
    return np.concatenate([points, np.roll(points, -1, axis=0)], axis=1)


def areas(triangles: np.ndarray) -> np.ndarray:
    a, b = triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0]
    return 0.5 * (a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0])


def lines_to_the_left(lines: np.ndarray, point: np.ndarray) -> tuple[int, int]:
    """Lines that pass left of a point: upwards less downwards ones, and all."""
    x0, y0, x1, y1 = lines.T
    up, down = (y0 <= point[1]) & (y1 > point[1]), (y1 <= point[1]) & (y0 > point[1])
    is_left = x0 + (point[1] - y0) / np.where(y1 == y0, 1.0, y1 - y0) * (x1 - x0) < point[0]
    return int((up & is_left).sum()) - int((down & is_left).sum()), int(((up | down) & is_left).sum())


@settings(max_examples=60)
@given(st.integers(0, 2**32 - 1), st.booleans())
def test_every_point_lies_in_one_triangle_of_the_first_owner_around_it(seed, on_grid):
    rng = np.random.default_rng(seed)
    owner_count = int(rng.integers(1, 5))
    parts = []
    for owner in range(owner_count):
        for _ in range(rng.integers(1, 3)):
            shape = (int(rng.integers(3, 9)), 2)
            parts.append((loop(rng.integers(0, 8, shape) if on_grid else rng.uniform(0.0, 8.0, shape)), owner))
    lines = np.concatenate([part for part, _ in parts])
    owners = np.concatenate([np.full(len(part), owner) for part, owner in parts])
    agree = rng.random(owner_count) < 0.5
    clips = rng.normal(size=(int(rng.integers(0, 6)), 3))
    clips[:, 2] = 2.0 - clips[:, :2] @ (4.0, 4.0)
    triangles, found = fill(lines, owners, agree, clips)
    assert (areas(triangles) > 0.0).all()
    for point in rng.uniform(0.0, 8.0, (30, 2)):
        wanted = []
        if (clips @ (*point, 1.0) >= 0.0).all():
            for owner in range(owner_count):
                winding, count = lines_to_the_left(lines[owners == owner], point)
                if winding != 0 if agree[owner] else count % 2 == 1:
                    wanted = [owner]
                    break
        sides = np.roll(triangles, -1, axis=1) - triangles
        turns = sides[..., 0] * (point - triangles)[..., 1] - sides[..., 1] * (point - triangles)[..., 0]
        if np.abs(turns).min(initial=1.0) < 1e-9:
            continue
        assert found[(turns > 0.0).all(axis=1)].tolist() == wanted


def test_a_hole_stays_open_and_pieces_between_the_same_lines_are_one():
    square, hole = [(0, 0), (4, 0), (4, 4), (0, 4)], [(1, 1), (1, 2), (2, 2), (2, 1)]
    triangles, _ = fill(np.concatenate([loop(square), loop(hole)]), np.zeros(8, dtype=int), np.array([True]), NO_CLIPS)
    assert areas(triangles).sum() == pytest.approx(15.0)
    assert len(triangles) == 8


def test_of_objects_within_each_other_the_first_is_seen():
    lines = np.concatenate([loop([(1, 1), (2, 1), (2, 2), (1, 2)]), loop([(0, 0), (4, 0), (4, 4), (0, 4)])])
    triangles, owners = fill(lines, np.repeat([0, 1], 4), np.array([True, True]), NO_CLIPS)
    assert [areas(triangles[owners == owner]).sum() for owner in (0, 1)] == pytest.approx([1.0, 15.0])


def test_chains_that_do_not_close_are_left_out_and_others_stay():
    closed, chain = loop([(0, 0), (4, 0), (4, 4)]), loop([(5, 0), (6, 0), (6, 1), (5, 2)])[:3]
    branch = np.array([(4.0, 4.0, 9.0, 9.0)])
    lines = np.concatenate([closed, chain, branch, np.array([(7.0, 7.0, 7.0, 7.0)])])
    _, like, agree = closed_lines(lines, np.zeros(len(lines), dtype=int), 1)
    assert like.tolist() == [0, 1, 2] and not agree[0]
    turned = np.concatenate([loop([(0, 0), (4, 0), (4, 4)])[:2], [(0.0, 0.0, 4.0, 4.0)]])
    _, like, agree = closed_lines(np.concatenate([turned, closed]), np.repeat([0, 1], 3), 2)
    assert len(like) == 6 and agree.tolist() == [False, True]

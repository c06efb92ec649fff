"""Morton codes and locational codes against loops over their bits, and cells of points against a descent."""

import itertools

import numpy as np
import pytest

from octree import Octree
from octree.layout.morton import (
    child_of,
    code_at,
    coordinates_of,
    decode_2d,
    decode_3d,
    encode_2d,
    encode_3d,
    level_of,
    locational_code,
    neighbour_of,
    parent_of,
)

HIGHEST_2D, HIGHEST_3D = 2**31 - 1, 2**21 - 1


def interleaved(*axes: int) -> int:
    """Bit by bit, the first axis lowest."""
    code = 0
    for bit in range(31):
        for place, axis in enumerate(axes):
            code |= (axis >> bit & 1) << len(axes) * bit + place
    return code


def cells_of_level(level: int) -> list[tuple[int, int, int]]:
    return list(itertools.product(range(2**level), repeat=3))


def descent(point: np.ndarray, center: np.ndarray, half_size: float, level: int) -> int:
    """The code of the cell that holds a point, by comparisons with middle planes from the root down."""
    if (np.abs(point - center) > half_size).any():
        return 0
    code, middle, half = 1, np.array(center, dtype=np.float64), half_size
    for _ in range(level):
        upper = point >= middle
        code = code * 8 + int(upper @ (1, 2, 4))
        half /= 2.0
        middle += np.where(upper, half, -half)
    return code


def random_axes(highest: int, count: int) -> np.ndarray:
    """(count, 500) coordinates, as many small ones as large ones."""
    rng = np.random.default_rng(count)
    return rng.integers(0, highest, (count, 500), endpoint=True) >> rng.integers(0, highest.bit_length(), (count, 500))


# Morton codes.


def test_codes_in_2d_interleave_the_bits():
    x, y = random_axes(HIGHEST_2D, 2)
    expected = [interleaved(*each) for each in zip(x.tolist(), y.tolist(), strict=True)]
    assert encode_2d(x, y).tolist() == expected


def test_codes_in_3d_interleave_the_bits():
    x, y, z = random_axes(HIGHEST_3D, 3)
    expected = [interleaved(*each) for each in zip(x.tolist(), y.tolist(), z.tolist(), strict=True)]
    assert encode_3d(x, y, z).tolist() == expected


def test_decoding_gives_the_coordinates_back():
    axes = random_axes(HIGHEST_2D, 2)
    np.testing.assert_array_equal(decode_2d(encode_2d(*axes)), axes)
    axes = random_axes(HIGHEST_3D, 3)
    np.testing.assert_array_equal(decode_3d(encode_3d(*axes)), axes)


def test_every_bit_alone_comes_back():
    for bit in range(31):
        for axes in ((1 << bit, 0), (0, 1 << bit)):
            assert decode_2d(encode_2d(*axes)) == axes
    for bit in range(21):
        for axes in ((1 << bit, 0, 0), (0, 1 << bit, 0), (0, 0, 1 << bit)):
            assert decode_3d(encode_3d(*axes)) == axes


def test_the_borders_of_the_grids_come_back():
    for axes in itertools.product((0, HIGHEST_2D), repeat=2):
        assert decode_2d(encode_2d(*axes)) == axes
        assert encode_2d(*axes) == interleaved(*axes)
    for axes in itertools.product((0, HIGHEST_3D), repeat=3):
        assert decode_3d(encode_3d(*axes)) == axes
        assert encode_3d(*axes) == interleaved(*axes)
    assert encode_2d(HIGHEST_2D, HIGHEST_2D) == 2**62 - 1
    assert encode_3d(HIGHEST_3D, HIGHEST_3D, HIGHEST_3D) == 2**63 - 1


def test_a_grid_of_four_by_four_is_numbered_along_the_z():
    y, x = np.mgrid[0:4, 0:4]
    assert encode_2d(x, y).tolist() == [[0, 1, 4, 5], [2, 3, 6, 7], [8, 9, 12, 13], [10, 11, 14, 15]]


def test_a_code_followed_by_three_bits_is_its_childs():
    for x, y, z in cells_of_level(2):
        for child in range(8):
            below = encode_3d(2 * x + (child & 1), 2 * y + (child >> 1 & 1), 2 * z + (child >> 2))
            assert below == encode_3d(x, y, z) << 3 | child


@pytest.mark.parametrize("dtype", (np.uint8, np.int16, np.uint32, np.int64, np.uint64))
def test_coordinates_of_every_integer_type_are_taken(dtype):
    axis = np.arange(100, dtype=dtype)
    code = encode_3d(axis, axis, axis)
    assert code.dtype == np.int64
    assert code.tolist() == [interleaved(value, value, value) for value in range(100)]
    assert encode_2d(axis, axis).tolist() == [interleaved(value, value) for value in range(100)]


# Locational codes.


def test_the_root_is_1_and_its_children_are_8_to_15():
    assert locational_code(0, 0, 0, 0) == 1
    assert [child_of(1, child) for child in range(8)] == list(range(8, 16))


def test_a_locational_code_is_a_sentinel_bit_before_the_morton_code():
    for level in range(4):
        for x, y, z in cells_of_level(level):
            assert locational_code(level, x, y, z) == int("1" + "0" * 3 * level, 2) + interleaved(x, y, z)


def test_cells_of_all_levels_have_codes_of_their_own():
    codes = [int(locational_code(level, *cell)) for level in range(4) for cell in cells_of_level(level)]
    assert len(set(codes)) == len(codes) == 585


@pytest.mark.parametrize("level", range(21))
def test_level_and_coordinates_of_a_code_are_those_that_it_was_made_of(level):
    x, y, z = np.random.default_rng(level).integers(0, 2**level, (3, 50))
    x[0] = y[0] = z[0] = 0
    x[1] = y[1] = z[1] = 2**level - 1
    codes = locational_code(level, x, y, z)
    assert (level_of(codes) == level).all()
    np.testing.assert_array_equal(coordinates_of(codes), (x, y, z))


def test_codes_of_different_levels_may_stand_in_one_array():
    levels = np.array([0, 3, 1, 20])
    codes = locational_code(levels, np.array([0, 7, 1, 5]), np.array([0, 0, 1, 6]), np.array([0, 2, 0, 2**20 - 1]))
    assert level_of(codes).tolist() == levels.tolist()
    assert coordinates_of(codes)[2].tolist() == [0, 2, 0, 2**20 - 1]


def test_a_child_has_twice_its_parents_coordinates_plus_a_bit_each():
    for level in range(3):
        for x, y, z in cells_of_level(level):
            code = locational_code(level, x, y, z)
            for child in range(8):
                below = child_of(code, child)
                assert coordinates_of(below) == (2 * x + child % 2, 2 * y + child // 2 % 2, 2 * z + child // 4)
                assert level_of(below) == level + 1
                assert parent_of(below) == code


def test_neighbours_are_the_cells_beside_and_0_beyond_the_border():
    for level in range(4):
        cells = np.array(cells_of_level(level))
        codes = locational_code(level, *cells.T)
        for step in itertools.product((-2, -1, 0, 1, 2), repeat=3):
            moved = cells + step
            inside = ((moved >= 0) & (moved < 2**level)).all(axis=1)
            expected = [
                2 ** (3 * level) + interleaved(*each) if exists else 0
                for each, exists in zip(moved.tolist(), inside.tolist(), strict=True)
            ]
            assert neighbour_of(codes, *step).tolist() == expected


def test_neighbours_on_the_deepest_level_are_found():
    last = 2**20 - 1
    corner = locational_code(20, last, last, last)
    assert neighbour_of(corner, 1, 0, 0) == neighbour_of(corner, 0, 0, 1) == 0
    assert coordinates_of(neighbour_of(corner, -1, -last, 0)) == (last - 1, 0, last)


# The cell of a point.


@pytest.mark.parametrize("level", (0, 1, 2, 5, 20))
def test_the_cell_of_a_point_is_where_a_descent_ends(level):
    rng = np.random.default_rng(level)
    center, half_size = np.array((3.3, -7.1, 0.2)), 5.7
    points = center + half_size * rng.uniform(-1.2, 1.2, (400, 3))
    expected = [descent(point, center, half_size, level) for point in points]
    assert 50 < np.count_nonzero(expected) < 350
    assert code_at(points, center, half_size, level).tolist() == expected


def test_a_point_in_a_face_belongs_to_the_upper_cell_but_the_far_border_to_the_last():
    points = np.array(list(itertools.product(np.linspace(-4.0, 4.0, 9), repeat=3)))  # cells of size 1: all corners
    codes = code_at(points, np.zeros(3), 4.0, 3)
    expected = locational_code(3, *np.minimum(points + 4.0, 7.0).astype(np.int64).T)
    assert codes.tolist() == expected.tolist()
    assert code_at((4.0, 4.0, 4.0), np.zeros(3), 4.0, 3) == 0b1_111_111_111
    for x, y, z in itertools.product((-4.0, 0.5, 4.0), repeat=3):
        expected = locational_code(3, int(min(x + 4.0, 7)), int(min(y + 4.0, 7)), int(min(z + 4.0, 7)))
        assert code_at((x, y, z), np.zeros(3), 4.0, 3) == expected


def test_points_outside_the_root_are_in_no_cell():
    beyond = np.nextafter(4.0, 5.0)
    for axis in range(3):
        for value in (beyond, -beyond, 1e300, -np.inf):
            point = np.zeros(3)
            point[axis] = value
            assert code_at(point, np.zeros(3), 4.0, 3) == 0


def test_a_tree_says_which_cells_hold_points():
    rng = np.random.default_rng(0)
    tree = Octree((1.0, 2.0, 3.0), 8.0, 5)
    points = tree.center + rng.uniform(-9.0, 9.0, (300, 3))
    assert tree.cell_at(points).tolist() == [descent(point, tree.center, 8.0, 5) for point in points]
    assert tree.cell_at(points, level=2).tolist() == [descent(point, tree.center, 8.0, 2) for point in points]
    assert tree.cell_at(points[0], level=0) == descent(points[0], tree.center, 8.0, 0)
    assert np.ndim(tree.cell_at(points[0])) == 0


# What is turned away.


@pytest.mark.parametrize("bad", (-1, 2**31, 1.0, np.float32(0.0), True, "1", [0, -1], np.array([0.0, 1.0])))
def test_coordinates_that_2d_has_no_code_for_are_refused(bad):
    for axes in ((bad, 0), (0, bad)):
        with pytest.raises(ValueError):
            encode_2d(*axes)


@pytest.mark.parametrize("bad", (-1, 2**21, 2**40, 1.0, np.float32(0.0), True, "1", [0, 2**21]))
def test_coordinates_that_3d_has_no_code_for_are_refused(bad):
    for axes in ((bad, 0, 0), (0, bad, 0), (0, 0, bad)):
        with pytest.raises(ValueError):
            encode_3d(*axes)


@pytest.mark.parametrize("decode", (decode_2d, decode_3d))
@pytest.mark.parametrize("bad", (-1, 1.0, [3, -3]))
def test_what_is_no_morton_code_is_refused(decode, bad):
    with pytest.raises(ValueError):
        decode(bad)


@pytest.mark.parametrize("function", (level_of, coordinates_of, parent_of, lambda code: child_of(code, 0)))
@pytest.mark.parametrize("bad", (0, -8, 8.0, [8, 0]))
def test_what_is_no_locational_code_is_refused(function, bad):
    with pytest.raises(ValueError):
        function(bad)


@pytest.mark.parametrize(
    "arguments", [(1, 2, 0, 0), (1, 0, -1, 0), (0, 0, 0, 1), (3, 0, 8, 0), (21, 0, 0, 0), (-1, 0, 0, 0)]
)
def test_a_cell_outside_its_levels_grid_or_on_no_level_is_refused(arguments):
    with pytest.raises(ValueError):
        locational_code(*arguments)


def test_coordinates_of_a_locational_code_that_are_floats_are_refused():
    with pytest.raises(ValueError):
        locational_code(2, 1.0, 0, 0)


def test_the_root_has_no_parent():
    for codes in (1, [8, 1]):
        with pytest.raises(ValueError, match="root"):
            parent_of(codes)


def test_there_is_no_ninth_child_and_no_level_21():
    for child in (8, -1, 1.0):
        with pytest.raises(ValueError):
            child_of(1, child)
    deepest = locational_code(20, 0, 0, 0)
    with pytest.raises(ValueError):
        child_of(deepest, 0)
    with pytest.raises(ValueError):
        code_at((0.0, 0.0, 0.0), (0.0, 0.0, 0.0), 1.0, 21)

"""Morton codes and locational codes against loops over their bits."""

import itertools

import numpy as np
import pytest

from octoscope.octree.layout.morton import coordinates_of, decode_2d, decode_3d, encode_3d, level_of_code
from tests.octree.checks import locational_code

HIGHEST = 2**21 - 1


def interleaved(*axes: int) -> int:
    """Bit by bit, the first axis lowest."""
    code = 0
    for bit in range(31):
        for place, axis in enumerate(axes):
            code |= (axis >> bit & 1) << len(axes) * bit + place
    return code


def cells_of_level(level: int) -> list[tuple[int, int, int]]:
    return list(itertools.product(range(2**level), repeat=3))


def random_axes() -> np.ndarray:
    """(3, 500) coordinates, as many small ones as large ones."""
    rng = np.random.default_rng(3)
    return rng.integers(0, HIGHEST, (3, 500), endpoint=True) >> rng.integers(0, HIGHEST.bit_length(), (3, 500))


# Morton codes.


def test_codes_interleave_the_bits():
    x, y, z = random_axes()
    expected = [interleaved(*each) for each in zip(x.tolist(), y.tolist(), z.tolist(), strict=True)]
    assert encode_3d(x, y, z).tolist() == expected


def test_decoding_gives_the_coordinates_back():
    axes = random_axes()
    np.testing.assert_array_equal(decode_3d(encode_3d(*axes)), axes)


def test_every_bit_alone_comes_back():
    for bit in range(21):
        for axes in ((1 << bit, 0, 0), (0, 1 << bit, 0), (0, 0, 1 << bit)):
            assert decode_3d(encode_3d(*axes)) == axes


def test_the_borders_of_the_grid_come_back():
    for axes in itertools.product((0, HIGHEST), repeat=3):
        assert decode_3d(encode_3d(*axes)) == axes
        assert encode_3d(*axes) == interleaved(*axes)
    assert encode_3d(HIGHEST, HIGHEST, HIGHEST) == 2**63 - 1


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


def test_codes_of_a_quadtree_interleave_two_axes():
    highest = 2**31 - 1
    x, y = np.random.default_rng(4).integers(0, highest, (2, 500), endpoint=True)
    x[:4], y[:4] = (0, 0, highest, highest), (0, highest, 0, highest)
    codes = [interleaved(*each) for each in zip(x.tolist(), y.tolist(), strict=True)]
    np.testing.assert_array_equal(decode_2d(codes), (x, y))


# Locational codes.


@pytest.mark.parametrize("level", range(21))
def test_level_and_coordinates_of_a_code_are_those_that_it_was_made_of(level):
    x, y, z = np.random.default_rng(level).integers(0, 2**level, (3, 50))
    x[0] = y[0] = z[0] = 0
    x[1] = y[1] = z[1] = 2**level - 1
    codes = locational_code(level, x, y, z)
    assert (level_of_code(codes) == level).all()
    np.testing.assert_array_equal(coordinates_of(codes), (x, y, z))


def test_codes_of_different_levels_may_stand_in_one_array():
    levels = np.array([0, 3, 1, 20])
    codes = locational_code(levels, np.array([0, 7, 1, 5]), np.array([0, 0, 1, 6]), np.array([0, 2, 0, 2**20 - 1]))
    assert level_of_code(codes).tolist() == levels.tolist()
    assert coordinates_of(codes)[2].tolist() == [0, 2, 0, 2**20 - 1]


# What is turned away.


@pytest.mark.parametrize("bad", (-1, 2**21, 2**40, 1.0, np.float32(0.0), True, "1", [0, 2**21]))
def test_coordinates_that_there_is_no_code_for_are_refused(bad):
    for axes in ((bad, 0, 0), (0, bad, 0), (0, 0, bad)):
        with pytest.raises(ValueError):
            encode_3d(*axes)


@pytest.mark.parametrize("bad", (-1, 1.0, [3, -3]))
def test_what_is_no_morton_code_is_refused(bad):
    with pytest.raises(ValueError):
        decode_3d(bad)


@pytest.mark.parametrize("function", (level_of_code, coordinates_of))
@pytest.mark.parametrize("bad", (0, -8, 8.0, [8, 0]))
def test_what_is_no_locational_code_is_refused(function, bad):
    with pytest.raises(ValueError):
        function(bad)

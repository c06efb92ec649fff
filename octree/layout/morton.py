"""Morton codes and locational codes: the position and level of a cell in one integer.

A Morton code interleaves the bits of a cell's coordinates (x lowest), so that counting upwards follows a Z through
space and a cell's code followed by three more bits is its child's. A locational code is a Morton code with a
sentinel bit in front, which tells cells of different levels apart: the root is 1, its children are 8 to 15.
(Ericson, "Real-Time Collision Detection", 7.3.3 to 7.3.5.) A quadtree's Morton codes have x and y alone.

All functions take integers or integer arrays that broadcast, and return int64. Coordinates count cells of the own level
from the root's lowest corner.
"""

from __future__ import annotations

from typing import TypeVar

import numpy as np
from numpy.typing import ArrayLike

Whole = TypeVar("Whole", int, np.ndarray)  # kernels give integers, numpy's callers arrays of them

MAX_LEVEL = 20  # 3 * 20 bits and the sentinel fit in int64


def spread_by_2(value: Whole) -> Whole:
    """Put two zero bits between the low 21 bits of an int64; plain arithmetic, so that kernels can compile it."""
    value = (value | value << 32) & 0x1F00000000FFFF
    value = (value | value << 16) & 0x1F0000FF0000FF
    value = (value | value << 8) & 0x100F00F00F00F00F
    value = (value | value << 4) & 0x10C30C30C30C30C3
    return (value | value << 2) & 0x1249249249249249


def gather_by_2(value: Whole) -> Whole:
    """Undo spread_by_2: collect every third bit of an int64, from the lowest."""
    value = value & 0x1249249249249249
    value = (value | value >> 2) & 0x10C30C30C30C30C3
    value = (value | value >> 4) & 0x100F00F00F00F00F
    value = (value | value >> 8) & 0x1F0000FF0000FF
    value = (value | value >> 16) & 0x1F00000000FFFF
    return (value | value >> 32) & 0x1FFFFF


def spread_by_1(value: Whole) -> Whole:
    """Put a zero bit between the low 31 bits of an int64, as spread_by_2."""
    value = (value | value << 16) & 0x0000FFFF0000FFFF
    value = (value | value << 8) & 0x00FF00FF00FF00FF
    value = (value | value << 4) & 0x0F0F0F0F0F0F0F0F
    value = (value | value << 2) & 0x3333333333333333
    return (value | value << 1) & 0x5555555555555555


def gather_by_1(value: Whole) -> Whole:
    """Undo spread_by_1: collect every second bit of an int64, from the lowest."""
    value = value & 0x5555555555555555
    value = (value | value >> 1) & 0x3333333333333333
    value = (value | value >> 2) & 0x0F0F0F0F0F0F0F0F
    value = (value | value >> 4) & 0x00FF00FF00FF00FF
    value = (value | value >> 8) & 0x0000FFFF0000FFFF
    return (value | value >> 16) & 0x7FFFFFFF


def encode_3d(x: ArrayLike, y: ArrayLike, z: ArrayLike) -> np.ndarray:
    """Compute the Morton codes of cells of an octree.

    Raises:
        ValueError: coordinates outside 0 to 2**21 - 1.
    """
    x, y, z = (_checked_coordinates(axis) for axis in (x, y, z))
    return spread_by_2(x) | spread_by_2(y) << 1 | spread_by_2(z) << 2


def decode_3d(codes: ArrayLike) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the coordinates x, y, z of Morton codes."""
    codes = _codes(codes, lowest=0)
    return gather_by_2(codes), gather_by_2(codes >> 1), gather_by_2(codes >> 2)


def encode_2d(x: ArrayLike, y: ArrayLike) -> np.ndarray:
    """Compute the Morton codes of cells of a quadtree.

    Raises:
        ValueError: coordinates outside 0 to 2**31 - 1.
    """
    x, y = (_checked_coordinates(axis, bits=31) for axis in (x, y))
    return spread_by_1(x) | spread_by_1(y) << 1


def decode_2d(codes: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
    """Return the coordinates x, y of Morton codes of a quadtree."""
    codes = _codes(codes, lowest=0)
    return gather_by_1(codes), gather_by_1(codes >> 1)


def locational_code(level: ArrayLike, x: ArrayLike, y: ArrayLike, z: ArrayLike) -> np.ndarray:
    """Compute the locational codes of cells: a sentinel bit before their Morton codes.

    Raises:
        ValueError: levels outside 0 to MAX_LEVEL, or coordinates outside 0 to 2**level - 1.
    """
    level = _codes(level, lowest=0)
    codes = encode_3d(x, y, z)
    if (level > MAX_LEVEL).any() or (codes >> 3 * level != 0).any():
        raise ValueError(f"levels must be integers from 0 to {MAX_LEVEL}, coordinates from 0 to 2**level - 1")
    return np.int64(1) << 3 * level | codes


def parent_of(codes: ArrayLike) -> np.ndarray:
    """Return the locational codes of the cells above; 0 above the root."""
    return _codes(codes, lowest=1) >> 3


def children_of(codes: ArrayLike) -> np.ndarray:
    """Return the (..., 8) locational codes of the cells below, x lowest.

    Raises:
        ValueError: a cell of MAX_LEVEL, whose children have no codes.
    """
    codes = _codes(codes, lowest=1)
    if (level_of_code(codes) == MAX_LEVEL).any():
        raise ValueError(f"cells of level {MAX_LEVEL} have no children")
    return codes[..., None] << 3 | np.arange(8)


def neighbor_of(codes: ArrayLike, x: ArrayLike, y: ArrayLike, z: ArrayLike) -> np.ndarray:
    """Return the locational codes of the cells that many cells of the own level away; 0 for cells outside the root."""
    codes = _codes(codes, lowest=1)
    level = level_of_code(codes)
    offsets = zip(coordinates_of(codes), map(np.asarray, (x, y, z)), strict=True)
    moved = np.stack(np.broadcast_arrays(*(mine + offset for mine, offset in offsets)))
    is_inside = ((moved >= 0) & (moved < np.int64(1) << level)).all(axis=0)
    return np.where(is_inside, locational_code(level, *np.where(is_inside, moved, 0)), 0)[()]


def level_of_code(codes: ArrayLike) -> np.ndarray:
    """Return the levels of locational codes: the position of the sentinel bit, divided by three."""
    codes = _codes(codes, lowest=1)
    levels = np.zeros(codes.shape, dtype=np.int64)
    for level in range(1, MAX_LEVEL + 1):
        levels += codes >> 3 * level > 0
    return levels[()]


def coordinates_of(codes: ArrayLike) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the coordinates x, y, z of locational codes, in cells of their own level."""
    codes = _codes(codes, lowest=1)
    return decode_3d(codes ^ np.int64(1) << 3 * level_of_code(codes))


def _checked_coordinates(axis: ArrayLike, bits: int = 21) -> np.ndarray:
    axis = np.asarray(axis)
    if axis.dtype.kind not in "iu" or (axis < 0).any() or (axis > 2**bits - 1).any():
        raise ValueError(f"coordinates must be integers from 0 to 2**{bits} - 1")
    return axis.astype(np.int64)


def _codes(codes: ArrayLike, lowest: int) -> np.ndarray:
    codes = np.asarray(codes)
    if codes.dtype.kind not in "iu" or (codes < lowest).any():
        raise ValueError(f"codes must be integers of at least {lowest}")
    return codes.astype(np.int64)

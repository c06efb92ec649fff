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


def gather_by_1(value: Whole) -> Whole:
    """Collect every second bit of an int64, from the lowest."""
    value = value & 0x5555555555555555
    value = (value | value >> 1) & 0x3333333333333333
    value = (value | value >> 2) & 0x0F0F0F0F0F0F0F0F
    value = (value | value >> 4) & 0x00FF00FF00FF00FF
    value = (value | value >> 8) & 0x0000FFFF0000FFFF
    return (value | value >> 16) & 0x7FFFFFFF


def encode_3d(x: ArrayLike, y: ArrayLike, z: ArrayLike) -> np.ndarray:
    """Compute the Morton codes of cells of an octree, whose coordinates are 0 to 2**21 - 1."""
    x, y, z = (_checked_coordinates(axis) for axis in (x, y, z))
    return spread_by_2(x) | spread_by_2(y) << 1 | spread_by_2(z) << 2


def decode_3d(codes: ArrayLike) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the coordinates x, y, z of Morton codes."""
    codes = _codes(codes, lowest=0)
    return gather_by_2(codes), gather_by_2(codes >> 1), gather_by_2(codes >> 2)


def decode_2d(codes: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
    """Return the coordinates x, y of Morton codes of a quadtree."""
    codes = _codes(codes, lowest=0)
    return gather_by_1(codes), gather_by_1(codes >> 1)


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


def _checked_coordinates(axis: ArrayLike) -> np.ndarray:
    axis = np.asarray(axis)
    if axis.dtype.kind not in "iu" or (axis < 0).any() or (axis > 2**21 - 1).any():
        raise ValueError("coordinates must be integers from 0 to 2**21 - 1")
    return axis.astype(np.int64)


def _codes(codes: ArrayLike, lowest: int) -> np.ndarray:
    codes = np.asarray(codes)
    if codes.dtype.kind not in "iu" or (codes < lowest).any():
        raise ValueError(f"codes must be integers of at least {lowest}")
    return codes.astype(np.int64)

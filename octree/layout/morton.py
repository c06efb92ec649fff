"""Morton codes and locational codes: the position and level of a cell in one integer.

A Morton code interleaves the bits of a cell's coordinates (x lowest), so that counting upwards follows a Z through
space and a cell's code followed by three more bits is its child's. A locational code is a Morton code with a
sentinel bit in front, which tells cells of different levels apart: the root is 1, its children are 8 to 15.
(Ericson, "Real-Time Collision Detection", 7.3.3 to 7.3.5.)

All functions take integers or integer arrays of one shape, and return int64 of that shape. Coordinates count cells of
the own level from the root's lowest corner.
"""

from __future__ import annotations

from typing import TypeVar

import numpy as np
from numpy.typing import ArrayLike

Whole = TypeVar("Whole", int, np.ndarray)  # kernels give integers, numpy's callers arrays of them

MAX_LEVEL_3D = 20  # 3 * 20 bits and the sentinel fit in int64
MAX_LEVEL_2D = 31


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


def _spread_by_1(value: np.ndarray) -> np.ndarray:
    """Put a zero bit between the low 31 bits of an int64."""
    value = (value | value << 16) & 0x0000FFFF0000FFFF
    value = (value | value << 8) & 0x00FF00FF00FF00FF
    value = (value | value << 4) & 0x0F0F0F0F0F0F0F0F
    value = (value | value << 2) & 0x3333333333333333
    return (value | value << 1) & 0x5555555555555555


def _gather_by_1(value: np.ndarray) -> np.ndarray:
    """Undo _spread_by_1: collect every second bit."""
    value = value & 0x5555555555555555
    value = (value | value >> 1) & 0x3333333333333333
    value = (value | value >> 2) & 0x0F0F0F0F0F0F0F0F
    value = (value | value >> 4) & 0x00FF00FF00FF00FF
    value = (value | value >> 8) & 0x0000FFFF0000FFFF
    return (value | value >> 16) & 0x7FFFFFFF


def encode_2d(x: ArrayLike, y: ArrayLike) -> np.ndarray:
    """Compute the Morton codes of squares of a quadtree.

    Raises:
        ValueError: coordinates outside 0 to 2**31 - 1.
    """
    x, y = _coordinates(MAX_LEVEL_2D, x, y)
    return _spread_by_1(x) | _spread_by_1(y) << 1


def decode_2d(codes: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
    """Return the coordinates x, y of Morton codes."""
    codes = _codes(codes, lowest=0)
    return _gather_by_1(codes), _gather_by_1(codes >> 1)


def encode_3d(x: ArrayLike, y: ArrayLike, z: ArrayLike) -> np.ndarray:
    """Compute the Morton codes of cells of an octree.

    Raises:
        ValueError: coordinates outside 0 to 2**21 - 1.
    """
    x, y, z = _coordinates(21, x, y, z)
    return spread_by_2(x) | spread_by_2(y) << 1 | spread_by_2(z) << 2


def decode_3d(codes: ArrayLike) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the coordinates x, y, z of Morton codes."""
    codes = _codes(codes, lowest=0)
    return gather_by_2(codes), gather_by_2(codes >> 1), gather_by_2(codes >> 2)


def locational_code(level: ArrayLike, x: ArrayLike, y: ArrayLike, z: ArrayLike) -> np.ndarray:
    """Compute the locational codes of cells.

    Raises:
        ValueError: a level above 20, or a coordinate outside the level's grid.
    """
    level = np.asarray(level, dtype=np.int64)
    if ((level < 0) | (level > MAX_LEVEL_3D)).any():
        raise ValueError(f"levels must be 0 to {MAX_LEVEL_3D}")
    x, y, z = _coordinates(21, x, y, z)
    if any((axis >> level != 0).any() for axis in (x, y, z)):
        raise ValueError("coordinates must be 0 to 2 ** level - 1")
    return np.int64(1) << 3 * level | encode_3d(x, y, z)


def level_of(codes: ArrayLike) -> np.ndarray:
    """Return the levels of locational codes: the position of the sentinel bit, divided by three."""
    codes = _codes(codes, lowest=1)
    levels = np.zeros(codes.shape, dtype=np.int64)
    for level in range(1, MAX_LEVEL_3D + 1):
        levels += codes >> 3 * level > 0
    return levels[()]


def coordinates_of(codes: ArrayLike) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the coordinates x, y, z of locational codes, in cells of their own level."""
    codes = _codes(codes, lowest=1)
    return decode_3d(codes ^ np.int64(1) << 3 * level_of(codes))


def parent_of(codes: ArrayLike) -> np.ndarray:
    """Return the locational codes of the parents.

    Raises:
        ValueError: a code is the root's, which has no parent.
    """
    codes = _codes(codes, lowest=1)
    if (codes == 1).any():
        raise ValueError("the root has no parent")
    return codes >> 3


def child_of(codes: ArrayLike, child: ArrayLike) -> np.ndarray:
    """Return the locational code of one child each: bit 0 of `child` is +x, bit 1 is +y, bit 2 is +z.

    Raises:
        ValueError: a child above 7, or a cell of level 20, below which there are no codes.
    """
    codes, child = _codes(codes, lowest=1), _codes(child, lowest=0)
    if (child > 7).any() or (level_of(codes) >= MAX_LEVEL_3D).any():
        raise ValueError(f"children are 0 to 7, of cells above level {MAX_LEVEL_3D}")
    return codes << 3 | child


def neighbour_of(codes: ArrayLike, dx: int, dy: int, dz: int) -> np.ndarray:
    """Return the locational codes of the cells that lie (dx, dy, dz) cells of the same level away.

    Beyond the root's border it is 0, which is no cell.
    """
    levels = level_of(codes)
    moved = [axis + step for axis, step in zip(coordinates_of(codes), (dx, dy, dz), strict=True)]
    inside = np.logical_and.reduce([(axis >= 0) & (axis >> levels == 0) for axis in moved])
    moved = [np.where(inside, axis, 0) for axis in moved]
    return np.where(inside, locational_code(levels, *moved), 0)[()]


def code_at(points: ArrayLike, center: ArrayLike, half_size: float, level: int) -> np.ndarray:
    """Compute the locational codes of the cells of one level that hold the points, in constant time each.

    Args:
        points: (3,) or (n, 3).
        center: (3,) centre of the root cube, in the points' frame.
        half_size: half its edge length.
        level: of the cells.

    Returns:
        () or (n,) int64; 0, no cell, for points outside the root.

    Raises:
        ValueError: points of another shape.
    """
    points = np.asarray(points, dtype=np.float64)
    if points.shape[-1:] != (3,):
        raise ValueError(f"points must be of shape (3,) or (n, 3), not {points.shape}")
    cells = np.floor((points - np.asarray(center) + half_size) * (2.0**level / (2.0 * half_size)))
    outside = ~((np.abs(points - np.asarray(center)) <= half_size).all(axis=-1))
    last = 2.0**level - 1.0
    cells = np.where(outside[..., None], 0.0, np.clip(cells, 0.0, last)).astype(np.int64)
    return np.where(outside, 0, locational_code(level, cells[..., 0], cells[..., 1], cells[..., 2]))[()]


def _coordinates(bits: int, *axes: ArrayLike) -> list[np.ndarray]:
    checked = [np.asarray(axis) for axis in axes]
    for axis in checked:
        if axis.dtype.kind not in "iu" or (axis < 0).any() or (axis >> bits != 0).any():
            raise ValueError(f"coordinates must be integers from 0 to 2**{bits} - 1")
    return [axis.astype(np.int64) for axis in checked]


def _codes(codes: ArrayLike, lowest: int) -> np.ndarray:
    codes = np.asarray(codes)
    if codes.dtype.kind not in "iu" or (codes < lowest).any():
        raise ValueError(f"codes must be integers of at least {lowest}")
    return codes.astype(np.int64)

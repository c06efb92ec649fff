"""Check the arguments of a scene's setters and convert them to the types of its columns."""

from __future__ import annotations

import operator

import numpy as np
from numpy.typing import ArrayLike

from octoscope.arguments import shown
from octoscope.array_arguments import as_array
from octoscope.scene.geometry.affine import finite, unit_rotations

_STRING = np.dtypes.StringDType()


def checked_orders(what: str, given: ArrayLike) -> np.ndarray:
    """Return whole numbers as int32; ValueError: they are none, or too large."""
    orders = as_array(given, what)
    if (orders.size and orders.dtype.kind not in "iu") or (orders != orders.astype(np.int32)).any():
        raise ValueError(f"{what} must be whole numbers of 32 bits")
    return orders.astype(np.int32)


def checked_rows(what: str, given: ArrayLike, count: ArrayLike, *, lowest: int = 0) -> np.ndarray:
    """Return ids, which are rows of a table, as int64 of the shape given.

    Args:
        given: one id, a list of them, or Nodes, which are arrays of ids to numpy.
        count: the number of rows, or one for each id.
        lowest: 0, or -1 where that means none.

    Raises:
        ValueError: they are not whole numbers from `lowest` to the last row's.
    """
    rows = as_array(given, f"{what} ids")
    if rows.ndim > 1:
        raise ValueError(f"{what} ids must be one number or a list of numbers, not an array {rows.shape}")
    if rows.size and rows.dtype.kind not in "iu":
        kinds = {"b": "truth values", "f": "floating-point numbers", "U": "names: scene[name] is the node of a name"}
        raise ValueError(f"{what} ids must be whole numbers, not {kinds.get(rows.dtype.kind, 'other objects')}")
    if not ((rows >= lowest) & (rows < count)).all():
        raise ValueError(f"{what} ids must be {lowest} to {np.max(count) - 1}")
    return rows.astype(np.int64)


def checked_vectors(what: str, given: ArrayLike, count: int) -> np.ndarray:
    """Return a vector x, y, z, or one for each of `count` nodes, as finite float64."""
    return finite(what, _numbers(what, given, 3, count, "three numbers x, y, z are"))


def checked_scales(given: ArrayLike, count: int) -> np.ndarray:
    """Return scales as `checked_vectors` does; a single number, of all or for each node, is for all axes."""
    each = as_array(given, "scale")
    width = 1 if each.ndim == 0 or each.shape[1:] == (1,) else 3
    return finite(
        "scale", _numbers("scale", each if each.ndim else each[None], width, count, "one number or three are")
    )


def checked_rotations(given: ArrayLike, count: int) -> np.ndarray:
    """Return quaternions of length 1, one or one for each of `count` nodes."""
    wanted = "a quaternion x, y, z, w (Node.rotate turns by degrees) is"
    return unit_rotations(_numbers("rotation", given, 4, count, wanted))


def checked_matrices(what: str, given: ArrayLike, count: int) -> np.ndarray:
    """Return affine matrices, (4, 4) or one for each of `count` nodes, as (count, 4, 4) finite float64."""
    try:
        matrices = np.asarray(given, dtype=np.float64)
    except (TypeError, ValueError):
        matrices = np.empty(0)
    if matrices.shape not in ((4, 4), (count, 4, 4)):
        raise ValueError(f"{what}: a (4, 4) matrix is needed, or one for each of {count} nodes, not {shown(given)}")
    if not np.isfinite(matrices).all() or (matrices[..., 3, :] != (0.0, 0.0, 0.0, 1.0)).any():
        raise ValueError(f"{what}: a matrix of finite numbers is needed, whose last row is 0, 0, 0, 1")
    return np.broadcast_to(matrices, (count, 4, 4))


def _numbers(what: str, given: ArrayLike, width: int, count: int, wanted: str) -> np.ndarray:
    """Return float64 numbers of the shape (width,) or (count, width)."""
    try:
        numbers = np.asarray(given, dtype=np.float64)
    except (TypeError, ValueError):
        numbers = None
    if numbers is None or numbers.shape not in ((width,), (count, width), (1, width)):
        is_large = numbers is not None and (numbers.ndim > 1 or numbers.size > 4)
        found = f"numbers of shape {np.shape(given)}" if is_large else shown(given)
        each = f", or a row for each of {count:,} nodes" if count != 1 else ""
        raise ValueError(f"{what}: {wanted} needed{each}, not {found}")
    return numbers


def checked_flags(what: str, given: ArrayLike) -> np.ndarray:
    """Return truth values as bool of the shape given."""
    flags = as_array(given, what)
    is_whole = flags.dtype.kind in "iu" and ((flags == 0) | (flags == 1)).all()
    if flags.size and flags.dtype.kind != "b" and not is_whole:
        raise ValueError(f"{what} must be True or False")
    return flags.astype(np.bool_)


def checked_names(given: ArrayLike) -> np.ndarray:
    """Return names as an array of strings of the shape given."""
    if isinstance(given, np.ndarray) and given.dtype.kind in "UT":
        return given.astype(_STRING, copy=False)
    names = np.asarray(given, dtype=object)
    if not all(isinstance(name, str) for name in names.ravel().tolist()):
        raise ValueError("a name must be a string")
    return names.astype(_STRING)


def checked_mask(layers: int) -> int:
    """Convert a query's layer mask to an int."""
    try:
        mask = operator.index(layers)
    except TypeError:
        mask = -1
    if not 0 <= mask < 2**32:
        raise ValueError(f"layers must be a mask of 32 bits, 0 to {2**32 - 1}, not {layers}")
    return mask

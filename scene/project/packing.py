"""Arrays in JSON: little-endian bytes, deflated, as base64, with their type and shape."""

from __future__ import annotations

import binascii
import math
import zlib

import numpy as np
from numpy.typing import DTypeLike

LARGEST_BYTES = 8 * 2**30  # of one array, unpacked
_PIECE = 2**16  # bytes inflated in one go: at most a thousand times as much comes out
_MOST_INFLATION = 1100  # deflate's own limit is 1032
_SAMPLE_BYTES = 2**14
_WORTH_DEFLATING = 0.5  # of a sample's size: other data, such as most fractions, is stored as it is
_WORTH_STEPPING = 0.5  # of the deflated sample


def pack(array: np.ndarray) -> dict[str, object]:
    """Return an array of numbers as an object for JSON: type, shape, data.

    For ids, which mostly ascend, differences of neighbours are deflated instead: in a tenth of the time to a hundredth
    of the size.
    """
    packed: dict[str, object] = {"type": array.dtype.name, "shape": list(array.shape)}
    data = _bytes_of(array)
    deflated = _deflated_sample(data)
    if array.dtype.kind == "i" and array.ndim == 1 and len(data) > _SAMPLE_BYTES:
        steps = _bytes_of(np.diff(array, prepend=array.dtype.type(0)))
        if _deflated_sample(steps) < _WORTH_STEPPING * deflated:
            packed["steps"], data, deflated = True, steps, 0
    deflates = len(data) <= _SAMPLE_BYTES or deflated < _WORTH_DEFLATING * _SAMPLE_BYTES
    deflated_data = zlib.compress(data.data, 1 if deflates else 0)
    return packed | {"data": binascii.b2a_base64(deflated_data, newline=False).decode("ascii")}


def _bytes_of(array: np.ndarray) -> np.ndarray:
    return np.ascontiguousarray(array, dtype=array.dtype.newbyteorder("<")).reshape(-1).view(np.uint8)


def _deflated_sample(data: np.ndarray) -> int:
    """Return the deflated size of a sample from beginning, middle and end."""
    piece = _SAMPLE_BYTES // 4
    begins = range(0, max(1, len(data) - piece), max(1, (len(data) - piece) // 3))
    sample = b"".join(data[begin : begin + piece].tobytes() for begin in begins)
    return len(zlib.compress(sample, 1))


def unpack(packed: object, dtype: DTypeLike, row_shape: tuple[int, ...]) -> np.ndarray:
    """Return the array that `pack` was given, (n, *row_shape) of this type; ValueError if it is none, or damaged.

    No more memory is allocated than the data can fill and its shape allows.
    """
    dtype = np.dtype(dtype)
    fields = packed if isinstance(packed, dict) else {}
    shape, data = fields.get("shape"), fields.get("data")
    if not (isinstance(shape, list) and shape and set(map(type, shape)) == {int} and isinstance(data, str)):
        raise ValueError("no packed array")
    if fields.get("type") != dtype.name or tuple(shape[1:]) != row_shape or shape[0] < 0:
        raise ValueError(f"an array of {dtype.name} of shape {('n', *row_shape)} needed")
    try:
        deflated = binascii.a2b_base64(data, strict_mode=True)
    except ValueError:  # binascii.Error, or characters that are not ASCII
        raise ValueError("no base64") from None
    size = dtype.itemsize * math.prod(shape)
    if size > min(LARGEST_BYTES, _MOST_INFLATION * len(deflated)):
        raise ValueError("less data than its shape says, or too much")
    array = np.empty(shape, dtype=dtype.newbyteorder("<"))
    _inflate(deflated, array.reshape(-1).view(np.uint8))
    array = array.astype(dtype, copy=False)
    if fields.get("steps") is True:
        if dtype.kind != "i" or row_shape:
            raise ValueError("steps are of whole numbers")
        np.cumsum(array, dtype=dtype, out=array)  # integers overflow here as the steps did
    return array


def _inflate(deflated: bytes, out: np.ndarray) -> None:
    """Fill `out`, (n,) uint8, exactly; in pieces, so that a compression bomb is noticed in time."""
    inflater = zlib.decompressobj()
    filled = 0
    try:
        for begin in range(0, len(deflated), _PIECE):
            piece = inflater.decompress(deflated[begin : begin + _PIECE])
            if filled + len(piece) > len(out):
                raise ValueError("more data than its shape says")
            out[filled : filled + len(piece)] = np.frombuffer(piece, dtype=np.uint8)
            filled += len(piece)
    except zlib.error:
        raise ValueError("damaged data") from None
    if filled != len(out) or not inflater.eof or inflater.unused_data:
        raise ValueError("less or more data than its shape says")

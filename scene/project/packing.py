"""Arrays in JSON: little-endian bytes, as a deflate stream, in base64, with their type and shape beside them."""

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
_WORTH_DEFLATING = 0.8  # of a sample's size: what shrinks less, such as most numbers with a fraction, costs time alone


def pack(array: np.ndarray) -> dict[str, object]:
    """An array of numbers as an object for JSON: type, shape, data."""
    data = np.ascontiguousarray(array, dtype=array.dtype.newbyteorder("<")).reshape(-1).view(np.uint8)
    sample = data[:_SAMPLE_BYTES]
    deflates = len(data) == len(sample) or len(zlib.compress(sample, 1)) < _WORTH_DEFLATING * len(sample)
    return {
        "type": array.dtype.name,
        "shape": list(array.shape),
        "data": binascii.b2a_base64(zlib.compress(data, 1 if deflates else 0), newline=False).decode("ascii"),
    }


def unpack(packed: object, dtype: DTypeLike, row_shape: tuple[int, ...]) -> np.ndarray:
    """The array, (n, *row_shape) of that type, that `pack` was given; writable.

    Nothing larger is allocated than what the data can hold and its shape allows.

    Raises:
        ValueError: it is no such array, or damaged.
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
    return array.astype(dtype, copy=False)


def _inflate(deflated: bytes, out: np.ndarray) -> None:
    """Fill `out`, (n,) uint8, exactly; a piece at a time, so that a bomb is seen before it goes off."""
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

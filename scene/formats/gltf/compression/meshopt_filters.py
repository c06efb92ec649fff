"""Turn the items of a decoded stream into what they stand for: the filters of EXT_ and KHR_meshopt_compression."""

from __future__ import annotations

import numpy as np

_STRIDES = {"OCTAHEDRAL": (4, 8), "QUATERNION": (8,), "EXPONENTIAL": range(4, 257, 4), "COLOR": (4, 8)}


def filtered(data: np.ndarray, name: str) -> np.ndarray:
    """Apply a filter to (n, stride) uint8 items; ValueError if it is unknown, or not for items of so many bytes."""
    if name == "NONE":
        return data
    stride = data.shape[1]
    if stride not in _STRIDES.get(name, ()):
        raise ValueError(f"the filter {name} is not one for items of {stride} bytes")
    with np.errstate(all="ignore"):  # numbers that no encoder writes become others that do not matter
        if name == "EXPONENTIAL":
            packed = data.view("<i4")
            out = np.ldexp(((packed << 8) >> 8).astype(np.float32), packed >> 24).astype("<f4")
        elif name == "OCTAHEDRAL":
            out = _octahedral(data.view("<i2" if stride == 8 else "i1"))
        elif name == "QUATERNION":
            out = _quaternions(data.view("<i2"))
        else:
            out = _colors(data.view("<u2" if stride == 8 else "u1"))
    return out.view(np.uint8)


def _octahedral(packed: np.ndarray) -> np.ndarray:
    """Unfold unit vectors: (n, 4) whole numbers x, y, and what stands for 1; the last is kept as it is."""
    one = packed[:, 2].astype(np.float64)
    flat = packed[:, :2] / one[:, None]
    z = 1.0 - np.abs(flat).sum(axis=1)
    flat -= np.copysign(np.minimum(z, 0.0)[:, None], flat)
    vectors = np.column_stack([flat, z])
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    out = packed.copy()
    out[:, :3] = _rounded(vectors * np.iinfo(packed.dtype).max, packed.dtype)
    return out


def _quaternions(packed: np.ndarray) -> np.ndarray:
    """Return unit quaternions: (n, 4) int16 have three components, and what stands for 1 with where the fourth is."""
    three = packed[:, :3] / (packed[:, 3] | 3).astype(np.float64)[:, None] * np.sqrt(0.5)
    fourth = np.sqrt(np.maximum(0.0, 1.0 - (three**2).sum(axis=1)))
    whole = _rounded(np.column_stack([fourth, three]) * 32767.0, packed.dtype)
    places = ((packed[:, 3] & 3)[:, None] + np.arange(4)) % 4
    out = np.empty_like(packed)
    np.put_along_axis(out, places.astype(np.int64), whole, axis=1)
    return out


def _colors(packed: np.ndarray) -> np.ndarray:
    """Return colours and opacity from brightness, two differences, and opacity under a bit that says how many bits."""
    brightness, opacity = packed[:, 0].astype(np.int64), packed[:, 3].astype(np.int64)
    orange, green = packed[:, 1:3].view(f"i{packed.dtype.itemsize}").astype(np.int64).T
    _, bits = np.frexp(opacity.astype(np.float64))  # of the highest that is set, counted from 1
    largest = (np.int64(1) << bits) - 1
    opacity &= largest >> 1
    rgba = [brightness + orange - green, brightness + green, brightness - orange - green, opacity << 1 | opacity & 1]
    most = np.iinfo(packed.dtype).max
    return _rounded(np.column_stack(rgba) * (most / largest)[:, None], packed.dtype)


def _rounded(values: np.ndarray, kind: np.dtype) -> np.ndarray:
    """Round values, halves away from zero, to whole numbers of a kind; 0 for those that are none."""
    limits = np.iinfo(kind)
    whole = np.trunc(values + np.copysign(0.5, values))
    return np.nan_to_num(whole).clip(limits.min, limits.max).astype(kind)

"""Decode buffer views that meshoptimizer has compressed (EXT_meshopt_compression, KHR_meshopt_compression)."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from octoscope.scene.formats.gltf.codes import MESHOPT
from octoscope.scene.formats.gltf.compression.meshopt_codec import (
    MOST_STRIDE,
    decode_attributes,
    decode_indices,
    decode_triangles,
)
from octoscope.scene.formats.gltf.document import DecodedViews, GltfDocument, bytes_of_view
from octoscope.scene.system.read_limits import current_limits
from octoscope.scene.system.text_file import printable

# A stream of n bytes stands for fewer than so many times as many, and one of a few bytes for so many more.
_MOST_BYTES_PER_BYTE, _MOST_BYTES_OF_ANY = 2048, 2**16


def without_meshopt(document: GltfDocument) -> GltfDocument:
    """Return a document with what meshoptimizer has compressed in it as if it were not."""
    decoded = DecodedViews(document)
    is_used = False
    for view in document.objects("bufferViews"):
        extensions = view.get("extensions")
        packed = [extensions[name] for name in MESHOPT if name in extensions] if isinstance(extensions, dict) else []
        if not packed:
            continue
        is_used = True
        try:
            view |= decoded.add(_decoded(document, view, packed[0]))
        except ValueError as error:
            document.undecoded[f"data that meshoptimizer has compressed ({printable(error)})"] += 1
    return decoded.document(MESHOPT) if is_used else document


def _decoded(document: GltfDocument, view: Mapping[str, object], packed: object) -> np.ndarray:
    if not isinstance(packed, dict):
        raise ValueError("no fields")
    source = bytes_of_view(document, packed)
    mode, name = packed.get("mode"), packed.get("filter", "NONE")
    count, stride = (value if type(value := packed.get(key)) is int else -1 for key in ("count", "byteStride"))
    if count < 0 or stride < 1 or count * stride != view.get("byteLength"):
        raise ValueError("of another size than its view")
    if count * stride > _MOST_BYTES_PER_BYTE * len(source) + _MOST_BYTES_OF_ANY:
        raise ValueError("fewer bytes than so many items take")
    current_limits().check(4 * count * stride)
    if mode == "ATTRIBUTES":
        if stride % 4 or stride > MOST_STRIDE:
            raise ValueError(f"items of {stride} bytes")
        out = np.empty((count, stride), np.uint8)
        if not decode_attributes(source, stride, out):
            raise ValueError("a broken stream")
        return filtered(out, str(name)).reshape(-1)
    if mode not in ("TRIANGLES", "INDICES") or stride not in (2, 4) or name != "NONE":
        raise ValueError(f"the mode {mode} with the filter {name} for {stride} bytes"[:80])
    indices = np.empty(count, np.uint32)
    if mode == "INDICES":
        sound = decode_indices(source, indices)
    else:
        sound = count % 3 == 0 and decode_triangles(source, indices.reshape(-1, 3))
    if not sound:
        raise ValueError("a broken stream")
    return indices.astype(f"<u{stride}").view(np.uint8)


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

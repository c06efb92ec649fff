"""Accessors: typed arrays in a file's bytes, checked before anything is read or allocated."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from octoscope.scene.formats.gltf.codes import COMPONENT_BYTES, COMPONENT_TYPES, WIDTHS
from octoscope.scene.formats.gltf.document import GltfDocument, broken, integers

NONE = -1


@dataclass(frozen=True)
class Accessors:
    """All accessors of a file, in columns (a,)."""

    data: np.ndarray  # (n,) uint8, the bytes that they point into
    starts: np.ndarray  # int64 bytes
    strides: np.ndarray  # int64 bytes
    counts: np.ndarray  # int64; 0 for those that are not sound
    components: np.ndarray  # int64 codes of component types
    widths: np.ndarray  # int64 components of an item
    normalized: np.ndarray  # bool
    sound: np.ndarray  # bool, whether all of it lies within its buffer and its kind is known

    def usable(self, numbers: np.ndarray, *, components: tuple[int, ...], widths: tuple[int, ...]) -> np.ndarray:
        """Tell which of (k,) accessors are sound, and of some component types and widths; return (k,) bool."""
        inside = (numbers >= 0) & (numbers < len(self.counts))
        if not len(self.counts):
            return inside
        chosen = np.where(inside, numbers, 0)
        return (
            inside
            & self.sound[chosen]
            & np.isin(self.components[chosen], components)
            & np.isin(self.widths[chosen], widths)
        )


def accessors_of(document: GltfDocument, items: list[dict[str, object]] | None = None) -> Accessors:
    """Check accessors (None: all of the file's) and where they point; sparse ones are not sound, see read_sparse."""
    path = document.path
    views = document.objects("bufferViews")
    items = document.objects("accessors") if items is None else items
    view_buffers = integers(views, "buffer", NONE, path)
    view_offsets = integers(views, "byteOffset", 0, path)
    view_lengths = integers(views, "byteLength", 0, path)
    view_strides = integers(views, "byteStride", 0, path)
    buffer_known = (view_buffers >= 0) & (view_buffers < len(document.buffer_sizes))
    view_sound = buffer_known & (view_offsets >= 0) & (view_lengths >= 0) & (view_strides >= 0)
    safe_buffers = np.where(buffer_known, view_buffers, 0)
    sizes = _taken(document.buffer_sizes, safe_buffers)
    view_sound &= view_offsets + view_lengths <= sizes
    view_starts = _taken(document.buffer_starts, safe_buffers) + view_offsets

    components = integers(items, "componentType", 0, path)
    types = [type_ for item in items if isinstance(type_ := item.get("type"), str)]
    if len(types) < len(items):
        raise broken(path, "an accessor has no 'type'")
    widths = np.array([WIDTHS.get(type_, 0) for type_ in types], dtype=np.int64)
    counts = integers(items, "count", 0, path)
    offsets = integers(items, "byteOffset", 0, path)
    numbers = integers(items, "bufferView", NONE, path)
    normalized = np.array([item.get("normalized") is True for item in items], dtype=np.bool_)
    component_bytes = np.array([COMPONENT_BYTES.get(code, 0) for code in components.tolist()], dtype=np.int64)
    item_bytes = component_bytes * widths
    view_known = (numbers >= 0) & (numbers < len(views))
    chosen = np.where(view_known, numbers, 0)
    lengths = _taken(view_lengths, chosen)
    strides = _taken(view_strides, chosen)
    strides = np.where((strides == 0) | (counts == 1), item_bytes, strides)
    sound = view_known & _taken(view_sound, chosen) & (item_bytes > 0) & (strides >= item_bytes)
    # A count larger than the bytes there are is wrong, and its product with a stride might not fit.
    sound &= (counts > 0) & (counts <= lengths) & (offsets >= 0) & (strides <= lengths)
    sound[sound] &= (offsets + (counts - 1) * strides + item_bytes <= lengths)[sound]
    sound &= np.array(["sparse" not in item for item in items], dtype=np.bool_)
    return Accessors(
        document.data,
        _taken(view_starts, chosen) + offsets,
        strides,
        np.where(sound, counts, 0),
        components,
        widths,
        normalized,
        sound,
    )


def read_plain(accessors: Accessors, number: int, width: int) -> np.ndarray:
    """Return the items of a sound accessor as they are stored, (n, width)."""
    kind = np.dtype(COMPONENT_TYPES[int(accessors.components[number])])
    start, stride, count = (int(column[number]) for column in (accessors.starts, accessors.strides, accessors.counts))
    items = np.lib.stride_tricks.as_strided(accessors.data[start:], (count, kind.itemsize * width), (stride, 1))
    return np.ascontiguousarray(items).view(kind)


def _taken(column: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """Return column[rows]; zeros where the column is empty."""
    return column[rows] if len(column) else np.zeros(len(rows), dtype=column.dtype)

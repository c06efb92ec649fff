"""Read the items of accessors, of any component type, as floats."""

from __future__ import annotations

import numpy as np

from octoscope.octree.jit import kernel
from octoscope.scene.formats.gltf.codes import BYTE, FLOAT, SHORT, UNSIGNED_BYTE, UNSIGNED_SHORT


@kernel
def read_blocks(
    data: np.ndarray,
    starts: np.ndarray,
    strides: np.ndarray,
    components: np.ndarray,
    normalized: np.ndarray,
    widths: np.ndarray,
    accessors: np.ndarray,
    counts: np.ndarray,
    used: np.ndarray,
    out: np.ndarray,
) -> None:
    """Write to `out` the items of each block's accessor for the vertices that it uses; nothing where it has none."""
    first = 0
    for block in range(len(counts)):
        end = first + counts[block]
        accessor = accessors[block]
        if accessor >= 0:
            _read_items(
                data,
                starts[accessor],
                strides[accessor],
                components[accessor],
                normalized[accessor],
                min(widths[accessor], out.shape[1]),
                used[first:end],
                out[first:end],
            )
        first = end


@kernel
def _read_items(
    data: np.ndarray,
    start: int,
    stride: int,
    component: int,
    normalized: bool,
    width: int,
    rows: np.ndarray,
    out: np.ndarray,
) -> None:
    """Write the components of some items of one accessor to `out`.

    Args:
        data: (n,) uint8.
        start: of the accessor, bytes.
        stride: from item to item, bytes.
        component: code of the component type.
        normalized: whether integers stand for 0 to 1, or -1 to 1.
        width: components of an item.
        rows: (k,) int, which items; they must lie within the accessor.
        out: (k, width) float, written.
    """
    word = np.empty(1, np.uint32)
    real = word.view(np.float32)
    size = 4
    limit = 1.0
    if component in (BYTE, UNSIGNED_BYTE):
        size = 1
        limit = 127.0 if component == BYTE else 255.0
    elif component in (SHORT, UNSIGNED_SHORT):
        size = 2
        limit = 32767.0 if component == SHORT else 65535.0
    for i in range(len(rows)):
        address = start + np.int64(rows[i]) * stride
        for k in range(width):
            bits = np.uint32(0)
            for byte in range(size):
                bits |= np.uint32(data[address + byte]) << np.uint32(8 * byte)
            address += size
            if component == FLOAT:
                word[0] = bits
                out[i, k] = real[0]
                continue
            value = np.float64(bits)
            if component == BYTE and value > 127.0:
                value -= 256.0
            elif component == SHORT and value > 32767.0:
                value -= 65536.0
            out[i, k] = max(value / limit, -1.0) if normalized else value

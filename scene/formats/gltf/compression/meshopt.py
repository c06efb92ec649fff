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
from octoscope.scene.formats.gltf.compression.meshopt_filters import filtered
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
    """Return the bytes of a view, (n,) uint8."""
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

"""Decode accessors of whole numbers that a matrix makes positions of (WEB3D_quantized_attributes, of glTF 1.0)."""

from __future__ import annotations

from typing import Any

import numpy as np

from octoscope.scene.formats.gltf.accessors import accessors_of, read_plain
from octoscope.scene.formats.gltf.codes import FLOAT, WIDTHS
from octoscope.scene.formats.gltf.document import DecodedViews, GltfDocument

_NAME = "WEB3D_quantized_attributes"


def without_quantized(document: GltfDocument) -> GltfDocument:
    """Return a document whose accessors of this kind are floats."""
    items: list[Any] = document.objects("accessors")
    quantized = [item for item in items if isinstance(of_item := item.get("extensions"), dict) and _NAME in of_item]
    if not quantized:
        return document
    decoded = DecodedViews(document)
    views = document.objects("bufferViews")
    accessors = accessors_of(document, quantized)
    for number, item in enumerate(quantized):
        try:
            width = WIDTHS[item["type"]] if accessors.sound[number] else 0
            matrix = np.array(item["extensions"][_NAME]["decodeMatrix"], dtype=np.float64)
            matrix = matrix.reshape(width + 1, width + 1)
        except (ArithmeticError, KeyError, TypeError, ValueError):
            document.undecoded[f"quantized data ({_NAME})"] += 1
            continue
        with np.errstate(all="ignore"):
            floats = read_plain(accessors, number, width) @ matrix[:width, :width] + matrix[width, :width]
            views.append(decoded.add(floats.astype("<f4").view(np.uint8).ravel()))
        item |= {"bufferView": len(views) - 1, "byteOffset": 0, "componentType": FLOAT}
    return decoded.document([_NAME])

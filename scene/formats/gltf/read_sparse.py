"""Fill in sparse accessors: those of which a file has few items, beside others, or beside zeros."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from octoscope.scene.formats.gltf.accessors import Accessors, accessors_of, read_plain
from octoscope.scene.formats.gltf.codes import COMPONENT_BYTES, UNSIGNED_BYTE, UNSIGNED_INT, UNSIGNED_SHORT, WIDTHS
from octoscope.scene.formats.gltf.document import DecodedViews, GltfDocument, objects
from octoscope.scene.system.read_limits import current_limits

# Few bytes can say that there are any number of zeros: a file may have so many times its own bytes of them, and more.
_MOST_BYTES_PER_BYTE, _MOST_BYTES_OF_ANY = 16, 2**26


def without_sparse(document: GltfDocument) -> GltfDocument:
    """Return a document whose sparse accessors are as others, where meshes, and not morph targets, use them."""
    items = document.objects("accessors")
    if not any("sparse" in item for item in items):
        return document
    numbers = [
        number for number in dict.fromkeys(_used(document)) if 0 <= number < len(items) and "sparse" in items[number]
    ]
    views = document.objects("bufferViews")
    filled = DecodedViews(document)
    left = _MOST_BYTES_PER_BYTE * len(document.data) + _MOST_BYTES_OF_ANY
    for number in numbers:
        item = items[number]
        try:
            data = _filled(document, item, left)
        except (KeyError, TypeError, ValueError) as error:
            reason = str(error) if isinstance(error, ValueError) else "a wrong field"
            document.undecoded[f"a sparse accessor ({reason})"] += 1
            continue
        left -= len(data)
        views.append(filled.add(data))
        del item["sparse"]
        item |= {"bufferView": len(views) - 1, "byteOffset": 0}
    return filled.document()


def _used(document: GltfDocument) -> Iterator[int]:
    """Yield the numbers of the accessors that meshes are made from."""
    for mesh in document.objects("meshes"):
        for primitive in objects(mesh, "primitives", document.path):
            attributes = primitive.get("attributes")
            values = [primitive.get("indices"), *(attributes.values() if isinstance(attributes, dict) else ())]
            yield from (value for value in values if type(value) is int)


def _filled(document: GltfDocument, item: Mapping[str, Any], most_bytes: int) -> np.ndarray:
    sparse, count = item["sparse"], item["count"]
    width = WIDTHS[item["type"]]
    size = COMPONENT_BYTES[item["componentType"]] * width
    if type(count) is not int or not 0 < count * size <= most_bytes:
        raise ValueError("more items than a file of its size has")
    current_limits().check(4 * count * size)
    kind = {"type": item["type"], "componentType": item["componentType"]}
    few = type(sparse["count"]) is int and 0 < sparse["count"] <= count
    if not few:
        raise ValueError("a count that makes no sense")
    parts = [
        {"componentType": sparse["indices"]["componentType"], "type": "SCALAR"} | _place(sparse["indices"], sparse),
        kind | _place(sparse["values"], sparse),
    ]
    if "bufferView" in item:
        parts.append({key: value for key, value in item.items() if key != "sparse"})
    accessors = accessors_of(document, parts)
    if not accessors.sound.all() or accessors.components[0] not in (UNSIGNED_BYTE, UNSIGNED_SHORT, UNSIGNED_INT):
        raise ValueError("its data lie outside the file")
    out = np.zeros((count, size), np.uint8) if len(parts) == 2 else _bytes_of(accessors, 2, width).copy()
    places = read_plain(accessors, 0, 1)[:, 0].astype(np.int64)
    if places.max() >= count:
        raise ValueError("an item behind its last one")
    out[places] = _bytes_of(accessors, 1, width)
    return out.reshape(-1)


def _place(part: Mapping[str, Any], sparse: Mapping[str, Any]) -> dict[str, Any]:
    return {"bufferView": part["bufferView"], "byteOffset": part.get("byteOffset", 0), "count": sparse["count"]}


def _bytes_of(accessors: Accessors, number: int, width: int) -> np.ndarray:
    return read_plain(accessors, number, width).view(np.uint8)

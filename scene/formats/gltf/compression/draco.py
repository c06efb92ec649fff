"""Decode triangles that were compressed by Draco (KHR_draco_mesh_compression). Needs octoscope[draco]."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import numpy as np

from octoscope.scene.formats.gltf.codes import COMPONENT_TYPES, DRACO, FLOAT, TRIANGLES, UNSIGNED_INT, WIDTHS
from octoscope.scene.formats.gltf.document import DecodedViews, GltfDocument, bytes_of_view, objects
from octoscope.scene.system.text_file import printable

_FLOATS = (9, 10)  # DracoPy's codes of what an attribute is stored as


def without_draco(document: GltfDocument) -> GltfDocument:
    """Return a document with what Draco has compressed in it as if it were not."""
    used = document.json.get("extensionsUsed")
    if not isinstance(used, list) or DRACO not in used:
        return document
    try:
        import DracoPy  # here: an extra, and few files need it
    except ModuleNotFoundError:
        return document
    path = document.path
    views, accessors = document.objects("bufferViews"), document.objects("accessors")
    primitives = [one for mesh in document.objects("meshes") for one in objects(mesh, "primitives", path)]
    known: dict[str, tuple[int, dict[str, int]]] = {}
    decoded = DecodedViews(document)

    def added(array: np.ndarray, like: Mapping[str, Any]) -> int:
        """Add an accessor of the same kind with other items, and return its number."""
        views.append(decoded.add(_as_items(array, like)))
        accessors.append({**like, "bufferView": len(views) - 1, "byteOffset": 0, "count": len(array)})
        return len(accessors) - 1

    for primitive in primitives:
        extensions: Any = primitive.get("extensions")
        if not isinstance(extensions, dict) or DRACO not in extensions:
            continue
        try:
            packed = extensions[DRACO]
            attributes: Any = primitive["attributes"]
            key = json.dumps([packed, attributes], sort_keys=True)
            if key not in known:
                mesh = DracoPy.decode(bytes_of_view(document, views[packed["bufferView"]]).tobytes())
                columns = {
                    name: (_stored(mesh.get_attribute_by_unique_id(number)), accessors[attributes[name]])
                    for name, number in packed["attributes"].items()
                }
                known[key] = (
                    added(mesh.faces.reshape(-1, 1), {"componentType": UNSIGNED_INT, "type": "SCALAR"}),
                    {name: added(array, like) for name, (array, like) in columns.items()},
                )
        except (KeyError, TypeError, IndexError, ValueError, AttributeError, DracoPy.FileTypeException) as error:
            is_said = isinstance(error, ValueError | DracoPy.FileTypeException)
            reason = printable(" ".join(str(error).split()))[:80] if is_said else "a wrong field"
            document.undecoded[f"a mesh that Draco has compressed ({reason})"] += 1
            continue
        indices, numbers = known[key]
        primitive |= {"indices": indices, "attributes": {**attributes, **numbers}, "mode": TRIANGLES}
    return decoded.document({DRACO})


def _stored(attribute: Mapping[str, Any]) -> np.ndarray:
    """Return the items of an attribute as they are stored: DracoPy has whole positions and normals as floats."""
    data = attribute["data"]
    return data if attribute["data_type"] in _FLOATS else data.astype(np.int64)


def _as_items(array: np.ndarray, like: Mapping[str, Any]) -> np.ndarray:
    if np.size(array) != len(array) * WIDTHS[like["type"]]:
        raise ValueError("items of another width than the accessor's")
    if (array.dtype.kind == "f") != (like["componentType"] == FLOAT):
        raise ValueError("components of another kind than the accessor's")
    items = np.ascontiguousarray(array, dtype=COMPONENT_TYPES[like["componentType"]])
    if array.dtype.kind != "f" and (items != array).any():
        raise ValueError("components larger than the accessor's")
    return items.reshape(-1).view(np.uint8)

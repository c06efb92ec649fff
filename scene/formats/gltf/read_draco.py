"""Decode triangles that were compressed by Draco (KHR_draco_mesh_compression). Needs octoscope[draco]."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from scene.formats.gltf.codes import COMPONENT_TYPES, DRACO, FLOAT, TRIANGLES, UNSIGNED_INT, WIDTHS
from scene.formats.gltf.document import GltfDocument, objects, read_document


def read_decoded(path: Path) -> GltfDocument:
    """Read a file as `read_document` does, with what Draco has compressed in it as if it were not.

    Without DracoPy nothing is decoded; nor is what it cannot decode.
    """
    document = read_document(path)
    used = document.json.get("extensionsUsed")
    return _decoded(document) if isinstance(used, list) and DRACO in used else document


def _decoded(document: GltfDocument) -> GltfDocument:
    try:
        import DracoPy  # here: an extra, and few files need it
    except ModuleNotFoundError:
        return document
    path = document.path
    views, accessors = document.objects("bufferViews"), document.objects("accessors")
    primitives = [one for mesh in document.objects("meshes") for one in objects(mesh, "primitives", path)]
    known: dict[str, tuple[int, dict[str, int]]] = {}
    pieces = [document.data]
    begin = 0  # of the next array in the new buffer

    def added(array: np.ndarray, like: Mapping[str, Any]) -> int:
        """Add an accessor of the same kind with other items, and return its number.

        Raises:
            ValueError: the items are of another kind.
        """
        nonlocal begin
        if np.size(array) != len(array) * WIDTHS[like["type"]]:
            raise ValueError("items of another width than the accessor's")
        if (array.dtype.kind == "f") != (like["componentType"] == FLOAT):
            raise ValueError("components of another kind than the accessor's")
        data = np.ascontiguousarray(array, dtype=COMPONENT_TYPES[like["componentType"]]).reshape(-1).view(np.uint8)
        views.append({"buffer": len(document.buffer_sizes), "byteOffset": begin, "byteLength": len(data)})
        accessors.append({**like, "bufferView": len(views) - 1, "byteOffset": 0, "count": len(array)})
        pieces.append(data)
        begin += len(data)
        return len(accessors) - 1

    for primitive in primitives:
        try:
            extension: Any = primitive["extensions"]
            packed = extension[DRACO]
            attributes: Any = primitive["attributes"]
            key = json.dumps([packed, attributes], sort_keys=True)
            if key not in known:
                mesh = DracoPy.decode(_bytes_of(document, views[packed["bufferView"]]))
                columns = {
                    name: (mesh.get_attribute_by_unique_id(number)["data"], accessors[attributes[name]])
                    for name, number in packed["attributes"].items()
                }
                faces = mesh.faces.reshape(-1, 1)
                known[key] = (
                    added(faces, {"componentType": UNSIGNED_INT, "type": "SCALAR"}),
                    {name: added(array, like) for name, (array, like) in columns.items()},
                )
        except (KeyError, TypeError, IndexError, ValueError, AttributeError, DracoPy.FileTypeException):
            continue  # told as a part of a mesh whose data are missing
        indices, numbers = known[key]
        primitive |= {"indices": indices, "attributes": {**attributes, **numbers}, "mode": TRIANGLES}
    for field in ("extensionsRequired", "extensionsUsed"):
        names = document.json.get(field)
        if isinstance(names, list):
            document.json[field] = [name for name in names if name != DRACO]
    return replace(
        document,
        data=np.concatenate(pieces),
        buffer_starts=np.append(document.buffer_starts, len(document.data)),
        buffer_sizes=np.append(document.buffer_sizes, begin),
    )


def _bytes_of(document: GltfDocument, view: Mapping[str, Any]) -> bytes:
    """Return the bytes of a buffer view.

    Raises:
        ValueError: it leads outside its buffer.
    """
    offset, length, buffer = view.get("byteOffset", 0), view["byteLength"], view["buffer"]
    if buffer < 0 or offset < 0 or length < 0 or offset + length > document.buffer_sizes[buffer]:
        raise ValueError("outside its buffer")
    begin = int(document.buffer_starts[buffer]) + offset
    return document.data[begin : begin + length].tobytes()
